"""The drive catalogue as it ships: sound rows, and the class that each family is expected on."""

from __future__ import annotations

from collections import Counter

import pytest

from apps.drives import expected_class as classes
from apps.drives.catalogue import read_families, read_ladder
from apps.drives.models import DriveFamily, LadderClass, PowerLossProtection

FAMILIES = {family.slug: family for family in read_families()}


def test_there_are_506_families_and_nine_rungs() -> None:
    assert len(read_families()) == len(FAMILIES) == 506
    ladder_rows = read_ladder()
    assert [row.position for row in ladder_rows] == list(range(9))
    assert ladder_rows == sorted(ladder_rows, key=lambda row: (row.low_ns, row.high_ns))


def test_rungs_rise_and_a_floor_lies_at_or_below_its_rung() -> None:
    for row in read_ladder():
        assert 0 < row.low_ns <= row.high_ns, row.slug
        assert row.floor_ns is None or row.floor_ns <= row.low_ns, row.slug
        assert row.source_title


def test_the_floors_are_those_of_the_physics() -> None:
    floors = {row.slug: row.floor_ns for row in read_ladder() if row.floor_ns}
    assert floors == {
        classes.OPTANE: 5_000,
        classes.SATA_PLP: 20_000,
        classes.NVME_PLP: 8_000,
        classes.CLOUD_TOP: 100_000,
        classes.CLOUD_SSD: 100_000,
        classes.NVME_NO_PLP: 150_000,
        classes.SATA_NO_PLP: 150_000,
        classes.HDD: 2_000_000,
    }


def test_a_claim_stands_apart_from_what_was_measured() -> None:
    rows = {row.slug: row for row in read_ladder()}
    consumer = rows[classes.NVME_NO_PLP]
    assert not consumer.is_claim
    assert (consumer.low_ns, consumer.high_ns) == (200_000, 5_300_000)
    assert (consumer.claimed_low_ns, consumer.claimed_high_ns) == (200_000, 800_000)
    assert "5.3 ms" in consumer.note
    promised = rows[classes.CLOUD_TOP]
    assert promised.is_claim  # the range itself is the claim
    assert promised.claimed_low_ns is promised.claimed_high_ns is None


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("micron-7500-pro", classes.NVME_PLP),
        ("samsung-pm9a3", classes.NVME_PLP),
        ("samsung-990-pro", classes.NVME_NO_PLP),
        ("samsung-pm9a1-pm9a1a", classes.NVME_NO_PLP),
        ("crucial-t500", None),  # protection claimed, not confirmed
        ("samsung-pm893", classes.SATA_PLP),
        ("samsung-850-evo", classes.SATA_NO_PLP),
        ("samsung-860-evo", None),  # no document states its protection
        ("samsung-pm983", None),
        ("intel-optane-dc-p5800x", classes.OPTANE),
        ("intel-optane-ssd-900p", classes.OPTANE),
        ("intel-optane-pmem-100-200", classes.PMEM),
        ("seagate-exos-x18", classes.HDD),
        ("toshiba-mg10", classes.HDD),
        ("wd-ultrastar-dc-hc580", None),  # keeps its cache: not bound to the platter
        ("wd-ultrastar-dc-hc590", None),  # nobody says, and its siblings keep theirs
        ("aws-ebs-io2-block-express", classes.CLOUD_TOP),
        ("aws-ebs-gp3", classes.CLOUD_SSD),
        ("hetzner-cloud-local-nvme", classes.CLOUD_SSD),
        ("aws-ebs-st1-sc1", None),  # hard disks behind it
        ("qemu-harddisk-generic-kvm-disk", None),
        ("vmware-virtual-disk-scsi", None),
        ("dell-perc-virtual-disk", None),
        ("linux-iscsi-lio-target-disk", None),
    ],
)
def test_a_family_is_expected_on_the_rung_of_its_kind_and_protection(
    slug: str, expected: str | None
) -> None:
    assert FAMILIES[slug].ladder_class_id == expected


def test_no_class_is_given_where_protection_is_not_stated() -> None:
    for family in FAMILIES.values():
        if family.plp == PowerLossProtection.UNKNOWN and family.kind in {"ssd", "hdd"}:
            assert family.ladder_class_id in {None, classes.OPTANE, classes.HDD}, family.slug


@pytest.mark.parametrize(
    ("slug", "possible"),
    [
        ("samsung-990-pro", (classes.NVME_NO_PLP,)),
        ("samsung-980", (classes.NVME_PLP, classes.NVME_NO_PLP)),
        ("samsung-860-evo", (classes.SATA_PLP, classes.SATA_NO_PLP)),
        ("samsung-pm1643-pm1643a", ()),  # SAS has no class
        ("wd-ultrastar-dc-hc590", ()),
        ("aws-ebs-gp3", (classes.CLOUD_SSD,)),
    ],
)
def test_a_family_whose_protection_nobody_states_may_be_of_two_classes(
    slug: str, possible: tuple[str, ...]
) -> None:
    assert classes.possible_classes(FAMILIES[slug]) == possible


def test_every_rung_of_the_ladder_has_families() -> None:
    used = Counter(family.ladder_class_id for family in FAMILIES.values())
    assert set(used) - {None} == {row.slug for row in read_ladder()}


@pytest.mark.django_db
def test_the_catalogue_fits_the_tables() -> None:
    for row in read_ladder():
        row.full_clean()
        row.save()
    for family in read_families():
        family.full_clean(exclude=("match", "ladder_class"))
    DriveFamily.objects.bulk_create(read_families())
    assert DriveFamily.objects.filter(ladder_class=LadderClass(slug="nvme-plp")).count() > 10
    assert DriveFamily.objects.get(slug="hetzner-cloud-volume").is_virtual
    assert str(DriveFamily.objects.get(slug="samsung-990-pro")) == "Samsung 990 PRO"
