"""Which medium a drive is, by its own word and by its family's."""

from __future__ import annotations

from typing import Any

import pytest

from apps.drives.catalogue import read_families
from apps.drives.media import (
    NAMES,
    DeviceReport,
    Doubt,
    Medium,
    disagreements,
    medium_of_device,
    medium_of_family,
)

FAMILIES = {family.slug: family for family in read_families()}


def device(**changes: Any) -> DeviceReport:
    usual: dict[str, Any] = {
        "device_class": "nvme",
        "transport": "pcie",
        "rotational": False,
        "write_cache": "write back",
        "volatile_write_cache": None,
    }
    return DeviceReport(**{**usual, **changes})


def sata(**changes: Any) -> DeviceReport:
    return device(**{"device_class": "scsi", "transport": "sata", **changes})


@pytest.mark.parametrize(
    ("reported", "medium"),
    [
        (device(), Medium.NVME_FLASH),
        (device(rotational=True), Medium.NVME_FLASH),  # no NVMe drive turns
        (device(transport="unknown"), Medium.NVME_FLASH),
        (device(transport="tcp"), Medium.REMOTE),
        (sata(), Medium.SATA_FLASH),
        (sata(rotational=True), Medium.HDD),
        (sata(rotational=None), Medium.UNKNOWN),
        (sata(transport="sas"), Medium.SAS_FLASH),
        (sata(transport="usb"), Medium.USB_FLASH),
        (sata(transport="virtio"), Medium.VIRTUAL),
        (sata(transport="unknown"), Medium.UNKNOWN),
        (device(device_class="virtio-blk", transport="virtio"), Medium.VIRTUAL),
        (device(device_class="loop", transport="unknown"), Medium.VIRTUAL),
        (device(device_class="pmem", transport="memory"), Medium.PMEM),
        (device(device_class="mmc", transport="mmc"), Medium.CARD),
        (device(device_class="md", transport="unknown"), Medium.UNKNOWN),
    ],
)
def test_a_medium_is_told_by_class_transport_and_flag(
    reported: DeviceReport, medium: Medium
) -> None:
    assert medium_of_device(reported) is medium


@pytest.mark.parametrize(
    ("slug", "medium"),
    [
        ("samsung-pm9a3", Medium.NVME_FLASH),
        ("samsung-pm893", Medium.SATA_FLASH),
        ("samsung-pm1643-pm1643a", Medium.SAS_FLASH),
        ("crucial-x10-pro", Medium.USB_FLASH),
        ("seagate-exos-x18", Medium.HDD),
        ("intel-optane-pmem-100-200", Medium.PMEM),
        ("hetzner-cloud-volume", Medium.VIRTUAL),
        ("dell-perc-virtual-disk", Medium.VIRTUAL),
    ],
)
def test_a_family_says_its_medium_too(slug: str, medium: Medium) -> None:
    assert medium_of_family(FAMILIES[slug]) is medium


def test_every_family_of_the_catalogue_has_a_medium_with_a_name() -> None:
    media = {medium_of_family(family) for family in FAMILIES.values()}
    assert Medium.UNKNOWN not in media
    assert set(NAMES) == set(Medium)


@pytest.mark.parametrize(
    ("reported", "slug", "doubts"),
    [
        (device(), "hetzner-cloud-local-nvme", []),
        (device(write_cache="write through"), "samsung-pm9a3", []),
        (device(), "samsung-990-pro", []),
        (sata(rotational=True), "samsung-pm893", [Doubt.MEDIUM, Doubt.PROTECTED_CALLED_VOLATILE]),
        (sata(transport="sas"), "samsung-860-evo", [Doubt.MEDIUM]),
        (sata(transport="usb"), "samsung-860-evo", []),
        (sata(rotational=None), "samsung-860-evo", []),
        (sata(write_cache="unknown"), "samsung-pm893", []),
        (device(), "samsung-pm9a3", [Doubt.PROTECTED_CALLED_VOLATILE]),
        (
            device(write_cache="write through"), "samsung-990-pro",
            [Doubt.UNPROTECTED_CALLED_SAFE],
        ),
        (
            device(volatile_write_cache=False), "samsung-990-pro",
            [Doubt.CALLED_WRITE_BACK, Doubt.UNPROTECTED_CALLED_SAFE],
        ),
        (
            device(write_cache="write through", volatile_write_cache=True), "samsung-pm9a3",
            [Doubt.CALLED_WRITE_THROUGH, Doubt.PROTECTED_CALLED_VOLATILE],
        ),
        (sata(rotational=True, write_cache="write through"), "seagate-exos-x18", []),
    ],
)  # fmt: skip
def test_where_device_and_family_disagree_both_are_said(
    reported: DeviceReport, slug: str, doubts: list[Doubt]
) -> None:
    found = disagreements(reported, FAMILIES[slug])
    assert [each["case"] for each in found] == doubts
