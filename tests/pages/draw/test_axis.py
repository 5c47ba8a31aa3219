"""The axis: six decades, the reciprocal below, curves on a scale of nines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.pages.draw.axis import (
    HIGH_NS,
    LOW_NS,
    RULER,
    Box,
    curve_path,
    is_rising,
    nines,
    place_of_ns,
    place_of_rate,
)


@pytest.mark.parametrize(
    ("latency_ns", "percent"),
    [(100, 0.0), (1_000, 100 / 6), (10_000, 100 / 3), (100_000, 50.0), (100_000_000, 100.0)],
)
def test_a_decade_is_a_sixth_of_the_width(latency_ns: int, percent: float) -> None:
    assert place_of_ns(latency_ns).percent == pytest.approx(percent)


def test_ten_microseconds_and_a_hundred_thousand_a_second_are_one_place() -> None:
    assert place_of_rate(100_000).percent == pytest.approx(place_of_ns(10_000).percent)


@pytest.mark.parametrize(("latency_ns", "side"), [(99, -1), (100_000_001, 1), (100, 0)])
def test_what_is_off_the_axis_stands_at_its_edge_and_says_so(latency_ns: int, side: int) -> None:
    place = place_of_ns(latency_ns)
    assert place.off_scale == side
    assert place.percent in (0.0, 100.0)


@given(st.floats(min_value=LOW_NS, max_value=HIGH_NS), st.floats(min_value=1.0, max_value=10.0))
def test_slower_is_never_further_left(latency_ns: float, factor: float) -> None:
    assert place_of_ns(latency_ns * factor).percent >= place_of_ns(latency_ns).percent


def test_each_nine_takes_the_same_height() -> None:
    box = Box(top=0, bottom=40)
    assert nines(0.9) == pytest.approx(1)
    assert box.y(0.9) - box.y(0.99) == pytest.approx(box.y(0.99) - box.y(0.999))
    assert box.y(0.9999) == pytest.approx(0)


def test_a_path_leaves_out_what_lies_beyond_its_scale() -> None:
    box = Box(top=0, bottom=40)
    path = curve_path([(0.5, 1_000), (0.99, 10_000), (0.999999, 90_000)], box)
    assert path.startswith("M166.7 ")
    assert path.count("L") == 1


def test_one_point_is_no_curve() -> None:
    assert curve_path([(0.5, 1_000)], Box(top=0, bottom=40)) == ""


def test_a_curve_that_falls_is_not_drawn_as_one() -> None:
    assert is_rising([(0.5, 10), (0.9, 10), (0.99, 11)])
    assert not is_rising([(0.5, 10), (0.9, 9)])


def test_the_ruler_has_a_label_at_each_decade_and_lines_between() -> None:
    decades = [tick for tick in RULER if tick.rank == "decade"]
    assert [tick.time for tick in decades] == [
        "100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms",
    ]  # fmt: skip
    assert decades[0].rate == "10M"
    assert len(RULER) == 7 + 6 * 8
