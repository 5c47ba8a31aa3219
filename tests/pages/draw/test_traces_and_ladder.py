"""Row traces, the ladder and the two distances: what is drawn follows from what is known."""

from __future__ import annotations

import pytest

from apps.pages.draw.axis import place_of_ns, place_of_rate
from apps.pages.draw.ladder import LadderMark, MarkQuantity, claim_words, draw_ratio, draw_rung
from apps.pages.draw.trace import BOX, TraceFigures, draw_trace
from apps.pages.show import units
from apps.pages.show.table.rows import sentence_of

CURVE = [(0.01, 67_000.0), (0.5, 89_000.0), (0.99, 163_000.0), (0.9999, 1_710_000.0)]


def figures(**changes: object) -> TraceFigures:
    known: dict[str, object] = {
        "rate_per_s": 10_318.0, "low": 8_306.0, "high": 10_842.0, "p50_ns": 89_000,
        "p99_ns": 163_000, "p9999_ns": 1_710_000, "curve": CURVE, "plp": "full",
        "band_ns": (10_000, 50_000),
    }  # fmt: skip
    return TraceFigures(**{**known, **changes})  # type: ignore[arg-type]  # a builder of many types


def mark(**changes: object) -> LadderMark:
    known: dict[str, object] = {
        "name": "A drive", "url": "/drives/a/", "latency_ns": 38_000,
        "drawn_as": MarkQuantity.SYNC, "terms": "sync p50",
        "plp": "full",
    }  # fmt: skip
    return LadderMark(**{**known, **changes})  # type: ignore[arg-type]  # as above


def test_a_distribution_is_a_curve_with_its_median_and_its_tail() -> None:
    trace = draw_trace(figures())
    assert trace.path.startswith("M")
    assert trace.dot == place_of_ns(89_000)
    assert trace.p99 == place_of_ns(163_000)
    assert (trace.label_ns, trace.label_is) == (1_710_000, "p99.99")


def test_a_rate_alone_is_a_dot_at_its_reciprocal() -> None:
    trace = draw_trace(figures(p50_ns=None, p99_ns=None, p9999_ns=None, curve=()))
    assert trace.path == ""
    assert trace.dot == place_of_rate(10_318.0)
    assert (trace.label_ns, trace.label_is) == (96_918, "mean")


def test_a_rate_of_many_in_flight_is_not_called_a_mean() -> None:
    trace = draw_trace(figures(p50_ns=None, curve=(), rate_is="1 / rate"))
    assert trace.label_is == "1 / rate"


def test_the_last_quantile_that_a_curve_states_has_its_figure() -> None:
    curve = ((0.5, 41_732_000.0), (0.99, 58_422_000.0), (0.999, 98_343_000.0))
    known = figures(p50_ns=41_732_000, p99_ns=58_422_000, p9999_ns=None, curve=curve)
    trace = draw_trace(known)
    assert (trace.label_ns, trace.label_is) == (98_343_000, "p99.9")
    assert trace.label_is_left
    assert "p99.9 98.3" in sentence_of(known)


def test_two_percentiles_are_joined_where_there_is_no_curve() -> None:
    trace = draw_trace(figures(curve=(), p9999_ns=None))
    assert trace.path.count("L") == 1
    assert trace.label_is == "p99"


def test_the_bracket_is_read_on_the_lower_scale_so_the_higher_rate_is_left() -> None:
    trace = draw_trace(figures())
    assert trace.bracket is not None
    assert trace.bracket.start == place_of_rate(10_842.0)
    assert trace.bracket.end == place_of_rate(8_306.0)


def test_a_mark_stands_on_its_curve_where_the_curve_has_its_latency() -> None:
    """The figures of a plan are medians over machines; the curve is that of one run."""
    trace = draw_trace(figures(p99_ns=120_000))
    assert BOX.y(0.99) < trace.p99_y < BOX.y(0.5)


def test_a_figure_inside_its_curve_has_its_label_above_the_line() -> None:
    trace = draw_trace(figures(p9999_ns=120_000))
    assert trace.is_end_inside
    assert trace.label_is_left
    assert trace.label_y < trace.end_y


def test_no_bracket_without_both_ends() -> None:
    assert draw_trace(figures(high=None)).bracket is None


