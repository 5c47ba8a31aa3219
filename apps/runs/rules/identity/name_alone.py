"""Only its name says that the drive is protected, and something else does not fit that name.

A hypervisor, a software target or a module can give a disk any name. What they cannot give as
easily is looked at: the link of the drive, its size, its firmware, and how long it takes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from apps.drives.models import PowerLossProtection
from apps.runs.figures import CASE
from apps.runs.models import KeepsOut
from apps.runs.rules.common_words import TELL_DRIVE
from apps.runs.rules.devices import is_guest
from apps.runs.rules.rule import Rule, RuleKind, ThresholdBasis

if TYPE_CHECKING:
    from apps.drives.models import DriveFamily
    from apps.runs.figures import Figures
    from apps.runs.rules.run_facts import RunFacts
    from apps.wire.run import Device

# Hosts of SCSI that software plays; one over a network is told by its transport.
SOFTWARE_TARGETS: Final = frozenset({"scsi_debug", "tcm_loopback"})
# What hypervisors and targets say where a drive says its firmware: QEMU, VMware, Hyper-V, LIO.
EMULATED_FIRMWARE: Final = re.compile(r"1\.0|2\.0|2\.5\+|4\.0")
QEMU_VERSION: Final = re.compile(r"\d{1,2}\.\d{1,2}\.\d{1,2}")  # some makers number so too
LANES_MIN: Final = 2  # protected NVMe drives have four, an emulated one has one or no link
SPEED_MTS_MIN: Final = 5_000  # generation 2; an emulated link has generation 1
SIZES_MAX: Final = 2.2  # times the largest that the catalogue knows: makers go on by doubling
SIZES_MIN: Final = 0.5  # of the smallest; NVMe drives can be cut into smaller namespaces
TYPICAL_MAX: Final = 10  # times the high end of its class
GB: Final = 10**9


def check(facts: RunFacts) -> Figures | None:
    doubts = (
        doubt_of(device, family, facts)
        for device, family in zip(facts.members.devices, facts.members.families, strict=True)
    )
    return next((doubt for doubt in doubts if doubt is not None), None)


def doubt_of(device: Device, family: DriveFamily | None, facts: RunFacts) -> Figures | None:
    """Return what does not fit the name of a drive that is protected by its data sheet, or None."""
    if family is None or family.is_virtual or family.plp != PowerLossProtection.FULL:
        return None
    firmware = device.firmware.strip()
    found: Figures | None
    if device.driver in SOFTWARE_TARGETS:
        found = {CASE: "target", "driver": device.driver}
    elif device.device_class == "nvme" and device.transport == "unknown":
        found = {CASE: "attachment"}
    elif is_guest(facts.run.env.virt) and not _has_link(device):
        found = {CASE: "guest"}
    elif not firmware:
        found = {CASE: "no-firmware"}
    elif _is_emulated(firmware, device):
        found = {CASE: "firmware", "firmware": firmware}
    elif not _may_be_so_large(device, family):
        found = {CASE: "size", "gigabytes": device.size_bytes // GB}
    else:
        found = _slowness(family, facts)
    return None if found is None else {**found, "family": family.name}


def _is_emulated(firmware: str, device: Device) -> bool:
    """Whether a firmware is an emulator's; a maker's drive with a like version has its link."""
    is_version = QEMU_VERSION.fullmatch(firmware) is not None
    return EMULATED_FIRMWARE.fullmatch(firmware) is not None or (
        is_version and not _has_link(device)
    )


def _has_link(device: Device) -> bool:
    """Whether the drive has a link to the processor as protected drives do."""
    link = device.pcie
    return link is not None and link.width_max >= LANES_MIN and link.speed_max_mts >= SPEED_MTS_MIN


def _may_be_so_large(device: Device, family: DriveFamily) -> bool:
    sizes = [float(size) for size in re.findall(r"\d+(?:\.\d+)?", family.capacities_gb)]
    if not sizes or not device.size_bytes:
        return True
    size_gb = device.size_bytes / GB
    is_large_enough = device.device_class == "nvme" or size_gb >= min(sizes) * SIZES_MIN
    return is_large_enough and size_gb <= max(sizes) * SIZES_MAX


def _slowness(family: DriveFamily, facts: RunFacts) -> Figures | None:
    """Return the doubt that a protected cache answers sooner, if nothing holds the drive up."""
    rung, p50_ns, limits = family.ladder_class, facts.commit_p50_ns, facts.run.env.limits
    is_limited = limits.write_ops_per_s is not None or limits.write_bytes_per_s is not None
    if rung is None or p50_ns is None or is_limited or not facts.members.is_single:
        return None
    if p50_ns <= rung.high_ns * TYPICAL_MAX:
        return None
    return {CASE: "slow", "p50_ns": p50_ns, "high_ns": rung.high_ns}


_ATTACHMENT: Final = "{family} by its name, without the bus, link or firmware of such a drive."

RULE: Final = Rule(
    id="name-alone",
    version=1,
    kind=RuleKind.IDENTITY,
    keeps_out=KeepsOut.WEIGHT,
    text="protected by its name alone",
    why=f"The name means a protected drive, and its target, bus, link (under {LANES_MIN} lanes of "
    f"{SPEED_MTS_MIN // 1000} GT/s), firmware, size (not {SIZES_MIN:g} to {SIZES_MAX:g} times the "
    f"family's) or commits (over {TYPICAL_MAX} times its class) do not fit.",
    basis=ThresholdBasis.MEASURED,
    remedy=TELL_DRIVE,
    cases={
        "target": "{family} by its name, on the software target {driver}.",
        "attachment": _ATTACHMENT,
        "guest": _ATTACHMENT,
        "no-firmware": _ATTACHMENT,
        "firmware": "{family} by its name, with the firmware {firmware}.",
        "size": "{family} by its name, with {gigabytes} GB.",
        "slow": "{family} by its name: p50 is {p50_ns:us} µs, and its class takes up to "
        "{high_ns:us} µs.",
    },
    check=check,
)
