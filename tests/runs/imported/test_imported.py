"""Rows made from what was understood of an output: units, sides, titles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest

from apps.drives.catalogue import read_ladder
from apps.drives.models import LadderClass
from apps.plans.held import UNSEEN_NAME
from apps.runs.imported.figures import latencies_of, measurement_of
from apps.runs.imported.measures import (
    AVERAGE_CONNECTION,
    BANDWIDTH,
    COMMIT_STATEMENT_MEAN,
    FAILED_TRANSACTIONS,
    INITIAL_CONNECTION,
    TPS,
    TRANSACTION_MEAN,
    TRANSACTION_STDDEV,
    TRANSACTIONS,
    FioStage,
    ImportMeasure,
    Side,
    Statistic,
    Timing,
    bandwidth,
    calls_per_s,
    iops,
    latency,
    operations,
    percentile,
    runtime,
)
from apps.runs.imported.services import record_import, record_imported
from apps.runs.models import ImportedFile, Latency, Measurement, Run
from tests import make

SYNCS = Timing(Side.SYNC)
FSYNC: dict[ImportMeasure, float] = {
    iops(Side.WRITE): 7013.7,
    operations(Side.WRITE): 512,
    runtime(Side.WRITE): 73,
    BANDWIDTH: 28_728_109,
    latency(Timing(Side.WRITE, FioStage.BOTH), Statistic.MEAN): 5.05,
    percentile(Timing(Side.WRITE, FioStage.COMPLETION), "99.000000"): 8.256,
    latency(SYNCS, Statistic.MEAN): 134.98556,
    percentile(SYNCS, "50.000000"): 129.536,
    percentile(SYNCS, "99.000000"): 305.152,
    percentile(SYNCS, "99.900000"): 448.512,
    latency(SYNCS, Statistic.STDDEV): 32.3,
    operations(Side.SYNC): 511,
}


def job(figures: Mapping[ImportMeasure, float], **changes: Any) -> dict[str, Any]:
    return {
        "name": "m", "run": 1, "workload": "write", "sync": "fsync", "sync_every_writes": 1,
        "block_size_bytes": 4096, "queue_depth": 1, "writers": 1, "direct": False,
        "io_engine": "psync", "is_durable_single_writer": True, "durable_latency": "sync",
        "figures": {
            measure.name: {"value": each, "line": 1, "text": "", "measure": measure.stored()}
            for measure, each in figures.items()
        },
        "notes": [],
        **changes,
    }  # fmt: skip


def measured(job: dict[str, Any], *, tool: str = "fio") -> Measurement:
    return measurement_of(job, run=Run(), tool=tool, place=1)


def sides(job: dict[str, Any]) -> dict[str, Latency]:
    return {each.side: each for each in latencies_of(job, measurement=measured(job))}


def test_figures_go_into_columns_in_nanoseconds() -> None:
    row, found = measured(job(FSYNC)), sides(job(FSYNC))
    assert (row.workload, row.title, row.operation) == ("fio-1", "4 KiB write, fsync", "commit")
    assert (row.operations, row.elapsed_ns, row.rate_per_s) == (512, 73_000_000, 7013.7)
    assert (row.bandwidth_bytes_per_s, row.queue_depth) == (28_728_109, 1)
    assert row.extra["sync_stddev_us"] == 32.3
    assert set(found) == {"sync", "write", "completion"}
    sync = found["sync"]
    assert (sync.count, sync.mean_ns, sync.p50_ns, sync.p99_ns, sync.p999_ns) == (
        511, 134_986, 129_536, 305_152, 448_512,
    )  # fmt: skip
    assert sync.curve == [[0.5, 129_536], [0.99, 305_152], [0.999, 448_512]]


def test_reads_and_writes_of_a_mixed_job_stay_apart() -> None:
    mixed: dict[ImportMeasure, float] = {
        iops(Side.READ): 5,
        iops(Side.WRITE): 6,
        latency(Timing(Side.READ, FioStage.BOTH), Statistic.MEAN): 1,
        latency(Timing(Side.WRITE, FioStage.BOTH), Statistic.MEAN): 2,
    }
    row = measured(job(mixed, workload="randrw", is_durable_single_writer=False, sync="none"))
    assert (row.operation, row.rate_per_s, row.title) == ("mixed", None, "4 KiB randrw")
    assert set(sides(job(mixed))) == {"read", "write"}
    assert measured(job({**mixed, iops(Side.TOTAL): 11})).rate_per_s == 11


@pytest.mark.parametrize(
    ("figures", "operation", "rate"),
    [
        ({TPS: 9.5, TRANSACTION_MEAN: 4.893}, "transaction", 9.5),
        ({calls_per_s("fdatasync_two_writes"): 7.5}, "write", 7.5),
        ({iops(Side.READ): 3}, "read", 3),
    ],
)
def test_the_rate_is_that_of_the_tool(
    figures: Mapping[ImportMeasure, float], operation: str, rate: float
) -> None:
    row = measured(job(figures, is_durable_single_writer=False))
    assert (row.operation, row.rate_per_s) == (operation, rate)


def test_a_transaction_has_its_mean() -> None:
    assert sides(job({TPS: 9.5, TRANSACTION_MEAN: 4.893}))["transaction"].mean_ns == 4_893_000


@pytest.mark.parametrize(
    ("changes", "title"),
    [
        ({"block_size_bytes": 2300}, "2,300 B write, fsync"),
        ({"block_size_bytes": 1 << 20, "sync": "none"}, "1 MiB write"),
        ({"queue_depth": 32, "writers": 4, "sync": None}, "4 KiB write, 128 in flight"),
        ({"block_size_bytes": None, "workload": None, "writers": None}, "m, fsync"),
    ],
)
def test_a_job_is_named_by_its_shape(changes: dict[str, Any], title: str) -> None:
    assert measured(job(FSYNC, **changes)).title == title


def test_a_sync_that_is_not_certain_is_in_the_title_alone() -> None:
    row = measured(job(FSYNC, sync="fdatasync or sync_file_range"), tool="pg_test_fsync")
    assert (row.sync, row.workload) == ("", "pg-test-fsync-1")
    assert "fdatasync or sync_file_range" in row.title


def test_what_no_column_holds_stays_in_extra() -> None:
    huge = {
        **FSYNC,
        runtime(Side.WRITE): 2**62,
        operations(Side.WRITE): 2**63,
        percentile(SYNCS, "99"): 2**62,
    }
    row = measured(job(huge, writers=40_000, queue_depth=90_000, block_size_bytes=2**31))
    assert (row.elapsed_ns, row.operations, row.writers) == (None, None, None)
    assert (row.queue_depth, row.block_bytes) == (None, None)
    assert row.extra["write_runtime_ms"] == 2**62
    sync = sides(job(huge))["sync"]
    assert (sync.p99_ns, sync.p50_ns) == (None, 129_536)
    assert [quantile for quantile, _ in sync.curve] == [0.5, 0.999]


@pytest.mark.django_db
def test_a_run_stands_on_the_ladder_by_its_mean_commit() -> None:
    LadderClass.objects.bulk_create(read_ladder())
    document = {
        "tool": "fio", "tool_version": None, "facts": {"kernel": "6.1"}, "notes": ["a note"],
        "jobs": [job({iops(Side.READ): 9}, is_durable_single_writer=False), job(FSYNC)],
    }  # fmt: skip
    file = ImportedFile.objects.create(
        run_id=make.uuid7(), content=b"", content_sha256=b"1" * 32, received_at=make.NOON,
        network="0" * 32, document=document, claimed_plan="CCX33",
    )  # fmt: skip
    run = record_import(file)
    assert run.measured_class_id is not None
    assert (run.kernel, run.citation.machine_label, run.citation.notes) == (
        "6.1",
        UNSEEN_NAME,  # no catalogue has this one, and no moderator has read it
        "a note",
    )
    assert run.citation.title == "Output of fio of an unknown version"
    assert record_imported() == 1
    Run.objects.all().delete()
    LadderClass.objects.all().delete()
    assert record_import(file).measured_class_id is None


def test_nothing_is_read_out_of_the_name_of_a_latency() -> None:
    timed = [measure for measure in FSYNC if measure.metric == "latency"]
    renamed = {replace(measure, name=f"n{place}"): 9.0 for place, measure in enumerate(timed)}
    found = {iops(Side.WRITE): 1.0, **renamed}
    assert set(sides(job(found))) == {"sync", "write", "completion"}
    assert sides(job(found))["sync"].curve == [[0.5, 9_000], [0.99, 9_000], [0.999, 9_000]]


def test_documents_from_before_say_what_their_figures_are_of_after_the_migration() -> None:
    of_name = import_module("apps.runs.migrations.0012_what_imported_figures_are_of").measure_of
    known = [
        *FSYNC, TPS, TRANSACTIONS, FAILED_TRANSACTIONS, TRANSACTION_MEAN, TRANSACTION_STDDEV,
        COMMIT_STATEMENT_MEAN, INITIAL_CONNECTION, AVERAGE_CONNECTION, iops(Side.TOTAL),
        bandwidth(Side.READ), calls_per_s("open_sync_2x8kib"),
        percentile(Timing(Side.READ, FioStage.SUBMISSION), "5.000000"),
        latency(Timing(Side.MIXED, FioStage.BOTH), Statistic.STDDEV),
    ]  # fmt: skip
    assert [of_name(measure.name) for measure in known] == [measure.stored() for measure in known]