def test_the_label_of_a_slow_tail_stands_on_its_left() -> None:
    assert draw_trace(figures(p9999_ns=40_000_000)).label_is_left
    assert draw_trace(figures()).label_is_left  # 1.71 ms would leave the field of a phone
    fast_tail = ((0.5, 89_000.0), (0.99, 163_000.0), (0.9999, 600_000.0))
    assert not draw_trace(figures(p9999_ns=600_000, curve=fast_tail)).label_is_left


def test_words_make_room_for_a_mark_at_the_fast_end() -> None:
    assert draw_trace(figures(p50_ns=300, band_ns=None)).note_is_right
    assert not draw_trace(figures()).note_is_right


def test_marks_of_a_rung_go_from_fast_to_slow() -> None:
    rung = draw_rung(
        name="NVMe", low_ns=10_000, high_ns=50_000, is_claim=False,
        marks=[mark(latency_ns=89_000), mark(latency_ns=38_000, whisker_ns=142_000)],
    )  # fmt: skip
    assert [lane.mark.latency_ns for lane in rung.lanes] == [38_000, 89_000]
    assert rung.lanes[0].words_at == place_of_ns(142_000)
    assert rung.height > draw_rung(
        name="NVMe", low_ns=10_000, high_ns=50_000, is_claim=False, marks=[]
    ).height  # fmt: skip


@pytest.mark.parametrize(("role", "named"), [("other", 89_000), ("subject", 38_000)])
def test_a_phone_draws_what_it_names_first(role: str, named: int) -> None:
    """The best documented, which is the first that comes in, or else the subject of the page."""
    rung = draw_rung(
        name="NVMe", low_ns=10_000, high_ns=50_000, is_claim=False,
        marks=[mark(latency_ns=89_000), mark(latency_ns=38_000, is_subject=role == "subject")],
    )  # fmt: skip
    assert [lane.mark.latency_ns for lane in rung.lanes if lane.is_named] == [named]
    assert {lane.strip_y: lane.is_named for lane in rung.lanes} == {10: True, 22: False}


def test_a_mark_well_left_of_its_class_asks_for_an_explanation() -> None:
    rung = draw_rung(
        name="Network", low_ns=800_000, high_ns=3_000_000, is_claim=False,
        marks=[mark(latency_ns=143_000), mark(latency_ns=1_100_000)],
    )  # fmt: skip
    assert [lane.is_fast for lane in rung.lanes] == [True, False]


@pytest.mark.parametrize(
    ("is_claim", "times_ns", "is_slower"),
    [
        (True, [3_000_000, 5_000_000], True),
        (True, [700_000, 5_000_000], False),
        (True, [], False),
        (False, [3_000_000], False),
    ],
)
def test_a_claim_that_no_mark_keeps_is_called_so(
    *, is_claim: bool, times_ns: list[int], is_slower: bool
) -> None:
    marks = [mark(latency_ns=each) for each in times_ns]
    rung = draw_rung(name="NVMe", low_ns=200_000, high_ns=800_000, is_claim=is_claim, marks=marks)
    assert rung.is_slower == is_slower


def test_a_claim_stands_apart_from_what_was_measured() -> None:
    assert claim_words(is_claim=True, claimed="") == "claimed"
    assert claim_words(is_claim=False, claimed="") == ""
    apart = claim_words(is_claim=False, claimed=units.latency_range(200_000, 800_000))
    assert apart == f"(claimed {units.latency_range(200_000, 800_000)})"


def test_a_class_that_nobody_knows_has_no_bar_and_accuses_nobody() -> None:
    rung = draw_rung(
        name="?", low_ns=None, high_ns=None, is_claim=False, marks=[mark(latency_ns=1)]
    )
    assert rung.bar is None
    assert not rung.lanes[0].is_fast


def test_long_names_are_cut() -> None:
    rung = draw_rung(
        name="x", low_ns=1_000, high_ns=2_000, is_claim=False, marks=[mark(name="N" * 60)]
    )
    assert len(rung.lanes[0].short_name) == 26


def test_a_ratio_is_a_length() -> None:
    near, far = draw_ratio(fast_per_s=2, slow_per_s=1), draw_ratio(fast_per_s=1000, slow_per_s=10)
    assert far.times == pytest.approx(100)
    assert far.slow.percent - far.fast.percent > near.slow.percent - near.fast.percent
