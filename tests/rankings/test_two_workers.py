"""Two workers that refresh one cell at once: the later one waits, and its word rests on both."""

from __future__ import annotations

import threading
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from io import StringIO
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection, connections, transaction
from django.db.models.functions import Now

from apps.intake.services.work import drain, lease_next, process
from apps.plans.models import Plan, Price
from apps.rankings import services
from apps.rankings.catalogue import load_catalogue
from apps.rankings.models import CellMark, Evidence, MonthMark, ProviderStanding, Standing
from apps.rankings.services import (
    hold_all_standings,
    mark_cells,
    mark_keys,
    refresh_all,
    refresh_cells,
    refresh_marked,
    thin_marks,
)
from apps.rankings.standings import turns
from apps.rankings.standings.points import keys_of_runs
from apps.runs.locks import hold_alone
from apps.runs.models import Run, Upload
from apps.runs.rebuilding.tables import swap
from tests import make
from tests.rankings import build
from tests.rankings.build import NOW

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db(transaction=True)

WAIT_S = 120  # far above what a refresh takes; reached only where the test fails


def on_a_connection_of_its_own(work: Callable[..., Any], *arguments: Any) -> None:
    try:
        work(*arguments)
    finally:
        connections.close_all()


def run_and_refresh(plan: Plan, machine: str) -> None:
    refresh_cells(run_ids=[build.run(1000, plan=plan, machine=machine).id])


def until_somebody_waits_for_a_lock(*, but_not_after: Future[None] | None = None) -> None:
    """Return as soon as PostgreSQL shows a session that waits; it looks again each 10 ms."""
    pause = threading.Event()
    with connection.cursor() as cursor:
        for _ in range(WAIT_S * 100):
            cursor.execute(
                "SELECT count(*) FROM pg_locks l JOIN pg_database d ON d.oid = l.database"
                " WHERE d.datname = current_database() AND NOT granted"
            )
            if cursor.fetchone()[0] or (but_not_after and but_not_after.done()):
                return
            pause.wait(0.01)
    raise AssertionError("nobody waited: the second worker did not take its turn")


def test_the_second_worker_waits_and_counts_both_runs() -> None:
    plan = build.plan()
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            refresh_cells(run_ids=[build.run(1000, plan=plan, machine="m1").id])
            second = pool.submit(on_a_connection_of_its_own, run_and_refresh, plan, "m2")
            until_somebody_waits_for_a_lock()
        second.result(WAIT_S)
    cell = Standing.objects.get()
    assert (cell.n_runs, cell.n_machines) == (2, 2)
    assert ProviderStanding.objects.get().best == cell


def test_two_plans_of_one_provider_take_turns_for_the_provider() -> None:
    one, two = build.plan("A"), build.plan("B")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            refresh_cells(run_ids=[build.run(1000, plan=one, machine="m1").id])
            other = pool.submit(on_a_connection_of_its_own, run_and_refresh, two, "m2")
            until_somebody_waits_for_a_lock()
        other.result(WAIT_S)
    assert ProviderStanding.objects.get().n_plans == 2


def test_a_refresh_of_everything_waits_for_the_refresh_of_a_cell() -> None:
    plan = build.plan()
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            refresh_cells(run_ids=[build.run(1000, plan=plan).id])
            everything = pool.submit(on_a_connection_of_its_own, refresh_all)
            until_somebody_waits_for_a_lock()
        everything.result(WAIT_S)
    assert Standing.objects.get().n_runs == 1


