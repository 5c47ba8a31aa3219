"""What may be sent is what the guide of the API promises: agents are written by it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from apps.wire import limits

KIB, MIB = 1024, 1024 * 1024
GUIDE = (Path(__file__).parents[2] / "docs" / "api.md").read_text(encoding="utf-8")
PROMISED = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", GUIDE, re.MULTILINE))


@pytest.mark.parametrize(
    ("name", "limit", "words"),
    [
        ("envelope", limits.ENVELOPE_BYTES_MAX / MIB, "6 MiB"),
        ("payload", limits.PAYLOAD_BYTES_MAX / MIB, "4 MiB"),
        ("key statement, challenge request", limits.STATEMENT_BYTES_MAX / KIB, "4 KiB"),
        ("compression", limits.COMPRESSION_RATIO_MAX, "at most 20 : 1, one gzip member"),
        ("nesting", limits.DEPTH_MAX, "8 levels"),
        ("faults named in one answer", limits.ERRORS_MAX, "20"),
    ],
)
def test_a_limit_is_what_the_guide_says(name: str, limit: float, words: str) -> None:
    assert PROMISED[name] == words
    assert next(float(number) for number in re.findall(r"\d+", words)) == limit


def test_an_integer_is_exact_in_every_reader_of_json() -> None:
    assert PROMISED["integers"] == "up to 2^53 - 1"
    assert float(limits.INTEGER_MAX) == limits.INTEGER_MAX
    assert float(limits.INTEGER_MAX + 2) != limits.INTEGER_MAX + 2


def test_a_payload_of_the_largest_size_fits_its_envelope() -> None:
    assert limits.ENVELOPE_BYTES_MAX > limits.PAYLOAD_BYTES_MAX * 4 / 3
