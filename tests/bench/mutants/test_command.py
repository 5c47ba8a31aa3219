"""A sample stays when code that is not in it comes and goes."""

from __future__ import annotations

from pathlib import Path

from tests.bench.mutants.command import kept_sample, parse, sample
from tests.bench.mutants.rust import RustMutant

ALL = [RustMutant(f"src/a.rs:{line}:1: replace + with - in f") for line in range(100)]
WORDS = parse(["--sample", "10"])


def test_one_code_and_one_seed_give_one_sample() -> None:
    drawn = sample(ALL, WORDS)
    assert len(set(drawn)) == 10
    assert sample(ALL, WORDS) == drawn
    assert sample(ALL, parse(["--sample", "10", "--seed", "12"])) != drawn
    assert len(sample(ALL[:7], WORDS)) == 7


def test_a_kept_sample_loses_only_what_is_gone_and_is_filled_up(tmp_path: Path) -> None:
    drawn = kept_sample(ALL, WORDS, tmp_path)
    gone = drawn[3]
    left = [each for each in ALL if each != gone]
    now = kept_sample([RustMutant("src/b.rs:1:1: a"), *left], WORDS, tmp_path)
    assert now[:9] == [each for each in drawn if each != gone]
    assert len(set(now)) == 10
    assert kept_sample(left, parse(["--sample", "10", "--seed", "12"]), tmp_path)[:9] != now[:9]
