"""Who is flagged, and when a cell holds two kinds of storage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from apps.stats.standings.outliers import FLAGGED_SHARE_MAX, MAD_MIN, mad_of, modified_z, outliers
from apps.stats.standings.variants import GAP_MADS, SHARE_MIN, UPLOADERS_MIN, variants_of

logs = st.lists(st.floats(min_value=0, max_value=14), min_size=1, max_size=60).map(np.array)


@given(logs)
def test_scipy_finds_the_same_mad(values: np.ndarray) -> None:
    assert mad_of(values) == pytest.approx(stats.median_abs_deviation(values))


def test_the_score_worked_by_hand() -> None:
    """Median 2.45, absolute deviations .05 .05 .15 .15 .15 .15 .35 .35 5.75 5.85: MAD 0.15."""
    values = np.array([2.1, 2.6, 2.4, 2.5, 2.3, 2.1, 2.3, 2.6, 8.2, 8.3])
    assert modified_z(values)[-2:].tolist() == pytest.approx(
        [0.6745 * 5.75 / 0.15, 0.6745 * 5.85 / 0.15]
    )
    assert outliers(values).tolist() == [False] * 8 + [True] * 2


def test_of_four_nobody_can_say_who_is_off() -> None:
    assert not outliers(np.array([1, 1, 1, 9.0])).any()
    assert outliers(np.array([1, 1, 1, 1, 9.0])).tolist() == [False] * 4 + [True]


def test_uploaders_that_agree_too_well_do_not_make_outliers_of_the_rest() -> None:
    """Without the floor of the MAD, 5 % more would be infinitely far."""
    assert not outliers(np.array([7.0] * 9 + [7.0 + MAD_MIN])).any()


@given(logs)
def test_never_more_than_a_fifth_is_flagged(values: np.ndarray) -> None:
    marks = outliers(values)
    assert marks.sum() <= FLAGGED_SHARE_MAX * values.size
    if marks.any():
        assert np.abs(modified_z(values))[marks].min() > 3.5


def test_the_farthest_are_flagged_first() -> None:
    values = np.array([1.0] * 7 + [3.0, 4.0, 2.0])  # three are far, two may be flagged
    assert np.flatnonzero(outliers(values)).tolist() == [7, 8]


# --- variants ------------------------------------------------------------------------------------


def test_two_kinds_of_storage_are_two_variants_the_fastest_first() -> None:
    values = np.log([1000, 190, 1020, 200, 1010, 210, 990, 205])
    assert variants_of(values).tolist() == [1, 2, 1, 2, 1, 2, 1, 2]


def test_three_kinds_are_three() -> None:
    values = np.log([100, 101, 102, 1000, 1010, 1020, 9000, 9010, 9100])
    assert variants_of(values).tolist() == [3, 3, 3, 2, 2, 2, 1, 1, 1]


def test_two_uploaders_are_no_kind_of_their_own() -> None:
    assert not variants_of(np.log([1000, 1010, 1020, 990, 200, 205])).any()


@pytest.mark.parametrize(
    ("honest", "is_split"), [(11, True), (12, True), (13, False), (200, False)]
)
def test_three_who_agree_are_a_kind_only_where_they_are_a_fifth(
    honest: int, *, is_split: bool
) -> None:
    values = np.concatenate([np.linspace(6.9, 7.0, honest), np.full(3, 9.3)])
    assert bool(variants_of(values).any()) is is_split
    if not is_split:
        assert outliers(values).tolist() == [False] * honest + [True] * 3


def test_a_gap_of_four_deviations_is_not_enough_and_a_little_more_is() -> None:
    slow, deviation = np.array([5.0, 5.1, 5.2]), 0.1
    for factor, is_split in ((GAP_MADS - 0.01, False), (GAP_MADS + 0.01, True)):
        fast = slow + 0.2 + factor * deviation
        assert bool(variants_of(np.concatenate([slow, fast])).any()) is is_split


def test_uploaders_that_agree_too_well_are_not_split_by_a_little() -> None:
    assert not variants_of(np.array([7.0] * 5 + [7.0 + 0.99 * GAP_MADS * MAD_MIN] * 5)).any()


def test_a_gap_must_be_wider_than_either_side() -> None:
    """Deviations of 0.1 call for 0.4, but the slow side is 0.7 wide."""
    slow, fast = np.array([4.5, 5.0, 5.1, 5.1, 5.2]), np.array([0.0, 0.1, 0.2])
    for gap, is_split in ((0.69, False), (0.71, True)):
        assert bool(variants_of(np.concatenate([slow, 5.2 + gap + fast])).any()) is is_split


@given(logs)
def test_every_variant_has_three_uploaders_and_lies_apart(values: np.ndarray) -> None:
    numbers = variants_of(values)
    if not numbers.any():
        return
    assert sorted(set(numbers.tolist())) == list(range(1, numbers.max() + 1))
    for number in range(1, numbers.max() + 1):
        assert (numbers == number).sum() >= max(UPLOADERS_MIN, SHARE_MIN * values.size)
    for number in range(1, numbers.max()):
        gap = values[numbers == number].min() - values[numbers == number + 1].max()
        assert gap > GAP_MADS * MAD_MIN


@given(logs, st.integers(0, 2**32 - 1))
def test_the_order_of_uploaders_changes_nothing(values: np.ndarray, seed: int) -> None:
    order = np.random.default_rng(seed).permutation(values.size)
    assert np.array_equal(variants_of(values[order]), variants_of(values)[order])


@pytest.mark.parametrize(("gap", "kinds"), [(0.41, {1, 2}), (0.39, {0})])
def test_kinds_are_told_apart_by_more_than_four_times_what_their_uploaders_differ(
    gap: float, kinds: set[int]
) -> None:
    """Two of three uploaders on either side are 0.1 beside the one in the middle."""
    side = np.array([0.0, 0.1, 0.2])
    values = np.concatenate([side, side + 0.2 + gap])
    assert set(variants_of(values).tolist()) == kinds
