"""pg_test_fsync and pgbench."""

from __future__ import annotations

import pytest

from apps.intake.importers import UnreadableError, as_document, read_output
from tests.intake.importers.outputs import (
    FIXTURES,
    jobs_of,
    made,
    says,
    text_changed,
    value,
)

PG = "pg_test_fsync-15.txt"


def test_both_columns_of_pg_test_fsync_must_agree() -> None:
    jobs = text_changed(PG, ("10778.825 ops/sec      93", "1077.8825 ops/sec      93"))
    assert "fdatasync, one write" not in [job["name"] for job in jobs]


def test_o_direct_is_that_of_the_machine() -> None:
    before = "O_DIRECT supported on this platform for open_datasync and open_sync."
    jobs = text_changed(PG, (before, "Direct I/O is not supported on this platform."))
    assert jobs[0]["direct"] is False
    document = read_output(
        (FIXTURES / PG)
        .read_text()
        .replace("12295.324 ops/sec      81 usecs/op", "             n/a*")
        .encode()
    )
    assert "open_datasync is not available on this filesystem, without O_DIRECT." in document.notes


MACOS = (FIXTURES / "pg_test_fsync-macos.txt").read_text()


def test_on_macos_only_fsync_writethrough_is_durable() -> None:
    jobs = jobs_of(MACOS)
    durable = {job["name"] for job in jobs if job["is_durable_single_writer"]}
    assert durable == {"fsync_writethrough, one write"}
    assert not any(job["is_default"] for job in jobs)
    said = {job["name"] for job in jobs if says(job, "Not shown as durable")}
    assert said == {job["name"] for job in jobs} - {
        "fsync_writethrough, one write", "fsync_writethrough, two writes", "write without sync",
    }  # fmt: skip


def test_f_nocache_alone_is_a_sign_of_macos_too() -> None:
    """PostgreSQL 16 and newer print it there; this is its line in an output of Linux."""
    jobs = text_changed(PG, ("O_DIRECT supported on this platform", "F_NOCACHE supported on this"))
    assert not any(job["is_durable_single_writer"] for job in jobs)


def test_an_output_of_linux_beside_one_of_macos_keeps_its_own() -> None:
    jobs = jobs_of(MACOS + (FIXTURES / PG).read_text())
    durable = [(job["run"], job["name"]) for job in jobs if job["is_durable_single_writer"]]
    assert [run for run, _ in durable] == [1, 2, 2, 2, 2]


def test_fdatasync_is_the_default_of_linux() -> None:
    jobs = jobs_of((FIXTURES / PG).read_text())
    assert [job["name"] for job in jobs if job["is_default"]] == ["fdatasync, one write"]


def test_pg_test_fsync_of_9_1_has_neither_microseconds_nor_counts_of_writes() -> None:
    jobs = jobs_of((FIXTURES / "pg_test_fsync-9.1.txt").read_text())
    found = {name: each["value"] for job in jobs for name, each in job["figures"].items()}
    assert len(found) == 16
    assert found["fdatasync_ops_per_s"] == 2297.712
    assert found["open_sync_2x8kib_ops_per_s"] == 1006.121
    assert found["open_sync_16x1kib_ops_per_s"] == 125.823
    assert found["unsynced_write_ops_per_s"] == 155_183.116


@pytest.mark.parametrize("heading", ["Non-Synced", "Non-synced", "Non-Sync\u2019ed", "Non-Sync'ed"])
def test_the_heading_of_unsynced_writes_as_people_copy_it(heading: str) -> None:
    jobs = text_changed(PG, ("Non-sync'ed", heading))
    assert (jobs[-1]["name"], jobs[-1]["sync"]) == ("write without sync", "none")


def test_unknown_lines_of_pg_test_fsync() -> None:
    document = read_output(
        (FIXTURES / PG).read_text().replace("        fdatasync ", "        fsyncdata ").encode()
    )
    assert any("not known" in note for note in document.notes)
    with pytest.raises(UnreadableError, match="not a line of pg_test_fsync"):
        text_changed(PG, ("12295.324 ops/sec", "fast ops/sec"))


