"""Which rung of the fsync ladder a drive family is expected on, from what it is."""

from __future__ import annotations

from typing import Final

from apps.drives.models import PowerLossProtection

PMEM: Final = "pmem"
OPTANE: Final = "optane"
NVME_PLP: Final = "nvme-plp"
CLOUD_TOP: Final = "cloud-top"
SATA_PLP: Final = "sata-plp"
NVME_NO_PLP: Final = "nvme-no-plp"
CLOUD_SSD: Final = "cloud-ssd"
SATA_NO_PLP: Final = "sata-no-plp"
HDD: Final = "hdd"

# A drive that protects only data at rest must still program the flash before it answers a flush.
_SSD_CLASSES: Final = {
    ("nvme", PowerLossProtection.FULL): NVME_PLP,
    ("nvme", PowerLossProtection.PARTIAL): NVME_NO_PLP,
    ("nvme", PowerLossProtection.NONE): NVME_NO_PLP,
    ("sata", PowerLossProtection.FULL): SATA_PLP,
    ("sata", PowerLossProtection.PARTIAL): SATA_NO_PLP,
    ("sata", PowerLossProtection.NONE): SATA_NO_PLP,
}
_CLOUD_TOP_FAMILIES: Final = frozenset({"aws-ebs-io2-block-express"})
_CLOUD_PLACES: Final = frozenset({"network volume", "local disk", "network or local volume"})
_ANYTHING_BEHIND: Final = frozenset({"linux-iscsi-lio-target-disk"})  # often a disk at home


def expected_class(
    *, slug: str, kind: str, interface: str, plp: str, nand: str, form_factor: str
) -> str | None:
    """Return the slug of the ladder class, or None where the facts do not name one.

    None stands for: protection not stated; SAS and USB, which have no rung; hard disks that keep
    their cache through a power cut, which answer long before the platter; RAID controllers and
    generic hypervisor disks, behind which anything may lie.
    """
    if kind == "virtual":
        return _virtual_class(slug=slug, nand=nand, form_factor=form_factor)
    if kind == "pmem":
        return PMEM
    if kind == "hdd":
        return None if plp == PowerLossProtection.FULL else HDD
    if nand == "3dxpoint":
        return OPTANE
    return _SSD_CLASSES.get((interface, PowerLossProtection(plp)))


def _virtual_class(*, slug: str, nand: str, form_factor: str) -> str | None:
    if slug in _CLOUD_TOP_FAMILIES:
        return CLOUD_TOP
    is_on_hard_disks = nand == "none"
    if slug in _ANYTHING_BEHIND or is_on_hard_disks or form_factor not in _CLOUD_PLACES:
        return None
    return CLOUD_SSD
