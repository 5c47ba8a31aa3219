"""What stands behind a device by its driver, its attachment and its family, for several rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.expected_class import HDD, NVME_NO_PLP
from apps.runs.ladder.floors import floors
from apps.runs.members import BARE_METAL

if TYPE_CHECKING:
    from apps.drives.models import DriveFamily
    from apps.wire.run import Device

# Nothing that a power cut empties may answer a flush sooner than this.
PROGRAMMED_NS_MIN: Final = floors()[NVME_NO_PLP].floor_ns
TURNED_NS_MIN: Final = floors()[HDD].floor_ns

# Their drivers take requests, where the kernel counts (agent/src/probe/storage/block_layers.rs).
# Through persistent memory a filesystem may write without any.
COUNTED_CLASSES: Final = frozenset({"nvme", "scsi", "virtio-blk", "xen-blk", "mmc", "loop"})

RAID_VOLUME: Final = "RAID controller volume"  # of the column protocol_gen of drives.csv
HOST_DISK: Final = "virtual disk"  # of form_factor: any hypervisor's, and no product of a cloud
_OF_A_HYPERVISOR: Final = frozenset({"virtio-blk", "xen-blk", "virtio", "xen"})


def medium_ns_min(device: Device) -> int:
    """Return the least that a platter, or flash without protection, takes for a commit."""
    return TURNED_NS_MIN if device.rotational else PROGRAMMED_NS_MIN


def is_counted(device: Device) -> bool:
    """Whether the kernel counts the flushes and the bytes of such a disk."""
    return device.device_class in COUNTED_CLASSES


def is_raid_volume(device: Device, family: DriveFamily | None) -> bool:
    """Whether a RAID controller made the disk of others, by its driver or by its name."""
    is_named_so = family is not None and family.protocol_generation == RAID_VOLUME
    return is_named_so if device.raid_volume is None else device.raid_volume


def is_on_a_hypervisor_bus(device: Device) -> bool:
    """Whether the disk hangs on a bus that hypervisors alone have."""
    return not _OF_A_HYPERVISOR.isdisjoint({device.device_class, device.transport})


def is_host_disk(device: Device, family: DriveFamily | None) -> bool:
    """Whether the disk is a hypervisor's, and no product of a cloud that has a floor of its own."""
    if family is not None:
        return family.is_virtual and family.form_factor == HOST_DISK
    return is_on_a_hypervisor_bus(device)


def is_guest(virtualisation: str) -> bool:
    """Whether a hypervisor stands below the kernel, as far as that is known."""
    return virtualisation not in {BARE_METAL, "container", "unknown"}