def test_two_outputs_of_pg_test_fsync() -> None:
    jobs = jobs_of((FIXTURES / PG).read_text() * 2)
    assert {job["run"] for job in jobs} == {1, 2}


def test_pgbench_before_14_has_two_rates_and_before_9_6_other_latencies() -> None:
    (job,) = jobs_of((FIXTURES / "pgbench-latency-average-with-a-colon.txt").read_text())
    assert (job["name"], job["writers"]) == ("SELECT only, scale 100", 5)
    assert value(job, "tps") == 6445.917776
    assert value(job, "latency_avg_ms") == 0.776
    assert value(job, "transactions") == 64_545


def test_pgbench_that_did_nothing_is_refused() -> None:
    with pytest.raises(UnreadableError, match="pgbench did no transaction: look for its error"):
        made("pgbench-15-nothing-done.txt")
    text = (FIXTURES / "made/pgbench-15-nothing-done.txt").read_text()
    jobs = jobs_of(text + (FIXTURES / "made/pgbench-15.txt").read_text())
    assert (jobs[0]["figures"], value(jobs[1], "tps")) == ({}, 324.734458)
    assert says(jobs[0], "pgbench did no transaction")


def test_pgbench_with_a_connection_each_says_so() -> None:
    (job,) = made("pgbench-15-reconnecting.txt")
    assert value(job, "tps") == 66.910578
    assert value(job, "average_connection_time_ms") == 6.57
    assert says(job, "-C")


def test_pgbench_that_was_held_back_or_failed_says_so() -> None:
    (job,) = made("pgbench-15-rate.txt")
    assert says(job, "held its clients back")
    (job,) = text_changed("made/pgbench-15-reconnecting.txt", ("100/100", "60/100"))
    assert says(job, "aborted")
    (job,) = text_changed(
        "made/pgbench-15.txt",
        ("= 6.159 ms", "= 6.159 ms (including failures)"),
        ("of tries: 1", "of tries: 3"),
    )
    assert says(job, "failed transactions")
    assert says(job, "tried again")


def test_scripts_of_pgbench_are_not_added_up() -> None:
    (job,) = made("pgbench-15-two-scripts.txt")
    assert value(job, "tps") == 3179.683486
    assert value(job, "latency_avg_ms") == 0.629
    assert says(job, "single scripts")


def test_a_scale_is_named_once() -> None:
    scale = "scaling factor: 1\n"
    (job,) = text_changed("made/pgbench-15.txt", (scale, scale * 500))
    assert job["name"].count("scale 1") == 1


def test_a_script_that_commits_twice_has_no_commit_latency() -> None:
    end = "         4.141           0  END;\n"
    (job,) = text_changed("made/pgbench-15-statements.txt", (end, end * 3))
    assert value(job, "commit_statement_latency_avg_ms") is None
    assert says(job, "commits several times")


def test_pgbench_without_a_rate() -> None:
    (job,) = text_changed(
        "made/pgbench-15.txt", ("(without initial connection time)", "(of another kind)")
    )
    assert value(job, "tps") is None
    assert says(job, "not known")
    assert says(job, "No rate")


def test_warm_ups_of_pgbench_are_runs() -> None:
    text = (FIXTURES / "made/pgbench-15.txt").read_text()
    document = as_document(read_output((text + text.replace("324.734458", "400.5")).encode()))
    assert [value(job, "tps") for job in document["jobs"]] == [324.734458, 400.5]
    assert any("warm-up" in note for note in document["notes"])
    with pytest.raises(UnreadableError, match="not a whole number"):
        jobs_of(text.replace("clients: 2", "clients: 2.5"))


def test_an_unknown_test_of_pg_test_fsync_has_no_section() -> None:
    assert len(text_changed(PG, ("Non-sync'ed 8kB writes:", "A new test:"))) == 15
