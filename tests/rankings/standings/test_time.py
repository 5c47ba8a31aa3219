"""Which runs count on which day: the window, what is older, and a rate that changed."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from apps.rankings.digest import standings_digest
from apps.rankings.models import CellMark, Standing, StandingRun, StandingsDay
from apps.rankings.services import advance_standings_day, refresh_all, refresh_marked
from apps.rankings.standings.points import key_of, points_of
from apps.stats.standings.window import KEPT, WINDOW
from apps.words.standings import english_warning
from tests.rankings import build
from tests.rankings.build import NOW

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from apps.plans.models import Plan

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def measured(
    plan: Plan, rates: Sequence[float], *, at: datetime, name: str = "u", is_claimed: bool = False
) -> None:
    for place, rate in enumerate(rates):
        build.run(
            rate, plan=plan, uploader=f"{name}{place}", machine=f"{name}{place}",
            measured_at=at + place * timedelta(hours=7), is_claimed=is_claimed,
        )  # fmt: skip


def test_one_upload_does_not_erase_twelve_of_185_days_ago() -> None:
    StandingsDay.objects.create(day=NOW.date())
    measured(build.plan(), [1_000 + place for place in range(12)], at=NOW - 189 * DAY)
    refresh_all()
    before = Standing.objects.get()
    build.run(9_000, plan=build.plan(), uploader="new", machine="new", measured_at=NOW)
    refresh_all()
    after = Standing.objects.get()
    assert (before.n_uploaders, after.n_uploaders) == (12, 13)
    assert after.rate_per_s == pytest.approx(before.rate_per_s, rel=0.01)
    assert before.needs_runs  # too old to rank
    assert after.needs_runs


def test_seven_newer_uploaders_replace_what_is_older_than_the_window() -> None:
    StandingsDay.objects.create(day=NOW.date())
    measured(build.plan(), [1_000] * 12, at=NOW - 190 * DAY)
    measured(build.plan(), [500] * 7, at=NOW - 20 * DAY, name="new")
    refresh_all()
    found = Standing.objects.get()
    assert (found.rate_per_s, found.n_uploaders, found.needs_runs) == (500, 7, False)


@pytest.mark.parametrize(
    ("is_claimed", "rate", "n_read"),
    [(False, 500, 7), (True, 1_000, 19)],
    ids=["older ones of nobody known", "older ones of accounts"],
)
def test_older_runs_are_read_only_where_they_can_matter(
    rate: float, n_read: int, *, is_claimed: bool
) -> None:
    plan = build.plan()
    measured(plan, [1_000] * 12, at=NOW - 190 * DAY, is_claimed=is_claimed)
    measured(plan, [500] * 7, at=NOW - 20 * DAY, name="new")
    StandingsDay.objects.create(day=NOW.date())
    refresh_all()
    found = Standing.objects.get(plan__isnull=False)
    key = key_of(found)
    assert len(points_of({key}, day=NOW.date())[key]) == n_read
    assert found.rate_per_s == rate


def test_after_three_years_nothing_is_left() -> None:
    StandingsDay.objects.create(day=NOW.date())
    build.run(1_000, plan=build.plan(), measured_at=NOW - KEPT - 2 * DAY)
    refresh_all()
    assert not Standing.objects.exists()


def test_a_new_day_computes_the_cells_whose_runs_left_the_window() -> None:
    measured(build.plan("old"), [1_000] * 7, at=NOW - WINDOW + 5 * DAY)
    measured(build.plan("new"), [1_000] * 7, at=NOW)
    advance_standings_day(NOW.date())
    refresh_marked()
    assert not Standing.objects.filter(needs_runs=True).exists()
    advance_standings_day(NOW.date())
    advance_standings_day((NOW - DAY).date())
    assert not CellMark.objects.exists()
    assert StandingsDay.objects.get().day == NOW.date()
    advance_standings_day((NOW + 10 * DAY).date())
    assert set(CellMark.objects.values_list("slug", flat=True)) == {"acme-old"}
    refresh_marked()
    assert Standing.objects.get(needs_runs=True).plan_id == "acme-old"
    digest = standings_digest()
    refresh_all()
    assert standings_digest() == digest


def test_a_change_is_said_and_what_was_measured_since_counts_as_soon_as_it_is_enough() -> None:
    plan = build.plan()
    measured(plan, [990, 1_000, 1_010, 1_020, 980, 1_030, 970, 1_040], at=NOW - 90 * DAY)
    measured(plan, [480, 490, 500, 510, 520], at=NOW - 20 * DAY, name="new")
    refresh_all()
    found = Standing.objects.get()
    assert found.changed_since == (NOW - 20 * DAY).date()
    assert (found.n_since, found.n_uploaders) == (5, 13)
    said = "Since 2026-10-12 500/s, before 1,005/s (uploaders: 5)."
    assert english_warning(found) == said
    measured(plan, [495, 505], at=NOW - 10 * DAY, name="newer")
    refresh_all()
    found = Standing.objects.get()
    assert (found.rate_per_s, found.n_uploaders, found.needs_runs) == (500, 7, False)
    assert found.changed_since == (NOW - 20 * DAY).date()
    assert StandingRun.objects.count() == 7
