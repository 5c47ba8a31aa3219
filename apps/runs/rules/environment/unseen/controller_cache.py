"""A RAID controller answered before its disks could, from a cache that nobody can see into.

Linux sees one logical disk. Whether its cache writes back, and whether a battery or a capacitor
keeps it, only the maker's tools tell; megaraid_sas even ends the flushes of a logical disk itself
where the firmware does not ask for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.runs.models import KeepsOut
from apps.runs.rules.devices import (
    PROGRAMMED_NS_MIN,
    TURNED_NS_MIN,
    is_raid_volume,
    medium_ns_min,
)
from apps.runs.rules.rule import Rule, RuleKind

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
    explanation="A RAID controller shows one disk and answered sooner than a medium without "
    "protection can. A cache with a battery explains that, and so do protected drives; it cannot "
    "be told apart from a cache that was forced to write back without a battery.",
    threshold="Speaks where a RAID controller made the disk and half of the commits of commit-8k "
    f"took less than {TURNED_NS_MIN / 1000:g} µs where it calls itself rotational, else "
    f"{PROGRAMMED_NS_MIN / 1000:g} µs.",
    origin="The floors of hard disks and of NVMe drives without protection. No file of Linux says "
    "how the cache of a controller is set, or that its battery is well.",
    remedy="Look with the maker's tool whether the cache writes back, and only with a good "
    "battery. Write through shows the drives.",
    finding="The disk is a controller's, and half of the commits took {p50_ns:us} µs or less; its "
    "medium needs {floor_ns:us} µs.",
    check=check,
)
