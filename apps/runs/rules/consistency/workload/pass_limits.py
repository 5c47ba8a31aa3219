"""A pass did not end where its workload ends it: before its limit, or far beyond its bytes.

With several writers the first that reaches its share ends the pass for all, and bytes that a
warm-up wrote beyond its own limit are taken from the pass: the bounds below leave room for both,
and for what was in flight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.figures import CASE
from apps.runs.models import KeepsOut, Outcome
from apps.runs.rules.common_words import MEASURE_AGAIN
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.wire.run import Pass, Workload
    from apps.wire.suites import WorkloadDefinition

NO_LIMIT: Final = 1 << 63  # of a pass that an operation holds up


def check(facts: RunFacts) -> Figures | None:
    for each in facts.workloads:
        if each.definition is None:
            continue
        for one in each.workload.passes:
            for case, reached, low, high in _bounds(each.workload, each.definition, one):
                if not low <= reached <= high:
                    return {
                        CASE: case,
                        "workload": each.workload.id,
                        "reached": reached,
                        "due": low if reached < low else high,
                    }
    return None


def _bounds(
    workload: Workload, definition: WorkloadDefinition, one: Pass
) -> Iterator[tuple[str, int, int, int]]:
    """Yield what a pass has reached, and between which limits it must have ended."""
    in_flight = definition.writers * definition.queue_depth
    # Threads may stand in for the depth of a queue; more of them than that, nobody has.
    is_by_threads = workload.engine is not None and workload.engine.kind == "psync"
    writers = in_flight if is_by_threads else definition.writers
    bytes_in_flight = in_flight * definition.block_bytes
    bytes_min = 0
    if one.ended_by == "time":
        yield "time", one.elapsed_ns, definition.pass_ns_min, NO_LIMIT
        yield "operations", one.operations, -(-definition.pass_operations_min // writers), NO_LIMIT
    elif one.ended_by == "time-limit":
        yield "time", one.elapsed_ns, definition.pass_ns_max, NO_LIMIT
    elif one.ended_by == "bytes":
        bytes_min = definition.pass_bytes_max // writers - bytes_in_flight
    bytes_max = definition.pass_bytes_max + bytes_in_flight
    yield "bytes", one.bytes, bytes_min, bytes_max


_TIME: Final = "{workload}: a pass ended at {reached} {case:unit}, the suite ends it at {due}."

RULE: Final = Rule(
    id="pass-limits",
    version=1,
    kind=RuleKind.CONSISTENCY,
    outcome=Outcome.QUARANTINE,
    keeps_out=KeepsOut.RUN,
    text="passes did not end at their limits",
    why="The suite fixes the time, operations or bytes at which a pass ends. What is in flight is "
    "granted.",
    remedy=MEASURE_AGAIN,
    cases={
        "time": _TIME,
        "operations": _TIME,
        "bytes": _TIME,
    },
    check=check,
)
