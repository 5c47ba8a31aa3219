"""Writes past the page cache, never synced, that end sooner than any device behind a bus answers.

They need not be durable, but a device has to take them. What answers sooner is memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.ladder.floors import ANY, floors
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import NAME_A_FOLDER, P50_BELOW_FLOOR
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

ANSWERED_NS_MIN: Final = floors()[ANY].floor_ns


def check(facts: RunFacts) -> Figures | None:
    least_ns = min(ANSWERED_NS_MIN, facts.members.floor.floor_ns)  # persistent memory has its own
    for each in facts.workloads:
        definition = each.definition
        if definition is None or definition.page_cache or definition.operation not in _WRITING:
            continue
        p50_ns = each.p50_ns("write")
        if definition.sync == "none" and p50_ns is not None and p50_ns < least_ns:
            return {"workload": each.workload.id, "p50_ns": p50_ns, "floor_ns": least_ns}
    return None


_WRITING: Final = frozenset({"write", "mix"})

RULE: Final = Rule(
    id="writes-from-memory",
    version=1,
    kind=RuleKind.PHYSICS,
    keeps_out=KeepsOut.RUN,
    text="writes into memory",
    why="Half of the writes of a workload that never syncs took less than "
    f"{ANSWERED_NS_MIN / 1000:g} µs: no device behind a bus answers so soon.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy=NAME_A_FOLDER,
    finding=P50_BELOW_FLOOR,
    check=check,
)
