"""From runs to a rate: one voice a machine, one an uploader, medians in log space."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.standings.estimate import (
    MACHINE_DAYS_MAX,
    RunPoint,
    estimate,
    machine_values,
    median_log,
)

DAY = datetime(2026, 11, 21, 12, tzinfo=UTC)
rates = st.floats(min_value=1e-3, max_value=1e9)


def point(
    rate_per_s: float,
    *,
    uploader: str = "u",
    machine: str = "m",
    at: datetime = DAY,
    key: str = "",
) -> RunPoint:
    """Return a run; who names no key signs with one for each uploader."""
    return RunPoint(
        key=key or f"key of {uploader}",
        uploader=uploader,
        machine=machine,
        at=at,
        figure=rate_per_s,
    )


def test_the_median_of_two_is_their_geometric_mean() -> None:
    assert median_log([100.0, 400.0]) == pytest.approx(200.0)


def test_the_median_of_three_is_exactly_the_middle_one() -> None:
    assert median_log([7.1, 1000.3, 3.0]) == 7.1


@given(rates, st.integers(min_value=1, max_value=40))
def test_the_median_of_equal_values_is_exactly_that_value(value: float, count: int) -> None:
    assert median_log([value] * count) == value


@pytest.mark.parametrize("values", [[], [0.0], [1.0, -2.0]])
def test_what_has_no_logarithm_is_refused(values: list[float]) -> None:
    with pytest.raises(ValueError, match="positive"):
        median_log(values)


@given(st.lists(rates, min_size=1, max_size=50))
def test_the_median_lies_among_its_values_in_any_order(values: list[float]) -> None:
    found = median_log(values)
    assert min(values) * (1 - 1e-9) <= found <= max(values) * (1 + 1e-9)
    assert found == median_log(values[::-1])


@given(st.lists(rates, min_size=1, max_size=20), st.floats(min_value=0.1, max_value=10))
def test_the_median_follows_a_change_of_unit(values: list[float], factor: float) -> None:
    scaled = median_log([value * factor for value in values])
    assert math.isclose(scaled, median_log(values) * factor, rel_tol=1e-9)


def test_runs_of_one_day_are_one_value() -> None:
    morning, evening = DAY.replace(hour=1), DAY.replace(hour=23)
    points = [
        point(100, at=morning), point(100, at=evening), point(100, at=DAY),
        point(400, at=DAY - timedelta(days=1)),
    ]  # fmt: skip
    assert machine_values(points)[0].figure == pytest.approx(200)


def test_a_day_is_a_day_in_utc() -> None:
    tokyo = timezone(timedelta(hours=9))
    same_utc_day = [point(100, at=DAY), point(400, at=datetime(2026, 11, 22, 8, tzinfo=tokyo))]
    assert machine_values(same_utc_day)[0].figure == pytest.approx(200)


def test_only_the_newest_days_of_a_machine_count() -> None:
    recent = [point(100, at=DAY - timedelta(days=days)) for days in range(MACHINE_DAYS_MAX)]
    old = [point(9000, at=DAY - timedelta(days=days)) for days in range(30, 60)]
    assert machine_values(old + recent)[0].figure == 100


def test_five_days_of_a_machine_count_and_the_sixth_does_not() -> None:
    rates = (100, 100, 400, 400, 400, 100)  # from the newest day backwards
    points = [point(rate, at=DAY - timedelta(days=age)) for age, rate in enumerate(rates)]
    assert machine_values(points)[0].figure == 400  # six days would make it 200


def test_a_key_belongs_to_the_uploader_of_its_newest_run() -> None:
    points = [
        point(100, uploader="before", at=DAY - timedelta(days=1), key="k"),
        point(100, uploader="after", at=DAY, key="k"),
    ]
    found = estimate(points)
    assert [value.name for value in found.uploaders] == ["after"]
    assert (found.n_runs, found.n_machines, found.n_uploaders) == (2, 1, 1)


def test_two_keys_of_one_machine_in_one_network_are_one_machine() -> None:
    """As root and as a plain user."""
    found = estimate([point(100, key="root"), point(400, key="user")])
    assert (found.figure, found.n_machines, found.n_uploaders) == (200, 1, 1)


def test_who_repeats_the_names_of_other_peoples_machines_takes_no_voice_from_them() -> None:
    honest = [point(1000, uploader=f"u{place}", machine=f"m{place}") for place in range(5)]
    copied = [
        point(50_000, uploader="cheat", machine=f"m{place}", at=DAY + timedelta(days=day))
        for place in range(5)
        for day in range(1, MACHINE_DAYS_MAX + 1)
    ]
    found = estimate(honest + copied)
    assert (found.figure, found.n_machines, found.n_uploaders) == (1000, 10, 6)


def test_sixty_uploads_of_one_person_weigh_as_much_as_one() -> None:
    honest = [point(1000 + place, uploader=f"u{place}", machine=f"m{place}") for place in range(8)]
    flood = [point(10_000, uploader="cheat", machine=f"fake{place}") for place in range(60)]
    assert estimate(honest + flood).figure == pytest.approx(1004, rel=1e-3)
    assert estimate(honest + flood).n_uploaders == 9


def test_an_uploader_has_the_median_of_its_machines() -> None:
    points = [point(rate, machine=f"m{rate}") for rate in (100, 200, 4000)]
    found = estimate(points)
    assert found.uploaders[0].figure == 200
    assert found.n_machines == 3


def test_claimed_uploaders_outweigh_anonymous_ones() -> None:
    claimed = [
        replace(point(1000 + place, uploader=f"a{place}"), is_claimed=True) for place in range(3)
    ]
    others = [point(9000, uploader=f"n{place}") for place in range(5)]
    found = estimate([*claimed, *others])
    assert found.figure == 1002
    assert not found.is_anonymous
    assert found.weights == pytest.approx((1, 1, 1) + 5 * (9 / 35,))
    assert np.exp(found.log_figures)[:3] == pytest.approx([1000, 1001, 1002])
    assert estimate(others).is_anonymous


def test_a_cell_without_runs_has_no_rate() -> None:
    with pytest.raises(ValueError, match="at least one"):
        estimate([])


@given(st.permutations(range(6)))
def test_the_order_of_arrival_changes_nothing(order: list[int]) -> None:
    points = [
        point(100 * (place + 1), uploader=f"u{place % 3}", machine=f"m{place % 4}")
        for place in range(6)
    ]
    assert estimate([points[place] for place in order]) == estimate(points)


def test_an_uploader_is_doubted_where_every_run_is() -> None:
    runs = [point(1000 + place, uploader=f"u{place}") for place in range(8)]
    doubted = [replace(run, is_doubted=True) for run in runs]
    assert estimate([*doubted[:1], *runs[1:]]).weights == (0.5, *[1] * 7)
    assert estimate([*doubted[:1], *runs]).weights == (1,) * 8, "one run of it is believed"
    assert estimate(doubted).weights == (1,) * 8, "doubted alike, they weigh alike"


def test_nine_doubted_uploaders_do_not_outvote_seven_others() -> None:
    honest = [point(1000 + place, uploader=f"h{place}") for place in range(7)]
    doubted = [replace(point(9000, uploader=f"x{place}"), is_doubted=True) for place in range(9)]
    assert estimate([*honest, *(replace(run, is_doubted=False) for run in doubted)]).figure == 9000
    assert estimate([*honest, *doubted]).figure == 1005


def test_three_networks_without_a_label_do_not_outvote_four_honest_ones_that_have_it() -> None:
    honest = [replace(point(1000, uploader=f"h{place}"), is_doubted=True) for place in range(4)]
    made_up = [point(9000, uploader=f"x{place}") for place in range(3)]
    assert estimate([*honest, *made_up]).figure == 1000
