"""How many ranges hold one rate in common."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.standings.agreement import Reach, most_in_common

ranges = st.tuples(st.integers(1, 20), st.integers(0, 8)).map(
    lambda pair: Reach(pair[0], pair[0] + pair[1])
)


@pytest.mark.parametrize(
    ("reaches", "expected"),
    [
        ([], 0),
        ([(1, 2)], 1),
        ([(1, 2), (2, 3)], 2),  # an end belongs to its range
        ([(1, 2), (3, 4), (5, 6)], 1),
        ([(1, 4), (2, 5), (3, 6)], 3),
        ([(1, 3), (2, 5), (4, 6)], 2),  # each touches the next, and nothing is common to all
    ],
)
def test_worked_by_hand(reaches: list[tuple[int, int]], expected: int) -> None:
    assert most_in_common(Reach(*each) for each in reaches) == expected


@given(st.lists(ranges, max_size=12))
def test_no_value_lies_in_more_of_them(reaches: list[Reach]) -> None:
    counts = [
        sum(each.slowest <= value <= each.fastest for each in reaches) for value in range(1, 30)
    ]
    assert most_in_common(reaches) == max(counts)


@given(st.lists(ranges, min_size=2, max_size=6))
def test_where_each_two_overlap_all_do(reaches: list[Reach]) -> None:
    pairs = all(
        one.slowest <= other.fastest and other.slowest <= one.fastest
        for one, other in product(reaches, repeat=2)
    )
    assert (most_in_common(reaches) == len(reaches)) == pairs
