"""Writes past the page cache, never synced, that end sooner than any device behind a bus answers.

They need not be durable, but a device has to take them. What answers sooner is memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.ladder.floors import ANY, floors
from apps.runs.models import KeepsOut
from apps.runs.rules.rule import Rule, RuleKind

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
    explanation="The median write past the page cache ends sooner than any device behind a bus can "
    "take it. The file lies in memory, or a layer below it answers from there.",
    threshold="Speaks where half of the writes of a workload that never syncs took less than "
    f"{ANSWERED_NS_MIN / 1000:g} µs, or less than the floor of persistent memory on that.",
    origin="The quickest block device answers a command in about 5 µs over PCIe: the floor of "
    "any block device.",
    remedy="Name a folder on the disk that you want to measure, and look for a cache below it.",
    finding="{workload}: half of the writes took {p50_ns:us} µs or less; a device needs "
    "{floor_ns:us} µs.",
    check=check,
)
