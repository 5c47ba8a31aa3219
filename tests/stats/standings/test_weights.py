"""Whose voice weighs what, and the weighted median against two other ways of working it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.weightstats import DescrStatsW

from apps.stats.standings.weights import (
    ANONYMOUS_SHARE_MAX,
    effective_number,
    middle_places,
    weighted_median,
    weights_of,
)

values = st.floats(min_value=-20, max_value=20)
voices = st.lists(st.tuples(values, st.integers(1, 9)), min_size=1, max_size=30)


def test_without_anybody_claimed_all_weigh_the_same() -> None:
    assert weights_of(np.zeros(4, dtype=bool)).tolist() == [1, 1, 1, 1]


def test_an_anonymous_voice_is_half_a_claimed_one() -> None:
    assert weights_of(np.array([True, False, True])).tolist() == [1, 0.5, 1]


def test_all_of_one_kind_weigh_one() -> None:
    assert weights_of(np.ones(3, dtype=bool)).tolist() == [1, 1, 1]


def test_a_doubted_voice_weighs_half_of_what_it_would() -> None:
    doubted = np.array([False] * 7 + [True] * 2)
    nobody = np.zeros(9, dtype=bool)
    assert weights_of(nobody, is_doubted=doubted).tolist() == [1] * 7 + [0.5] * 2
    claimed = np.array([True] * 8 + [False])
    assert weights_of(claimed, is_doubted=doubted).tolist() == [1] * 7 + [0.5, 0.25]


def test_a_doubted_voice_weighs_whole_beside_fewer_than_a_rank_takes() -> None:
    doubted = np.array([False] * 6 + [True] * 9)
    assert weights_of(np.zeros(15, dtype=bool), is_doubted=doubted).tolist() == [1] * 15


def test_doubted_accounts_leave_the_anonymous_no_more_than_their_share() -> None:
    claimed = np.arange(20) < 10
    doubted = claimed  # those ten; the ten anonymous ones are not
    weights = weights_of(claimed, is_doubted=doubted)
    assert weights[~claimed].sum() / weights.sum() == pytest.approx(ANONYMOUS_SHARE_MAX)


@given(st.integers(3, 50), st.integers(0, 500))
def test_anonymous_voices_together_never_exceed_their_share(claimed: int, anonymous: int) -> None:
    weights = weights_of(np.arange(claimed + anonymous) < claimed)
    share = weights[claimed:].sum() / weights.sum()
    assert share <= ANONYMOUS_SHARE_MAX + 1e-12
    assert set(weights[:claimed].tolist()) == {1.0}
    if 0.5 * anonymous >= ANONYMOUS_SHARE_MAX * (claimed + 0.5 * anonymous):
        assert share == pytest.approx(ANONYMOUS_SHARE_MAX)


@pytest.mark.parametrize("claimed", [1, 2])
def test_fewer_than_three_accounts_cannot_outvote_the_networks(claimed: int) -> None:
    weights = weights_of(np.arange(12) < claimed)
    assert weights.tolist() == [1.0] * claimed + [0.5] * (12 - claimed)


@given(voices)
def test_half_of_the_weight_lies_on_either_side(pairs: list[tuple[float, int]]) -> None:
    numbers = np.array([value for value, _ in pairs])
    weights = np.array([float(weight) for _, weight in pairs])
    low, high = (numbers[int(place)] for place in middle_places(numbers, weights))
    half = Fraction(sum(weight for _, weight in pairs), 2)
    assert sum(weight for value, weight in pairs if value < low) < half
    assert sum(weight for value, weight in pairs if value > high) < half
    assert sum(weight for value, weight in pairs if value <= low) >= half
    assert sum(weight for value, weight in pairs if value >= high) >= half


@given(st.lists(values, min_size=1, max_size=40), st.floats(0.1, 10))
def test_equal_weights_give_the_median(numbers: list[float], weight: float) -> None:
    found = weighted_median(np.array(numbers), np.full(len(numbers), weight))
    assert float(found) == pytest.approx(np.median(numbers), abs=1e-9)


@given(voices)
def test_a_weight_is_a_number_of_copies(pairs: list[tuple[float, int]]) -> None:
    copies = [value for value, weight in pairs for _ in range(weight)]
    found = weighted_median(
        np.array([value for value, _ in pairs]), np.array([float(each) for _, each in pairs])
    )
    assert float(found) == pytest.approx(np.median(copies), abs=1e-9)


def test_statsmodels_and_numpy_find_the_same() -> None:
    generator = np.random.default_rng(7)
    numbers, weights = generator.normal(size=(200, 11)), generator.uniform(0.1, 1, (200, 11))
    found = weighted_median(numbers, weights)
    for row, weight, mine in zip(numbers, weights, found, strict=True):
        other = DescrStatsW(row, weights=weight).quantile(0.5, return_pandas=False)
        assert mine == pytest.approx(other[0])
        assert mine == np.quantile(row, 0.5, weights=weight, method="inverted_cdf")


def test_rounding_does_not_hide_an_exact_half() -> None:
    """0.1 + 0.2 is not 0.3 in binary, and the median lies between the two halves all the same."""
    found = weighted_median(np.array([1.0, 2.0, 3.0, 5.0]), np.array([0.1, 0.2, 0.2, 0.1]))
    assert float(found) == 2.5


def test_equal_weights_are_as_many_voices_as_there_are_and_one_that_dominates_is_one() -> None:
    assert effective_number(np.ones(7)) == pytest.approx(7)
    assert effective_number(np.array([1, 1e-6, 1e-6])) == pytest.approx(1, abs=1e-5)
