"""A durable commit takes much longer than a read, and the drive does not explain it.

Drives without power-loss protection and hard disks do: one programs flash, the other turns. So may
a drive that is known by name and whose protection nobody states.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.models import PowerLossProtection
from apps.runs.figures import tenths
from apps.runs.rules.common_words import NOTHING_TO_DO
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

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
    why=f"Commits take over {READS_PER_COMMIT_MAX} times as long as reads, and neither a hard "
    "disk nor flash without protection explains it: likely they go over a network. Published "
    "protected drives commit in 0.1 to 1.6 times the 61 µs of the one published NVMe read.",
    basis=ThresholdBasis.MEASURED,
    remedy=NOTHING_TO_DO,
    finding="p50 of commits is {commit_ns:us} µs, of reads {read_ns:us} µs: {times_tenths:tenths} "
    "times as long.",
    check=check,
)
