"""A RAID controller answered before its disks could, from a cache that nobody can see into.

Linux sees one logical disk. Whether its cache writes back, and whether a battery or a capacitor
keeps it, only the maker's tools tell; megaraid_sas even ends the flushes of a logical disk itself
where the firmware does not ask for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import P50_BELOW_FLOOR
from apps.runs.rules.devices import (
    PROGRAMMED_NS_MIN,
    TURNED_NS_MIN,
    is_raid_volume,
    medium_ns_min,
)
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    p50_ns = facts.commit_p50_ns
    if p50_ns is None:
        return None
    for device, family in zip(facts.members.devices, facts.members.families, strict=True):
        floor_ns = medium_ns_min(device)
        if is_raid_volume(device, family) and p50_ns < floor_ns:
            return {"p50_ns": p50_ns, "floor_ns": floor_ns}
    return None


RULE: Final = Rule(
    id="controller-cache",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="a RAID controller answers",
    why=f"A RAID controller answers within {TURNED_NS_MIN / 1000:g} µs (rotational) or "
    f"{PROGRAMMED_NS_MIN / 1000:g} µs, sooner than its medium. A cache with a battery and one "
    "without look the same.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy="Let the controller write back with a good battery only. Write through shows the "
    "drives.",
    finding=P50_BELOW_FLOOR,
    check=check,
)
