"""The commits are more alike to those of an earlier run than chance lets two measurements be.

`copied-figures` is about figures that are equal to the nanosecond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE, hundredths, tenths
from apps.runs.models import KeepsOut
from apps.runs.rules.history import (
    LIKENESS_DEVIATIONS_MIN,
    NEAREST_MAX,
    RATES_CORRELATION_MIN,
)
from apps.runs.rules.rule import Rule, RuleKind
from apps.stats.analysis.likeness import BUCKETS_MIN, CHANGES_MIN

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    near = facts.history.near_copy
    if near is None:
        return None
    if near.deviations >= LIKENESS_DEVIATIONS_MIN:
        return {CASE: "counts", "run": near.slug, "deviations_tenths": tenths(near.deviations)}
    return {CASE: "rates", "run": near.slug, "correlation_hundredths": hundredths(near.correlation)}


RULE: Final = Rule(
    id="near-copy",
    version=1,
    kind=RuleKind.BEHAVIOUR,
    keeps_out=KeepsOut.WEIGHT,
    text="too much like another run",
    explanation="An earlier run has nearly the same commits: bucket by bucket their counts differ "
    "less than two measurements of one and the same thing do by chance, or their rate rose and "
    "fell in the same tenths of a second. It cannot be told apart from that run, sent once more "
    "with small changes.",
    threshold=f"Speaks where the sum of squared differences over {BUCKETS_MIN} buckets or more "
    f"lies {LIKENESS_DEVIATIONS_MIN:g} standard deviations or more below what chance makes of it, "
    f"or where {CHANGES_MIN} changes of the rate or more have a rank correlation of "
    f"{RATES_CORRELATION_MIN:g} or more, in one of the {NEAREST_MAX} earlier runs with nearly the "
    "same median and the nearest means.",
    origin="The chi-squared statistic of two samples: 1 for each bucket by chance alone, and more "
    "wherever anything changed. In 56 pairs of repeats of one machine it was 1.3 to 400, and the "
    "correlation 0.43 at most; a device that paces its answers may come to 6.5 deviations below 1, "
    "replays with small changes came to 12.5.",
    remedy="Measure again. If the earlier run is yours and was sent twice, nothing is wrong.",
    cases={
        "counts": "The commits are {deviations_tenths:tenths} standard deviations more alike to "
        "those of run {run} than chance allows.",
        "rates": "The rate rose and fell as that of run {run} did: the correlation of its changes "
        "is {correlation_hundredths:hundredths}.",
    },
    check=check,
)
