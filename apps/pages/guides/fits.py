"""What a guide answers where it is searched for: the best that it knows of what is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.pages.frame.search_entries import GuideFit
from apps.pages.guides.selectors import REAL, drives_of, guide_standings
from apps.pages.guides.verdicts import judged_once
from apps.rankings.advice.verdicts import Verdict
from apps.rankings.selectors import FOR_RENT
from apps.stats.standings.confidence import Confidence

if TYPE_CHECKING:
    from django.db.models import Q

    from apps.pages.guides.guide import Guide
    from apps.pages.guides.judged import Judged

FITS_MAX = 6  # a search shows fewer


def fits_of(guide: Guide, condition: Q, least_per_s: int | None = None) -> list[GuideFit]:
    """The plans and drives among some standings as the guide judges them, the best first.

    What fails or is unlikely only where nothing else is known. One query, and one more for a guide
    that asks for protection.
    """
    guide = guide.asking(least_per_s)
    standings = guide_standings(guide, condition, REAL, FOR_RENT)
    judged = judged_once(guide, standings, drives_of(guide, standings))
    fit = [each for each in judged if not _is_no(each)]
    return [
        GuideFit(each.standing, "" if guide.is_of_rate else each.figure, each.unit, each.line)
        for each in (fit or judged)[:FITS_MAX]
    ]


def _is_no(judged: Judged) -> bool:
    is_unlikely = judged.sureness.confidence is Confidence.UNLIKELY
    return is_unlikely or judged.judgement.verdict is Verdict.FAILS
