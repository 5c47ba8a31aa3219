"""A drive without protection passes for write through, and nothing bears that out.

A drive whose volatile cache is switched off is honest: it says so itself and is as slow as its
flash.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_THROUGH
from apps.drives.models import PowerLossProtection
from apps.runs.models import KeepsOut
from apps.runs.rules.rule import Rule, RuleKind

if TYPE_CHECKING:
    from apps.drives.models import DriveFamily
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.wire.run import Device

_WITHOUT_PROTECTION: Final = (PowerLossProtection.NONE, PowerLossProtection.PARTIAL)


def check(facts: RunFacts) -> Figures | None:
    p50_ns = facts.commit_p50_ns
    for device, family in zip(facts.members.devices, facts.members.families, strict=True):
        if family is None or not _needs_flushes(device, family):
            continue
        rung = family.ladder_class
        is_quick = p50_ns is None or rung is None or p50_ns < rung.low_ns
        if is_quick or not _says_so_itself(device):
            return {"family": family.name}
    return None


def _needs_flushes(device: Device, family: DriveFamily) -> bool:
    """Whether the kernel sends none to a drive whose data sheet names no protection."""
    is_flash = family.kind == "ssd" and not family.is_virtual
    return (
        is_flash and family.plp in _WITHOUT_PROTECTION and device.write_cache == WRITE_THROUGH
        and not device.volatile_write_cache
    )  # fmt: skip


def _says_so_itself(device: Device) -> bool:
    return device.volatile_write_cache is False or device.driver_write_cache == WRITE_THROUGH


RULE: Final = Rule(
    id="unprotected-write-through",
    version=1,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="write through against its data sheet",
    explanation="The data sheet names no power-loss protection, and the kernel takes the drive for "
    "write through and sends it no flushes. A cache that was switched off explains that, where the "
    "drive says so itself and is as slow as its flash. Else it cannot be told apart from a "
    "volatile cache that nobody empties.",
    threshold="Speaks where a flash drive whose data sheet names no full protection is taken for "
    "write through, and either nobody but the kernel says so or half of the commits of commit-8k "
    "took less than the low end of its class.",
    origin="The data sheets of the catalogue, and the classes of the ladder. A drive that itself "
    "says volatile has a rule of its own.",
    remedy="Let queue/write_cache say write back, or switch off the cache in the drive (hdparm -W "
    "0, nvme set-feature -f 6) and measure as root.",
    finding="{family} has no protection by its data sheet, and the kernel sends it no flushes.",
    check=check,
)
