"""Intervals from order statistics against Nair's table and scipy, and how wide they get."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from apps.stats.standings.interval import bounds_of, median_interval, ranks_of, widened_to

# K. R. Nair, "Table of confidence interval for the median in samples from any continuous
# population", Sankhya 4 (1940): the rank k at 95 % by the number of values.
NAIR = {
    6: 1, 7: 1, 8: 1, 9: 2, 10: 2, 11: 2, 12: 3, 13: 3, 14: 3, 15: 4, 16: 4, 17: 5, 18: 5, 19: 5,
    20: 6, 21: 6, 22: 6, 23: 7, 24: 7, 25: 8, 30: 10, 40: 14, 50: 18,
}  # fmt: skip
rates = st.lists(st.floats(min_value=1, max_value=1e6), min_size=2, max_size=60)


@pytest.mark.parametrize(("n", "rank"), NAIR.items())
def test_the_ranks_are_those_of_nairs_table(n: int, rank: int) -> None:
    assert (ranks_of(n).low, ranks_of(n).high) == (rank, n + 1 - rank)


@pytest.mark.parametrize(
    ("n", "percent"), [(6, 96.9), (9, 96.1), (12, 96.1), (15, 96.5), (20, 95.9)]
)
def test_the_coverage_from_six_on(n: int, percent: float) -> None:
    assert round(100 * ranks_of(n).coverage, 1) == percent


@pytest.mark.parametrize(("n", "percent"), [(2, 50), (3, 75), (4, 87.5), (5, 93.75)])
def test_below_six_the_range_has_less_than_it_would_like(n: int, percent: float) -> None:
    assert (ranks_of(n).low, ranks_of(n).high) == (1, n)
    assert ranks_of(n).coverage == percent / 100 == 1 - 2 ** (1 - n)


@given(st.integers(6, 400))
def test_scipy_counts_the_same_misses_and_one_rank_more_would_miss_too_often(n: int) -> None:
    ranks = ranks_of(n)
    assert ranks.coverage == pytest.approx(1 - 2 * stats.binom.cdf(ranks.low - 1, n, 0.5))
    assert ranks.coverage >= 0.95
    assert 1 - 2 * stats.binom.cdf(ranks.low, n, 0.5) < 0.95


@given(st.integers(6, 80))
def test_scipys_quantile_test_gives_the_same_interval(n: int) -> None:
    values = np.random.default_rng(n).normal(size=n)
    theirs = stats.quantile_test(values, p=0.5).confidence_interval(0.95)
    ours = median_interval(values.tolist(), estimate=float(np.median(values)))
    assert ours is not None
    assert (ours.low, ours.high) == (theirs.low, theirs.high)


@given(rates, st.floats(min_value=1, max_value=1e6))
def test_the_interval_holds_the_estimate_wherever_it_is(values: list[float], at: float) -> None:
    found = median_interval(values, estimate=at)
    assert found is not None
    assert found.low <= at <= found.high
    assert found.low >= min(*values, at)
    assert found.high <= max(*values, at)


@given(rates)
def test_order_changes_nothing_and_the_median_is_inside(values: list[float]) -> None:
    middle = float(np.median(values))
    found = median_interval(values, estimate=middle)
    assert found is not None
    assert found == median_interval(values[::-1], estimate=middle)
    assert found.low in values
    assert found.high in values


@pytest.mark.parametrize("n", [50, 3000])
def test_any_share_of_misses_can_be_asked_of_any_number_of_values(n: int) -> None:
    ranks = ranks_of(n, Fraction(3, 100))
    assert ranks.coverage >= 0.97
    assert ranks.coverage == pytest.approx(1 - 2 * stats.binom.cdf(ranks.low - 1, n, 0.5))
    assert 1 - 2 * stats.binom.cdf(ranks.low, n, 0.5) < 0.97


def test_one_value_has_no_interval() -> None:
    assert median_interval([7.0], estimate=7.0) is None
    with pytest.raises(ValueError, match="at least two values, not 1"):
        ranks_of(1)


def test_a_stricter_interval_is_wider_or_none() -> None:
    values = [float(each) for each in range(1, 11)]
    assert bounds_of(values) == (2, 9)
    assert bounds_of(values, miss_max=Fraction(1, 100)) == (1, 10)
    assert bounds_of(values, miss_max=Fraction(1, 1000)) is None
    assert bounds_of(values[:5]) is None
    assert bounds_of([1.0]) is None


def test_the_median_lies_between_two_values_half_of_the_time() -> None:
    assert bounds_of([9.0, 4.0], miss_max=Fraction(1, 2)) == (4, 9)


@given(st.floats(1, 1e6), st.floats(1, 1e6), st.floats(1, 1e6))
def test_an_interval_holds_its_own_figure(value: float, low: float, high: float) -> None:
    ends = widened_to(value, low, high)
    assert ends[0] is not None
    assert ends[1] is not None
    assert ends[0] <= value <= ends[1]


def test_without_an_end_there_is_no_interval() -> None:
    assert widened_to(1.0, None, 2.0) == widened_to(None, 1.0, 2.0) == (None, None)
