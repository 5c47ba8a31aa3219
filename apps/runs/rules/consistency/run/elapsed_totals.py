"""The workloads and their warm-ups take no longer than the run, and its two clocks agree.

A warm-up ends after its time or its bytes. It runs at the rate of its pass or slower, since nothing
is warm yet; half of that is asked for. Before the first pass the largest file is filled with
keystream. Other files and repeated passes are left out, which only lets a run be longer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import MEASURE_AGAIN
from apps.runs.rules.consistency import CLOCK_TOLERANCE
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.runs.rules.workloads import MeasuredWorkload
    from apps.wire.run import Pass
    from apps.wire.suites import WorkloadDefinition

WARM_UP_SHARE: Final = 0.5  # of the time that a warm-up takes at the rate of its pass
FILLED: Final = "overwritten"  # the state of files that are written once before
# ChaCha20 takes 0.35 cycles a byte with AVX-512, the best that was published (eBACS), and one
# thread fills a file: at 5.7 GHz that is 16 GB/s.
FILL_BYTES_PER_S: Final = 16_000_000_000


def check(facts: RunFacts) -> Figures | None:
    clock = facts.run.clock
    workloads_ns = sum(map(_due_ns, facts.workloads)) + _fill_ns(facts)
    if workloads_ns > clock.mono_elapsed_ns:
        return {CASE: "run", "workloads_ns": workloads_ns, "run_ns": clock.mono_elapsed_ns}
    if clock.mono_elapsed_ns > clock.boottime_elapsed_ns * CLOCK_TOLERANCE:
        return {
            CASE: "clock",
            "monotonic_ns": clock.mono_elapsed_ns,
            "boottime_ns": clock.boottime_elapsed_ns,
        }
    return None


def _due_ns(measured: MeasuredWorkload) -> int:
    """Return how long a workload takes at least: its passes, and their warm-ups."""
    workload, definition = measured.workload, measured.definition
    if definition is None:
        return workload.elapsed_ns
    return workload.elapsed_ns + sum(_warm_up_ns(definition, each) for each in workload.passes)


def _fill_ns(facts: RunFacts) -> int:
    """Return how long filling the largest file takes at least."""
    definitions = (each.definition for each in facts.workloads)
    sizes = (each.file_bytes for each in definitions if each and each.file_state == FILLED)
    return max(sizes, default=0) * 10**9 // FILL_BYTES_PER_S


def _warm_up_ns(definition: WorkloadDefinition, one: Pass) -> int:
    """Return how long the warm-up of a pass takes at least."""
    by_bytes_ns = definition.warm_up_bytes_max * one.elapsed_ns // max(one.bytes, 1)
    return int(min(definition.warm_up_ns, by_bytes_ns) * WARM_UP_SHARE)


RULE: Final = Rule(
    id="elapsed-totals",
    version=3,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="times do not add up",
    why=f"The workloads, half of their warm-ups and one fill at {FILL_BYTES_PER_S / 1e9:g} GB/s "
    f"must fit into the run, and the monotonic clock may gain {CLOCK_TOLERANCE - 1:.0%} on the "
    "boot-time clock.",
    remedy=MEASURE_AGAIN,
    cases={
        "run": "Workloads, warm-ups and filling take {workloads_ns} ns, the run {run_ns} ns.",
        "clock": "The monotonic clock advanced {monotonic_ns} ns, the boot-time clock "
        "{boottime_ns} ns.",
    },
    check=check,
)
