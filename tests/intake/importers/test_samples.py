"""A percentile needs an operation above it, or it is the slowest one under another name."""

from __future__ import annotations

import pytest

from tests.intake.importers.outputs import changed, made, says, text_changed, value


@pytest.mark.parametrize("name", ["fio-3.33-one-sync.json", "fio-3.33-one-sync.txt"])
def test_one_sync_has_no_percentile(name: str) -> None:
    (job,) = made(name)
    assert value(job, "sync_operations") == 1
    assert value(job, "sync_mean_us") == value(job, "sync_max_us")
    assert not [figure for figure in job["figures"] if figure.startswith("sync_p")]
    assert says(job, "Percentiles of sync above which no operation lies are left out: there were 1")
    assert value(job, "write_clat_p50_us") is not None  # of two writes one lies above
    assert value(job, "write_clat_p60_us") is None


@pytest.mark.parametrize(("count", "is_shown"), [(100, True), (99, False)])
def test_p99_takes_a_hundred(count: int, *, is_shown: bool) -> None:
    job = changed({"jobs.0.sync.lat_ns.N": count, "jobs.0.sync.total_ios": count})
    assert (value(job, "sync_p99_us") is not None) is is_shown
    assert says(job, f"there were {count} at most")


def test_where_syncs_are_not_counted_there_are_no_more_than_writes() -> None:
    name = "made/fio-3.33-fdatasync.txt"
    (job,) = text_changed(name)
    assert value(job, "sync_operations") is None
    assert value(job, "sync_p99_us") is not None
    (job,) = text_changed(name, ("issued rwts: total=0,1024,", "issued rwts: total=0,99,"))
    assert value(job, "sync_p99_us") is None
    assert value(job, "sync_p95_us") is not None


def test_without_a_count_the_rate_and_the_time_give_one() -> None:
    (job,) = made("fio-2.1-fsync.json")  # 889 a second for 1,151 ms
    assert value(job, "write_operations") is None
    assert value(job, "write_clat_p99_9_us") == 45
    assert value(job, "write_clat_p99_95_us") is None
