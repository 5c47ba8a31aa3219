"""The whole command, with two small programs in the place of ours and of fio."""

from __future__ import annotations

import io
import json
import shutil
import sys
from pathlib import Path

import pytest

from apps.embedded.progress import Progress
from tests.bench.__main__ import bench
from tests.bench.engine import command, contest, fio, program, table
from tests.bench.engine.contest import Contest, Files, Programs, renew
from tests.bench.engine.ratios import DEFAULT, OURS, TUNED
from tests.bench.engine.readings import Cost, PassError, perform
from tests.bench.engine.shapes import File, State, named
from tests.bench.failure import BenchmarkError

RECORDED = Path(__file__).with_name("recorded") / "fio-3.33-commit.json"
ENGINE = """
import json, pathlib, sys
pathlib.Path("{log}").open("a").write("ours " + " ".join(sys.argv[1:3]) + chr(10))
if sys.argv[1] == "fill":
    pathlib.Path(sys.argv[2]).write_bytes(bytes(min(int(sys.argv[3]), 4096)))
elif "commit-8k-dsync" in sys.argv:
    sys.exit("no such device")
latency = {{"mean_ns": 90, "p50_ns": 80, "p99_ns": 300}}
print(json.dumps({{"operations": 100, "elapsed_ns": 10**9, "effective_depth": 0.99,
                   "latencies": {{"sync": latency, "read": latency}}}}))
"""
FIO = """
import pathlib, sys
pathlib.Path("{log}").open("a").write("fio" + " tuned" * ("--thread=1" in sys.argv) + chr(10))
if "--version" in sys.argv:
    print("fio-9.99")
else:
    print(pathlib.Path("{recorded}").read_text())
"""


def script(path: Path, text: str) -> Path:
    path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    return tmp_path / "calls"


@pytest.fixture
def programs(tmp_path: Path, calls: Path) -> Programs:
    kept = tmp_path / "kept.json"
    kept.write_text(RECORDED.read_text("utf-8"), encoding="utf-8")
    return Programs(
        script(tmp_path / "engine", ENGINE.format(log=calls)),
        str(script(tmp_path / "fio", FIO.format(log=calls, recorded=kept))),
        "fio-9.99",
    )


@pytest.fixture
def stage(tmp_path: Path, programs: Programs, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the command finds its programs and leaves its results."""
    monkeypatch.setattr(fio, "find", lambda: (programs.fio, programs.fio_version))
    monkeypatch.setattr(program, "build", lambda _progress: programs.ours)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "RESULTS", tmp_path / "build")
    monkeypatch.setattr(command, "DOCUMENT", tmp_path / "performance.md")
    command.DOCUMENT.write_text(f"By hand.\n{table.BEGIN}\n{table.END}\n", encoding="utf-8")
    return tmp_path


def test_who_was_first_in_one_round_is_last_in_the_next(programs: Programs, calls: Path,
                                                        tmp_path: Path) -> None:  # fmt: skip
    told: list[int] = []
    with Files.within(tmp_path / "files", programs) as files:
        played = Contest(named("commit-8k"), programs, files, seconds=1).play(
            2, lambda number, _: told.append(number)
        )
    passes = [line for line in calls.read_text().splitlines() if not line.startswith("ours fill")]
    ours = "ours closed commit-8k"
    start = ours  # of a single operation
    assert passes == [start, ours, "fio", "fio tuned", "fio tuned", "fio", ours]
    assert told == [1, 2]
    assert set(played[0]) == {OURS, DEFAULT, TUNED}
    assert list((tmp_path / "files").iterdir()) == [], "no test file is left behind"


def test_files_are_brought_into_their_state_each_time(programs: Programs, tmp_path: Path) -> None:
    grown = tmp_path / "grown"
    grown.write_bytes(b"x" * 10_000)
    renew(grown, File("grown", 8192, State.GROWING))
    assert grown.stat().st_size == 0
    renew(grown, File("grown", 8192, State.ALLOCATED))
    assert grown.read_bytes() == bytes(8192)
    with Files.within(tmp_path, programs) as files:
        written = File("written", 4096)
        made = files.ready(written).stat().st_mtime_ns
        assert files.ready(written).stat().st_mtime_ns == made, "laid out once"
        assert files.ready(File("cached", 4096, State.CACHED)).stat().st_size == 4096
        files.shared_memory = None
        with pytest.raises(PassError, match="there is no"):
            files.ready(File("memory", 4096, State.CACHED, in_memory=True))


def test_a_full_disk_is_told_before_anything_is_written(
    programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contest, "FREE_BYTES_MIN", 1 << 62)
    with pytest.raises(BenchmarkError, match="GiB free"), Files.within(tmp_path, programs):
        pytest.fail("not to be reached")


def test_a_shape_that_fails_is_reported_and_the_others_go_on(stage: Path) -> None:
    stream = io.StringIO()
    words = ["engine", "--quick", "--only", "commit-8k-dsync", "--only", "commit-8k"]
    assert bench(words, Progress(stream)) == 1
    entries = json.loads((stage / "build" / "engine-part.json").read_text("utf-8"))
    assert list(entries) == ["commit-8k", "commit-8k-dsync"]
    assert entries["commit-8k"]["rounds"] == 2
    assert "no such device" in entries["commit-8k-dsync"]["note"]
    assert "no such device" in stream.getvalue()
    assert command.DOCUMENT.read_text("utf-8").startswith("By hand.")
    assert table.shapes_in(command.DOCUMENT.read_text("utf-8")) == [], "a part is no table"


@pytest.mark.daily
def test_the_whole_writes_the_table(stage: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = (named("null"), named("open-110"), named("repeatability"))
    monkeypatch.setattr(command, "SHAPES", few)
    assert bench(["engine"], Progress(io.StringIO())) == 0
    entries = json.loads((stage / "build" / "engine.json").read_text("utf-8"))
    assert entries["repeatability"]["rounds"] == 12
    assert entries["open-110"]["figures"]["ours"]["offered_per_second"] == 110
    document = command.DOCUMENT.read_text("utf-8")
    assert table.shapes_in(document) == [shape.name for shape in few]
    assert "fio-9.99; 5 rounds of 2 s" in document


def test_without_a_name_it_lists_what_there_is_and_refuses_what_there_is_not() -> None:
    stream = io.StringIO()
    assert bench([], Progress(stream)) == 0
    assert "./run bench engine" in stream.getvalue()
    assert bench(["nothing"], Progress(stream)) == 64
    assert "no benchmark 'nothing'" in stream.getvalue()


def test_a_pass_that_fails_says_what_it_was_and_what_it_said() -> None:
    with pytest.raises(PassError, match=r"`sh -c echo oh.* ended with 3: oh"):
        perform(["sh", "-c", "echo oh >&2; exit 3"])
    output, cost = perform(["sh", "-c", "echo yes"])
    assert output == "yes\n"
    assert cost.less(Cost(1e18, 1e18, 10**9)) == Cost()


def test_a_folder_lies_on_the_deepest_mount_above_it() -> None:
    assert command.filesystem(Path("/proc/self")) == "proc"
