"""Strings that real machines reported, and the family behind each."""

from __future__ import annotations

import csv
import time
from pathlib import Path

import pytest

from apps.drives.catalogue import read_families, read_ladder
from apps.drives.models import DriveFamily, LadderClass
from apps.drives.recognition import (
    AmbiguousPatternError,
    Recogniser,
    current_recogniser,
    recognise,
)

STRINGS = Path(__file__).parent / "model_strings.csv"


def reported() -> list[tuple[str, str]]:
    with STRINGS.open(newline="", encoding="utf-8") as file:
        return [(row["model_string"], row["family"]) for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def recogniser() -> Recogniser:
    families = sorted(read_families(), key=lambda family: family.slug)
    return Recogniser(tuple((row.slug, row.kind, row.match) for row in families if row.match))


@pytest.fixture
def catalogue(db: None) -> None:
    LadderClass.objects.bulk_create(read_ladder())
    DriveFamily.objects.bulk_create(read_families())


def test_all_712_strings_are_recognised_as_the_kernel_and_udev_write_them(
    recogniser: Recogniser,
) -> None:
    slug_of = {family.name: family.slug for family in read_families()}
    wrong = [
        (text, family, found)
        for model, family in reported()
        for text in (model, model.replace(" ", "_"), model.replace("_", " "), model + "   ")
        if (found := recogniser.recognise(vendor="", model=text)) != slug_of.get(family)
    ]
    assert len(reported()) == 712
    assert wrong == []


def test_no_string_matches_two_families(recogniser: Recogniser) -> None:
    assert [model for model, _ in reported() if len(recogniser.matches(model)) > 1] == []


@pytest.mark.parametrize(
    ("vendor", "model", "slug"),
    [
        ("HC", "Volume", "hetzner-cloud-volume"),
        ("DO", "Volume", "digitalocean-volume"),
        ("Linode", "Volume", "linode-akamai-block-storage"),
        ("", "Volume", None),
        ("ATA", "Samsung SSD 870", "samsung-870-truncated-string"),
        ("ATA     ", "INTEL SSDSC2KG96", "intel-dc-s46xx-truncated-string"),
        ("Google", "PersistentDisk", "gcp-persistent-disk-hyperdisk-type-not-visible"),
        ("QEMU", "QEMU HARDDISK", "qemu-harddisk-generic-kvm-disk"),
        ("Msft", "Virtual Disk", "azure-hyper-v-virtual-disk-scsi"),
        ("VMware", "Virtual disk", "vmware-virtual-disk-scsi"),
        ("", "Samsung SSD 990 PRO 2TB", "samsung-990-pro"),
        ("", "SAMSUNG MZVL2512HCJQ-00B00", "samsung-pm9a1-pm9a1a"),
        ("", "MTFDKCC15T3TGP-1BK1DABYY", "micron-7500-pro"),
        ("IBM-ESXS", "Samsung SSD 990 PRO 2TB", "samsung-990-pro"),
        ("ATA", "HGST HUS724020AL", "hgst-ultrastar-7k4000"),
        ("HGST", "HUS724020ALS640", None),  # the same drive on SAS
        ("ATA", "TOSHIBA THNSNJ25", None),  # a consumer drive; the datacenter ones have 48, 80, 96
        ("", "", None),
        ("ATA", "", None),
    ],
)
def test_vendor_and_model_together_name_the_family(
    recogniser: Recogniser, vendor: str, model: str, slug: str | None
) -> None:
    assert recogniser.recognise(vendor=vendor, model=model) == slug


def test_a_sata_model_that_was_cut_gets_its_family_or_what_all_candidates_share_or_none(
    recogniser: Recogniser,
) -> None:
    """The kernel shows 16 characters of it, without blanks at the end."""
    families = {family.name: family for family in read_families()}
    slug_of = {name: family.slug for name, family in families.items()}
    long = [
        (model, family)
        for model, family in reported()
        if len(model) > 16
        and family
        and families[family].interface == "sata"
        and not model.startswith("ATA")
    ]
    cut = {
        model: (recogniser.recognise(vendor="ATA", model=model[:16].rstrip()), slug_of[family])
        for model, family in long
    }
    others = {
        model: found
        for model, (found, slug) in cut.items()
        if found not in (slug, None) and not str(found).endswith("truncated-string")
    }
    unknown = sorted({model[:16] for model, (found, _) in cut.items() if found is None})
    assert others == {}
    assert len(long) == 265
    assert unknown == [
        "Crucial_CT1024M5", "Crucial_CT1024MX", "Crucial_CT1050MX", "HGST HUS726060AL",
        "INTEL SSDSC2BW12", "INTEL SSDSC2BW24", "INTEL SSDSC2BW48", "INTEL SSDSC2KW12",
        "SAMSUNG HN-M101M", "Samsung SSD 840 ",
    ]  # fmt: skip


@pytest.mark.parametrize("vendor", ["QEMU", "VMware", "Msft", "virtio", "Google"])
def test_a_virtual_disk_gets_no_physical_family_whatever_it_calls_itself(
    recogniser: Recogniser, vendor: str
) -> None:
    assert recogniser.recognise(vendor=vendor, model="Samsung SSD 990 PRO 2TB") is None


def test_an_unknown_vendor_does_not_make_a_virtual_disk_of_another_clouds_name(
    recogniser: Recogniser,
) -> None:
    assert recogniser.recognise(vendor="Acme", model="PersistentDisk") is None


def test_several_patterns_of_one_family_are_one_claim() -> None:
    recogniser = Recogniser((("one", "ssd", "^FOO"), ("one", "ssd", "^FOO[0-9]")))
    assert recogniser.recognise(vendor="", model="FOO1") == "one"


def test_two_claims_on_one_string_recognise_neither() -> None:
    recogniser = Recogniser((("one", "ssd", "^FOO"), ("two", "ssd", "^FOO[0-9]")))
    assert recogniser.recognise(vendor="", model="foo") == "one"
    assert recogniser.recognise(vendor="", model="FOO1") is None


def test_a_pattern_that_does_not_compile_is_named() -> None:
    with pytest.raises(AmbiguousPatternError, match="pattern of broken"):
        Recogniser((("broken", "ssd", "^(FOO"),))


def test_look_around_is_refused_since_it_needs_backtracking() -> None:
    with pytest.raises(AmbiguousPatternError):
        Recogniser((("clever", "ssd", "^(?=FOO)"),))


def test_a_long_hostile_string_costs_no_more_than_a_short_one(recogniser: Recogniser) -> None:
    began = time.perf_counter()
    for _ in range(100):
        recogniser.recognise(vendor="A" * 10_000, model="Samsung " * 10_000 + "!")
    assert time.perf_counter() - began < 2


def test_control_characters_and_other_scripts_match_nothing(recogniser: Recogniser) -> None:
    assert recogniser.recognise(vendor="", model="\x00Samsung SSD 990 PRO") is None
    assert recogniser.recognise(vendor="", model="三星 990 PRO") is None


@pytest.mark.django_db
def test_without_a_catalogue_nothing_is_recognised() -> None:
    assert recognise(vendor="", model="Samsung SSD 990 PRO 2TB") is None


@pytest.mark.usefixtures("catalogue")
def test_the_patterns_are_compiled_once_and_again_when_the_catalogue_changes() -> None:
    first = current_recogniser()
    assert current_recogniser() is first
    assert recognise(vendor="", model="Samsung SSD 990 PRO 2TB") == "samsung-990-pro"
    DriveFamily.objects.filter(slug="samsung-990-pro").update(match="^NOTHING LIKE IT")
    assert recognise(vendor="", model="Samsung SSD 990 PRO 2TB") is None
    assert current_recogniser() is not first
