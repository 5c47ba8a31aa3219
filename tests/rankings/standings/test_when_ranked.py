"""A board is ranked where its order can have changed, and then it is that of a rebuild."""

from __future__ import annotations

import pytest

from apps.rankings import services
from apps.rankings.digest import board_digest
from apps.rankings.models import Evidence
from apps.rankings.services import mark_cells, refresh_all, refresh_cells, refresh_marked
from apps.rankings.standings import boards
from apps.rankings.standings.cells import BoardKey, CellSubject
from apps.runs.models import Run
from tests.rankings import build
from tests.rankings.build import ranked_plan, standing_of

pytestmark = pytest.mark.django_db

PLANS = BoardKey(CellSubject.PLAN, Evidence.MEASURED, "commit-8k", 1)


@pytest.fixture
def ranked(monkeypatch: pytest.MonkeyPatch) -> list[BoardKey]:
    """The boards that were ranked."""
    found: list[BoardKey] = []

    def rank(board: BoardKey) -> None:
        found.append(board)
        boards.rank_board(board)

    monkeypatch.setattr(services, "rank_board", rank)
    return found


def assert_as_rebuilt() -> None:
    digest = board_digest(PLANS)
    refresh_all()
    assert board_digest(PLANS) == digest


def test_runs_of_a_cell_that_few_measured_rank_nothing(ranked: list[BoardKey]) -> None:
    ranked_plan("A", 1000)
    refresh_all()
    few = build.plan("FEW")
    refresh_cells(run_ids=[build.run(9999, plan=few).id])  # a new row
    ranked.clear()
    refresh_cells(run_ids=[build.run(9999, plan=few, machine="m2").id])
    uncounted = build.run(9999, plan=build.plan("NONE"), in_standings=False)
    refresh_cells(run_ids=[uncounted.id])
    assert ranked == []
    assert standing_of(few).rank_low is None
    assert_as_rebuilt()


def test_a_cell_is_ranked_once_enough_measured_it_and_when_its_figures_change(
    ranked: list[BoardKey],
) -> None:
    ranked_plan("A", 1000)
    refresh_all()
    ranked.clear()
    plan = ranked_plan("B", 5000)
    run = build.run(9000, plan=plan, uploader="u0", machine="0-0")
    refresh_cells(run_ids=[run.id])
    assert ranked == [PLANS]
    assert standing_of(plan).tier == 1
    refresh_cells(run_ids=[run.id])
    assert ranked == [PLANS]  # nothing is other than before
    Run.objects.filter(plan=plan).update(in_standings=False)
    refresh_cells(run_ids=[run.id])
    assert ranked == [PLANS, PLANS]
    assert_as_rebuilt()


def test_a_cell_that_loses_its_rank_changes_those_of_others(ranked: list[BoardKey]) -> None:
    fastest, other = ranked_plan("A", 5000), ranked_plan("B", 1000)
    refresh_all()
    assert standing_of(other).rank_low == 2
    ranked.clear()
    keep = Run.objects.filter(plan=fastest).first()
    assert keep
    Run.objects.filter(plan=fastest).exclude(pk=keep.pk).update(in_standings=False)
    refresh_cells(run_ids=[keep.id])
    assert ranked == [PLANS]
    assert standing_of(fastest).rank_low is None
    assert standing_of(other).rank_low == 1
    assert_as_rebuilt()


def test_a_cell_whose_row_went_with_its_plan_changes_the_ranks_of_others(
    ranked: list[BoardKey],
) -> None:
    fastest, other = ranked_plan("A", 5000), ranked_plan("B", 1000)
    refresh_all()
    ranked.clear()
    mark_cells(run_ids=Run.objects.filter(plan=fastest).values_list("pk", flat=True))
    Run.objects.filter(plan=fastest).delete()
    fastest.delete()
    refresh_marked()
    assert ranked == [PLANS]
    assert standing_of(other).rank_low == 1
    assert_as_rebuilt()
