"""fio 2: another text, no syncs in it, and JSON that does not say what fio was told before 2.3."""

from __future__ import annotations

import pytest

from apps.intake.importers import as_document, read_output
from tests.intake.importers.outputs import MADE, jobs_of, made, says, text_changed, value

# The version as fio prints it, IOPS, milliseconds, operations, bytes a second.
TEXTS = {
    "fio-2.0-fsync.txt": ("2.0", 1592, 643, 1024, 6_523_085),
    "fio-2.0.8-fsync.txt": ("2.0.8", 4047, 253, 1024, 16_578_560),
    "fio-2.1-fsync.txt": ("2.1", 4376, 234, 1024, 17_924_096),
    "fio-2.14-fsync.txt": ("2.14", 1047, 978, 1024, 4_288_717),
    "fio-2.17-fdatasync.txt": ("2.17", 4179, 245, 1024, 17_196_646),
}
BLOCKS_OF_3 = "bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B"
COMMAND = "$ fio --name=log --rw=write --ioengine=sync --fsync=1 --bs=4k --size=4m --filename=f\n"


@pytest.mark.parametrize("name", TEXTS)
def test_the_text_of_each_release_is_read(name: str) -> None:
    version, iops, runtime_ms, count, bandwidth = TEXTS[name]
    document = as_document(read_output((MADE / name).read_bytes()))
    (job,) = document["jobs"]
    assert document["tool_version"] == version
    assert value(job, "write_iops") == iops
    assert value(job, "write_runtime_ms") == runtime_ms
    assert value(job, "write_operations") == count
    assert value(job, "bandwidth_bytes_per_s") == bandwidth
    assert (job["workload"], job["block_size_bytes"], job["writers"]) == ("write", 4096, 1)
    assert (job["sync"], job["is_durable_single_writer"]) == (None, False)
    assert says(job, "fio before 3.4 times no sync")


def test_latencies_of_2_0_have_blanks_before_their_commas() -> None:
    (job,) = made("fio-2.0-fsync.txt")
    assert (value(job, "write_clat_min_us"), value(job, "write_clat_max_us")) == (2, 1217)
    assert (value(job, "write_clat_mean_us"), value(job, "write_lat_mean_us")) == (7.77, 7.86)


def test_the_command_above_the_text_tells_the_sync_that_fio_did_not_time() -> None:
    text = (MADE / "fio-2.14-fsync.txt").read_text()
    (job,) = jobs_of(COMMAND + text)
    assert (job["sync"], job["sync_every_writes"], job["durable_latency"]) == ("fsync", 1, None)
    assert job["is_durable_single_writer"]
    (job,) = jobs_of(COMMAND.replace("bs=4k", "bs=8k") + text)
    assert (job["sync"], job["is_durable_single_writer"]) == (None, False)


def test_sides_of_a_mixed_job_have_their_own_figures() -> None:
    (job,) = made("fio-2.1-two-jobs-grouped.txt")
    assert (job["workload"], job["writers"], job["queue_depth"]) == ("randrw", 2, 8)
    assert (value(job, "read_operations"), value(job, "write_operations")) == (1092, 956)
    assert value(job, "read_bandwidth_bytes_per_s") == 78_000 * 1024
    assert value(job, "write_bandwidth_bytes_per_s") == 68_286 * 1024


def test_iops_tell_of_how_many_bytes_a_kb_is() -> None:
    (job,) = made("fio-2.14-kb-base-1000.txt")
    assert (job["block_size_bytes"], value(job, "write_iops")) == (4000, 13_888)
    assert value(job, "bandwidth_bytes_per_s") == 55_556_000
    name = "made/fio-2.14-fsync.txt"
    for uncertain in ("bw=8388.2KB/s", "bw=4188.2Kbit/s"):
        (job,) = text_changed(name, ("bw=4188.2KB/s", uncertain))
        assert value(job, "bandwidth_bytes_per_s") is None
        assert says(job, "kb_base")
    slow = (("bw=4188.2KB/s", "bw=40KB/s"), ("iops=1047", "iops=10"))  # fits 10.0 and 10.4 blocks
    (job,) = text_changed(name, *slow)
    assert value(job, "bandwidth_bytes_per_s") is None
    (job,) = text_changed(name, ("bs=4K-4K/4K-4K/4K-4K", "bs=4K-8K/4K-8K/4K-8K"))
    assert (job["block_size_bytes"], value(job, "bandwidth_bytes_per_s")) == (None, None)


def test_of_two_bandwidths_that_differ_the_one_that_iops_tell_is_right() -> None:
    (job,) = made("fio-2.17-direct.txt")  # IOPS=19.7k, BW=76.1MiB/s (80.7MB/s)
    assert value(job, "bandwidth_bytes_per_s") == 80_700_000
    name = "made/fio-2.17-direct.txt"
    for change in (("80.7MB/s", "90.7MB/s"), ("IOPS=19.7k", "IOPS=19.7q"), ("4096B-", "1024B-")):
        (job,) = text_changed(name, change)
        assert value(job, "bandwidth_bytes_per_s") is None
        assert says(job, "two bandwidths that do not agree")
    (job,) = jobs_of((MADE / "fio-2.17-direct.txt").read_text().partition("Starting")[2])
    assert value(job, "bandwidth_bytes_per_s") is None  # without a header


def test_a_size_of_a_unit_that_is_not_read_is_none() -> None:
    blocks = "bs=(R) 4096B-4096B, (W) 4096B-8192B, (T) 4096q-4096q"
    (job,) = text_changed("made/fio-3.33-fdatasync.txt", (BLOCKS_OF_3, blocks))
    assert job["block_size_bytes"] is None
    (job,) = text_changed("made/fio-2.17-direct.txt", ("4096B-", "4096q-"))
    assert job["block_size_bytes"] is None


@pytest.mark.parametrize("name", ["fio-2.1-fsync.json", "fio-2.2.10-fsync.json"])
def test_json_without_options_leaves_unknown_what_fio_was_told(name: str) -> None:
    (job,) = made(name)
    unknown = (
        "workload", "sync", "sync_every_writes", "block_size_bytes", "queue_depth", "writers",
        "direct", "io_engine", "durable_latency",
    )  # fmt: skip
    assert {fact: job[fact] for fact in unknown} == dict.fromkeys(unknown)
    assert not job["is_durable_single_writer"]
    assert value(job, "write_iops")
    assert value(job, "read_iops") is None
    assert says(job, "does not say what fio was told")


def test_two_jobs_of_a_group_are_not_taken_for_one() -> None:
    (job,) = made("fio-2.2.10-two-jobs-grouped.json")
    assert (job["writers"], value(job, "write_operations")) == (None, 512)


def test_options_that_stand_in_the_json_are_read() -> None:
    (job,) = made("fio-2.14-fsync.json")
    assert (job["workload"], job["sync"], job["writers"]) == ("write", "fsync", 1)
    assert (job["is_durable_single_writer"], job["durable_latency"]) == (True, None)
    assert says(job, "does not time syncs")
