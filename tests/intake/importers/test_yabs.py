"""YABS: units, rows that do not fit, results without a disk."""

from __future__ import annotations

import json

import pytest

from apps.intake.importers import UnreadableError
from tests.intake.importers.outputs import (
    FIXTURES,
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
