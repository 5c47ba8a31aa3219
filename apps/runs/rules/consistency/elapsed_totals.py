"""The workloads together take no longer than the run, and its two clocks agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.consistency import ARITHMETIC, CLOCK_TOLERANCE, MEASURE_AGAIN
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    clock = facts.run.clock
    workloads_ns = sum(workload.elapsed_ns for workload in facts.run.workloads)
    if workloads_ns > clock.mono_elapsed_ns:
        return {CASE: "run", "workloads_ns": workloads_ns, "run_ns": clock.mono_elapsed_ns}
    if clock.mono_elapsed_ns > clock.boottime_elapsed_ns * CLOCK_TOLERANCE:
        return {
            CASE: "clock",
            "monotonic_ns": clock.mono_elapsed_ns,
            "boottime_ns": clock.boottime_elapsed_ns,
        }
    return None


RULE: Final = Rule(
    id="elapsed-totals",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="times do not add up",
    explanation="The workloads run one after the other, within the time that the run took, "
    "and the clock that stops in sleep cannot be ahead of the one that does not.",
    threshold="Speaks where the workloads took longer than the run, or the monotonic clock "
    f"advanced over {CLOCK_TOLERANCE - 1:.0%} more than the boot-time clock.",
    origin=ARITHMETIC,
    remedy=MEASURE_AGAIN,
    cases={
        "run": "Workloads took {workloads_ns} ns, the whole run {run_ns} ns.",
        "clock": "The monotonic clock advanced {monotonic_ns} ns, the boot-time clock, which never "
        "stops, {boottime_ns} ns.",
    },
    check=check,
)
