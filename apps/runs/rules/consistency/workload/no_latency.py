"""An operation on a file took 0 ns: no system call does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.consistency import MEASURE_AGAIN
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
    explanation="Operations are said to have taken no time at all. Entering the kernel and coming "
    "back takes tens of nanoseconds, whatever is below it.",
    threshold="Speaks from one write, sync, commit or read of 0 ns on.",
    origin="The clock is read before and after a system call, with a resolution of 1 ns. Where a "
    "clock stands still between ticks, none of its latencies is one.",
    remedy=MEASURE_AGAIN,
    finding=(
        "{workload}: {count} {side} latency of 0 ns.",
        "{workload}: {count} {side} latencies of 0 ns.",
    ),
    check=check,
)
