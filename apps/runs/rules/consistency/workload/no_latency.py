"""An operation on a file took 0 ns: no system call does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import MEASURE_AGAIN
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

TIMED_SIDES: Final = ("write", "sync", "commit", "read")  # how late one begins may well be 0 ns


def check(facts: RunFacts) -> Figures | None:
    for each in facts.workloads:
        for side in TIMED_SIDES:
            histogram = each.histograms.get(side)
            if histogram is not None and histogram.buckets[0] == 0:
                count = histogram.counts[0]
                return {"workload": each.workload.id, "side": side, "count": count}
    return None


RULE: Final = Rule(
    id="no-latency",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="operations without a latency",
    why="A system call takes tens of nanoseconds: one latency of 0 ns is too much.",
    remedy=MEASURE_AGAIN,
    finding="{workload}: {count} {side} latencies of 0 ns.",
    check=check,
)
