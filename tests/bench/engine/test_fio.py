"""What fio 3.33 printed here is read as what it did; what it cannot say is not made up."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.bench.engine import fio
from tests.bench.engine.readings import Latency, PassError, perform
from tests.bench.engine.shapes import SHAPES, Family, named
from tests.bench.failure import BenchmarkError

RECORDED = Path(__file__).with_name("recorded")


def recorded(name: str) -> str:
    return (RECORDED / f"fio-3.33-{name}.json").read_text("utf-8")


def test_a_commit_has_the_latency_of_its_write_and_of_its_sync() -> None:
    reading = fio.read(recorded("commit"))
    assert (reading.operations, reading.seconds) == (194, 0.31)
    assert reading.latencies["write"] == Latency(15572.92268, 12480, 46848)
    # fio says total_ios 0 for these syncs, and has 194 latencies of them
    assert reading.latencies["sync"] == Latency(1573313.365979, 995328, 11993088)
    assert "read" not in reading.latencies


def test_a_mix_of_two_jobs_adds_up_and_its_depth_is_that_of_both() -> None:
    reading = fio.read(recorded("mix"))
    assert reading.operations == 1027 + 1113
    busy_ns = 1027 * 18881205.184031 + 1113 * 18825061.784367
    assert reading.depth == pytest.approx(busy_ns / 322e6 / 128)
    # both jobs together ran for 642 ms, of which the threads had the CPU for 3.4 and 0.3 %
    assert reading.cost.system_ns == pytest.approx(0.03426791 * 642e6)
    assert reading.cost.user_ns == pytest.approx(0.00311526 * 642e6)
    assert reading.cost.switches == 150


def test_where_fio_only_counts_there_is_no_latency_and_no_depth() -> None:
    reading = fio.read(recorded("counted"))
    assert reading.operations == 1470
    assert not reading.latencies
    assert reading.depth is None


def test_warnings_before_the_json_are_passed_over() -> None:
    words = "note: both iodepth >= 1 and synchronous I/O engine are selected\n"
    assert fio.read(words + recorded("commit")).operations == 194


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("fio: bad option", "no JSON"),
        (recorded("commit").replace('"error": 0', '"error": 5'), "error 5"),
        (recorded("commit").replace('"total_ios": 194', '"total_ios": 0'), "no operation"),
    ],
)
def test_what_is_no_result_is_a_failure_of_the_pass(output: str, words: str) -> None:
    with pytest.raises(PassError, match=words):
        fio.read(output)


def test_without_fio_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    with pytest.raises(BenchmarkError, match="apt-get install fio"):
        fio.find()


def test_a_pass_lasts_its_time_unless_its_file_ends_before() -> None:
    line = fio.command("fio", named("commit-8k"), ["--x"], file="f", seconds=1.5)
    assert line[:3] == ["fio", "--name=commit-8k", "--filename=f"]
    assert {"--runtime=1500ms", "--time_based=1"} <= set(line)
    appended = fio.command("fio", named("append-8k-fdatasync"), [], file="f", seconds=1)
    assert "--time_based=1" not in appended
    assert "--number_ios=1" in fio.command("fio", named("commit-8k"), [], file="f", seconds=0)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
@pytest.mark.parametrize("which", ["fio", "tuned"])
def test_the_real_fio_knows_every_word_of_every_shape(which: str, tmp_path: Path) -> None:
    path, _ = fio.find()
    for shape in SHAPES:
        words = [word.replace("RATE", "1000") for word in getattr(shape, which)]
        if words:
            line = fio.command(path, shape, words, file=str(tmp_path / "f"), seconds=1)
            perform([*line, "--parse-only"])


@pytest.mark.skipif(shutil.which("fio") is None, reason="fio is not installed")
def test_the_real_fio_is_understood(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"x" * (1 << 20))
    words = ["--ioengine=psync", "--rw=randread", "--bs=4k", "--size=1m"]
    line = fio.command(fio.find()[0], named("cached-read-4k"), words, file=str(file), seconds=0.1)
    output, cost = perform(line)
    reading = fio.read(output)
    assert reading.operations > 0
    assert reading.latencies["read"].p99 is not None
    assert 0 < reading.cost.cpu_ns < cost.cpu_ns, "fio's own start is not in the first"


def test_a_tuned_fio_keeps_latencies_wherever_a_device_is_the_limit() -> None:
    for shape in SHAPES:
        if shape.family in (Family.ONE, Family.DEEP) and shape.tuned:
            assert "--gtod_reduce=1" not in shape.tuned, shape.name
