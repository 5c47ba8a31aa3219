"""The class of the fsync ladder that is expected of a drive family, by its facts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.drives.models import PowerLossProtection

if TYPE_CHECKING:
    from apps.drives.models import DriveFamily

PMEM: Final = "pmem"
OPTANE: Final = "optane"
NVME_PLP: Final = "nvme-plp"
CLOUD_TOP: Final = "cloud-top"
SATA_PLP: Final = "sata-plp"
NVME_NO_PLP: Final = "nvme-no-plp"
CLOUD_SSD: Final = "cloud-ssd"
SATA_NO_PLP: Final = "sata-no-plp"
HDD: Final = "hdd"

# A drive with partial protection (data at rest only) must program flash before it answers a flush.
_SSD_CLASSES: Final = {
    ("nvme", PowerLossProtection.FULL): NVME_PLP,
    ("nvme", PowerLossProtection.PARTIAL): NVME_NO_PLP,
    ("nvme", PowerLossProtection.NONE): NVME_NO_PLP,
    ("sata", PowerLossProtection.FULL): SATA_PLP,
    ("sata", PowerLossProtection.PARTIAL): SATA_NO_PLP,
    ("sata", PowerLossProtection.NONE): SATA_NO_PLP,
}
_CLOUD_TOP_FAMILIES: Final = frozenset({"aws-ebs-io2-block-express"})
# Siblings keep their cache through a power cut, or a text says that flash answers for the platter.
_DISKS_THAT_MAY_KEEP_IT: Final = frozenset(
    {"wd-ultrastar-dc-hc590", "seagate-enterprise-capacity-3-5-v4-v5"}
)
_CLOUD_PLACES: Final = frozenset({"network volume", "local disk", "network or local volume"})
_ANYTHING_BEHIND: Final = frozenset({"linux-iscsi-lio-target-disk"})  # often a disk at home


def expected_class(family: DriveFamily) -> str | None:
    """Return the slug of the ladder class, or None where the facts do not name one.

    It is None if protection is not stated, for SAS and USB, which have no class, for hard disks
    with a cache that is protected or may be, which answer before the platter does, and for RAID
    controllers and generic virtual disks, behind which there can be any hardware.
    """
    if family.is_virtual:
        return _virtual_class(family)
    if family.kind == "pmem":
        return PMEM
    if family.kind == "hdd":
        is_kept = family.plp == PowerLossProtection.FULL or family.slug in _DISKS_THAT_MAY_KEEP_IT
        return None if is_kept else HDD
    if family.nand == "3dxpoint":
        return OPTANE
    return _SSD_CLASSES.get((family.interface, PowerLossProtection(family.plp)))


def possible_classes(family: DriveFamily) -> tuple[str, ...]:
    """Return the slugs of the ladder classes that the facts allow, the quickest first.

    One where they name the class, two of an SSD whose protection nobody states, else none.
    """
    expected = expected_class(family)
    if expected is not None:
        return (expected,)
    if family.kind != "ssd" or family.plp != PowerLossProtection.UNKNOWN:
        return ()
    protections = (PowerLossProtection.FULL, PowerLossProtection.NONE)
    keys = ((family.interface, protection) for protection in protections)
    return tuple(_SSD_CLASSES[key] for key in keys if key in _SSD_CLASSES)


def _virtual_class(family: DriveFamily) -> str | None:
    if family.slug in _CLOUD_TOP_FAMILIES:
        return CLOUD_TOP
    is_on_hard_disks = family.nand == "none"
    if family.slug in _ANYTHING_BEHIND or is_on_hard_disks:
        return None
    return CLOUD_SSD if family.form_factor in _CLOUD_PLACES else None
