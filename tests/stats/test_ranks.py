"""Ranks: reproducible draws, intervals, ties and tiers against the normal distribution."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from apps.stats.standings.gates import needs_runs
from apps.stats.standings.ranks import rank, seed_of

rows = st.lists(
    st.tuples(st.floats(min_value=0, max_value=12), st.floats(min_value=0.01, max_value=1)),
    min_size=1,
    max_size=12,
)


def test_rows_far_apart_have_one_rank_each_and_a_tier_each() -> None:
    found = rank(np.array([5.0, 9.0, 7.0]), np.full(3, 0.1), board="b")
    assert found.order.tolist() == [1, 2, 0]
    assert found.rank_low.tolist() == found.rank_high.tolist() == [1, 2, 3]
    assert found.tier.tolist() == [1, 2, 3]
    assert not found.is_tied.any()


def test_rows_that_are_alike_share_a_tier_and_all_ranks() -> None:
    found = rank(np.full(4, 7.0), np.full(4, 0.2), board="b")
    assert found.order.tolist() == [0, 1, 2, 3]
    assert found.rank_low.tolist() == [1] * 4
    assert found.rank_high.tolist() == [4] * 4
    assert found.tier.tolist() == [1] * 4
    assert found.is_tied.tolist() == [False, True, True, True]


def test_a_tier_ends_before_who_is_apart_from_its_first() -> None:
    """Steps of 0.8 sd: one is no difference at 90 %, three are (3 * 0.8 / sqrt 2 > 1.28)."""
    found = rank(np.array([7.0, 6.84, 6.68, 6.52, 6.36, 6.2]), np.full(6, 0.2), board="b")
    assert found.tier.tolist() == [1, 1, 1, 2, 2, 2]
    assert found.is_tied.tolist() == [False] + [True] * 5


@pytest.mark.parametrize("step", [0.0, 0.1, 0.3, 0.5])
def test_who_is_ahead_is_what_the_normal_distribution_says(step: float) -> None:
    found = rank(np.array([7.0, 7.0 - step]), np.array([0.15, 0.25]), board=f"step {step}")
    exact = stats.norm.cdf(step / np.hypot(0.15, 0.25))
    assert found.ahead[1] == pytest.approx(exact, abs=0.04)  # five standard errors of 4,000 draws


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
    assert found.ahead.tolist() == again.ahead.tolist()
    assert sorted(found.order.tolist()) == list(range(len(pairs)))
    assert (found.rank_low >= 1).all()
    assert (found.rank_low <= found.rank_high).all()
    assert (found.rank_high <= len(pairs)).all()
    steps = np.diff(found.tier)
    assert found.tier[0] == 1
    assert set(steps.tolist()) <= {0, 1}
    assert (np.diff(thetas[found.order]) <= 0).all()


def test_another_board_is_drawn_otherwise() -> None:
    thetas, sds = np.array([7.0, 6.9]), np.array([0.2, 0.2])
    chances = {float(rank(thetas, sds, board=each).ahead[1]) for each in ("a", "b", "c")}
    assert len(chances) == 3
    assert seed_of("plan/measured/commit-8k/v1") == 168314431795450842362293654657675081454


@pytest.mark.parametrize(
    ("n_uploaders", "n_machines", "needs"),
    [(3, 5, False), (2, 5, True), (3, 4, True), (1, 60, True), (9, 20, False)],
)
def test_three_uploaders_and_five_machines_are_ranked(
    n_uploaders: int, n_machines: int, *, needs: bool
) -> None:
    assert needs_runs(n_uploaders=n_uploaders, n_machines=n_machines) is needs


@pytest.mark.parametrize(("chance", "is_divided"), [(0.905, True), (0.895, False)])
def test_a_tier_ends_where_nine_of_ten_draws_are_won(chance: float, *, is_divided: bool) -> None:
    """A chance that near is one standard error of 4,000 draws away: most of 60 boards agree."""
    step = float(stats.norm.ppf(chance)) * np.hypot(0.2, 0.2)
    boards = [
        rank(np.array([7.0, 7.0 - step]), np.full(2, 0.2), board=f"board {n}") for n in range(60)
    ]
    assert np.mean([board.ahead[1] for board in boards]) == pytest.approx(chance, abs=0.003)
    divided = [board.tier.tolist() == [1, 2] for board in boards]
    assert (sum(divided) > len(boards) / 2) is is_divided
    assert [not board.is_tied[1] for board in boards] == divided
