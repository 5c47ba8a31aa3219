"""Each operation is in each histogram once, and the exact sum fits the buckets.

Every histogram of the workload must be there: rules cannot judge a commit that was left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.consistency import ARITHMETIC, MEASURE_AGAIN
from apps.runs.rules.rule import Kind, Rule

if TYPE_CHECKING:
    from apps.runs.rules.facts import Measured, RunFacts

GROUPED_SIDES: Final = frozenset({"write", "sync"})  # of a group commit: one for the whole group


def check(facts: RunFacts) -> str | None:
    for each in facts.measured:
        if each.definition is not None and each.histograms.keys() != {*each.definition.histograms}:
            brought = ", ".join(sorted(each.histograms))
            wanted = ", ".join(sorted(each.definition.histograms))
            return f"{each.sent.id}: histograms of {brought} instead of {wanted}."
        if found := _miscounted(each):
            return found
        for side, histogram in each.histograms.items():
            low, high = histogram.bounds_sum_ns()
            if not low <= histogram.sum_ns <= high:
                return (
                    f"{each.sent.id}: the {side} latencies add up to {histogram.sum_ns} ns, their "
                    f"histogram to {low} ns at least and {high} ns at most."
                )
    return None


def _miscounted(each: Measured) -> str | None:
    """Each operation has one latency a side, but where one sync is for many or a side for some."""
    operations = each.sent.operations
    kind = each.definition.operation if each.definition is not None else ""
    counts = {side: histogram.count for side, histogram in each.histograms.items()}
    if kind == "mix":  # an operation is a write or a read
        counts = {" and ".join(sorted(counts)): sum(counts.values())}
    shared = GROUPED_SIDES if kind == "group-commit" else frozenset()
    for side, count in counts.items():
        fits = 0 < count <= operations if side in shared else count == operations
        if not fits:
            return f"{each.sent.id}: {count} {side} latencies of {operations} operations."
    return None


RULE: Final = Rule(
    id="histogram-totals",
    version=1,
    kind=Kind.CONSISTENCY,
    place=1,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="histograms do not add up",
    explanation="A workload brings each of its histograms, every operation is counted once in "
    "each, and the exact sum must lie within what the buckets allow. Here it does not fit.",
    border="Speaks from a difference of one operation, or one nanosecond beyond the buckets.",
    origin=ARITHMETIC,
    remedy=MEASURE_AGAIN,
    check=check,
)
