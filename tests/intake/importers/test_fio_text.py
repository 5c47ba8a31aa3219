"""What fio prints for people, and what it keeps to itself."""

from __future__ import annotations

import pytest

from apps.intake.importers import UnreadableError, as_document, read_output
from tests.intake.importers.outputs import (
    FIXTURES,
    MADE,
    jobs_of,
    made,
    says,
    text_changed,
    value,
)


def test_the_text_tells_fsync_by_its_count_and_fdatasync_by_none() -> None:
    (job,) = made("fio-3.33-fsync-direct.txt")
    assert (job["sync"], job["sync_every_writes"]) == ("fsync", 1)
    assert value(job, "sync_operations") == 1023
    assert job["is_durable_single_writer"]
    (job,) = made("fio-3.33-fdatasync.txt")
    assert job["sync"] == "fdatasync or sync_file_range"
    assert not job["is_durable_single_writer"]
    assert value(job, "sync_p99_us") == 1139
    assert value(job, "write_iops") == 4248


def test_newer_releases_count_both_so_the_text_cannot_tell() -> None:
    (job,) = text_changed("made/fio-3.33-fsync-direct.txt", ("fio-3.33", "fio-3.43"))
    assert job["sync"] is None
    assert says(job, "which call synced")


def test_the_command_above_the_text_tells_the_call() -> None:
    command = "$ fio --name=log --rw=write --ioengine=sync --fdatasync=1 --bs=4k --size=4m\n"
    (job,) = jobs_of(command + (FIXTURES / "made/fio-3.33-fdatasync.txt").read_text())
    assert (job["sync"], job["sync_every_writes"], job["direct"]) == ("fdatasync", 1, False)
    assert job["is_durable_single_writer"]
    assert job["durable_latency"] == "sync"
    for other in ("fio --a='b", "fio two.fio", "fio --fsync 1 x", "fio --name=a --name=b"):
        (job,) = jobs_of(f"{other}\n" + (FIXTURES / "made/fio-3.33-fdatasync.txt").read_text())
        assert job["sync"] == "fdatasync or sync_file_range"


COMMAND = "fio --name=log --rw=write --bs=4k --size=4m --ioengine=sync"


@pytest.mark.parametrize(
    "command",
    [
        COMMAND.replace("--name=log", "--name=durable"),
        COMMAND.replace("--name=log ", ""),
        COMMAND.replace("rw=write", "rw=randwrite"),
        COMMAND.replace("--rw=write ", ""),  # fio reads where nothing is said
        COMMAND.replace("bs=4k", "bs=8k"),
        f"{COMMAND} --bsrange=4k-4k",
        COMMAND.replace("ioengine=sync", "ioengine=libaio"),
    ],
)
def test_a_command_of_another_job_above_the_text_tells_nothing(command: str) -> None:
    (job,) = jobs_of(f"$ {command} --fdatasync=1\n" + (MADE / "fio-3.33-fdatasync.txt").read_text())
    assert job["sync"] == "fdatasync or sync_file_range"
    assert (job["direct"], job["is_durable_single_writer"]) == (None, False)
    assert says(job, "not that of this job")


def test_the_command_may_leave_out_what_fio_takes_of_itself() -> None:
    without_engine = COMMAND.replace(" --ioengine=sync", "").replace("bs=4k", "blocksize=4k")
    text = (MADE / "fio-3.33-fdatasync.txt").read_text()
    (job,) = jobs_of(f"$ {without_engine} --fdatasync=1\n{text}")
    assert job["is_durable_single_writer"]
    deep = text.replace("ioengine=sync, iodepth=1", "ioengine=libaio, iodepth=1")
    (job,) = jobs_of(f"$ {without_engine} --fdatasync=1\n{deep}")
    assert not job["is_durable_single_writer"]
    (job,) = jobs_of(f"$ {without_engine} --ioengine=libaio --fdatasync=1\n{deep}")
    assert job["is_durable_single_writer"]
    (job,) = jobs_of(f"$ {without_engine} --ioengine=libaio --iodepth=8 --fdatasync=1\n{deep}")
    assert not job["is_durable_single_writer"]


def test_a_command_that_syncs_needs_an_output_that_timed_syncs() -> None:
    text = (MADE / "fio-3.33-fdatasync.txt").read_text()
    before, heading, after = text.partition("  fsync/fdatasync/sync_file_range:\n")
    assert heading
    unsynced = before + after[after.index("  cpu ") :]
    (job,) = jobs_of(f"$ {COMMAND} --fdatasync=1\n{unsynced}")
    assert (job["sync"], job["is_durable_single_writer"]) == (None, False)
    (job,) = jobs_of(f"$ {COMMAND}\n{unsynced}")
    assert job["sync"] == "none"
    for other in ("", " --fsync=1"):  # the output timed syncs, and counts no fsync among them
        (job,) = jobs_of(f"$ {COMMAND}{other}\n{text}")
        assert job["sync"] == "fdatasync or sync_file_range"


def test_of_several_commands_the_one_that_fits_counts_and_two_that_differ_do_not() -> None:
    text = (MADE / "fio-3.33-fdatasync.txt").read_text()
    failed = f"$ {COMMAND.replace('bs=4k', 'bs=8k')}\nfio: /mnt/x: No such file or directory\n"
    command = f"$ {COMMAND} --fdatasync=1\n"
    (job,) = jobs_of(failed + command * 2 + text)
    assert job["is_durable_single_writer"]
    (job,) = jobs_of(command + command.replace("fdatasync=1", "fdatasync=8") + text)
    assert job["sync"] == "fdatasync or sync_file_range"
    assert says(job, "Several command lines")


