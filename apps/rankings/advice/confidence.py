"""How sure a verdict on a standing is, in the one word of confidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.rankings.advice.verdicts import Verdict, VerdictDoubt
from apps.rankings.confidence import support_of_standing
from apps.stats.standings.confidence import (
    UNKNOWN,
    Confidence,
    Support,
    Sureness,
    sureness,
)

if TYPE_CHECKING:
    from apps.rankings.advice.verdicts import Judgement
    from apps.rankings.models import Standing
    from apps.stats.standings.confidence import Margin

# The workload is only alike: what it shows of the software is off by more than its own interval.
_OF_OTHER_WORK: Final = frozenset(
    {VerdictDoubt.MORE_WORK, VerdictDoubt.LESS_WORK, VerdictDoubt.OTHER_WORK}
)


def sureness_of_judgement(judgement: Judgement, standing: Standing, margin: Margin) -> Sureness:
    """Return the word for a verdict: firm where it is plain, else by support and margin.

    `margin` is the rate of the standing over what is needed.
    """
    if judgement.verdict is Verdict.NOT_MEASURED:
        return UNKNOWN
    if judgement.verdict is Verdict.PASSES:
        return Sureness(Confidence.FIRM)
    if judgement.verdict is Verdict.FAILS:
        return Sureness(Confidence.FIRM, fails=True)
    support = support_of_standing(standing)
    if judgement.doubt in _OF_OTHER_WORK:
        support = max(support, Support.WEAK)
    word = sureness(support, margin)
    # A verdict that is not plain is never firm: something else than the rate keeps it from that.
    return Sureness(Confidence.LIKELY) if word.confidence is Confidence.FIRM else word
