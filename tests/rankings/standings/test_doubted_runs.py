"""Runs that cannot be told apart from lies, and what they weigh in a standing."""

from __future__ import annotations

import pytest

from apps.rankings.models import Standing
from apps.rankings.services import refresh_cells
from apps.runs.models import KeepsOut
from tests import make
from tests.rankings import build

pytestmark = pytest.mark.django_db


def test_runs_that_cannot_be_told_apart_from_lies_weigh_half() -> None:
    plan = build.plan()
    honest = [build.run(1000 + place, plan=plan, uploader=f"h{place}") for place in range(7)]
    doubted = [build.run(1100, plan=plan, uploader=f"d{place}") for place in range(9)]
    refresh_cells(run_ids=[run.id for run in (*honest, *doubted)])
    assert Standing.objects.get(plan=plan).rate_per_s == 1100
    for run in doubted:
        make.label(run=run, rule="unseen-server", keeps_out=KeepsOut.WEIGHT)
    refresh_cells(run_ids=[run.id for run in doubted])
    assert Standing.objects.get(plan=plan).rate_per_s == pytest.approx(1005)
