"""The drive reports a volatile cache without known protection, but syncs are quicker than flash.

Where the class of the drive is known, `faster-than-medium` judges by its floor instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_BACK
from apps.drives.models import PowerLossProtection
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import P50_BELOW_FLOOR, TELL_DRIVE
from apps.runs.rules.devices import PROGRAMMED_NS_MIN
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts


def check(facts: RunFacts) -> Figures | None:
    devices, families = facts.members.devices, facts.members.families
    reports_volatile = bool(devices) and all(each.write_cache == WRITE_BACK for each in devices)
    is_protected = any(
        family is not None and not family.is_virtual and family.plp == PowerLossProtection.FULL
        for family in families
    )
    syncs_ns = facts.p50_ns(HEADLINE_WORKLOAD, "sync")
    if not reports_volatile or is_protected or facts.members.expected is not None:
        return None
    if syncs_ns is None or syncs_ns >= PROGRAMMED_NS_MIN:
        return None
    return {"p50_ns": syncs_ns, "floor_ns": PROGRAMMED_NS_MIN}


RULE: Final = Rule(
    id="fast-for-volatile-cache",
    version=3,
    kind=RuleKind.PHYSICS,
    keeps_out=KeepsOut.WEIGHT,
    text="fast for a volatile cache",
    why="The cache is reported volatile, no class and no data sheet is known, and half of the "
    f"syncs took less than {PROGRAMMED_NS_MIN / 1000:g} µs; the quickest published drive without "
    "protection takes 430 µs. Protection and a host's memory (QEMU cache=unsafe, Firecracker "
    "Unsafe) look the same.",
    basis=ThresholdBasis.DOCUMENTED,
    source="https://github.com/firecracker-microvm/firecracker/blob/main/docs/api_requests/block-caching.md",
    remedy=TELL_DRIVE,
    finding=P50_BELOW_FLOOR,
    check=check,
)
