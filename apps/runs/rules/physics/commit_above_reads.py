"""A durable commit takes much longer than a read, and the drive does not explain it.

Drives without power-loss protection and hard disks do: one programs flash, the other turns. So may
a drive that is known by name and whose protection nobody states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.models import PowerLossProtection
from apps.runs.figures import tenths
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts

# Protected drives commit in 0.3 to 1.6 times a read of 60 us, by what was published of them.
READS_PER_COMMIT_MAX: Final = 5


def check(facts: RunFacts) -> Figures | None:
    commit_ns, read_ns = facts.commit_p50_ns, facts.read_p50_ns
    if commit_ns is None or not read_ns or commit_ns <= READS_PER_COMMIT_MAX * read_ns:
        return None
    families = [family for family in facts.members.families if family is not None]
    is_explained = any(device.rotational for device in facts.members.devices) or any(
        not family.is_virtual and family.plp != PowerLossProtection.FULL for family in families
    )
    if is_explained:
        return None
    return {"commit_ns": commit_ns, "read_ns": read_ns, "times_tenths": tenths(commit_ns / read_ns)}


RULE: Final = Rule(
    id="commit-above-reads",
    version=2,
    kind=RuleKind.PHYSICS,
    text="commit far above reads",
    explanation="A durable commit takes many times as long as a read. Where neither flash "
    "without protection nor a platter explains it, the write goes further than the read: over "
    "a network, to copies elsewhere. That is evidence of network storage, never a verdict: a "
    "drive that nobody has named yet may program flash meanwhile.",
    threshold=f"Speaks above {READS_PER_COMMIT_MAX} times the median read, except for hard disks "
    "and for physical drives of a known family that no document calls protected.",
    origin="Published single drives with protection commit in 7 to 97 µs (1 / rate: Optane P5800X "
    "142,800 a second, Micron 7500 PRO 10,318), 0.1 to 1.6 times the 61 µs of the one published "
    "NVMe read; those without protection in 7 to 96 times.",
    remedy="Nothing: it says where the time goes. A local drive commits sooner.",
    finding="Half of the commits took {commit_ns:us} µs or less, half of the reads {read_ns:us} "
    "µs: {times_tenths:tenths} times as long.",
    check=check,
)
