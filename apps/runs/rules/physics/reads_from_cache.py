"""The median read of some workload is quicker than the medium can answer.

Judged are random reads over an area that no cache of a drive holds: a hard disk answers what it has
just read ahead, and the sweep of small areas looks for caches on purpose.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import NOTHING_TO_DO, P50_BELOW_ITS_FLOOR
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.wire.suites import WorkloadDefinition


AREA_BYTES_MIN: Final = 1 << 30  # of the floor's own workload; caches of drives are smaller


def check(facts: RunFacts) -> Figures | None:
    floor = facts.members.floor
    for each in facts.workloads:
        if floor.read_floor_ns is None or not _reads_the_medium(each.definition):
            continue
        p50_ns = each.p50_ns("read")
        if p50_ns is not None and p50_ns < floor.read_floor_ns:
            return {
                "workload": each.workload.id,
                "p50_ns": p50_ns,
                "class": floor.id,
                "floor_ns": floor.read_floor_ns,
            }
    return None


def _reads_the_medium(definition: WorkloadDefinition | None) -> bool:
    return (
        definition is not None
        and definition.operation in ("read", "mix")
        and definition.access == "random"
        and not definition.page_cache
        and definition.area_bytes >= AREA_BYTES_MIN
    )


RULE: Final = Rule(
    id="reads-from-cache",
    version=2,
    kind=RuleKind.PHYSICS,
    keeps_out=KeepsOut.READS,
    text="reads from a cache",
    why="Half of the random reads over 1 GiB or more took less than the read floor of the class: "
    "a cache of the host, ZFS or a controller answered. The one published NVMe read takes 61 µs.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy=NOTHING_TO_DO,
    finding=P50_BELOW_ITS_FLOOR,
    check=check,
)
