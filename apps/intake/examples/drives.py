"""Which drives a machine of a plan may have, as the kernel reports each of them.

Names are those that drives of the catalogue give, SATA ones cut at 16 characters as the kernel
does. Sizes follow from capacities.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from apps.intake.examples import classes
from apps.plans.models import StorageKind

if TYPE_CHECKING:
    from apps.intake.examples.classes import ExampleClass
    from apps.plans.models import Plan

Json = dict[str, Any]

USUAL_GB: Final = 1920  # of a server whose source states no size
USUAL_DISK_GB: Final = 18_000
SMALL_DISK_GB: Final = 1000  # these still have sectors of 512 bytes
USUAL_VIRTUAL_GB: Final = 100
ALIKE_SHARE: Final = 0.1  # what is sold as 1 TB has 960, 1000 or 1024 GB
GIB: Final = 1 << 30


@dataclass(frozen=True, slots=True)
class ExampleDrive:
    """A drive as the kernel reports it, its class, and how long a commit of 8 KiB takes on it."""

    device: Json
    storage_class: ExampleClass
    commit_ns: int
    virt: str = "none"

    @property
    def is_physical(self) -> bool:
        """Whether its name says what it is."""
        return self.storage_class.deviation < classes.CLOUD_NVME.deviation


@dataclass(frozen=True, slots=True)
class Drive:
    """A model that people rent. `family` is its name in the catalogue of drives."""

    family: str
    model: str
    firmware: str
    gb: int
    storage_class: ExampleClass
    commit_ns: int


_PM9A3: Final = ("Samsung PM9A3", "GDC5602Q", classes.NVME_PROTECTED, 31_000)
_7450: Final = ("Micron 7450 PRO", "E2MU200", classes.NVME_PROTECTED, 34_000)
_PM9A1: Final = ("Samsung PM9A1 / PM9A1a", "GXA7801Q", classes.NVME, 4_600_000)
_990: Final = ("Samsung 990 PRO", "4B2QJXD7", classes.NVME, 2_900_000)
_PM883: Final = ("Samsung PM883", "404Q", classes.SATA_PROTECTED, 240_000)


def _drive(line: tuple[str, str, ExampleClass, int], model: str, gb: int) -> Drive:
    family, firmware, storage_class, commit_ns = line
    return Drive(family, model, firmware, gb, storage_class, commit_ns)


DRIVES: Final = (
    _drive(_PM9A3, "SAMSUNG MZQL2960HCJR-00A07", 960),
    _drive(_PM9A3, "SAMSUNG MZQL21T9HCJR-00A07", 1920),
    _drive(_PM9A3, "SAMSUNG MZQL23T8HCLS-00A07", 3840),
    _drive(_PM9A3, "SAMSUNG MZQL27T6HBLA-00A07", 7680),
    _drive(_7450, "Micron_7450_MTFDKCC1T9TFR", 1920),
    _drive(_7450, "Micron_7450_MTFDKCC3T8TFR", 3840),
    _drive(_7450, "Micron_7450_MTFDKCC7T6TFR", 7680),
    Drive("Micron 7500 PRO", "Micron_7500_MTFDKCC15T3TGP", "E3MQ000", 15360,
          classes.NVME_PROTECTED, 37_000),
    Drive("Intel/Solidigm D7-P5520", "INTEL SSDPF2KX038T1", "9CV10330", 3840,
          classes.NVME_PROTECTED, 32_000),
    Drive("Samsung PM1725a", "MZWLL6T4HMLS-00003", "GPNA9B3Q", 6400,
          classes.NVME_PROTECTED, 42_000),
    _drive(_PM9A1, "SAMSUNG MZVL2512HCJQ-00B00", 512),
    _drive(_PM9A1, "SAMSUNG MZVL21T0HCLR-00B00", 1024),
    _drive(_990, "Samsung SSD 990 PRO 1TB", 1000),
    _drive(_990, "Samsung SSD 990 PRO 2TB", 2000),
    _drive(_990, "Samsung SSD 990 PRO 4TB", 4000),
    _drive(_PM883, "SAMSUNG MZ7LH960", 960),
    _drive(_PM883, "SAMSUNG MZ7LH1T9", 1920),
    _drive(_PM883, "SAMSUNG MZ7LH3T8", 3840),
    Drive("Crucial MX500", "CT1000MX500SSD1", "023", 1000, classes.SATA, 1_300_000),
    Drive("Seagate Exos 7E2", "ST1000NM0008-2F2", "SN05", 1000, classes.HARD_DISK, 8_600_000),
    Drive("Seagate Exos 7E8", "ST6000NM021A-2R7", "SN03", 6000, classes.HARD_DISK, 8_400_000),
    Drive("Seagate Exos X18", "ST18000NM000J-2T", "SN04", 18000, classes.HARD_DISK, 8_300_000),
)  # fmt: skip
NVME_CLASSES: Final = (classes.NVME_PROTECTED, classes.NVME)
SATA_CLASSES: Final = (classes.SATA_PROTECTED, classes.SATA)
CLASSES: Final = {
    StorageKind.LOCAL_NVME.value: NVME_CLASSES,
    StorageKind.LOCAL_SATA.value: SATA_CLASSES,
    StorageKind.HDD.value: (classes.HARD_DISK,),
}
# Where nobody states the interface: "SSD" stands beside plans that are called NVMe.
SPOKEN: Final = {"SSD": SATA_CLASSES, "storage server": (classes.HARD_DISK,)}
FLASH: Final = (*NVME_CLASSES, *SATA_CLASSES)


LOTTERY_GB: Final = 1_000


def lottery_of() -> tuple[ExampleDrive, ExampleDrive]:
    """Return the two drives of a plan of which two in three people get the first one."""
    families = ("Samsung PM9A3", "Samsung PM9A1 / PM9A1a")
    first, second = (
        min((drive for drive in DRIVES if drive.family == family), key=_from_lottery_size)
        for family in families
    )
    return _physical(first), _physical(second)


def _from_lottery_size(drive: Drive) -> float:
    return abs(drive.gb - LOTTERY_GB)


def storages_of(plan: Plan) -> tuple[ExampleDrive, ...]:
    """Return what a machine of this plan may have, one or several; always in the same order."""
    if plan.kind == "dedicated" or plan.storage_kind == StorageKind.HDD:
        return tuple(map(_physical, drives_of(plan)))
    if plan.storage_kind == StorageKind.NETWORK:
        return _network(plan)
    return _local(plan)


def drives_of(plan: Plan) -> tuple[Drive, ...]:
    """Return the drives of the plan's hint, else of its kind, that are as large as its own."""
    hinted = [drive for drive in DRIVES if drive.family == plan.drive_family_hint]
    kinds = _classes_of(plan)
    fitting = hinted or [drive for drive in DRIVES if drive.storage_class in kinds]
    usual = USUAL_DISK_GB if kinds == (classes.HARD_DISK,) else USUAL_GB
    capacity_gb = float(plan.drive_gb or usual)
    alike = [drive for drive in fitting if abs(drive.gb - capacity_gb) <= ALIKE_SHARE * capacity_gb]
    return tuple(alike) or (min(fitting, key=lambda drive: abs(drive.gb - capacity_gb)),)


