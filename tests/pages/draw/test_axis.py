"""The axis: six decades, the reciprocal below, curves on a scale of nines."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.pages.draw.axis import (
    DECADE_LABELS,
    DECADES,
    HIGH_NS,
    LOW_NS,
    NINES_TOP,
    QUANTILES,
    RULER,
    Box,
    curve_path,
    is_rising,
    nines,
    place_of_ns,
    place_of_rate,
)
from tests.tidy.files import ROOT


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


def constants_of(path: str, *patterns: str) -> list[list[Any]]:
    """What each pattern finds in a file of another language: texts, or tuples of them."""
    source = (ROOT / path).read_text(encoding="utf-8")
    found = [re.findall(pattern, source) for pattern in patterns]
    assert all(found), path
    return found


def test_the_scripts_draw_on_the_same_axis() -> None:
    (low,), (high,), (named,), (top,) = constants_of(
        "static/js/charts.js", r"LOW_NS = ([\d.e]+);", r"HIGH_NS = ([\d.e]+);",
        r"NINES = (\[\[.*\]\]);", r"TOP = nines\(([\d.]+)\);",
    )  # fmt: skip
    assert (float(low), float(high)) == (LOW_NS, HIGH_NS)
    assert [tuple(pair) for pair in json.loads(named)] == list(QUANTILES)
    assert nines(float(top)) == pytest.approx(NINES_TOP)
    (low,), (decades,) = constants_of(
        "static/js/hairline.js", r"LOW_NS = ([\d.e]+);", r"DECADES = (\d+);"
    )
    assert (float(low), int(decades)) == (LOW_NS, DECADES)


def test_the_report_of_the_agent_draws_on_the_same_axis() -> None:
    (low,), (decades,), (top,), labels, named = constants_of(
        "agent/src/report/html/charts.rs", r"AXIS_START_NS: f64 = ([\d.]+);",
        r"DECADES: usize = (\d+);", r"NINES: u32 = (\d+);",
        r'\n    \("([^"]+)", "([^"]+)"\),',
        r'\(([\d_]+), "(p[\d.]+)", ([\d.]+)\)',
    )  # fmt: skip
    assert (float(low), int(decades), float(top)) == (LOW_NS, DECADES, NINES_TOP)
    assert [tuple(pair) for pair in labels] == list(DECADE_LABELS)
    ranks = [(int(rank.replace("_", "")) / 10_000, name) for rank, name, _ in named]
    assert ranks == list(QUANTILES)
    heights = [float(height) for *_, height in named]
    assert heights == pytest.approx([nines(q) for q, _ in ranks], abs=5e-4)
