"""A drive without protection passes for write through, and nothing bears that out.

A drive whose volatile cache is switched off is honest: it says so itself and is as slow as its
flash. Of a consumer's drive whose protection nobody states the kernel's word alone is not enough
either, once its commits are quicker than flash; that it may be protected is left open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.media import WRITE_THROUGH
from apps.drives.models import PowerLossProtection
from apps.runs.figures import CASE
from apps.runs.models import KeepsOut
from apps.runs.rules.devices import PROGRAMMED_NS_MIN
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.drives.models import DriveFamily
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.wire.run import Device

_WITHOUT_PROTECTION: Final = (PowerLossProtection.NONE, PowerLossProtection.PARTIAL)
_SOLD_WITHOUT_IT: Final = frozenset({"consumer", "prosumer"})  # segments: few have any
NOT_STATED: Final = "not-stated"


def check(facts: RunFacts) -> Figures | None:
    for device, family in zip(facts.members.devices, facts.members.families, strict=True):
        if family is None or not _gets_no_flushes(device, family):
            continue
        if family.plp in _WITHOUT_PROTECTION:
            found = _of_an_unprotected_drive(device, family, facts.commit_p50_ns)
        else:
            found = _of_an_unstated_drive(device, family, facts.commit_p50_ns)
        if found is not None:
            return found
    return None


def _of_an_unprotected_drive(
    device: Device, family: DriveFamily, p50_ns: int | None
) -> Figures | None:
    rung = family.ladder_class
    is_quick = p50_ns is None or rung is None or p50_ns < rung.low_ns
    return {"family": family.name} if is_quick or not _says_so_itself(device) else None


def _of_an_unstated_drive(
    device: Device, family: DriveFamily, p50_ns: int | None
) -> Figures | None:
    is_open = family.plp == PowerLossProtection.UNKNOWN and family.ladder_class is None
    is_sold_without = is_open and family.segment in _SOLD_WITHOUT_IT
    is_quick = p50_ns is not None and p50_ns < PROGRAMMED_NS_MIN
    if not is_sold_without or not is_quick or _says_so_itself(device):
        return None
    return {CASE: NOT_STATED, "family": family.name, "p50_ns": p50_ns or 0}


def _gets_no_flushes(device: Device, family: DriveFamily) -> bool:
    """Whether the kernel sends none to a flash drive that does not call its cache volatile."""
    is_flash = family.kind == "ssd" and not family.is_virtual
    return is_flash and device.write_cache == WRITE_THROUGH and not device.volatile_write_cache


def _says_so_itself(device: Device) -> bool:
    return device.volatile_write_cache is False or device.driver_write_cache == WRITE_THROUGH


_UNPROTECTED: Final = "No document gives {family} power-loss protection."

RULE: Final = Rule(
    id="unprotected-write-through",
    version=2,
    kind=RuleKind.ENVIRONMENT,
    keeps_out=KeepsOut.WEIGHT,
    text="write through against its data sheet",
    why="The data sheet names no full protection, the kernel sends no flushes, and the drive "
    "itself does not say write through or beats its class. Where no document says: consumer "
    f"drives within {PROGRAMMED_NS_MIN / 1000:g} µs.",
    basis=ThresholdBasis.DOCUMENTED,
    remedy="Set queue/write_cache to write back, or switch off the drive's cache (hdparm -W 0, "
    "nvme set-feature -f 6), and measure as root.",
    finding=_UNPROTECTED,
    cases={NOT_STATED: _UNPROTECTED},
    check=check,
)
