"""Ranks: reproducible draws, intervals, ties and tiers against the normal distribution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from apps.stats.simulation.boards import SCATTER_DEVIATION, false_splits, power
from apps.stats.standings.gates import is_enough, is_wide
from apps.stats.standings.ranks import (
    Bounds,
    are_apart,
    are_level_with_above,
    critical_value,
    rank,
    seed_of,
    tiers_of,
)

rows = st.lists(
    st.tuples(st.floats(min_value=0, max_value=12), st.floats(min_value=0.01, max_value=1)),
    min_size=1,
    max_size=12,
)


def test_rows_far_apart_have_one_rank_each() -> None:
    found = rank(np.array([5.0, 9.0, 7.0]), np.full(3, 0.1), board="b")
    assert found.order.tolist() == [1, 2, 0]
    assert found.rank_low.tolist() == found.rank_high.tolist() == [1, 2, 3]


def test_rows_that_are_alike_share_all_ranks() -> None:
    found = rank(np.full(4, 7.0), np.full(4, 0.2), board="b")
    assert found.order.tolist() == [0, 1, 2, 3]
    assert found.rank_low.tolist() == [1] * 4
    assert found.rank_high.tolist() == [4] * 4


def row(rate_ln: float, *, reach: float = 0.1, sd: float = 0.05) -> Bounds:
    """Return a row whose interval reaches so far to either side."""
    return Bounds(rate_ln, rate_ln - reach, rate_ln + reach, sd**2)


def test_a_tier_ends_before_the_row_that_is_apart_from_its_first() -> None:
    """The second row is level with both neighbours; the third is apart from the first alone."""
    rows = [row(7.0), row(6.85), row(6.7), row(6.0)]
    assert tiers_of(rows, critical=2.0) == [1, 1, 2, 3]
    assert are_level_with_above(rows, critical=2.0) == [False, True, True, False]
    assert tiers_of(rows[:1], critical=0.0) == [1]
    assert tiers_of([], critical=0.0) == are_level_with_above([], critical=0.0) == []


def test_rows_are_apart_by_their_standard_errors_and_by_their_intervals() -> None:
    one, other = row(7.0), row(6.7)
    assert are_apart(one, other, critical=4.2)
    assert are_apart(other, one, critical=4.2)
    assert not are_apart(one, other, critical=4.3)  # 0.3 is 4.24 times 0.05 * sqrt 2
    assert not are_apart(row(7.0, reach=0.2), row(6.7, reach=0.2), critical=4.2)
    assert not are_apart(row(7.0, reach=0.15), row(6.7, reach=0.15), critical=4.2)  # they touch


def test_the_critical_value_is_that_of_tukey_where_uploaders_are_many() -> None:
    """Medians of many values are normal, so it is the studentized range over sqrt 2."""
    exact = float(stats.studentized_range.ppf(0.95, 10, 1e6)) / np.sqrt(2)
    assert critical_value([60] * 10) == pytest.approx(exact, rel=0.06)
    assert critical_value([8]) == critical_value([]) == 0.0
    assert critical_value([7, 12, 9]) == critical_value([12, 9, 7])


@pytest.mark.parametrize(("plans", "boards"), [(2, 400), (12, 400), (40, 200), (200, 60)])
@pytest.mark.parametrize("scatter", [0.0, SCATTER_DEVIATION])
def test_a_board_of_alike_plans_is_seldom_split(plans: int, boards: int, scatter: float) -> None:
    """The goal is 5 %; 0.02 more is what so few boards can be off by."""
    assert false_splits(plans=plans, uploaders=8, scatter=scatter, boards=boards) <= 0.07


def test_what_is_twice_as_fast_is_told_apart() -> None:
    assert power(plans=40, uploaders=8, factor=2, boards=200) > 0.85
    assert power(plans=40, uploaders=8, factor=1, boards=200) < 0.02


def test_the_rank_interval_is_that_of_a_hundred_times_the_draws() -> None:
    thetas, sds = np.array([8.0, 7.8, 7.7, 7.1]), np.array([0.3, 0.1, 0.2, 0.3])
    found = rank(thetas, sds, board="b")
    draws = np.random.default_rng(1).normal(thetas, sds, (400_000, 4))
    ranks = stats.rankdata(-draws, axis=1)
    assert found.rank_low.tolist() == np.quantile(ranks, 0.05, axis=0).tolist()
    assert found.rank_high.tolist() == np.quantile(ranks, 0.95, axis=0).tolist()


@given(rows)
def test_the_same_board_is_drawn_the_same_and_every_row_is_within_its_ranks(
    pairs: list[tuple[float, float]],
) -> None:
    thetas, sds = (np.array(each) for each in zip(*pairs, strict=True))
    found, again = rank(thetas, sds, board="b"), rank(thetas, sds, board="b")
    assert found.rank_low.tolist() == again.rank_low.tolist()
    assert found.rank_high.tolist() == again.rank_high.tolist()
    assert sorted(found.order.tolist()) == list(range(len(pairs)))
    assert (found.rank_low >= 1).all()
    assert (found.rank_low <= found.rank_high).all()
    assert (found.rank_high <= len(pairs)).all()
    assert (np.diff(thetas[found.order]) <= 0).all()


def test_the_name_of_a_board_is_its_seed() -> None:
    assert seed_of("plan/measured/commit-8k/v1") == 168314431795450842362293654657675081454


@pytest.mark.parametrize(
    ("n_uploaders", "n_claimed", "n_machines", "enough"),
    [(7, 0, 7, True), (6, 0, 60, False), (6, 2, 60, False), (3, 3, 5, True), (3, 3, 4, False)],
)
def test_seven_networks_or_three_accounts_are_enough(
    n_uploaders: int, n_claimed: int, n_machines: int, *, enough: bool
) -> None:
    found = is_enough(n_uploaders=n_uploaders, n_claimed=n_claimed, n_machines=n_machines)
    assert found is enough


@pytest.mark.parametrize(("low", "wide"), [(500, False), (499, True), (None, True)])
def test_a_rate_whose_low_end_is_below_half_of_it_is_wide(low: float | None, *, wide: bool) -> None:
    assert is_wide(1000, low) is wide
