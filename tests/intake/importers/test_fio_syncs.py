"""Which latency of fio is the durable one, and when there is none."""

from __future__ import annotations

import pytest

from tests.intake.importers.outputs import (
    FIXTURES,
    changed,
    jobs_of,
    made,
    says,
    value,
)


def test_under_o_dsync_the_write_itself_is_durable() -> None:
    (job,) = made("fio-3.33-dsync.json")
    assert (job["sync"], job["durable_latency"]) == ("o_dsync", "write_clat")
    assert job["is_durable_single_writer"]
    assert value(job, "write_clat_p99_us") == 585.728
    assert value(job, "sync_p99_us") is None


@pytest.mark.parametrize(
    ("option", "sync"),
    [
        ("1", "o_sync"),
        ("sync", "o_sync"),
        ("dsync", "o_dsync"),
        ("0", "none"),
        ("none", "none"),
        ("odd", None),
    ],
)
def test_the_sync_option_names_a_flag(option: str, sync: str | None) -> None:
    path = FIXTURES / "made" / "fio-3.33-dsync.json"
    assert changed({"jobs.0.job options.sync": option}, path=path)["sync"] == sync


def test_a_job_that_never_synced_has_no_sync_latency_of_zero() -> None:
    path = FIXTURES / "fio-3.17.fsync.json"
    zero = {"min": 0, "max": 0, "mean": 0.0, "stddev": 0.0, "percentile": {"99.000000": 0}}
    job = changed({"jobs.0.sync.lat_ns": zero}, path=path)
    assert value(job, "sync_p99_us") is None
    assert says(job, "timed no sync")


def test_gtod_reduce_times_nothing() -> None:
    (job,) = made("fio-3.33-gtod-reduce.json")
    assert says(job, "gtod_reduce")
    assert job["durable_latency"] is None
    assert not [name for name in job["figures"] if name.endswith("_us")]
    assert value(job, "write_iops") == 4376.068376


def test_fio_before_3_4_times_no_sync() -> None:
    job = changed({"fio version": "fio-3.3"}, drop=("jobs.0.sync",))
    assert says(job, "before 3.4")
    assert job["durable_latency"] is None


def test_unified_reporting_drops_or_spoils_the_syncs() -> None:
    (job,) = made("fio-3.33-unified-mixed.json")
    assert says(job, "unified_rw_reporting=mixed")
    assert value(job, "mixed_iops") == 815.286624
    options = {"jobs.0.job options.unified_rw_reporting": "both"}
    assert says(changed({**options, "fio version": "fio-3.28"}), "adds up syncs wrongly")
    assert value(changed(options), "sync_p99_us") == 305.152


def test_fdatasync_before_3_18_is_not_counted() -> None:
    (job,) = jobs_of((FIXTURES / "fio-3.17.fdatasync.json").read_bytes())
    assert value(job, "sync_operations") is None
    assert says(job, "How many syncs")


def test_more_syncs_than_writes_of_an_asynchronous_engine_are_said() -> None:
    job = changed({"jobs.0.job options.ioengine": "libaio", "jobs.0.sync.lat_ns.N": 1000})
    assert says(job, "More syncs than writes")


def test_a_sync_at_the_end_is_no_commit() -> None:
    job = changed({"jobs.0.job options.end_fsync": "1"}, drop=("jobs.0.job options.fsync",))
    assert job["sync"] == "none"
    assert job["durable_latency"] is None
    assert not job["is_durable_single_writer"]
    assert says(job, "once more at the end")


def test_syncs_every_few_writes_are_said() -> None:
    job = changed({"jobs.0.job options.fsync": "32"})
    assert job["sync_every_writes"] == 32
    assert not job["is_durable_single_writer"]
    assert says(job, "every 32 writes")


def test_sync_file_range_is_not_durable() -> None:
    options = {"jobs.0.job options.sync_file_range": "wait_before:1"}
    job = changed(options, drop=("jobs.0.job options.fsync",))
    assert (job["sync"], job["durable_latency"]) == ("sync_file_range", None)
    assert says(job, "makes nothing durable")


def test_several_kinds_of_sync_are_named_together() -> None:
    job = changed({"jobs.0.job options.fdatasync": "1", "jobs.0.job options.sync": "1"})
    assert job["sync"] == "o_sync+fsync+fdatasync"
    assert not job["is_durable_single_writer"]


def test_syncs_that_nobody_asked_for_are_not_reasoned_about() -> None:
    options = {"jobs.0.job options.unified_rw_reporting": "mixed"}
    job = changed(options, drop=("jobs.0.job options.fsync",))
    assert value(job, "sync_p99_us") is None
    assert not says(job, "unified_rw_reporting")
