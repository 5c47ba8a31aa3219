"""Every output that lies here is read with the figures that a person finds in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from apps.intake.importers import as_document, read_output

HERE = Path(__file__).parent / "fixtures"
MADE = HERE / "made"
# Outputs of fio by releases, with the mean of the syncs in microseconds and how many there were.
RELEASES = {
    "fio-3.5.fsync.json": ("3.5", "fsync", 209.375703, 511),
    "fio-3.5.fdatasync.json": ("3.5", "fdatasync", 2930.092863, None),
    "fio-3.17.fsync.json": ("3.17", "fsync", 2048.690301, 511),
    "fio-3.17.fdatasync.json": ("3.17", "fdatasync", 126.216256, None),
    "fio-3.28.fsync.json": ("3.28", "fsync", 128.540057, 511),
    "fio-3.28.fdatasync.json": ("3.28", "fdatasync", 128.628501, 511),
    "fio-3.33-debian.fsync.json": ("3.33", "fsync", 134.98556, 511),
    "fio-3.33-debian.fdatasync.json": ("3.33", "fdatasync", 155.514959, 511),
    "fio-3.33-debian.fsync.jsonplus.json": ("3.33", "fsync", 129.475098, 255),
    "fio-3.33-debian.stdout-with-note-prefix.json": ("3.33", "fsync", 130.105988, 255),
    "fio-3.42.fsync.json": ("3.42", "fsync", 132.493429, 511),
    "fio-3.42.fdatasync.json": ("3.42", "fdatasync", 124.356335, 511),
    "fio-post-3.42-git.fsync.json": ("3.42", "fsync", 126.437624, 511),
    "fio-post-3.42-git.fdatasync.json": ("3.42", "fdatasync", 125.667898, 511),
}
WITHOUT_FIGURES = {"fio-3.33-null-engine.json", "pgbench-15-nothing-done.txt"}
ALL = sorted(path for path in HERE.rglob("*") if path.suffix in {".json", ".txt"})


def read(path: Path) -> dict[str, Any]:
    return as_document(read_output(path.read_bytes()))


def values(job: dict[str, Any]) -> dict[str, float]:
    return {name: figure["value"] for name, figure in job["figures"].items()}


@pytest.mark.parametrize("name", RELEASES)
def test_each_release_of_fio_tells_its_syncs(name: str) -> None:
    version, sync, mean_us, count = RELEASES[name]
    document = read(HERE / name)
    (job,) = document["jobs"]
    assert document["tool_version"] == version
    assert (job["workload"], job["sync"], job["sync_every_writes"]) == ("write", sync, 1)
    assert (job["block_size_bytes"], job["queue_depth"], job["writers"]) == (4096, 1, 1)
    assert job["is_durable_single_writer"]
    assert job["durable_latency"] == "sync"
    assert values(job)["sync_mean_us"] == mean_us
    assert values(job).get("sync_operations") == count
    assert values(job)["sync_p99_us"] > 10 * values(job)["write_clat_p50_us"]


def test_all_figures_of_one_job_are_those_of_the_file() -> None:
    path = HERE / "fio-3.33-debian.fsync.json"
    sent = json.loads(path.read_text())["jobs"][0]
    found = values(read(path)["jobs"][0])
    assert found["write_iops"] == sent["write"]["iops"]
    assert found["bandwidth_bytes_per_s"] == sent["write"]["bw_bytes"]
    assert found["write_operations"] == sent["write"]["total_ios"]
    assert found["write_runtime_ms"] == sent["write"]["runtime"]
    ranks = sent["sync"]["lat_ns"]["percentile"]
    for rank, ns in ranks.items():
        name = "p" + rank.rstrip("0").rstrip(".").replace(".", "_")
        # above p99.9 lies none of 511 syncs
        assert found.get(f"sync_{name}_us") == (ns / 1000 if float(rank) < 99.9 else None)
    assert {"99.500000", "99.900000"} <= ranks.keys()
    assert found["sync_p99_us"] == 305.152


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.name)
def test_each_figure_stands_in_the_line_that_it_names(path: Path) -> None:
    if path.name in WITHOUT_FIGURES:
        return
    lines = path.read_bytes().decode().split("\n")  # as an editor counts: a lone CR ends no line
    for job in read(path)["jobs"]:
        for name, figure in job["figures"].items():
            assert figure["text"] in lines[figure["line"] - 1], name
            numbers = re.findall(r"[0-9]+(?:\.[0-9]+)?", figure["text"])
            assert any(fits(figure["value"], float(number)) for number in numbers), name


def fits(value: float, printed: float) -> bool:
    """Whether a value is a printed number in one of the units that tools print."""
    units = (1, 1e-3, 1e3, 1e6, 1e9, 1024, 1024**2, 1024 * 1000, 1024 * 1_000_000)
    return any(
        abs(value - printed * unit) <= max(1e-6 * max(value, 1), 0.5 * (unit > 1)) for unit in units
    )


def test_json_and_its_text_of_one_run_agree() -> None:
    both = (MADE / "fio-3.33-mixed-normal-and-json.txt").read_bytes()
    before, brace, rest = both.partition(b"\n{\n")
    inside, end, after = rest.partition(b"\n}\n")
    as_json = values(as_document(read_output(brace + inside + end))["jobs"][0])
    as_text = values(as_document(read_output(before + b"\n" + after))["jobs"][0])
    assert as_text.keys() <= as_json.keys()
    for name in as_text:
        assert as_text[name] == pytest.approx(as_json[name], rel=0.02, abs=1), name


def test_pg_test_fsync_gives_each_method_a_job() -> None:
    document = read(HERE / "pg_test_fsync-15.txt")
    found = {name: value for job in document["jobs"] for name, value in values(job).items()}
    assert found["open_datasync_ops_per_s"] == 12295.324
    assert found["fdatasync_ops_per_s"] == 10778.825
    assert found["fsync_ops_per_s"] == 8404.252
    assert found["open_sync_ops_per_s"] == 9075.283
    assert found["fdatasync_two_writes_ops_per_s"] == 8692.887
    assert found["open_sync_16x1kib_ops_per_s"] == 752.232
    assert found["write_close_fsync_ops_per_s"] == 9409.398
    assert found["unsynced_write_ops_per_s"] == 1299525.517
    assert len(found) == 16
    assert "fsync_writethrough is not available on this system." in document["notes"]
    alone = [job["name"] for job in document["jobs"] if job["is_durable_single_writer"]]
    assert alone == [
        f"{name}, one write" for name in ("open_datasync", "fdatasync", "fsync", "open_sync")
    ]
    direct = {job["name"]: job["direct"] for job in document["jobs"]}
    assert direct["open_sync, one write"]
    assert not direct["fsync, one write"]


def test_pgbench_gives_rate_and_latency() -> None:
    document = read(MADE / "pgbench-15-statements.txt")
    (job,) = document["jobs"]
    assert (document["tool"], document["tool_version"]) == ("pgbench", "15.20")
    assert values(job) == {
        "transactions": 200,
        "failed_transactions": 0,
        "latency_avg_ms": 4.893,
        "latency_stddev_ms": 3.004,
        "initial_connection_time_ms": 5.595,
        "tps": 204.315762,
        "commit_statement_latency_avg_ms": 4.141,
    }
    assert (job["sync"], job["writers"], job["is_durable_single_writer"]) == (None, 1, False)


def test_progress_lines_of_pgbench_are_not_its_rate() -> None:
    document = read(MADE / "pgbench-18-progress.txt")
    assert document["tool_version"] == "18.6"
    assert values(document["jobs"][0])["tps"] == 219.505268


def test_every_kind_is_told_apart() -> None:
    kinds = {path.name: read(path)["kind"] for path in ALL if path.name not in WITHOUT_FIGURES}
    assert kinds["fio-3.33-debian.fsync.jsonplus.json"] == "fio-json+"
    assert kinds["fio-3.33-four-jobs.txt"] == "fio-text"
    assert kinds["yabs.json"] == "yabs-json"
    assert kinds["yabs.txt"] == "yabs-text"
    assert kinds["yabs-2025-04-20-j.txt"] == "yabs-json"  # has both: the JSON is exact
    assert {kind for name, kind in kinds.items() if name.startswith("pgbench")} == {"pgbench"}
    assert {kind for name, kind in kinds.items() if name.startswith("pg_test")} == {"pg_test_fsync"}
