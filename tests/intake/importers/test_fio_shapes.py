"""What a job of fio did: how deep, how many side by side, how much at a time."""

from __future__ import annotations

import json

import pytest

from apps.intake.importers import UnreadableError, as_document, read_output
from tests.intake.importers.outputs import (
    FIXTURES,
    FSYNC,
    changed,
    jobs_of,
    made,
    says,
    value,
)


def test_a_synchronous_engine_has_one_in_flight() -> None:
    (job,) = jobs_of((FIXTURES / "fio-3.33-debian.stdout-with-note-prefix.json").read_bytes())
    assert job["queue_depth"] == 1  # iodepth=32 was asked for
    deep = changed({"jobs.0.job options.iodepth": "32"}, drop=("jobs.0.job options.ioengine",))
    assert deep["queue_depth"] is None
    assert changed({}, drop=("jobs.0.job options.ioengine",))["queue_depth"] == 1


def test_jobs_side_by_side_are_not_added_up() -> None:
    jobs = made("fio-3.33-four-jobs.json")
    assert [job["writers"] for job in jobs] == [4, 4, 4, 4]
    assert not any(job["is_durable_single_writer"] for job in jobs)
    assert all(says(job, "side by side") for job in jobs)


def test_a_group_is_known_by_its_jobs_or_by_the_time_that_they_spent() -> None:
    (job,) = made("fio-3.33-four-jobs-grouped.json")
    assert (job["writers"], job["is_durable_single_writer"]) == (4, False)
    assert says(job, "group_reporting")
    assert value(job, "sync_operations") == 1020
    hidden = changed({"jobs.0.job_runtime": 210})  # jobs of other names: numjobs says nothing
    assert (hidden["writers"], hidden["is_durable_single_writer"]) == (None, False)
    old = {"jobs.0.write.runtime": 30}  # 512 writes of 215 us cannot be done in that by one
    assert changed(old, path=FIXTURES / "fio-3.5.fsync.json")["writers"] is None


def test_groups_one_after_the_other_are_alone() -> None:
    small, large = made("fio-3.33-two-groups.json")
    assert (small["writers"], large["writers"]) == (1, 1)
    assert (small["sync"], large["sync"]) == ("fdatasync", "fdatasync")  # of the global section
    assert (small["block_size_bytes"], large["block_size_bytes"]) == (4096, 16384)


def test_the_block_size_is_that_of_the_bytes_moved() -> None:
    (job,) = made("fio-3.33-bs-4ki.json")
    assert job["block_size_bytes"] == 4096
    wrong = changed({"jobs.0.job options.bs": "8k"})
    assert wrong["block_size_bytes"] is None
    assert says(wrong, "do not fit bs")
    assert changed({"jobs.0.job options.bssplit": "4k/50:8k/50"})["block_size_bytes"] is None
    assert changed({}, drop=("jobs.0.job options.bs",))["block_size_bytes"] == 4096
    assert changed({"jobs.0.job options.bs": "8k,4k"})["block_size_bytes"] == 4096
    assert changed({"jobs.0.job options.bs": "odd"})["block_size_bytes"] == 4096


def test_fio_2_counts_kib_and_microseconds() -> None:
    document = json.loads(FSYNC.read_text())
    job = document["jobs"][0]
    document["fio version"] = "fio-2.2.10"
    write = job["write"]
    write["io_bytes"] //= 1024
    del write["bw_bytes"], job["job_runtime"]
    write["clat"] = {"min": 4, "max": 35, "mean": 4.89, "stddev": 1.9,
                     "percentile": {"99.000000": 8, "0.00": 0}}  # fmt: skip
    for name in ("clat_ns", "lat_ns", "slat_ns"):
        del write[name]
    del job["sync"]
    text = json.dumps(document, indent=1).replace('"0.00": 0', '"0.00": 0, "0.00": 0')
    (found,) = jobs_of(text)
    assert value(found, "write_clat_mean_us") == 4.89
    assert value(found, "write_clat_p99_us") == 8
    assert value(found, "write_clat_p0_us") is None
    assert value(found, "bandwidth_bytes_per_s") == 28054 * 1024
    assert found["block_size_bytes"] == 4096
    assert says(found, "whole KiB/s")
    assert (
        changed({"fio version": "fio-2.2.10", "jobs.0.job options.kb_base": "1000"})[
            "block_size_bytes"
        ]
        is None
    )


