"""The command around the disks: turns, medians, and what is printed."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest

from apps.embedded.progress import Progress
from tests.bench.classes import command, disks
from tests.bench.classes.command import Course, Passes, measure, pg_jobs, summary, table
from tests.bench.classes.disks import SLOW, Target
from tests.bench.classes.jobs import JOBS, flushes_per_commit, read_pg_line
from tests.bench.engine.contest import Programs
from tests.bench.engine.readings import PassError
from tests.bench.failure import BenchmarkError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.bench.classes.jobs import Job

PROGRAMS = Programs(Path("/no/engine"), "/no/fio", "fio-9.99")


class Noted:
    """A job that takes note of its turn."""

    def __init__(self, name: str, turns: list[str], rates: dict[str, float]) -> None:
        self.id, self.turns, self.rates = name, turns, rates

    def run(self, _target: Target, _programs: Programs, _seconds: float) -> dict[str, float]:
        self.turns.append(self.id)
        if not self.rates:
            raise PassError("no figures")
        return self.rates


@pytest.fixture
def still_disk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Target:
    """A folder in the place of a disk, which finishes a hundred flushes whenever it is asked."""
    asked = iter(range(0, 10_000, 100))
    monkeypatch.setattr(Target, "flushes", lambda _self: next(asked))
    return Target(folder=tmp_path, device="/dev/none", raw="/dev/none")


def course(*jobs: Noted, rounds: int) -> Course:
    return Course(cast("Sequence[Job]", jobs), PROGRAMS, rounds=rounds, seconds=1.0)


def test_every_round_has_every_job_and_turns_the_order_round(still_disk: Target) -> None:
    turns: list[str] = []
    jobs = (Noted("a", turns, {"a": 100.0}), Noted("b", turns, {"b": 50.0, "c": 25.0}))
    passes = measure(still_disk, course(*jobs, rounds=3))
    assert turns == ["a", "b", "b", "a", "a", "b"]
    assert passes.rates == {"a": [100.0] * 3, "b": [50.0] * 3, "c": [25.0] * 3}
    assert passes.flushes == {"a": [1.0] * 3}


def test_a_job_that_fails_is_named(still_disk: Target) -> None:
    with pytest.raises(PassError, match="b: no figures"):
        measure(still_disk, course(Noted("b", [], {}), rounds=1))


def test_a_ratio_is_of_one_round_and_the_median_of_the_rounds_counts() -> None:
    passes = Passes(
        rates={"commit-8k": [100.0, 200.0, 400.0], "append-8k-fdatasync": [50.0, 120.0, 100.0]},
        flushes={"append-8k-fdatasync": [2.0, 2.1, 1.9]},
    )
    found = summary(SLOW[0], "xfs", passes)
    assert found["workloads"]["append-8k-fdatasync"] == {
        "rate_per_s": 100.0, "ratio": 0.5, "ratio_mad": 0.1, "flushes": 2.0,
    }  # fmt: skip
    assert "flushes" not in found["workloads"]["commit-8k"]
    lines = table(found).splitlines()
    assert lines[1] == "flush-1ms, xfs"
    assert "0.50 ± 0.10 of commit-8k, 2.00 flushes each" in lines[-1]


def test_flushes_are_told_of_a_pass_of_one_workload() -> None:
    assert flushes_per_commit({"a": 100.0}, seconds=2.0, flushes=300) == {"a": 1.5}
    assert flushes_per_commit({"a": 1.0, "b": 1.0}, seconds=2.0, flushes=300) == {}


def test_pg_test_fsync_is_read_by_the_names_of_its_published_figures() -> None:
    line = "        open_datasync                      5887.146 ops/sec     170 usecs/op\n"
    assert read_pg_line(line) == {"pg-8k-open-datasync": 5887.146}
    assert read_pg_line("        fsync_writethrough                              n/a\n") == {}
    assert read_pg_line("1 second per test\n") == {}


def test_jobs_have_names_of_their_own() -> None:
    assert len({job.id for job in JOBS}) == len(JOBS)


def test_without_postgresql_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "PG_FOLDERS", "/no/such/folder/*")
    monkeypatch.setenv("PATH", "/no/such/folder")
    said = io.StringIO()
    assert pg_jobs(Progress(said)) == []
    assert "measured without it" in said.getvalue()


def test_what_is_missing_is_named_before_anything_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if "xfs" in name else "/bin/true")
    with pytest.raises(BenchmarkError, match=r"Not installed: mkfs\.xfs"):
        disks.require(["ext4", "xfs"])
    with pytest.raises(BenchmarkError, match="failed"):
        disks.call("false")
