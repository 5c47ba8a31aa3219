"""Drawings of the pages of things: dots in lanes, the merged curve, a rating beside a rate."""

from __future__ import annotations

from itertools import combinations

import pytest

from apps.pages.draw.curve import draw_curve
from apps.pages.draw.dots import LARGE, SMALL, Strip, draw_strip
from apps.pages.draw.lanes import (
    ABOVE_CHARACTERS_MAX,
    BAND_PX,
    CHARACTER_PERCENT,
    GAP_PERCENT,
    LanePoint,
    draw_lanes,
)
from apps.pages.draw.trace import TraceFigures
from apps.pages.things.selectors.spread import Uploader


def uploaders(*machines: tuple[float, ...]) -> list[Uploader]:
    return [
        Uploader(number, rates[0], tuple(sorted(rates)), is_far=False, is_other_kind=False)
        for number, rates in enumerate(machines, start=1)
    ]


def strip(*machines: tuple[float, ...]) -> Strip:
    return draw_strip(uploaders(*machines), rate_per_s=1_000, low=900, high=1_100)


def test_dots_of_different_uploaders_never_touch_in_a_lane() -> None:
    drawn = strip(*[(1_000 + 20.0 * n,) for n in range(50)], (800, 2_300))
    assert (drawn.n_hidden, drawn.size) == (0, LARGE)
    single = [dot for dot in drawn.dots if dot.y != drawn.links[0].y]
    for one, other in combinations(single, 2):
        if one.y == other.y:
            assert abs(one.place.percent - other.place.percent) >= LARGE.gap_percent


def test_nothing_stands_between_the_machines_of_one_uploader() -> None:
    drawn = strip((500, 2_000), (1_000,), (1_001,))
    (link,) = drawn.links
    assert [dot.place.percent for dot in drawn.dots if dot.y == link.y] == [
        link.span.start.percent, link.span.end.percent,
    ]  # fmt: skip


def test_a_pile_has_an_end_and_says_what_it_leaves_out() -> None:
    drawn = strip(*[(1_000.0,)] * (SMALL.lanes_max + 7))
    assert len(drawn.dots) == SMALL.lanes_max
    assert drawn.n_hidden == 7
    assert min(dot.y for dot in drawn.dots) > 22  # below the figure of the standing


def test_a_high_pile_is_drawn_of_smaller_dots() -> None:
    drawn = strip(*[(1_000.0,)] * (LARGE.lanes_max + 1))
    assert (drawn.n_hidden, drawn.size) == (0, SMALL)


def test_a_strip_of_one_machine_keeps_its_height() -> None:
    assert strip((1_000.0,)).height == strip((1_000.0,), (1_000.0,)).height


def test_a_quantile_that_no_source_states_is_not_marked() -> None:
    curve = [(0.0, 70e3), (0.5, 919e3), (0.99, 2.61e6), (0.999, 4.16e6), (1.0, 9e6)]
    drawn = draw_curve(TraceFigures(rate_per_s=1_036, curve=curve))
    assert drawn is not None
    assert [(mark.name, mark.latency_ns) for mark in drawn.marks] == [
        ("p50", 919e3), ("p99", 2.61e6), ("p99.9", 4.16e6),
    ]  # fmt: skip
    two = [(0.5, 919e3), (0.95, 2e6), (0.99, 2.61e6)]
    assert draw_curve(TraceFigures(rate_per_s=1_036, curve=two)) is None


@pytest.mark.parametrize("at_ns", [20_000, 96_900, 462_000, 5_000_000])
@pytest.mark.parametrize("to_ns", [None, 8_000_000])
def test_the_words_of_a_lane_stay_in_the_field(at_ns: float, to_ns: float | None) -> None:
    name = "AX102 + 15.36 TB NVMe DC drive that has a long name"
    point = LanePoint(name, at_ns, to_ns=to_ns, quantity="+metadata", value="10,318 /s")
    (lane,) = draw_lanes([point]).lanes
    words = len(f"{lane.value} {lane.name} {point.quantity}") * CHARACTER_PERCENT
    end, start = lane.words_end.percent, (lane.line.start if lane.line else lane.at).percent
    assert words + GAP_PERCENT <= (100 - end if lane.words_right else start) + CHARACTER_PERCENT
    assert len(f"{lane.value} {lane.name_above} {point.quantity}") <= ABOVE_CHARACTERS_MAX
    assert lane.name_above.endswith("\u2026")


def test_quantiles_are_drawn_where_there_are_three_and_fewer_are_no_curve() -> None:
    known = draw_curve(
        TraceFigures(rate_per_s=1_000, p50_ns=900_000, p99_ns=2_000_000, p9999_ns=9_000_000)
    )
    assert known is not None
    assert [mark.name for mark in known.marks] == ["p50", "p99", "p99.99"]  # and none in between
    assert known.path.startswith("M")
    assert draw_curve(TraceFigures(rate_per_s=1_000, p50_ns=900_000, p99_ns=2_000_000)) is None


def test_a_band_has_room_for_its_name_above_the_lanes() -> None:
    points = [LanePoint("one", 1e6), LanePoint("two", 2e6, to_ns=4e6)]
    plain, banded = draw_lanes(points), draw_lanes(points, band_ns=(10_000, 50_000))
    assert banded.band is not None
    assert banded.lanes[0].y - plain.lanes[0].y == BAND_PX
    assert not banded.band_is_left
    assert draw_lanes(points, band_ns=(1_000_000, 5_000_000)).band_is_left
    assert plain.sentence == "1.00\u202fms one; 2.00\u202fms two"
