"""YABS: units, rows that do not fit, results without a disk."""

from __future__ import annotations

import json

import pytest

from apps.intake.importers import UnreadableError, as_document, read_output
from tests.intake.importers.outputs import (
    FIXTURES,
    MADE,
    jobs_of,
    says,
    text_changed,
    value,
)


def test_yabs_counts_kib_whatever_it_calls_them() -> None:
    job = jobs_of((FIXTURES / "yabs.json").read_bytes())[0]
    assert value(job, "read_bandwidth_bytes_per_s") == 405_417 * 1024
    assert value(job, "read_iops") == 101_354
    assert (job["sync"], job["queue_depth"], job["writers"]) == ("none", 64, 2)
    printed = jobs_of((FIXTURES / "yabs.txt").read_bytes())[0]
    assert value(printed, "read_bandwidth_bytes_per_s") == 405.41 * 1_024_000
    assert value(printed, "read_iops") == 101_300


SIZES = ("4k", "64k", "512k", "1m")


def test_the_newest_release_prints_true_megabytes_and_its_json_still_kib() -> None:
    """Every figure of the file, typed off it: KiB/s and IOPS of read, write and both."""
    printed = (
        (91_203, 22_800, 91_443, 22_860, 182_646, 45_660),
        (473_223, 7_394, 475_714, 7_433, 948_937, 14_827),
        (823_741, 1_608, 867_509, 1_694, 1_691_250, 3_302),
        (664_343, 648, 708_587, 691, 1_372_930, 1_339),
    )
    from_json = jobs_of((MADE / "yabs-2026-07-03.json").read_bytes())
    from_text = jobs_of((MADE / "yabs-2026-07-03.txt").read_bytes())
    assert [job["name"].split()[0] for job in from_json] == list(SIZES)
    for job, text, row in zip(from_json, from_text, printed, strict=True):
        for place, (side, total) in enumerate((("read_",) * 2, ("write_",) * 2, ("", "total_"))):
            kib, iops = row[2 * place : 2 * place + 2]
            bandwidth = value(job, f"{side}bandwidth_bytes_per_s")
            assert (bandwidth, value(job, f"{total}iops")) == (kib * 1024, iops)
            cut = value(text, f"{side}bandwidth_bytes_per_s")
            assert cut == pytest.approx(bandwidth, rel=0.01), (text["name"], side)
        assert text["notes"] == []


def test_an_older_release_prints_its_json_after_its_text() -> None:
    raw = (MADE / "yabs-2025-04-20-j.txt").read_bytes()
    document = as_document(read_output(raw))
    assert (document["kind"], document["tool_version"]) == ("yabs-json", "2025-04-20")
    assert value(document["jobs"][0], "read_bandwidth_bytes_per_s") == 81_020 * 1024
    text = as_document(read_output(raw.partition(b"\n{")[0]))
    assert text["kind"] == "yabs-text"
    for job, printed in zip(document["jobs"], text["jobs"], strict=True):
        exact = value(job, "write_bandwidth_bytes_per_s")
        assert value(printed, "write_bandwidth_bytes_per_s") == pytest.approx(exact, rel=0.01)
    assert value(text["jobs"][0], "read_bandwidth_bytes_per_s") == 81.02 * 1_024_000


@pytest.mark.parametrize(
    ("name", "unit", "read"),
    [("yabs-2026-07-03.txt", 1_000_000, 93.39), ("yabs-2025-04-20-j.txt", 1_024_000, 81.02)],
)
def test_without_its_banner_the_iops_tell_the_unit_or_nothing_does(
    name: str, unit: int, read: float
) -> None:
    """22.8k IOPS decide between KB and KiB; 1.6k, where a step is 6 %, do not."""
    raw = (MADE / name).read_bytes().partition(b"\n{")[0]
    jobs = jobs_of(raw.partition(b"Basic System")[2])
    assert value(jobs[0], "read_bandwidth_bytes_per_s") == round(read * unit)
    assert value(jobs[2], "read_bandwidth_bytes_per_s") is None
    assert says(jobs[2], "could be in KB or KiB")


def test_yabs_rows_that_do_not_fit_lose_their_bandwidth() -> None:
    job = text_changed("yabs.txt", ("405.41 MB/s (101.3k)", "405.41 MB/s  (99.0k)"))[0]
    assert value(job, "read_bandwidth_bytes_per_s") is None
    assert value(job, "read_iops") == 99_000
    assert says(job, "not its IOPS times the block size")
    job = text_changed("yabs.json", ('"speed_r":405417', '"speed_r":415147'))[0]
    assert value(job, "read_bandwidth_bytes_per_s") is None


def test_yabs_without_fio_is_refused() -> None:
    document = json.loads((FIXTURES / "yabs.json").read_text())
    del document["fio"]
    with pytest.raises(UnreadableError, match="fell back to dd"):
        jobs_of(json.dumps(document))
    text = (FIXTURES / "yabs.txt").read_text().partition("fio Disk Speed Tests")[0]
    with pytest.raises(UnreadableError, match="fell back to dd"):
        jobs_of(f"{text}dd Sequential Disk Speed Tests:\n")


def test_yabs_rows_with_gaps() -> None:
    job = text_changed("yabs.json", ('"speed_r":405417,', ""))[0]
    assert value(job, "read_iops") is None
    assert says(job, "no speed_r or iops_r")
    job = text_changed("yabs.txt", ("405.41 MB/s (101.3k)", "                     "))[0]
    assert says(job, "not a row of YABS")
    with pytest.raises(UnreadableError, match="block size"):
        text_changed("yabs.json", ('"bs":"4k"', '"bs":"5k"'))
    with pytest.raises(UnreadableError, match="block sizes"):
        text_changed("yabs.txt", ("| 4k   ", "| 5k   "))
    with pytest.raises(UnreadableError, match="as many cells"):
        text_changed("yabs.txt", ("(101.3k) | 1.69 GB/s    (26.4k)", "(101.3k)"))
