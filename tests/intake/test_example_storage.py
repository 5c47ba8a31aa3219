"""Examples are of their kind: drives of their plan, sizes of their name, passes of their suite."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

import numpy as np
import pytest

from apps.drives.models import DriveFamily
from apps.drives.recognition import recognise
from apps.intake.examples import classes, drives, passes
from apps.intake.examples.documents import document
from apps.intake.examples.world import Visit
from apps.plans.models import Plan, Provider
from apps.stats.histogram import Histogram
from apps.wire.suites import SUITES_DIRECTORY
from tests import make
from tests.support.catalogue import store_catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from apps.intake.examples.classes import ExampleClass
    from apps.intake.examples.drives import ExampleDrive

Json = dict[str, Any]

# What makers write for a capacity, and how many gigabytes it is.
CAPACITIES: Final = {
    "MZVL2512": 512, "CT1000": 1000, "1T0": 1024, "960": 960, "1T9": 1920, "3T8": 3840,
    "038": 3840, "6T4": 6400,
    "7T6": 7680, "15T3": 15360, "1TB": 1000, "2TB": 2000, "4TB": 4000, "ST1000": 1000,
    "ST6000": 6000, "ST18000": 18000,
}  # fmt: skip
READS_NS: Final = {
    classes.NVME_PROTECTED: (60_000, 100_000), classes.NVME: (60_000, 100_000),
    classes.SATA_PROTECTED: (120_000, 200_000), classes.SATA: (120_000, 200_000),
    classes.HARD_DISK: (5_000_000, 9_000_000), classes.CLOUD_NVME: (70_000, 130_000),
    classes.CLOUD_LOCAL: (200_000, 350_000), classes.CLOUD_NETWORK: (400_000, 800_000),
}  # fmt: skip


def plan(kind: str = "dedicated", provider: str = "hetzner", **changes: Any) -> Plan:
    """Return a plan that is not stored."""
    owner = Provider(slug=provider, name=provider)
    fields: Json = {"slug": f"{provider}-plan", "name": "Plan", "storage_kind": "local-nvme"}
    return Plan(provider=owner, kind=kind, **{**fields, **changes})


OF_CLASS: Final = {
    classes.NVME_PROTECTED: plan(drive_gb=Decimal(3840)),
    classes.NVME: plan(drive_gb=Decimal(512)),
    classes.SATA_PROTECTED: plan(storage_kind="local-sata", drive_gb=Decimal(1920)),
    classes.SATA: plan(drive_family_hint="Crucial MX500"),
    classes.HARD_DISK: plan(storage_kind="hdd", drive_gb=Decimal(18000)),
    classes.CLOUD_NVME: plan("cloud", "aws", drive_gb=Decimal(1900)),
    classes.CLOUD_LOCAL: plan("cloud", drive_gb=Decimal(80)),
    classes.CLOUD_NETWORK: plan("cloud", "scaleway", storage_kind="network"),
}
each_class = pytest.mark.parametrize("storage_class", OF_CLASS)


def visit(storage_class: ExampleClass, *, uploader: int = 1, factor: float = 1.0) -> Visit:
    """Return a visit of a machine with such storage; uploader 1 runs the standard suite."""
    rented = OF_CLASS[storage_class]
    storage = drives.storages_of(rented)[0]
    assert storage.storage_class is storage_class
    return Visit(
        at=make.NOON, plan=rented, region="DE", storage=storage,
        commit_ns=int(storage.commit_ns * factor), uploader=uploader, machine=0, is_witnessed=False,
    )  # fmt: skip


def sent(made: Visit) -> Json:
    return document(made, run_id=UUID(int=7 << 76), seed_proof=None, challenge=None)


def definitions(suite: str) -> dict[str, Json]:
    rows = json.loads((SUITES_DIRECTORY / f"{suite}.v1.json").read_bytes())["workloads"]
    return {row["id"]: row for row in rows}


def passes_of(run: Json) -> Iterator[tuple[Json, Json]]:
    """Yield every pass with the definition of its workload, searches apart."""
    by_id = definitions(run["suite"]["id"])
    for workload in run["workloads"]:
        if "search" not in by_id[workload["id"]]:
            for one in workload["passes"]:
                yield by_id[workload["id"]], one


@pytest.mark.parametrize("drive", drives.DRIVES, ids=lambda drive: drive.model)
def test_the_size_of_a_drive_is_that_of_its_name(drive: drives.Drive) -> None:
    named = {gb for word, gb in CAPACITIES.items() if word in drive.model}
    assert named == {drive.gb}
    assert drives.size_bytes(drive.gb) == pytest.approx(drive.gb * 1e9, rel=0.001)


@pytest.mark.parametrize(
    ("gb", "held"),
    [(512, 512_110_190_592), (2000, 2_000_398_934_016), (3840, 3_840_755_982_336)],
)
def test_sizes_are_those_that_such_drives_report(gb: int, held: int) -> None:
    assert drives.size_bytes(gb) == held


@pytest.mark.django_db
def test_the_catalogue_knows_every_drive_and_every_size_of_it() -> None:
    store_catalogue()
    for drive in drives.DRIVES:
        vendor = "" if drive.storage_class in drives.NVME_CLASSES else "ATA"
        slug = recognise(vendor=vendor, model=drive.model)
        family = DriveFamily.objects.get(pk=slug)
        assert family.name == drive.family, drive
        is_protected = "PROTECTED" in _name(drive.storage_class)
        assert family.plp == "unknown" or (family.plp == "full") == is_protected, drive


def _name(storage_class: ExampleClass) -> str:
    return next(name for name, value in vars(classes).items() if value is storage_class)


@pytest.mark.django_db
def test_servers_have_drives_as_large_as_their_plan_says() -> None:
    store_catalogue()
    listed = Plan.objects.rentable().filter(kind="dedicated")
    sized = [each for each in listed if each.drive_gb]
    assert len(sized) > 30
    for rented in sized:
        for storage in drives.storages_of(rented):
            held_gb = storage.device["size_bytes"] / 1e9
            assert held_gb == pytest.approx(float(rented.drive_gb or 0), rel=0.1), rented


@pytest.mark.parametrize(
    ("storage_kind", "said", "attached"),
    [
        ("local-nvme", "", ("pcie", None)),
        ("local-sata", "", ("sata", False)),
        ("hdd", "", ("sata", True)),
        ("", "2 x 1 TB SSD (interface not stated)", ("sata", False)),
        ("", "storage server; drives not stated in the source", ("sata", True)),
    ],
)
@pytest.mark.parametrize("gb", [None, 500, 960, 2000, 15360])
def test_drives_are_attached_as_the_plan_says(
    storage_kind: str, said: str, attached: tuple[str, bool | None], gb: int | None
) -> None:
    found = drives.storages_of(
        plan(storage_kind=storage_kind, storage_description=said, drive_gb=gb)
    )
    assert found
    shown = {(each.device["transport"], each.device.get("rotational")) for each in found}
    assert shown == {attached}


def test_a_hint_decides_whatever_else_would_fit() -> None:
    found = drives.storages_of(plan(drive_gb=15360, drive_family_hint="Micron 7500 PRO"))
    assert [each.device["model"] for each in found] == ["Micron_7500_MTFDKCC15T3TGP"]


@pytest.mark.parametrize(
    ("provider", "name", "gb", "model", "held"),
    [
        ("aws", "i3.large", 475, "Amazon EC2 NVMe Instance Storage", 475 * 10**9),
        ("google-cloud", "z3-highmem-14", 3000, "nvme_card", 3000 << 30),
        ("microsoft-azure", "Standard_L8s_v3", 1920, "Microsoft NVMe Direct Disk",
         1_920_383_410_176),
        ("microsoft-azure", "Standard_L8s_v4", 480, "Microsoft NVMe Direct Disk v2",
         480_103_981_056),
        ("oracle-cloud", "VM.DenseIO.E4.Flex.8", 6800, "MZWLL6T4HMLS-00003", 6_401_252_745_216),
        ("hetzner", "CX23", 40, "QEMU HARDDISK", 40 * 10**9),
        ("vultr", "vc2-4c-8gb", 160, "", 160 * 10**9),
    ],
)  # fmt: skip
def test_local_disks_of_clouds_call_themselves_as_they_do_there(
    provider: str, name: str, gb: int, model: str, held: int
) -> None:
    found = drives.storages_of(plan("cloud", provider, name=name, drive_gb=gb))
    assert {(each.device["model"], each.device["size_bytes"]) for each in found} == {(model, held)}
    assert "none" not in {each.virt for each in found}


@each_class
@pytest.mark.parametrize("uploader", [0, 1], ids=["quick", "standard"])
def test_passes_end_where_their_suite_ends_them(storage_class: ExampleClass, uploader: int) -> None:
    run = sent(visit(storage_class, uploader=uploader))
    found = list(passes_of(run))
    assert len(found) > 5
    for row, one in found:
        is_whole = one["operations"] >= row["pass_operations_min"]
        is_long = one["elapsed_ns"] >= row["pass_ns_min"]
        ended = {
            "time": is_whole and is_long,
            "bytes": one["bytes"] >= row["pass_bytes_max"],
            "time-limit": one["elapsed_ns"] >= row["pass_ns_max"],
        }
        assert ended[one["ended_by"]], (row["id"], one["ended_by"])
        if one["ended_by"] == "time":  # and no later
            enough = row["pass_operations_min"] + row["writers"]
            assert one["operations"] <= enough or one["elapsed_ns"] < 1.1 * row["pass_ns_min"]


@each_class
def test_reads_take_what_their_class_takes_even_where_commits_are_slow(
    storage_class: ExampleClass,
) -> None:
    low_ns, high_ns = READS_NS[storage_class]
    for factor in (0.6, 1.0, 4.0):
        run = sent(visit(storage_class, uploader=0, factor=factor))
        floor = next(each for each in run["workloads"] if each["id"] == "read-4k-floor")
        mean_ns = floor["histograms"]["read"]["sum_ns"] / floor["operations"]
        assert low_ns < mean_ns < high_ns


@each_class
def test_rates_move_a_little_and_hold_no_operation_too_many(storage_class: ExampleClass) -> None:
    run = sent(visit(storage_class, uploader=0))
    for _, one in passes_of(run):
        samples = one["rate_samples"]
        assert len(samples) == one["elapsed_ns"] // passes.SAMPLE_NS
        assert 0.9 * one["operations"] < sum(samples) <= one["operations"]
        assert 0.005 < np.std(samples) / np.mean(samples) < 0.3


@each_class
def test_machine_and_filesystem_fit_the_drive(storage_class: ExampleClass) -> None:
    run = sent(visit(storage_class, uploader=0))
    device, env = run["devices"][0], run["env"]
    assert run["stack"][-1] == device["class"]
    assert (device["pcie"] is not None) == (storage_class in drives.NVME_CLASSES)
    assert (env["virt"] == "none") == (storage_class.deviation == 0.25)
    assert 0.9 * device["size_bytes"] < env["fs_size_bytes"] < device["size_bytes"]
    assert 0.4 < env["fs_free_bytes"] / env["fs_size_bytes"] < 0.95
    is_flushed = run["workloads"][0]["flushes"] > 0
    assert is_flushed == (device["write_cache"] == "write back")


def test_protected_drives_flush_for_nothing_and_others_empty_their_cache() -> None:
    def ratio(storage_class: ExampleClass) -> float:
        run = sent(visit(storage_class))
        of = {each["id"]: each for each in run["workloads"]}
        full, empty = (of[name]["histograms"]["sync"] for name in ("drain-64m", "empty-flush"))
        count = {name: of[name]["operations"] for name in ("drain-64m", "empty-flush")}
        return float(full["sum_ns"] / count["drain-64m"] / (empty["sum_ns"] / count["empty-flush"]))

    for protected in (classes.NVME_PROTECTED, classes.SATA_PROTECTED):
        assert 1 / 3 < ratio(protected) < 3
    for volatile in (classes.NVME, classes.SATA, classes.HARD_DISK):
        assert ratio(volatile) > 10


@each_class
def test_nothing_is_quicker_than_its_link(storage_class: ExampleClass) -> None:
    for row in sent(visit(storage_class))["workloads"]:
        definition = definitions("standard")[row["id"]]
        if not definition["page_cache"] or definition["sync"] != "none":
            rate = row["bytes"] * 1e9 / row["elapsed_ns"]
            assert rate < 1.2 * storage_class.bytes_per_s, row["id"]


def test_many_at_once_are_counted_as_one_at_a_time() -> None:
    generator = np.random.default_rng(3)
    latencies = (10 ** generator.uniform(0, 11.5, 500)).astype(np.int64)
    counts = generator.integers(1, 5, 500)
    made = passes.histogram([(latencies[:200], counts[:200]), (latencies[200:], counts[200:])])
    expected = Histogram.from_values(np.repeat(latencies, counts).tolist())
    pairs = zip(expected.buckets, expected.counts, strict=True)
    assert made["counts"] == [list(pair) for pair in pairs]
    assert (made["sum_ns"], made["min_ns"], made["max_ns"]) == (
        expected.sum_ns, expected.min_ns, expected.max_ns,
    )  # fmt: skip


def test_storage_that_is_renewed_has_another_name() -> None:
    both: tuple[ExampleDrive, ...] = drives.storages_of(plan(drive_gb=Decimal(2000)))
    assert len({each.device["model"] for each in both}) == len(both) > 1
