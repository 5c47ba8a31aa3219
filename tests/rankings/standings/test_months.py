"""Months of cells: stored when their runs change, and no others with them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.accounts.clock import database_now
from apps.rankings import services
from apps.rankings.digest import standings_digest
from apps.rankings.models import CellMonth, MonthMark
from apps.rankings.services import refresh_all, refresh_marked, refresh_months
from apps.rankings.standings import turns
from apps.runs.models import Run
from tests import make
from tests.rankings import build
from tests.support.sent import Agent

pytestmark = pytest.mark.django_db
MAY, JUNE = datetime(2026, 5, 31, 23, 59, tzinfo=UTC), datetime(2026, 6, 1, tzinfo=UTC)


def stored() -> dict[tuple[str, date], tuple[float, int]]:
    rows = CellMonth.objects.values_list("slug", "first_day", "rate_per_s", "n_runs")
    return {(slug, day): (round(rate), n) for slug, day, rate, n in rows}


def test_a_run_is_of_its_month_of_its_plan_and_of_its_drive() -> None:
    plan, drive = build.plan(), build.family()
    build.run(1000, plan=plan, drive_family=drive, measured_at=MAY)
    build.run(3000, plan=plan, measured_at=JUNE, uploader="u2")
    refresh_marked()
    assert stored() == {
        ("acme-x1", date(2026, 5, 1)): (1000, 1),
        ("fast-drive", date(2026, 5, 1)): (1000, 1),
        ("acme-x1", date(2026, 6, 1)): (3000, 1),
    }
    assert not MonthMark.objects.exists()


def test_only_the_month_of_a_change_is_computed_again() -> None:
    plan = build.plan()
    build.run(1000, plan=plan, measured_at=MAY)
    build.run(1000, plan=plan, measured_at=JUNE)
    refresh_marked()
    untouched = CellMonth.objects.get(first_day=MAY.date().replace(day=1)).pk
    build.run(4000, plan=plan, measured_at=JUNE, uploader="u2")
    assert list(MonthMark.objects.values_list("first_day", flat=True).distinct()) == [JUNE.date()]
    refresh_marked()
    assert stored()["acme-x1", JUNE.date()] == (2000, 2)
    assert CellMonth.objects.filter(pk=untouched).exists()


def test_of_months_with_many_runs_few_are_computed_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = build.plan()
    runs = [
        build.run(1000, plan=plan, measured_at=moment, uploader=f"u{number}")
        for moment in (MAY, JUNE)
        for number in range(3)
    ]
    refresh_marked()
    monkeypatch.setattr(turns, "RUNS_A_TURN", 5)
    Run.objects.filter(pk__in=[each.pk for each in runs]).update(in_standings=False)
    assert refresh_months() == 1
    assert MonthMark.objects.get().first_day == JUNE.date()
    assert refresh_months() == 1
    assert stored() == {}


def test_a_run_that_moves_or_is_set_aside_leaves_its_month() -> None:
    before, after = build.plan("BEFORE"), build.plan("AFTER")
    run = build.run(1000, plan=before, measured_at=MAY)
    refresh_marked()
    Run.objects.filter(pk=run.pk).update(plan=after, measured_at=JUNE)
    refresh_marked()
    assert stored() == {("acme-after", JUNE.date()): (1000, 1)}
    Run.objects.filter(pk=run.pk).update(in_standings=False)
    refresh_marked()
    assert not stored()


def test_a_plan_in_doubt_has_no_month() -> None:
    build.run(1000, plan=build.plan(), measured_at=MAY, plan_in_doubt=True)
    refresh_marked()
    assert not stored()


def test_months_of_a_run_that_is_deleted_go() -> None:
    run = build.run(1000, plan=build.plan(), measured_at=MAY)
    refresh_marked()
    Run.objects.filter(pk=run.pk).delete()
    assert refresh_months() > 0
    assert not stored()


def test_a_key_that_changed_networks_and_a_machine_of_two_regions_count_once() -> None:
    agent, where = Agent(), {"plan": build.plan(), "measured_at": MAY}
    for uploader, region, rate in (("u1", "eu-west-1", 1000), ("u2", "eu-central-1", 4000)):
        build.run(
            rate, **where, drive_family=build.family(), uploader=uploader, region=region,
            upload=make.upload(agent=agent),
        )  # fmt: skip
    other = build.family("another")
    for machine in ("m1", "m2"):
        build.run(
            9000, **where, drive_family=other, uploader="u3", region="eu-west-1", machine=machine
        )
    refresh_marked()
    month = CellMonth.objects.get(subject="plan")
    assert (month.n_uploaders, month.n_machines, month.n_runs) == (2, 3, 4)
    assert (round(month.rate_per_s), month.drive) == (4243, "Another")  # of 2,000 and 9,000


def test_a_large_month_rests_and_is_then_computed_for_all() -> None:
    plan = build.plan()
    build.run(1000, plan=plan, measured_at=MAY)
    refresh_marked()
    CellMonth.objects.update(n_runs=1_805_000)
    build.run(1000, plan=plan, measured_at=MAY, machine="m2")
    build.run(1000, plan=plan, measured_at=JUNE)
    mark = MonthMark.objects.filter(first_day=date(2026, 5, 1)).earliest("pk")
    rest = mark.due_at - database_now()
    assert rest == pytest.approx(timedelta(hours=1), abs=timedelta(minutes=1))
    build.run(1000, plan=plan, measured_at=MAY, machine="m3")
    refresh_marked()
    assert stored()["acme-x1", date(2026, 6, 1)] == (1000, 1)
    assert stored()["acme-x1", date(2026, 5, 1)] == (1000, 1_805_000)

    MonthMark.objects.filter(pk=mark.pk).update(due_at=MAY)
    refresh_months()
    assert stored()["acme-x1", date(2026, 5, 1)] == (1000, 3)
    assert not MonthMark.objects.exists()


def test_a_month_that_fails_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    build.run(1000, plan=build.plan(), measured_at=MAY)

    def fail() -> int:
        raise ArithmeticError("no figure")

    monkeypatch.setattr(services, "compute_some_months", fail)
    assert refresh_marked() == 0
    assert MonthMark.objects.exists()


def test_all_computed_again_is_the_same_and_counts_in_the_digest() -> None:
    for number in range(6):
        build.run(1000 + number, plan=build.plan(), measured_at=MAY, uploader=f"u{number}")
    refresh_all()
    before = standings_digest()
    CellMonth.objects.create(
        subject="plan", slug="gone", evidence="measured", workload="commit-8k", version=1,
        first_day=MAY.date().replace(day=1), rate_per_s=1, bounds=[], n_uploaders=1, n_machines=1,
        n_runs=1,
    )  # fmt: skip
    assert standings_digest() != before
    refresh_all()
    assert standings_digest() == before
    (month,) = CellMonth.objects.all()
    assert month.bounds[0] == [pytest.approx(1000), pytest.approx(1005)]
    assert month.bounds[23] is None  # 6 uploaders cannot promise a miss of 0.2 %
