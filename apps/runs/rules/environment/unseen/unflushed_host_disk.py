"""A hypervisor's disk takes no flushes and answers sooner than flash can be programmed.

A disk that takes flushes is judged by `fast-for-volatile-cache`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_THROUGH
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import LOOK_BELOW, P50_BELOW_FLOOR
from apps.runs.rules.devices import PROGRAMMED_NS_MIN, is_host_disk
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    p50_ns = facts.commit_p50_ns
    if p50_ns is None or p50_ns >= PROGRAMMED_NS_MIN:
        return None
    for device, family in zip(facts.members.devices, facts.members.families, strict=True):
        if is_host_disk(device, family) and device.write_cache == WRITE_THROUGH:
            return {"p50_ns": p50_ns, "floor_ns": PROGRAMMED_NS_MIN}
    return None


RULE: Final = Rule(
    id="unflushed-host-disk",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="host disk without flushes",
    why="A hypervisor's disk says write through, gets no flushes, and half of the commits took "
    f"less than {PROGRAMMED_NS_MIN / 1000:g} µs, the floor of flash. Protected drives and the "
    "host's memory look the same.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy=LOOK_BELOW,
    finding=P50_BELOW_FLOOR,
    check=check,
)