def test_mixed_jobs_are_called_rw_by_their_header() -> None:
    text = FIO_2.replace("rw=write", "rw=rw")
    (job,) = jobs_of(f"fio --name=log --rw=readwrite --direct=1\n{text}")
    assert (job["sync"], job["direct"]) == ("none", True)


def test_o_sync_is_of_engines_that_write_the_open_file() -> None:
    text = (MADE / "fio-3.33-o_sync.txt").read_text()
    command = "fio --name=log --rw=write --bs=4k --sync=1 --ioengine="
    name = text.partition(": (g=0)")[0].splitlines()[-1]
    command = command.replace("name=log", f"name={name}")
    (job,) = jobs_of(f"{command}psync\n{text}")
    assert (job["sync"], job["is_durable_single_writer"]) == ("o_sync", True)
    (job,) = jobs_of(f"{command}mmap\n" + text.replace("ioengine=psync", "ioengine=mmap"))
    assert (job["sync"], job["is_durable_single_writer"]) == (None, False)
    assert says(job, "how durable its writes were is unknown")


def test_o_sync_is_not_in_the_text() -> None:
    (job,) = made("fio-3.33-o_sync.txt")
    assert job["sync"] is None
    assert says(job, "does not show O_SYNC")


def test_jobs_of_the_text_are_told_apart_and_groups_named() -> None:
    assert [job["writers"] for job in made("fio-3.33-four-jobs.txt")] == [4, 4, 4, 4]
    (job,) = made("fio-3.33-four-jobs-grouped.txt")
    assert job["writers"] == 4
    assert says(job, "4 jobs together")
    assert [job["block_size_bytes"] for job in made("fio-3.33-two-groups.txt")] == [4096, 16384]


def test_interim_outputs_are_not_the_result() -> None:
    document = as_document(
        read_output((FIXTURES / "made/fio-3.33-status-interval.txt").read_bytes())
    )
    (job,) = document["jobs"]
    assert value(job, "write_runtime_ms") == 2001
    assert any("Interim" in note for note in document["notes"])


def test_bandwidth_is_taken_where_both_units_agree() -> None:
    (job,) = made("fio-3.33-kb-base-1000.txt")
    assert value(job, "bandwidth_bytes_per_s") == 5_891_000
    (job,) = text_changed(
        "made/fio-3.33-fdatasync.txt", ("BW=16.6MiB/s (17.4MB/s)", "BW=17.4MiB/s (16.6MB/s)")
    )
    assert value(job, "bandwidth_bytes_per_s") is None
    assert says(job, "do not agree")
    (job,) = text_changed("made/fio-3.33-fdatasync.txt", ("BW=16.6MiB/s", "BW=133Mibit/s"))
    assert value(job, "bandwidth_bytes_per_s") is None


FIO_2 = (MADE / "fio-2.14-fsync.txt").read_text()


def test_runs_after_each_other_in_the_text() -> None:
    document = as_document(read_output((FIO_2 + FIO_2).encode()))
    assert [job["run"] for job in document["jobs"]] == [1, 2]
    without_version = FIO_2.replace("fio-2.14\n", "")
    assert as_document(read_output(without_version.encode()))["tool_version"] is None


def test_thousands_and_other_units_of_the_text() -> None:
    (job,) = jobs_of(FIO_2.replace("iops=1047", "iops=12.3k"))
    assert value(job, "write_iops") == 12_300
    (job,) = jobs_of(FIO_2.replace("iops=1047", "iops=12q"))
    assert value(job, "write_iops") is None
    assert says(job, "unit that is not read")


def test_failed_jobs_of_the_text() -> None:
    with pytest.raises(UnreadableError, match="this job failed"):
        jobs_of(FIO_2.replace("err= 0", "err= 5 (file:x, func=y)"))
    with pytest.raises(UnreadableError, match="ioengine=null is none of those"):
        jobs_of(FIO_2.replace("ioengine=sync", "ioengine=null"))


def test_a_name_that_two_shapes_share_has_none() -> None:
    other = FIO_2.splitlines()[0].replace("rw=write", "rw=read")
    (job,) = jobs_of(f"{other}\n{FIO_2}")
    assert job["workload"] is None


def test_figures_are_given_once() -> None:
    line = "  write: io=1024.0KB, bw=29257KB/s, iops=9314, runt=    35msec\n"
    with pytest.raises(UnreadableError, match="lines 6 and 29 both give write_iops"):
        jobs_of(FIO_2 + line)


def test_lines_that_belong_to_nothing_are_passed_over() -> None:
    stray = "    sync (usec): min=1, max=2, avg= 1.50, stdev= 0.50\n"
    (job,) = jobs_of(FIO_2 + stray + "    sync percentiles (usec):\n     |  1.00th=[    4]\n")
    assert value(job, "sync_mean_us") is None
    without_minor = FIO_2.replace("fio-2.14", "fio-2")
    assert as_document(read_output(without_minor.encode()))["tool_version"] is None
    with pytest.raises(UnreadableError, match="No figure of this job"):
        jobs_of(FIO_2.partition("  write:")[0])


def test_only_so_many_commands_are_tried() -> None:
    tried = "fio --a='b\n" * 8 + "fio --fdatasync=1 --name=log\n"
    (job,) = jobs_of(tried + (MADE / "fio-3.33-fdatasync.txt").read_text())
    assert job["sync"] == "fdatasync or sync_file_range"
