"""The medium of a drive as the device reports it and by its family, and where the two disagree.

Neither is more reliable: host adapters report flash as rotational and bridges hide the drive behind
them, but a name may be wrong or its family mixed. So pages show both.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from apps.drives.models import PowerLossProtection

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.drives.models import DriveFamily


class Medium(StrEnum):
    """What keeps the bytes, and how it is attached."""

    PMEM = "pmem"
    NVME_FLASH = "nvme-flash"
    SATA_FLASH = "sata-flash"
    SAS_FLASH = "sas-flash"
    USB_FLASH = "usb-flash"
    CARD = "card"  # eMMC or an SD card
    HDD = "hdd"
    VIRTUAL = "virtual"  # of a hypervisor, a cloud or a RAID controller
    REMOTE = "remote"  # over a network, as the device reports it
    UNKNOWN = ""


NAMES: Final = {
    Medium.PMEM: "persistent memory",
    Medium.NVME_FLASH: "NVMe SSD",
    Medium.SATA_FLASH: "SATA SSD",
    Medium.SAS_FLASH: "SAS SSD",
    Medium.USB_FLASH: "USB flash",
    Medium.CARD: "eMMC or SD card",
    Medium.HDD: "hard disk",
    Medium.VIRTUAL: "virtual disk",
    Medium.REMOTE: "disk behind a network",
    Medium.UNKNOWN: "",
}
_FLASH_ON: Final = {
    "pcie": Medium.NVME_FLASH,
    "sata": Medium.SATA_FLASH,
    "sas": Medium.SAS_FLASH,
    "usb": Medium.USB_FLASH,
}
_BY_CLASS: Final = {
    "pmem": Medium.PMEM,
    "mmc": Medium.CARD,
    "virtio-blk": Medium.VIRTUAL,
    "xen-blk": Medium.VIRTUAL,
    "loop": Medium.VIRTUAL,
}
_BY_TRANSPORT: Final = {
    "virtio": Medium.VIRTUAL,
    "xen": Medium.VIRTUAL,
    "tcp": Medium.REMOTE,
    "fc": Medium.REMOTE,
    "rdma": Medium.REMOTE,
}
_FAMILY_FLASH: Final = {
    "nvme": Medium.NVME_FLASH,
    "sata": Medium.SATA_FLASH,
    "sas": Medium.SAS_FLASH,
    "": Medium.USB_FLASH,  # blank means USB in the catalogue, or CXL, which is no ssd
}
WRITE_BACK: Final = "write back"
WRITE_THROUGH: Final = "write through"


class Doubt(StrEnum):
    """A disagreement of a device and its family, or of the kernel and the drive."""

    MEDIUM = "medium"
    CALLED_WRITE_THROUGH = "called-write-through"  # by the kernel; the drive says volatile
    CALLED_WRITE_BACK = (
        "called-write-back"  # by the kernel; the drive says that nothing is volatile
    )
    PROTECTED_CALLED_VOLATILE = "protected-called-volatile"  # by the device
    UNPROTECTED_CALLED_SAFE = "unprotected-called-safe"  # by the device


Disagreement: TypeAlias = dict[str, str]  # the doubt as `case`, and the names that it is about


@dataclass(frozen=True, slots=True)
class DeviceReport:
    """What the kernel reports of a device, and what the drive reports itself, to root."""

    device_class: str
    transport: str
    rotational: bool | None
    write_cache: str  # write back, write through, unknown
    volatile_write_cache: bool | None  # as the drive reports it; None: it was not asked


def medium_of_device(device: DeviceReport) -> Medium:
    """Return the medium that the device reports, UNKNOWN if it does not.

    NVMe drives are flash whatever the rotational flag; for SATA and SAS the flag decides.
    """
    certain = _BY_CLASS.get(device.device_class) or _BY_TRANSPORT.get(device.transport)
    if certain:
        return certain
    if device.device_class == "nvme":
        return Medium.NVME_FLASH
    if device.rotational is None or device.transport not in _FLASH_ON:
        return Medium.UNKNOWN
    return Medium.HDD if device.rotational else _FLASH_ON[device.transport]


def medium_of_family(family: DriveFamily) -> Medium:
    """Return the medium by the facts of the catalogue."""
    if family.is_virtual:
        return Medium.VIRTUAL
    if family.kind == "pmem":
        return Medium.PMEM
    if family.kind == "hdd":
        return Medium.HDD
    return _FAMILY_FLASH.get(family.interface, Medium.UNKNOWN)


def disagreements(device: DeviceReport, family: DriveFamily) -> list[Disagreement]:
    """Return every disagreement of a device and its family."""
    medium = medium_disagreement(device, family)
    return [*([medium] if medium else []), *_cache_disagreements(device, family)]


def medium_disagreement(device: DeviceReport, family: DriveFamily) -> Disagreement | None:
    """Return the disagreement of a device and its family on the medium, or None."""
    by_device, by_family = medium_of_device(device), medium_of_family(family)
    # A virtual NVMe disk is NVMe to its guest, and USB bridges carry drives of every kind.
    is_same = by_device == by_family or not by_device or not by_family
    if is_same or family.is_virtual or device.transport == "usb":
        return None
    return {
        "case": Doubt.MEDIUM,
        "reported": by_device,
        "family": family.name,
        "medium": by_family,
    }


def _cache_disagreements(device: DeviceReport, family: DriveFamily) -> Iterator[Disagreement]:
    """Yield disagreements on whether the cache is volatile; virtual disks are not judged."""
    if family.is_virtual:
        return
    if device.write_cache == WRITE_THROUGH and device.volatile_write_cache:
        yield {"case": Doubt.CALLED_WRITE_THROUGH}
    if device.write_cache == WRITE_BACK and device.volatile_write_cache is False:
        yield {"case": Doubt.CALLED_WRITE_BACK}
    is_volatile = device.volatile_write_cache
    if is_volatile is None and device.write_cache in (WRITE_BACK, WRITE_THROUGH):
        is_volatile = device.write_cache == WRITE_BACK
    if family.plp == PowerLossProtection.FULL and is_volatile:
        yield {"case": Doubt.PROTECTED_CALLED_VOLATILE, "family": family.name}
    if family.plp == PowerLossProtection.NONE and is_volatile is False and family.kind == "ssd":
        yield {"case": Doubt.UNPROTECTED_CALLED_SAFE, "family": family.name}
