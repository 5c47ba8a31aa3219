"""A hypervisor's disk takes no flushes and answers sooner than flash can be programmed.

A disk that takes flushes is judged by `fast-for-volatile-cache`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_THROUGH
from apps.runs.models import KeepsOut
from apps.runs.rules.devices import PROGRAMMED_NS_MIN, is_host_disk
from apps.runs.rules.rule import Rule, RuleKind

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
    explanation="The hypervisor's disk says write through, so that the kernel sends it no flushes, "
    "and commits are quicker than flash is programmed. A host with protected drives explains that; "
    "it cannot be told apart from a host that keeps the data in its memory (QEMU's cache.no-flush, "
    "a backend without flushes).",
    threshold="Speaks where a hypervisor's disk that is no product of a cloud says write through "
    f"and half of the commits of commit-8k took less than {PROGRAMMED_NS_MIN / 1000:g} µs.",
    origin="The floor of NVMe drives without protection: a host that writes through to such a "
    "drive takes at least as long.",
    remedy="If the host is yours, let it pass on flushes (QEMU: cache=none), and measure again.",
    finding="The host's disk takes no flushes, and half of the commits took {p50_ns:us} µs or "
    "less; programming flash takes {floor_ns:us} µs.",
    check=check,
)