def _classes_of(plan: Plan) -> tuple[ExampleClass, ...]:
    if plan.storage_kind in CLASSES:
        return CLASSES[plan.storage_kind]
    description = plan.storage_description
    return next((kinds for word, kinds in SPOKEN.items() if word in description), FLASH)


def size_bytes(gb: int) -> int:
    """Return what a drive of so many gigabytes holds, by the rule of its makers (IDEMA LBA1-03)."""
    return (97_696_368 + 1_953_504 * (gb - 50)) * 512


def _physical(drive: Drive, *, virt: str = "none") -> ExampleDrive:
    is_nvme = drive.storage_class in NVME_CLASSES
    device = _nvme(drive) if is_nvme else _sata(drive)
    return ExampleDrive(
        {"model": drive.model, "firmware": drive.firmware, "size_bytes": size_bytes(drive.gb),
         **device},
        drive.storage_class, drive.commit_ns, virt,
    )  # fmt: skip


def _nvme(drive: Drive) -> Json:
    """Protected drives have no volatile cache to report, so that the kernel sends no flushes."""
    is_protected = drive.storage_class is classes.NVME_PROTECTED
    speed = {"speed_mts": 16_000, "width": 4, "speed_max_mts": 16_000, "width_max": 4}
    if drive.family == "Samsung PM1725a":
        speed |= {"speed_mts": 8_000, "speed_max_mts": 8_000}
    return {
        "class": "nvme", "transport": "pcie", "pcie": speed, "queue_depth": 1023,
        "write_cache": "write through" if is_protected else "write back", "fua": not is_protected,
        "physical_block_bytes": 4096 if is_protected else 512,
    }  # fmt: skip


