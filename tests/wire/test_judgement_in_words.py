"""What documents print of the figures of judgement is what they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.wire.judgement import judgement, thresholds

ROOT = Path(__file__).parents[2]
FLOORS = {floor.id: floor.floor_ns for floor in judgement().floors}
FLUSHES = thresholds().flushes
MISSING, COUNTED = FLUSHES.missing_per_commit_below.value, FLUSHES.counted_per_commit_min.value
DRAIN = thresholds().drain
ANY_US = f"{FLOORS['any'] / 1000:g}"


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("docs/commands.md", f"there was less than {MISSING:g} flush a commit"),
        ("docs/commands.md", f"there were {MISSING:g} to {COUNTED:g} flushes a commit"),
        ("docs/methodology.md", f"{MISSING:g} to {COUNTED:g} flushes a commit"),
        ("docs/methodology.md", f"device ({ANY_US} µs)"),
        ("docs/commands.md", f"half of all commits took less than {ANY_US} µs"),
        ("docs/commands.md", f"took less than {FLOORS['nvme-no-plp'] / 1000:g} µs"),
        ("docs/commands.md", f"more than {DRAIN.volatile_ratio_above.value:g} times as long"),
        ("docs/commands.md", f"less than {DRAIN.flat_ratio_below.value:g} times as long"),
    ],
)
def test_a_threshold_is_printed_as_it_is(file: str, words: str) -> None:
    assert words in (ROOT / file).read_text(encoding="utf-8")
