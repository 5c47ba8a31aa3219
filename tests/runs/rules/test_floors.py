"""Floors against what was published: worked out again, so that new data are looked at."""

from __future__ import annotations

import pytest
from django.db.models import Min

from apps.drives.catalogue import read_ladder
from apps.drives.expected_class import NVME_NO_PLP, OPTANE, PMEM
from apps.runs.ladder.floors import ANY, CLOUD_LOCAL, Floor, floors
from apps.runs.models import Level, Measurement
from apps.runs.published.judgement import floor_of_published
from apps.runs.rules import RULES
from apps.runs.rules.devices import PROGRAMMED_NS_MIN
from apps.runs.rules.physics.commit_above_reads import READS_PER_COMMIT_MAX
from tests.support.catalogue import store_catalogue

PUBLISHED_READ_NS = 61_000  # the one published read of one at a time, on NVMe


def quickest_published() -> dict[str, tuple[int, str]]:
    """Return of each class the lowest 1 / rate of one durable writer, and the run that has it."""
    commits = Measurement.objects.filter(
        run__level=Level.PUBLISHED,
        run__is_kept_out=False,
        run__expected_class__isnull=False,
        is_durable_single_writer=True,
        rate_per_s__gt=0,
    ).select_related("run__plan", "run__drive_family", "run__expected_class")
    found: dict[str, tuple[int, str]] = {}
    for each in commits:
        slug = floor_of_published(each.run).id
        mean = (round(1e9 / (each.rate_per_s or 1)), each.run.slug)
        found[slug] = min(mean, found.get(slug, mean))
    return found


@pytest.mark.django_db
def test_each_floor_names_the_quickest_commit_that_was_published() -> None:
    store_catalogue()
    quickest = quickest_published()
    quickest[ANY] = min(quickest.values())
    stated = {
        floor.id: (floor.lowest_published_ns, floor.lowest_published_run)
        for floor in floors().values()
        if floor.lowest_published_ns is not None
    }
    assert stated == quickest


@pytest.mark.django_db
def test_no_published_run_lies_below_its_floor() -> None:
    store_catalogue()
    for slug, (mean_ns, run) in quickest_published().items():
        assert mean_ns > floors()[slug].floor_ns, run


def test_the_ladder_and_the_floors_are_one() -> None:
    ladder = {row.slug: row.floor_ns for row in read_ladder()}
    assert ladder.keys() == floors().keys() - {ANY, CLOUD_LOCAL}
    assert ladder.pop(PMEM) is None  # its range is that of processor instructions, without a call
    for slug, floor_ns in ladder.items():
        assert floors()[slug].floor_ns == floor_ns, slug


def test_every_floor_says_why() -> None:
    for floor in floors().values():
        assert floor.reason.endswith("."), floor.id
        assert floor.floor_ns > 0


def test_an_unknown_device_has_the_floor_of_the_quickest_one() -> None:
    quick: Floor = floors()[OPTANE]
    assert floors()[ANY].floor_ns == quick.floor_ns
    assert floors()[ANY].read_floor_ns == quick.read_floor_ns
    slower = [each for each in floors().values() if each.id not in (PMEM, OPTANE, ANY)]
    assert min(each.floor_ns for each in slower) > quick.floor_ns


@pytest.mark.django_db
def test_the_words_of_the_rules_give_the_published_figures() -> None:
    store_catalogue()
    words = {rule.id: rule.why for rule in RULES.values()}
    volatile = floors()[NVME_NO_PLP]
    assert volatile.floor_ns == PROGRAMMED_NS_MIN
    published = f"{(volatile.lowest_published_ns or 0) / 1e3:.0f} µs"
    assert published in words["fast-for-volatile-cache"]
    reads = Measurement.objects.filter(workload="read-floor", run__level=Level.PUBLISHED)
    lowest = reads.aggregate(ns=Min("latencies__min_ns"))["ns"]
    assert lowest == PUBLISHED_READ_NS
    for rule in ("reads-from-cache", "commit-above-reads"):
        assert "61 µs" in words[rule]
    protected = commits_ns(plp="full", interface="nvme")
    assert max(protected) / PUBLISHED_READ_NS < 1.65 < READS_PER_COMMIT_MAX
    unprotected = [each / PUBLISHED_READ_NS for each in commits_ns(plp="none", interface="nvme")]
    assert (round(min(unprotected)), round(max(unprotected))) == (7, 96)
    assert min(unprotected) > READS_PER_COMMIT_MAX


def commits_ns(**family: str) -> list[float]:
    """Return 1 / rate of every published commit of up to 16 KiB by single drives of families."""
    commits = Measurement.objects.filter(
        run__level=Level.PUBLISHED,
        run__is_kept_out=False,
        run__is_single_drive=True,
        is_durable_single_writer=True,
        rate_per_s__gt=0,
        block_bytes__lte=16384,
        **{f"run__drive_family__{name}": value for name, value in family.items()},
    )
    return [1e9 / rate for rate in commits.values_list("rate_per_s", flat=True) if rate]
