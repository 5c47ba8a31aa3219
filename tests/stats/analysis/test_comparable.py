"""Distances of work on one disk, with ratios that can be worked by hand."""

from __future__ import annotations

import math

import pytest

from apps.stats.analysis.comparable import (
    distance_between,
    distance_within,
    rates_by_disk,
    ratio_of,
)

DISKS = rates_by_disk(
    [
        ("a", "one", 100.0), ("a", "two", 200.0),
        ("b", "one", 400.0), ("b", "two", 100.0),
        ("c", "one", 300.0), ("c", "two", 300.0), ("c", "slow", 100.0),
        ("d", "one", 50.0),
    ]
)  # fmt: skip


def test_a_workload_that_was_measured_several_times_on_a_disk_has_the_median() -> None:
    found = rates_by_disk([("a", "one", 1.0), ("a", "one", 9.0), ("a", "one", 3.0)])
    assert found == {"a": {"one": 3.0}}


@pytest.mark.parametrize("rate", [0.0, -1.0, math.nan])
def test_a_rate_without_a_ratio_is_refused(rate: float) -> None:
    with pytest.raises(ValueError, match="has no ratio"):
        rates_by_disk([("a", "one", rate)])


def test_a_pair_is_compared_on_the_disks_that_have_both() -> None:
    spread = ratio_of(DISKS, "one", "two")
    assert spread
    assert (spread.disks, spread.pairs) == (3, 3)
    assert (spread.low, spread.median, spread.high) == pytest.approx((0.5, 1.0, 4.0))
    assert spread.mad == pytest.approx(2.0)
    assert ratio_of(DISKS, "one", "other") is None


def test_a_distance_has_no_direction_and_begins_at_once() -> None:
    spread = distance_within(DISKS, {"one", "two"})
    assert spread
    assert (spread.low, spread.median, spread.high) == pytest.approx((1.0, 2.0, 4.0))
    assert distance_within(DISKS, {"one"}) is None


def test_a_disk_with_many_pairs_weighs_as_much_as_one_with_a_single_pair() -> None:
    many = {f"m{number}": 100.0 for number in range(10)}
    spread = distance_within(
        {"many": many, "x": {"m0": 1.0, "m1": 2.0}, "y": {"m0": 1.0, "m1": 2.0}}, {*many}
    )
    assert spread
    assert (spread.disks, spread.pairs) == (3, 47)
    assert spread.median == pytest.approx(2.0)


def test_classes_are_compared_by_what_is_typical_of_each_on_a_disk() -> None:
    spread = distance_between(DISKS, {"one", "two"}, {"slow"})
    assert spread
    assert (spread.disks, spread.mad) == (1, 1.0)
    assert spread.median == pytest.approx(3.0)
    assert distance_between(DISKS, {"one"}, set()) is None
