"""Cells that uploads mark, and the sweep that computes them."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.db import OperationalError, connection
from django.db.models.functions import Now

from apps.rankings import services
from apps.rankings.models import CellMark, MonthMark, Standing
from apps.rankings.queue import queue_now
from apps.rankings.services import mark_cells, mark_keys, refresh_all, refresh_marked, thin_marks
from apps.rankings.standings import turns
from apps.rankings.standings.points import keys_of_runs, points_of
from apps.runs.models import Run
from apps.runs.rulings.signals import runs_left
from tests import make
from tests.rankings import build

if TYPE_CHECKING:
    from datetime import date

    from apps.rankings.standings.cells import CellKey, CellPoint

pytestmark = pytest.mark.django_db


def test_marks_of_many_runs_are_one_computation_a_cell() -> None:
    plan = build.plan()
    for number in range(5):
        mark_cells(run_ids=[build.run(1000 + number, plan=plan, machine=f"m{number}").id])
    assert CellMark.objects.count() == 5
    assert str(CellMark.objects.first()) == "plan/acme-x1 commit-8k v1"
    assert refresh_marked() == 1
    assert Standing.objects.get().n_machines == 5
    assert refresh_marked() == 0


def test_the_cell_that_a_run_left_is_marked_too() -> None:
    before, after = build.plan("BEFORE"), build.plan("AFTER")
    run = build.run(1000, plan=before)
    refresh_all()
    Run.objects.filter(pk=run.pk).update(plan=after)
    mark_cells(run_ids=[run.id])
    assert refresh_marked() == 2
    assert Standing.objects.get().plan == after


def test_of_cells_with_many_runs_few_are_computed_together(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    runs = [
        build.run(1000 + number, plan=build.plan(name), machine=f"{name}-{number}")
        for name in ("ONE", "TWO", "THREE")
        for number in range(3)
    ]
    monkeypatch.setattr(turns, "RUNS_A_TURN", 6)
    mark_cells(run_ids=[each.id for each in runs])
    assert refresh_marked() == 3  # nobody knows how many runs they have
    mark_cells(run_ids=[each.id for each in runs])
    mark_cells(run_ids=[runs[0].id])
    assert refresh_marked() == 2
    assert refresh_marked() == 2  # the third, and the first that was marked again
    assert not CellMark.objects.exists()
    monkeypatch.setattr(turns, "RUNS_A_TURN", 1)
    mark_cells(run_ids=[runs[0].id])
    assert refresh_marked() == 1  # one that is too large alone is computed alone


def test_a_large_cell_rests_after_an_upload_and_holds_up_no_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    large, small = build.plan("LARGE"), build.plan("SMALL")
    for number in range(5):
        mark_cells(run_ids=[build.run(1000, plan=large, machine=f"m{number}").id])
    refresh_marked()
    monkeypatch.setattr(turns, "RESTS_FROM", 2)
    monkeypatch.setattr(turns, "REST_A_RUN", timedelta(hours=1))

    uploaded = partial(mark_cells, may_rest=True)
    uploaded(run_ids=[build.run(1000, plan=large, machine="m5").id])
    (mark,) = CellMark.objects.all()
    assert mark.due_at - mark.marked_at == pytest.approx(
        timedelta(hours=3), abs=timedelta(minutes=1)
    )
    uploaded(run_ids=[build.run(1000, plan=large, machine="m6").id])
    uploaded(run_ids=[build.run(1000, plan=small).id])
    assert queue_now().marks == 1
    assert refresh_marked() == 1
    assert Standing.objects.get(plan=large).n_machines == 5
    assert (queue_now().marks, queue_now().oldest_mark_at) == (0, None)

    CellMark.objects.filter(pk=mark.pk).update(due_at=mark.marked_at)
    assert refresh_marked() == 1
    assert Standing.objects.get(plan=large).n_machines == 7
    assert not CellMark.objects.exists()


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> list[CellMark]:
    """Marks of a cell that rests: more than are left there, the first due last but one."""
    monkeypatch.setattr(turns, "MARKS_A_CELL", 3)
    later = timedelta(hours=2)
    run = build.run(1000, plan=build.plan())
    marks = [resting(run, rest) for rest in (later, later, timedelta(hours=1), later)]
    MonthMark.objects.all().delete()
    return marks


def resting(run: Run, rest: timedelta) -> CellMark:
    mark_keys(keys := keys_of_runs([run.id]), rests=dict.fromkeys(keys, rest))
    return CellMark.objects.latest("pk")


def test_of_many_marks_of_a_cell_that_rests_the_first_due_is_left(crowd: list[CellMark]) -> None:
    other = build.run(1000, plan=build.plan("OTHER"))
    lone = resting(other, timedelta(hours=2))
    mark_cells(run_ids=[other.id])  # two that are due
    mark_cells(run_ids=[other.id])
    due = CellMark.objects.filter(due_at__lte=Now()).values_list("pk", flat=True)
    thin_marks()
    left = set(CellMark.objects.values_list("pk", flat=True))
    assert left == {crowd[2].pk, lone.pk, *due}
    assert len(left) == 4


def test_few_marks_of_a_cell_are_left_alone(crowd: list[CellMark]) -> None:
    crowd[0].delete()
    thin_marks()
    assert CellMark.objects.count() == 3


def test_of_the_marks_of_a_month_that_rests_the_first_due_is_left() -> None:
    def rest(slug: str, hours: int) -> MonthMark:
        due_at, first_day = Now() + timedelta(hours=hours), make.NOON.date()
        return MonthMark.objects.create(
            subject="plan", slug=slug, first_day=first_day, due_at=due_at
        )

    marks = [rest("a", 2), rest("a", 1), rest("a", 2), rest("b", 2), rest("a", -1)]
    thin_marks()
    left = MonthMark.objects.values_list("pk", flat=True)
    assert sorted(left) == [marks[place].pk for place in (1, 3, 4)]


def test_what_somebody_decided_does_not_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = build.plan()
    runs = [build.run(1000 + n, plan=plan, machine=f"m{n}") for n in range(3)]
    mark_cells(run_ids=[each.id for each in runs])
    refresh_marked()
    monkeypatch.setattr(turns, "RESTS_FROM", 1)
    mark_cells(run_ids=[runs[0].id], may_rest=True)
    assert refresh_marked() == 0
    Run.objects.filter(pk=runs[1].pk).update(in_standings=False)
    runs_left.send(sender=Run, run_ids=[runs[1].pk])
    assert refresh_marked() == 1
    assert Standing.objects.get().n_machines == 2
    assert not CellMark.objects.exists()


def test_all_large_cells_of_an_upload_rest_for_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    plan, drive = build.plan(), build.family()
    runs = [build.run(1000, plan=plan, drive_family=drive, machine=f"m{n}") for n in range(3)]
    mark_cells(run_ids=[each.id for each in runs])
    refresh_marked()
    monkeypatch.setattr(turns, "RESTS_FROM", 2)
    keys = keys_of_runs([runs[0].id])
    assert turns.rests_of(keys) == dict.fromkeys(keys, 2 * turns.REST_A_RUN)


@pytest.mark.parametrize(("n_runs", "limit"), [(60_000, "1min"), (800_000, "800s")])
def test_large_cells_are_given_time_and_never_without_end(n_runs: int, limit: str) -> None:
    turns.allow_time_for(n_runs)
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == (limit,)


def test_who_reads_many_runs_is_given_time_before(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = build.plan()
    limits: list[str] = []

    def asked(keys: set[CellKey], *, day: date) -> dict[CellKey, list[CellPoint]]:
        with connection.cursor() as cursor:
            cursor.execute("SHOW idle_in_transaction_session_timeout")
            limits.append(cursor.fetchone()[0])
        return points_of(keys, day=day)

    monkeypatch.setattr(services, "points_of", asked)
    for n_runs in (0, 120_000):
        mark_cells(run_ids=[build.run(1000, plan=plan, machine=str(n_runs)).id])
        Standing.objects.update(n_runs=n_runs)
        refresh_marked()
    assert limits == ["10min", "2min"]  # of a new cell nobody knows


def test_the_longest_marked_board_is_first_and_who_asks_may_stop_after_it() -> None:
    plan = build.plan()
    mark_cells(run_ids=[build.run(1, plan=plan, workload="read-4k-floor").id])
    mark_cells(run_ids=[build.run(1, plan=plan, workload="commit-8k").id])
    assert refresh_marked(stop=lambda: True) == 1
    assert Standing.objects.get().workload == "read-4k-floor"


def test_a_board_that_fails_keeps_its_marks_and_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = build.plan()
    for workload in ("commit-8k", "read-4k-floor"):
        mark_cells(run_ids=[build.run(1, plan=plan, workload=workload).id])

    def fail(keys: set[CellKey], *, day: date) -> dict[CellKey, list[CellPoint]]:
        if {key.workload for key in keys} == {"commit-8k"}:
            raise ArithmeticError("no figure")
        return points_of(keys, day=day)

    monkeypatch.setattr(services, "points_of", fail)
    assert refresh_marked() == 1
    assert CellMark.objects.get().workload == "commit-8k"
    assert Standing.objects.get().workload == "read-4k-floor"
    monkeypatch.undo()
    assert refresh_marked() == 1


def test_a_plan_removed_after_its_mark_does_not_hold_up_its_board() -> None:
    removed, plan = build.plan("REMOVED"), build.plan()
    run = build.run(1000, plan=removed)
    mark_cells(run_ids=[run.id, build.run(2000, plan=plan).id])
    Run.objects.filter(pk=run.pk).delete()
    removed.delete()
    refresh_marked()
    assert not CellMark.objects.exists()
    assert Standing.objects.get().plan == plan


def test_a_database_that_is_away_is_not_a_board_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mark_cells(run_ids=[build.run(1, plan=build.plan()).id])

    def away(_keys: set[CellKey], *, day: date) -> None:
        raise OperationalError(f"the database system is shutting down on {day}")

    monkeypatch.setattr(services, "points_of", away)
    with pytest.raises(OperationalError):
        refresh_marked()


def test_a_computation_of_everything_clears_the_marks() -> None:
    mark_cells(run_ids=[build.run(1, plan=build.plan()).id])
    refresh_all()
    assert not CellMark.objects.exists()
