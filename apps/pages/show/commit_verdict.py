"""The verdict on commits a second of one session, as a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext_lazy

from apps.pages.show import standings
from apps.rankings.advice.verdicts import Judgement, Verdict
from apps.rankings.models import Standing
from apps.stats.figures import significant
from apps.words.advice import doubt_words
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

COMMIT_SENTENCES: Final[Mapping[Verdict, _StrPromise]] = {
    Verdict.PASSES: gettext_lazy(
        "Yes, at %(least)s commits/s of one session. It gets %(rate)s /s with %(workload)s "
        "(%(n)s, %(interval)s, %(when)s)."
    ),
    Verdict.MAY: gettext_lazy(
        "Borderline at %(least)s commits/s of one session: %(why)s. It gets %(rate)s /s with "
        "%(workload)s (%(n)s, %(interval)s, %(when)s)."
    ),
    Verdict.FAILS: gettext_lazy(
        "No, not at %(least)s commits/s of one session. It gets %(rate)s /s with %(workload)s "
        "(%(n)s, %(interval)s, %(when)s)."
    ),
}


def commit_sentence(
    judged: Standing, judgement: Judgement, newest: datetime | None, *, least_per_s: float
) -> str:
    """The verdict on commits a second of one session, of a standing that was judged by them."""
    return str(COMMIT_SENTENCES[judgement.verdict]) % commit_figures(
        judged, judgement, newest, least_per_s
    )


def commit_figures(
    judged: Standing, judgement: Judgement, newest: datetime | None, least_per_s: float
) -> dict[str, str]:
    """The figures of a judged standing, for a sentence."""
    return {
        **standings.figures_of(judged, newest),
        "least": significant(least_per_s),
        "why": doubt_words(judgement.doubt),
        "workload": workload_title(judged.workload, judged.workload_title),
    }
