"""The commits are more alike to those of an earlier run than chance lets two measurements be.

`copied-figures` is about figures that are equal to the nanosecond.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE, hundredths, tenths
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import MEASURE_ON_IT
from apps.runs.rules.history import (
    LIKENESS_DEVIATIONS_MIN,
    NEAREST_MAX,
    RATES_CORRELATION_MIN,
)
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.stats.analysis.likeness import BUCKETS_MIN, CHANGES_MIN

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.history import History


def find_in(history: History) -> Figures | None:
    """Return the figures of the finding in what came before a run, or None."""
    near = history.near_copy
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
    why=f"Among the {NEAREST_MAX} nearest earlier runs is one with the same counts "
    f"({LIKENESS_DEVIATIONS_MIN:g} standard deviations nearer than chance, {BUCKETS_MIN} buckets "
    f"or more) or rates (correlation {RATES_CORRELATION_MIN:g}, {CHANGES_MIN} changes or more). "
    "Honest runs came to 6.5 (simulated) and 0.43.",
    basis=ThresholdBasis.MEASURED,
    remedy=MEASURE_ON_IT,
    cases={
        "counts": "The commits are {deviations_tenths:tenths} standard deviations nearer to those "
        "of run {run} than chance allows.",
        "rates": "The rate changes as that of run {run} does: correlation "
        "{correlation_hundredths:hundredths}.",
    },
    check=lambda facts: find_in(facts.history),
)
