"""The drives that a run was measured on: their families, and the class expected of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.drives.expected_class import HDD, PMEM
from apps.drives.media import DeviceReport, Medium, medium_of_device
from apps.drives.models import DriveFamily, LadderClass
from apps.drives.recognition import Recogniser, current_recogniser
from apps.drives.services import names_for
from apps.memory import remembered
from apps.runs.ladder.floors import Floor, floor_of, floors
from apps.runs.models import RunDrive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.drives.models import DriveName
    from apps.drives.services import VendorModel
    from apps.runs.models import Run
    from apps.wire.run import Device

REPORTED_CHARACTERS_MAX = 140  # of the column: vendor and model of 64 characters each, and a space
FIRMWARE_CHARACTERS_MAX = 64
LAYERS = frozenset({"dm", "md"})  # are made of other devices, which are listed too
# The name of such a device says nothing about the hardware behind it.
INDIRECT_CLASSES = frozenset({"virtio-blk", "xen-blk", "loop"})
INDIRECT_TRANSPORTS = frozenset({"virtio", "xen", "tcp", "fc", "rdma"})
BARE_METAL = "none"  # of env.virt
SATA = "sata"  # on SAS a whole array with a protected cache may report itself as a disk


@dataclass(frozen=True, slots=True)
class Members:
    """The drives under a file, and what they have in common."""

    devices: tuple[Device, ...]
    families: tuple[DriveFamily | None, ...]  # of each device
    # The family that the name of each device means, even if a virtual device has a physical name.
    named_families: tuple[DriveFamily | None, ...]
    expected: LadderClass | None  # None where the devices differ or it is not known

    @property
    def family(self) -> DriveFamily | None:
        """The family of every member, or None where one is unknown or they differ."""
        return self.families[0] if len(set(self.families)) == 1 else None

    @property
    def floor(self) -> Floor:
        """The shortest possible commit on these drives; where they differ, on any device."""
        return floor_of(self.expected, self.families)

    @property
    def media(self) -> tuple[Medium, ...]:
        """The medium of each device, as it reports itself."""
        return tuple(medium_of_device(report_of(device)) for device in self.devices)

    @property
    def is_single(self) -> bool:
        """Whether the figures are those of one drive."""
        return len(self.devices) == 1

    @property
    def reported_name(self) -> str:
        """What the members call themselves, each name once."""
        return _joined(names_of(self.devices), most=REPORTED_CHARACTERS_MAX)

    @property
    def firmware(self) -> str:
        """The firmware versions of the members, each once."""
        versions = [device.firmware.strip() for device in self.devices]
        return _joined(versions, most=FIRMWARE_CHARACTERS_MAX)

    @property
    def display_name(self) -> str:
        """A name for people where no plan was claimed."""
        if self.family is not None:
            return self.family.name
        return self.reported_name or _joined(
            [f"{device.device_class} disk" for device in self.devices],
            most=REPORTED_CHARACTERS_MAX,
        )


def read_members(
    devices: Sequence[Device], *, virtualisation: str, read_p50_ns: int | None
) -> Members:
    """Recognise every drive that a run reports; layers above drives are left out.

    `read_p50_ns` is the median of single reads past the page cache, by which hard disks are told
    from flash.
    """
    drives = tuple(device for device in devices if device.device_class not in LAYERS)
    members = drives or tuple(devices)
    recogniser = current_recogniser()
    named_families = tuple(_named_family(device, recogniser) for device in members)
    families = tuple(
        _physical_family(family, device)
        for family, device in zip(named_families, members, strict=True)
    )
    classes = {
        _expected_slug(
            device, family, is_bare_metal=virtualisation == BARE_METAL, read_p50_ns=read_p50_ns
        )
        for device, family in zip(members, families, strict=True)
    }
    slug = classes.pop() if len(classes) == 1 else None
    expected = _class(slug) if slug else None
    return Members(
        devices=members, families=families, named_families=named_families, expected=expected
    )


def rows_of(members: Members, *, run: Run) -> list[RunDrive]:
    """Return an unsaved row for each member; the names of the drives are stored at once."""
    vendor_models = [(device.vendor.strip(), device.model.strip()) for device in members.devices]
    names = _names(tuple(zip(vendor_models, members.named_families, strict=True)))
    return [
        RunDrive(
            run=run,
            place=place,
            name=names.get(vendor_models[place]),
            named_family=members.named_families[place],
            family=members.families[place],
            firmware=device.firmware.strip(),
            medium=members.media[place],
        )
        for place, device in enumerate(members.devices)
    ]


def report_of(device: Device) -> DeviceReport:
    """Return the facts of a device that decide on its medium."""
    return DeviceReport(
        device_class=device.device_class,
        transport=device.transport,
        rotational=device.rotational,
        write_cache=device.write_cache,
        volatile_write_cache=None,  # says nothing about the medium
    )


def names_of(devices: Sequence[Device]) -> list[str]:
    """Return "vendor model" of each device as reported, single blanks, empty where nameless."""
    return [" ".join(f"{device.vendor} {device.model}".split()) for device in devices]


def _named_family(device: Device, recogniser: Recogniser) -> DriveFamily | None:
    slug = recogniser.recognise(vendor=device.vendor, model=device.model)
    return _family(slug) if slug else None


@remembered
def _family(slug: str) -> DriveFamily:
    return DriveFamily.objects.select_related("ladder_class").get(pk=slug)


@remembered
def _class(slug: str) -> LadderClass | None:
    return LadderClass.objects.filter(pk=slug).first()


@remembered
def _names(
    named: tuple[tuple[VendorModel, DriveFamily | None], ...],
) -> dict[VendorModel, DriveName]:
    return names_for(dict(named))


def _physical_family(family: DriveFamily | None, device: Device) -> DriveFamily | None:
    """Return the family of a name, or None if a virtual device has the name of a physical one."""
    is_indirect = device.device_class in INDIRECT_CLASSES or device.transport in INDIRECT_TRANSPORTS
    return None if family and is_indirect and not family.is_virtual else family


def _expected_slug(
    device: Device, family: DriveFamily | None, *, is_bare_metal: bool, read_p50_ns: int | None
) -> str | None:
    """Return the ladder class of a drive; for an unknown drive only if it is certain.

    Some host adapters report flash as rotational, so an unknown disk must also read like one.
    """
    if family is not None:
        return family.ladder_class_id
    if not is_bare_metal:
        return None
    if device.device_class == "pmem":
        return PMEM
    turn_ns = floors()[HDD].read_floor_ns or 0
    reads_like_disk = read_p50_ns is not None and read_p50_ns >= turn_ns
    if device.rotational and device.transport == SATA and reads_like_disk:
        return HDD
    return None


def _joined(names: Sequence[str], *, most: int) -> str:
    return " + ".join(dict.fromkeys(name for name in names if name))[:most].strip()