def test_jobs_that_were_held_back_are_said() -> None:
    (job,) = made("fio-3.33-rate-limited.json")
    assert says(job, "held this job back")
    assert not job["is_durable_single_writer"]


def test_failed_jobs_and_engines_without_a_disk_have_no_figures() -> None:
    with pytest.raises(UnreadableError, match="this job failed"):
        changed({"jobs.0.error": 5})
    with pytest.raises(UnreadableError, match="ioengine=null is none of those"):
        made("fio-3.33-null-engine.json")
    with pytest.raises(UnreadableError, match="Nothing was read or written"):
        changed({"jobs.0.write.io_bytes": 0, "jobs.0.sync.lat_ns.N": 0})


@pytest.mark.parametrize(
    "engine",
    ["ftruncate", "falloc", "e4defrag", "dircreate", "dirstat", "dirdelete", "filecreate", "rdma",
     "net", "cpuio", "exec", "http", "rados", "nfs", "external:/tmp/mine.so", "of-tomorrow"],
)  # fmt: skip
def test_an_engine_that_is_not_known_to_write_data_has_no_figures(engine: str) -> None:
    with pytest.raises(UnreadableError, match="none of those that move data to a disk"):
        changed({"jobs.0.job options.ioengine": engine})


@pytest.mark.parametrize("engine", ["psync", "libaio", "io_uring", "mmap", "rbd", "libpmem"])
def test_engines_that_write_data_and_sync_it_are_durable(engine: str) -> None:
    assert changed({"jobs.0.job options.ioengine": engine})["is_durable_single_writer"]


def test_o_sync_makes_nothing_durable_that_is_not_written_through_the_file() -> None:
    path = FIXTURES / "made/fio-3.33-dsync.json"
    job = changed({}, path=path)
    assert (job["sync"], job["durable_latency"]) == ("o_dsync", "write_clat")
    for engine in ("mmap", "rbd", "sg"):
        job = changed({"jobs.0.job options.ioengine": engine}, path=path)
        assert (job["sync"], job["sync_every_writes"], job["durable_latency"]) == (None, None, None)
        assert not job["is_durable_single_writer"]
        assert says(job, f"ioengine={engine} does not write through the file")


def test_percentiles_that_fall_are_left_out() -> None:
    job = changed({"jobs.0.sync.lat_ns.percentile": {"50.000000": 9000, "99.000000": 8000}})
    assert value(job, "sync_p99_us") is None
    assert says(job, "do not rise")


def test_short_and_dropped_operations_are_said() -> None:
    assert says(changed({"jobs.0.write.short_ios": 3}), "writes were short")
    assert says(changed({"jobs.0.write.drop_ios": 3}), "writes were short or dropped")


def test_direct_is_told_either_way() -> None:
    assert changed({"jobs.0.job options.direct": "1"})["direct"] is True
    assert changed({"jobs.0.job options.buffered": "0"})["direct"] is True
    assert changed({"jobs.0.job options.buffered": "1"})["direct"] is False


def test_outputs_after_each_other_are_runs() -> None:
    twice = FSYNC.read_bytes() + b"\nJobs: 1 (f=1): [W(1)][100.0%]\r\n" + FSYNC.read_bytes()
    document = as_document(read_output(twice))
    assert [job["run"] for job in document["jobs"]] == [1, 2]
    assert any("warm-up" in note for note in document["notes"])
    lines = [job["figures"]["write_iops"]["line"] for job in document["jobs"]]
    assert lines[1] - lines[0] == 291


def test_what_is_missing_is_left_out() -> None:
    job = changed({}, drop=("jobs.0.write.iops", "jobs.0.write.bw", "jobs.0.write.bw_bytes"))
    assert value(job, "write_iops") is None
    assert value(job, "bandwidth_bytes_per_s") is None
    assert value(job, "write_operations") == 512


def test_outputs_of_different_releases_have_no_version_together() -> None:
    both = FSYNC.read_bytes() + (FIXTURES / "fio-3.42.fsync.json").read_bytes()
    assert as_document(read_output(both))["tool_version"] is None
