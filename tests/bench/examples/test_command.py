"""What the benchmark of example data prints; the loads themselves take minutes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.examples.command import GOAL_RUNS, OURS, THEIRS, Load, parse, table
from tests.bench.failure import BenchmarkError


def test_a_ratio_is_of_one_round_and_the_median_of_rounds_counts() -> None:
    # a machine that was busy in the second round, for both
    ours = [Load(10, 6, 2), Load(40, 12, 4), Load(10, 6, 2)]
    theirs = [Load(20, 8, 2), Load(80, 16, 4), Load(10, 8, 2)]
    said = table({OURS: ours, THEIRS: theirs}, runs=100)
    assert "here / beside: clock 0.50 (0.50 to 1.00), processors 0.80 (0.80 to 0.80)" in said
    assert "Goal" not in said


@pytest.mark.parametrize(("clock_s", "word"), [(180.0, "met"), (180.1, "missed")])
def test_the_goal_is_of_so_many_runs(clock_s: float, word: str) -> None:
    said = table({OURS: [Load(clock_s, 90, 30)]}, runs=GOAL_RUNS)
    assert f"on two idle cores: {word}." in said
    assert "120.0 s" in said


def test_another_directory_than_a_checkout_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="it has no manage"):
        parse(["--beside", str(tmp_path)])
