"""Each operation is in each histogram once, and exact sum and extremes fit the buckets.

All histograms of the workload must be there, since rules cannot judge one that was left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import COUNTED_ONCE, MEASURE_AGAIN
from apps.runs.rules.rule import Rule, RuleKind
from apps.stats.histogram import bucket_of

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.runs.rules.workloads import MeasuredWorkload

GROUPED_SIDES: Final = frozenset({"write", "sync"})  # of a group commit: one for the whole group


def check(facts: RunFacts) -> Figures | None:
    for each in facts.workloads:
        if each.definition is not None and each.histograms.keys() != {*each.definition.histograms}:
            return {
                CASE: "sides",
                "workload": each.workload.id,
                "brought": sorted(each.histograms),
                "due": sorted(each.definition.histograms),
            }
        if figures := _miscounted(each):
            return figures
        for side, histogram in each.histograms.items():
            extremes_ns = histogram.min_ns, histogram.max_ns
            if tuple(map(bucket_of, extremes_ns)) != (histogram.buckets[0], histogram.buckets[-1]):
                return {
                    CASE: "extremes",
                    "workload": each.workload.id,
                    "side": side,
                    "min_ns": histogram.min_ns,
                    "max_ns": histogram.max_ns,
                }
            low, high = histogram.bounds_sum_ns()
            if not low <= histogram.sum_ns <= high:
                return {
                    CASE: "sum",
                    "workload": each.workload.id,
                    "side": side,
                    "sum_ns": histogram.sum_ns,
                    "low_ns": low,
                    "high_ns": high,
                }
    return None


def _miscounted(each: MeasuredWorkload) -> Figures | None:
    """Return figures of a side that has not one latency for each operation, or None.

    In a group commit several operations share one write and one sync.
    """
    operations = each.workload.operations
    kind = each.definition.operation if each.definition is not None else ""
    counts: dict[tuple[str, ...], int] = {
        (side,): histogram.count for side, histogram in each.histograms.items()
    }
    if kind == "mix":  # an operation is a write or a read
        counts = {tuple(sorted(each.histograms)): sum(counts.values())}
    grouped_sides = GROUPED_SIDES if kind == "group-commit" else frozenset()
    for sides, count in counts.items():
        is_consistent = (
            0 < count <= operations if grouped_sides.issuperset(sides) else count == operations
        )
        if not is_consistent:
            return {
                CASE: "count",
                "workload": each.workload.id,
                "count": count,
                "sides": list(sides),
                "operations": operations,
            }
    return None


_BUCKETS: Final = "{workload}: the {side} latencies do not fit into their buckets."

RULE: Final = Rule(
    id="histogram-totals",
    version=2,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="histograms do not add up",
    why=COUNTED_ONCE,
    remedy=MEASURE_AGAIN,
    cases={
        "sides": "{workload}: histograms of {brought:list} instead of {due:list}.",
        "count": "{workload}: {operations} operations, and {count} latencies ({sides:list}).",
        "extremes": _BUCKETS,
        "sum": _BUCKETS,
    },
    check=check,
)
