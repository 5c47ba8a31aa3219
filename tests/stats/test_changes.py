"""Changes of a rate: seen where new uploaders measure another one, and seldom by chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from apps.stats.standings.changes import CHANCE_MAX, Change, _ranks, _score, find_change


def cell(
    old: int, new: int, factor: float, *, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return first and last times and ln of rates: the new uploaders began after the old ended."""
    generator = np.random.default_rng(seed)
    firsts = np.concatenate([np.sort(generator.uniform(0, 90, old)), 100 + np.arange(new)])
    values = generator.normal(7, 0.15, old + new)
    values[old:] += math.log(factor)
    return firsts, firsts + 0.5, values


def test_seven_new_uploaders_at_half_the_rate_are_a_change() -> None:
    found = find_change(*cell(8, 7, 0.5, seed=1))
    assert isinstance(found, Change)
    assert found.since == 100
    assert found.chance <= CHANCE_MAX


@pytest.mark.parametrize("factor", [0.1, 10.0])
def test_three_networks_are_no_change(factor: float) -> None:
    assert find_change(*cell(8, 3, factor, seed=2)) is None


def test_few_cells_without_a_change_show_one() -> None:
    found = [find_change(*cell(10, 10, 1.0, seed=seed)) for seed in range(300)]
    assert sum(each is not None for each in found) <= 9  # 1 % and three standard errors


def test_a_small_difference_is_no_change_however_sure() -> None:
    firsts, lasts, values = cell(40, 40, 1.0, seed=3)
    values = np.repeat([7.0, 7.0 + math.log(1.05)], 40) + np.arange(80) * 1e-6
    assert find_change(firsts, lasts, values) is None
    values[40:] += math.log(1.1)
    assert find_change(firsts, lasts, values) is not None


def test_who_measured_before_and_since_is_on_neither_side() -> None:
    firsts, lasts, values = cell(8, 7, 0.5, seed=1)
    lasts[:8] = 200
    assert find_change(firsts, lasts, values) is None


def test_one_uploader_and_one_moment_have_no_change() -> None:
    assert find_change(np.array([1.0]), np.array([1.0]), np.array([7.0])) is None
    at = np.ones(20)
    assert find_change(at, at, np.arange(20.0)) is None


def test_the_score_is_that_of_mann_and_whitney() -> None:
    values = np.random.default_rng(4).normal(size=15)
    split = np.repeat([[-1.0, 1.0]], [8, 7], axis=1)
    score = float(_score(split, _ranks(values))[0])
    exact = mannwhitneyu(values[8:], values[:8], method="asymptotic", use_continuity=False)
    assert 2 * (1 - 0.5 * (1 + math.erf(abs(score) / math.sqrt(2)))) == pytest.approx(exact.pvalue)
    assert _ranks(np.array([3.0, 1.0, 3.0])).tolist() == [2.5, 1.0, 2.5]


def test_the_order_of_the_uploaders_decides_nothing() -> None:
    shuffled = np.random.default_rng(6)
    answers: list[Change | None] = []
    for seed in range(60):  # of cells near the limit
        columns = np.array(cell(6, 6, 1.35, seed=seed))
        orders = [shuffled.permutation(12) for _ in range(3)]
        found = {find_change(*columns[:, order]) for order in orders}
        assert len(found) == 1
        answers += found
    assert 10 < answers.count(None) < 50


def test_thousands_of_uploaders_are_judged_by_a_bounded_number_of_splits() -> None:
    found = find_change(*cell(1_500, 1_500, 0.5, seed=5))
    assert found is not None
    assert 85 < found.since < 115
