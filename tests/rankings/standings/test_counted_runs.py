"""How many runs of a plan or a drive are in its standings, as stored beside them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection

from apps.rankings.models import CountedRuns
from apps.rankings.services import refresh_all, refresh_cells
from apps.runs.models import Run
from tests import make
from tests.pages.measured import counted, stand

if TYPE_CHECKING:
    from apps.plans.models import Plan

COUNT_ALL: str = import_module("apps.rankings.migrations.0077_counted_runs").COUNT_ALL
Counts = dict[tuple[str, str], int]


def counts() -> Counts:
    rows = CountedRuns.objects.values_list("subject", "slug", "n_runs")
    return {(subject, slug): n for subject, slug, n in rows if n}


def in_two_workloads(plan: Plan, **changes: Any) -> Run:
    run = counted(1_000, uploader=1, plan=plan, **changes)
    make.latency(measurement=make.measurement(run=run, workload="commit-8k-fsync", rate_per_s=900))
    return run


@pytest.mark.django_db
def test_each_run_counts_once_for_its_plan_and_its_drive() -> None:
    plan, other, drive = make.plan(), make.plan(), make.drive_family()
    runs = [in_two_workloads(plan, drive_family=drive) for _ in range(3)]
    stand([*runs, in_two_workloads(other), counted(5, uploader=2, plan=other, in_standings=False)])
    assert counts() == {("plan", plan.pk): 3, ("plan", other.pk): 1, ("drive", drive.pk): 3}

    Run.objects.filter(pk=runs[0].pk).update(plan=other)
    refresh_cells(run_ids=[run.pk for run in runs])
    after = {("plan", plan.pk): 2, ("plan", other.pk): 2, ("drive", drive.pk): 3}
    assert counts() == after
    refresh_all()
    assert counts() == after

    CountedRuns.objects.all().delete()
    with connection.cursor() as cursor:
        cursor.execute(COUNT_ALL)
    assert counts() == after
