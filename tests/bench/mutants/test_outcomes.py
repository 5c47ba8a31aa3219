"""What was tried is not tried again, and what survives is named with an interval."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from apps.config.one_machine.environment import ROOT
from tests.bench.mutants.changes import mutants_of
from tests.bench.mutants.outcomes import Fate, Ledger, Outcome, explanations, summary, wilson


def outcome(key: str, fate: Fate) -> Outcome:
    return Outcome(key, f"apps/{key}.py", 3, "a < b", "< -> <=", fate, 1.5)


def test_a_ledger_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "below" / "outcomes.jsonl"
    kept = outcome("one", Fate.SURVIVED)
    Ledger(path).add(kept)
    Ledger(path).add(outcome("two", Fate.KILLED))
    assert Ledger(path).outcomes == {"one": kept, "two": outcome("two", Fate.KILLED)}


@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [(0, 0, 0.0, 1.0), (0, 40, 0.0, 0.0876), (4, 40, 0.0396, 0.2305), (40, 40, 0.9124, 1.0)],
)
def test_the_interval_is_wilson_s(hits: int, trials: int, low: float, high: float) -> None:
    assert wilson(hits, trials) == pytest.approx((low, high), abs=1e-4)


def test_of_two_equal_changes_of_a_line_only_the_one_that_is_meant_is_explained() -> None:
    both = [replace(outcome("twin", Fate.SURVIVED), key=str(n), place=n) for n in (1, 2)]
    said = summary(both, {("apps/twin.py", "a < b", "< -> <=", 2): "never equal"})
    assert "2 mutants, 1 of them equivalent." in said
    assert "1 of 1 others survived" in said


def test_survivors_are_named_and_the_equivalent_do_not_count() -> None:
    outcomes = [outcome(name, Fate.KILLED) for name in ("a", "b", "c")]
    outcomes += [outcome("slips", Fate.SURVIVED), outcome("same", Fate.SURVIVED)]
    said = summary(outcomes, {("apps/same.py", "a < b", "< -> <=", 1): "never equal"})
    assert said.splitlines()[0] == "apps/slips.py:3: < -> <=   in: a < b"
    assert "apps/same.py" not in said
    assert "5 mutants, 1 of them equivalent." in said
    assert "1 of 4 others survived: 25.0%" in said
    assert said.endswith("missed.")


def test_each_explanation_speaks_of_a_change_that_is_there() -> None:
    """Of Rust only the line is looked for: cargo-mutants, which knows the change, may not be."""
    for (path, code, change, place), reason in explanations().items():
        assert len(reason) > len("because"), path
        if path.endswith(".py"):
            there = [(each.code, each.words, each.place) for each in mutants_of(ROOT, Path(path))]
            assert (code, change, place) in there, f"{path}: {code}"
        else:
            lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
            assert code in map(str.strip, lines), f"{path}: {code}"


def test_what_its_own_tests_let_pass_is_not_decided(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "outcomes.jsonl")
    assert not ledger.is_decided("one")
    ledger.add(outcome("one", Fate.UNDECIDED))
    assert not ledger.is_decided("one")
    ledger.add(outcome("one", Fate.SURVIVED))
    assert Ledger(tmp_path / "outcomes.jsonl").is_decided("one")
