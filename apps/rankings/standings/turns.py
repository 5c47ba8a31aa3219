"""Which marked cells of a board are computed together: their points are in memory at once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final

from apps.rankings.models import CellMark, Standing
from apps.rankings.standings.cells import CellSubject

if TYPE_CHECKING:
    from apps.rankings.standings.cells import BoardKey

MARKS_A_TURN: Final = 1_000  # after them the board is ranked
RUNS_A_TURN: Final = 200_000  # with 2.3 KB each as points; a cell that has more is computed alone


def marks_of_turn(board: BoardKey) -> list[CellMark]:
    """Return the oldest marks of a board whose cells had so many runs when they were computed."""
    marks = list(
        CellMark.objects.filter(
            subject=board.subject,
            evidence=board.evidence,
            workload=board.workload,
            version=board.version,
        ).order_by("pk")[:MARKS_A_TURN]
    )
    if len(marks) <= 1:  # of most uploads; nothing needs to be counted
        return marks
    runs_of_cell = _runs_by_cell(board)
    turn: list[CellMark] = []
    taken: dict[tuple[str, str], int] = {}
    for mark in marks:
        cell = (mark.slug, mark.region_group)
        taken.setdefault(cell, runs_of_cell[cell])
        if len(taken) > 1 and sum(taken.values()) > RUNS_A_TURN:
            return turn
        turn.append(mark)
    return turn


def _runs_by_cell(board: BoardKey) -> Counter[tuple[str, str]]:
    """Return how many runs counted in each cell of a board, by slug and region group."""
    is_plan = board.subject is CellSubject.PLAN
    rows = Standing.objects.filter(
        plan__isnull=not is_plan,
        evidence=board.evidence,
        workload=board.workload,
        version=board.version,
    ).values_list("plan_id" if is_plan else "drive_family_id", "region_group", "n_runs")
    runs: Counter[tuple[str, str]] = Counter()
    for slug, region, n_runs in rows:  # one for each kind of storage of a cell
        runs[slug, region] += n_runs
    return runs
