"""The warnings beside the figures of a standing, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import override

from apps.stats.figures import significant
from apps.stats.standings.gates import RANKED_UPLOADERS_MIN
from apps.words.facts import sentences_in_words, sentences_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from apps.rankings.models import Standing

# From how many uploaders on a standing is ranked, by the name that sentences have for it.
RANKED_FROM: Final[Mapping[str, int]] = {"uploaders": RANKED_UPLOADERS_MIN}

# Sentences of sources that leave the figure as it is; any other one changes what it answers.
HARMLESS: Final = frozenset({
    "A short run.",
    "Not all of the set-up is stated.",
    "Only the mean is printed.",
    "The rate is computed from the printed bandwidth.",
    "The rate is computed from the printed latency.",
    "The rate includes both syncs, the latency the first alone.",
    "The source rounds.",
    "Measured on the 15.36 TB add-on drive, which is in the price.",
    "ZFS: each sync goes to its intent log.",
})  # fmt: skip


def warns(standing: Standing) -> bool:
    """Return whether something beside its figures changes what they answer."""
    is_mixed = bool(standing.kinds) or standing.changed_since is not None
    said = {each for warning in standing.warnings for each in sentences_of(warning)}
    return is_mixed or not said <= HARMLESS


def warnings_of(standing: Standing) -> list[str]:
    """Return what is to be known beside its figures: warnings of its sources, and what is mixed."""
    sentences = (each for warning in standing.warnings for each in sentences_of(warning))
    warnings = [sentences_in_words(each) for each in dict.fromkeys(sentences)]
    if standing.kinds:
        warnings.append(kinds_words(standing.kinds))
    if standing.filesystems:
        filesystems = _(", ").join(standing.filesystems)
        warnings.append(_("Median over %(filesystems)s.") % {"filesystems": filesystems})
    if standing.changed_since is not None:
        warnings.append(_change_of(standing))
    return warnings


def kinds_words(kinds: Sequence[tuple[int, float, str]]) -> str:
    """Return what people got of several kinds of storage, as a sentence; there is a first kind."""
    total = sum(n for n, _rate, _drive in kinds)
    (n, rate, drive), *others = kinds
    parts = [_got(n, rate, drive, total=total), *(_got(*other) for other in others)]
    return _(", ").join(parts) + _(".")


def _got(n: int, rate_per_s: float, drive: str = "", *, total: int = 0) -> str:
    """Return what so many uploaders got; the first of several says out of how many."""
    rate = f"{significant(rate_per_s)}/s"
    what = drive + _(" (%(words)s)") % {"words": rate} if drive else rate
    text = _("%(n)s of %(total)s uploaders got %(what)s") if total else _("%(n)s got %(what)s")
    return text % {"n": n, "total": total, "what": what}


def kinds_note(standing: Standing) -> str:
    """Return how many got this kind of storage, and what the others got, for a line of a board."""
    got = _got(standing.n_uploaders, standing.rate_per_s, total=standing.n_cell_uploaders)
    others = [_got(n, rate) for n, rate, _drive in standing.kinds if rate != standing.rate_per_s]
    return _(", ").join((got, *others))


def _change_of(standing: Standing) -> str:
    """Return since when a standing has another rate, with both."""
    sentence = _("Since %(day)s %(since)s/s, before %(before)s/s (uploaders: %(n)s).")
    return sentence % {
        "day": standing.changed_since,
        "before": significant(standing.rate_before_per_s or 0),
        "since": significant(standing.rate_since_per_s or 0),
        "n": standing.n_since,
    }


def english_warning(standing: Standing) -> str:
    """Return the same as one text in English."""
    with override("en"):
        return " ".join(warnings_of(standing))
