"""Which drives a run was measured on."""

from __future__ import annotations

from typing import Any

import pytest

from apps.runs.members import Members, read_members
from apps.wire.run import Device
from tests import make

pytestmark = pytest.mark.django_db

SAMSUNG = "SAMSUNG MZQL23T8HCLS-00A07"


def device(**changes: Any) -> Device:
    fields: dict[str, Any] = {
        "device_class": "nvme",
        "transport": "pcie",
        "vendor": "",
        "model": SAMSUNG,
        "firmware": "GDC5602Q",
        "size_bytes": 1,
        "rotational": False,
        "write_cache": "write back",
        "fua": True,
    }
    return Device(**{**fields, **changes})


def members(
    *devices: Device, virtualisation: str = "none", read_p50_ns: int | None = 8_000_000
) -> Members:
    return read_members(devices, virtualisation=virtualisation, read_p50_ns=read_p50_ns)


@pytest.fixture(autouse=True)
def catalogue() -> None:
    plp = make.ladder_class(slug="nvme-plp")
    make.ladder_class(slug="hdd")
    make.ladder_class(slug="pmem")
    make.drive_family(slug="pm9a3", name="Samsung PM9A3", match=r"^SAMSUNG MZQL2", ladder_class=plp)
    make.drive_family(slug="volume", name="HC Volume", kind="virtual", match="^HC Volume$")


def test_one_known_drive_is_its_family_and_expects_its_class() -> None:
    found = members(device())
    assert found.family
    assert (found.family.slug, found.is_single) == ("pm9a3", True)
    assert found.expected == found.family.ladder_class
    assert (found.reported_name, found.firmware) == (SAMSUNG, "GDC5602Q")
    assert found.display_name == "Samsung PM9A3"


def test_members_of_a_raid_are_looked_at_and_its_layers_are_not() -> None:
    array = device(device_class="md", transport="unknown", model="")
    found = members(array, device(), device(firmware="GDC5902Q"))
    assert found.family
    assert (found.family.slug, found.is_single) == ("pm9a3", False)
    assert found.expected
    assert found.reported_name == SAMSUNG
    assert found.firmware == "GDC5602Q + GDC5902Q"


def test_mixed_members_have_no_family_and_no_expectation() -> None:
    found = members(device(), device(model="Other"))
    assert (found.family, found.expected) == (None, None)
    assert found.reported_name == f"{SAMSUNG} + Other"


def test_a_layer_whose_members_are_hidden_stands_for_itself() -> None:
    found = members(device(device_class="dm", transport="unknown", model="", firmware=""))
    assert (found.is_single, found.reported_name, found.display_name) == (True, "", "dm disk")


def test_no_device_at_all_is_nothing() -> None:
    found = members()
    assert (found.family, found.expected, found.is_single) == (None, None, False)
    assert found.display_name == ""


@pytest.mark.parametrize(
    "where",
    [
        {"device_class": "virtio-blk", "transport": "virtio"},
        {"device_class": "scsi", "transport": "virtio"},
        {"device_class": "loop", "transport": "unknown"},
        {"device_class": "nvme", "transport": "tcp"},
    ],
)
def test_a_virtual_disk_is_never_a_physical_family(where: dict[str, str]) -> None:
    assert members(device(**where)).family is None


def test_a_virtual_disk_is_its_virtual_family() -> None:
    found = members(device(device_class="scsi", transport="virtio", vendor="HC", model="Volume"))
    assert found.family
    assert found.family.slug == "volume"


@pytest.mark.parametrize(
    ("changes", "virtualisation", "expected"),
    [
        ({"transport": "sata", "rotational": True}, "none", "hdd"),
        ({"transport": "sata", "rotational": True}, "kvm", None),
        ({"transport": "usb", "rotational": True}, "none", None),
        ({"transport": "sas", "rotational": True}, "none", None),
        ({"transport": "sata", "rotational": None}, "none", None),
        ({"device_class": "pmem", "transport": "memory"}, "none", "pmem"),
        ({}, "none", None),
    ],
)
def test_of_an_unknown_drive_only_what_is_certain_is_expected(
    changes: dict[str, Any], virtualisation: str, expected: str | None
) -> None:
    found = members(device(model="Unknown", **changes), virtualisation=virtualisation)
    assert (found.expected.slug if found.expected else None) == expected


@pytest.mark.parametrize(
    ("read_p50_ns", "expected"), [(1_000_000, "hdd"), (999_999, None), (None, None)]
)
def test_an_unknown_disk_is_one_only_if_it_reads_like_one(
    read_p50_ns: int | None, expected: str | None
) -> None:
    found = members(
        device(model="Unknown", transport="sata", rotational=True), read_p50_ns=read_p50_ns
    )
    assert (found.expected.slug if found.expected else None) == expected


def test_names_and_firmware_fit_their_columns() -> None:
    many = [device(model=f"{place:064}", firmware=f"{place:064}") for place in range(9)]
    found = members(*many)
    assert len(found.reported_name) <= 140
    assert len(found.firmware) <= 64