def test_marks_are_not_thinned_while_their_board_is_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Who computes it deletes the first mark, and may not have read the runs of later ones."""
    monkeypatch.setattr(turns, "MARKS_A_CELL", 1)
    run = build.run(1000, plan=build.plan())
    keys = keys_of_runs([run.id])
    for _ in range(2):
        mark_keys(keys, rests=dict.fromkeys(keys, timedelta(hours=1)))
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            refresh_cells(run_ids=[run.id])
            pool.submit(on_a_connection_of_its_own, thin_marks).result(WAIT_S)
            assert CellMark.objects.count() == 2
        pool.submit(on_a_connection_of_its_own, thin_marks).result(WAIT_S)
    assert CellMark.objects.count() == 1


def test_no_marks_are_thinned_while_all_standings_or_months_are_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(turns, "MARKS_A_CELL", 1)
    keys = keys_of_runs([build.run(1000, plan=build.plan()).id])
    later = Now() + timedelta(hours=1)
    for _ in range(2):
        mark_keys(keys, rests=dict.fromkeys(keys, timedelta(hours=1)))
        MonthMark.objects.create(subject="plan", slug="x", first_day=NOW.date(), due_at=later)

    def left_beside(hold: Callable[[], None]) -> tuple[int, int]:
        with ThreadPoolExecutor(1) as pool, transaction.atomic():
            hold()
            pool.submit(on_a_connection_of_its_own, thin_marks).result(WAIT_S)
        return CellMark.objects.count(), MonthMark.objects.filter(slug="x").count()

    assert left_beside(hold_all_standings) == (2, 2)
    assert left_beside(partial(hold_alone, services._MONTHS)) == (1, 2)
    assert left_beside(lambda: None) == (1, 1)


@pytest.mark.usefixtures("few_published")
def test_a_load_of_the_catalogue_waits_before_it_changes_anything() -> None:
    load_catalogue()
    plan = Plan.objects.get(slug="hetzner-cax41")
    Price.objects.filter(plan=plan).update(includes="something that the catalogue lacks")
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            refresh_cells(run_ids=[build.run(1000, plan=plan).id])
            load = pool.submit(on_a_connection_of_its_own, force_load)
            until_somebody_waits_for_a_lock()
            refresh_cells(run_ids=[build.run(1000, plan=plan).id])
        load.result(WAIT_S)
    cell = Standing.objects.get(plan=plan, evidence=Evidence.MEASURED)
    assert cell.n_runs == 2
    assert cell.price is not None
    assert "incl. primary IPv4" in cell.price.includes


def force_load() -> None:
    load_catalogue(force=True)


@pytest.mark.usefixtures("few_published")
@pytest.mark.parametrize("is_first_time", [True, pytest.param(False, marks=pytest.mark.daily)])
def test_a_rebuild_loses_no_run_that_a_worker_stores_meanwhile(
    monkeypatch: pytest.MonkeyPatch, *, is_first_time: bool
) -> None:
    """The worst moment: what changed is made again, and the tables have not changed places."""
    load_catalogue()
    upload = make.upload(witnessed=True)
    if not is_first_time:
        drain()
        Upload.objects.update(state=Upload.State.RETRY, next_attempt_at=make.NOON)
    lease = lease_next()
    assert lease is not None
    jobs: list[Future[None]] = []

    def work_then_swap() -> None:
        jobs.append(pool.submit(on_a_connection_of_its_own, process, lease))
        until_somebody_waits_for_a_lock(but_not_after=jobs[0])
        swap()

    monkeypatch.setattr("apps.runs.rebuilding.places.swap", work_then_swap)
    with ThreadPoolExecutor(1) as pool:
        call_command("rebuild", stdout=StringIO(), processes=1)
        jobs[0].result(WAIT_S)
    assert Upload.objects.get().state == Upload.State.DONE
    assert Run.objects.filter(pk=upload.pk, in_standings=True).exists()
    refresh_marked()
    assert Standing.objects.filter(counted__run_id=upload.pk).exists()


def test_no_attempt_begins_while_all_standings_are_held() -> None:
    upload = make.upload(witnessed=True)
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            hold_all_standings()
            pool.submit(on_a_connection_of_its_own, drain).result(WAIT_S)
        assert Upload.objects.get(pk=upload.pk).attempts == 0
        pool.submit(on_a_connection_of_its_own, drain).result(WAIT_S)
    assert Upload.objects.get(pk=upload.pk).state == Upload.State.DONE


def test_an_upload_does_not_wait_for_who_computes_its_board() -> None:
    plan = build.plan()
    upload = make.upload(witnessed=True)
    lease = lease_next()
    assert lease is not None
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        refresh_cells(run_ids=[build.run(1000, plan=plan).id])
        pool.submit(on_a_connection_of_its_own, process, lease).result(WAIT_S)
        assert Upload.objects.get(pk=upload.pk).state == Upload.State.DONE
    assert CellMark.objects.filter(workload="commit-8k").exists()


def test_a_mark_that_comes_while_its_cell_is_computed_stays_for_the_next_time() -> None:
    plan = build.plan()
    mark_cells(run_ids=[build.run(1000, plan=plan, machine="m1").id])
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            refresh_marked()
            pool.submit(on_a_connection_of_its_own, run_and_mark, plan, "m2").result(WAIT_S)
        assert CellMark.objects.count() == 1
    assert refresh_marked() == 1
    assert Standing.objects.get().n_machines == 2
    assert not CellMark.objects.exists()


def run_and_mark(plan: Plan, machine: str) -> None:
    with transaction.atomic():
        mark_cells(run_ids=[build.run(1000, plan=plan, machine=machine).id])


def test_while_everything_is_rebuilt_marks_wait() -> None:
    mark_cells(run_ids=[build.run(1000, plan=build.plan()).id])
    with ThreadPoolExecutor(1) as pool, transaction.atomic():
        hold_all_standings()
        assert pool.submit(marked_elsewhere).result(WAIT_S) == 0
    assert refresh_marked() == 1


def marked_elsewhere() -> int:
    try:
        return refresh_marked()
    finally:
        connections.close_all()


def test_many_workers_at_once_lose_no_run() -> None:
    plans = [build.plan(name) for name in ("A", "B", "C")]
    drive = build.family()

    def work(number: int) -> None:
        run = build.run(
            1000 + number, plan=plans[number % 3], drive_family=drive, machine=f"m{number}"
        )
        refresh_cells(run_ids=[run.id])

    with ThreadPoolExecutor(6) as pool:
        jobs = [pool.submit(on_a_connection_of_its_own, work, number) for number in range(18)]
        for job in jobs:
            job.result(WAIT_S)
    assert Standing.objects.get(drive_family=drive).n_runs == 18
    assert sorted(Standing.objects.filter(plan__isnull=False).values_list("n_runs", flat=True)) == [
        6,
        6,
        6,
    ]
    shown = ProviderStanding.objects.get()
    assert shown.n_plans == 3
    before = list(Standing.objects.order_by("pk").values())
    refresh_all()
    assert list(Standing.objects.order_by("pk").values()) == before
