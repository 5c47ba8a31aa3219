"""Whether something is fit for what it has to do, as a sentence that begins with how sure it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from apps.stats.standings.confidence import Confidence

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import Promise, _StrPromise

    from apps.stats.standings.confidence import Sureness

_FAILS: Final = gettext_lazy("No, not at %(need)s.")
_SAYS: Final[Mapping[Confidence, _StrPromise]] = {
    Confidence.FIRM: gettext_lazy("Yes, at %(need)s."),
    Confidence.LIKELY: gettext_lazy("Likely, at %(need)s."),
    Confidence.BORDERLINE: gettext_lazy("Borderline at %(need)s."),
    Confidence.UNLIKELY: gettext_lazy("Unlikely at %(need)s."),
    Confidence.UNKNOWN: gettext_lazy("Unknown at %(need)s."),
}


def fit_sentence(sureness: Sureness, need: str | Promise) -> str:
    """The verdict on a need, as "1,000 commits a second of one session"."""
    fails = sureness.fails and sureness.confidence is Confidence.FIRM
    return str(_FAILS if fails else _SAYS[sureness.confidence]) % {"need": need}