def _sata(drive: Drive) -> Json:
    is_disk = drive.storage_class is classes.HARD_DISK
    return {
        "class": "scsi", "transport": "sata", "vendor": "ATA", "rotational": is_disk,
        "scheduler": "mq-deadline", "queue_depth": 64, "write_cache": "write back", "fua": False,
        "physical_block_bytes": 512 if is_disk and drive.gb <= SMALL_DISK_GB else 4096,
    }  # fmt: skip


_SCSI: Final = {
    "class": "scsi", "transport": "virtio", "vendor": "QEMU", "model": "QEMU HARDDISK",
    "firmware": "2.5+", "write_cache": "write back", "fua": False, "queue_depth": 256,
}  # fmt: skip
_BLK: Final = {  # has no name, and the flag for hard disks means nothing
    "class": "virtio-blk", "transport": "virtio", "model": "", "firmware": "", "rotational": None,
    "write_cache": "write back", "fua": False, "queue_depth": 256,
}  # fmt: skip
NAMELESS: Final = frozenset({"digitalocean", "ionos", "leaseweb", "upcloud", "vultr"})
VOLUMES: Final = {  # vendor and model of a network volume
    "oracle-cloud": ("ORACLE", "BlockVolume", "1.0"),
    "scaleway": ("SCW", "sbs", "2.5+"),
}


def _network(plan: Plan) -> tuple[ExampleDrive, ...]:
    if plan.provider_id in VOLUMES:
        vendor, model, firmware = VOLUMES[plan.provider_id]
        device = {**_SCSI, "vendor": vendor, "model": model, "firmware": firmware}
    else:
        device = _paravirtual(plan)
    sized = {**device, "size_bytes": _virtual_bytes(plan)}
    return tuple(
        ExampleDrive(sized, classes.CLOUD_NETWORK, commit_ns, "kvm")
        for commit_ns in (1_700_000, 2_400_000)
    )


def _local(plan: Plan) -> tuple[ExampleDrive, ...]:
    """Clouds that hand an NVMe controller on give it a name of their own, or leave the drive's."""
    makers = {"aws": _aws, "google-cloud": _google, "microsoft-azure": _azure}
    if plan.provider_id in makers:
        return (makers[plan.provider_id](plan),)
    if (
        plan.provider_id == "oracle-cloud"
        or "local NVMe; 50 GB boot disk" in plan.storage_description
    ):
        protected = [
            each for each in drives_of(plan) if each.storage_class is classes.NVME_PROTECTED
        ]
        return tuple(_physical(drive, virt="kvm") for drive in protected)
    device = {**_paravirtual(plan), "size_bytes": _virtual_bytes(plan)}
    return tuple(
        ExampleDrive(device, classes.CLOUD_LOCAL, commit_ns, "kvm")
        for commit_ns in (900_000, 450_000)
    )


def _paravirtual(plan: Plan) -> Json:
    return _BLK if plan.provider_id in NAMELESS else _SCSI


def _virtual_bytes(plan: Plan, *, unit: int = 10**9) -> int:
    return int(plan.drive_gb or USUAL_VIRTUAL_GB) * unit


def _cloud_nvme(identify: Json, *, commit_ns: int, virt: str = "kvm") -> ExampleDrive:
    """Return a controller of a cloud's own, which says so; its host names no link."""
    device = {
        "class": "nvme", "transport": "pcie", "queue_depth": 1023, "write_cache": "write through",
        "fua": False,
    }  # fmt: skip
    return ExampleDrive({**device, **identify}, classes.CLOUD_NVME, commit_ns, virt)


def _aws(plan: Plan) -> ExampleDrive:
    identify = {"model": "Amazon EC2 NVMe Instance Storage", "firmware": "0"}
    return _cloud_nvme({**identify, "size_bytes": _virtual_bytes(plan)}, commit_ns=95_000)


def _google(plan: Plan) -> ExampleDrive:
    """Sold in GiB; its cache counts as volatile, so each commit flushes."""
    identify = {"model": "nvme_card", "firmware": "2", "write_cache": "write back"}
    return _cloud_nvme(
        {**identify, "size_bytes": _virtual_bytes(plan, unit=GIB)}, commit_ns=150_000
    )


def _azure(plan: Plan) -> ExampleDrive:
    identify = {"model": "Microsoft NVMe Direct Disk", "firmware": "NVMDV001"}
    if plan.name.endswith("_v4"):
        identify = {"model": "Microsoft NVMe Direct Disk v2", "firmware": "NVMDV002"}
    held = {"size_bytes": size_bytes(int(plan.drive_gb or USUAL_GB))}
    return _cloud_nvme({**identify, **held}, commit_ns=105_000, virt="hyperv")
