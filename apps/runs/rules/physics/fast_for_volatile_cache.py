"""The drive reports a volatile cache without known protection, but syncs are quicker than flash.

Where the class of the drive is known, `faster-than-medium` judges by its floor instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_BACK
from apps.drives.models import PowerLossProtection
from apps.runs.models import KeepsOut
from apps.runs.rules.devices import PROGRAMMED_NS_MIN
from apps.runs.rules.rule import Rule, RuleKind
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
    explanation="The drive reports a volatile cache and syncs are quicker than flash can be "
    "programmed. Power-loss protection explains that. It cannot be told apart from a host that "
    "answers from its memory, as QEMU with cache=unsafe and Firecracker by default (Unsafe), or "
    "from a drive that ignores flushes. Only a power cut can tell.",
    threshold="Speaks where no class of the device is known and no data sheet protects a drive, "
    "every drive reports write back, and half of the syncs of commit-8k took less than "
    f"{PROGRAMMED_NS_MIN / 1000:g} µs. Where the class is known, its floor judges "
    "instead.",
    origin="The floor of NVMe drives without protection: the quickest published one that counts "
    "commits in 430 µs (Sabrent Rocket 4.0, 2,325 a second).",
    remedy="Help us to name the drive, and to learn from its data sheet whether its cache is "
    "protected: then its floor judges it.",
    finding="The drive reports a volatile cache, and half of the syncs took {p50_ns:us} µs or "
    "less; programming flash takes {floor_ns:us} µs.",
    check=check,
)
