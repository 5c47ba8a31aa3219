"""Which marks are worked on together: the runs of their cells are in memory at once."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, TypeVar

from django.db import connection

from apps.rankings.models import CellMark, CellMonth, MonthMark, Standing
from apps.rankings.standings.cells import CellSubject

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from apps.rankings.standings.cells import BoardKey

MarkT = TypeVar("MarkT", CellMark, MonthMark)

MARKS_A_TURN: Final = 1_000  # after them the board is ranked
MONTH_MARKS_A_TURN: Final = 200
RUNS_A_TURN: Final = 200_000  # with 2.3 KB each as points; a cell that has more is computed alone

RUNS_A_MINUTE: Final = 60_000  # a third of what a worker computed; a minute is the usual limit


def allow_time_for(n_runs: int) -> None:
    """Let this transaction idle while so many runs are computed, if that may take over a minute.

    A limit stays: whoever is cut off from the database must not keep its locks.
    """
    if n_runs > RUNS_A_MINUTE:
        milliseconds = n_runs * 60_000 // RUNS_A_MINUTE
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = {milliseconds:d}")


def marks_of_turn(board: BoardKey) -> list[CellMark]:
    """Return the oldest marks of a board whose cells had so many runs when they were computed."""
    marks = CellMark.objects.filter(
        subject=board.subject,
        evidence=board.evidence,
        workload=board.workload,
        version=board.version,
    ).order_by("pk")
    return _first(
        list(marks[:MARKS_A_TURN]),
        cell_of=lambda mark: (mark.slug, mark.region_group),
        count=lambda: _runs_by_cell(board),
    )


def month_marks_of_turn() -> list[MonthMark]:
    """Return the oldest marks of months that had so many runs when they were computed."""
    return _first(
        list(MonthMark.objects.order_by("pk")[:MONTH_MARKS_A_TURN]),
        cell_of=lambda mark: (mark.subject, mark.slug, mark.first_day),
        count=_runs_by_month,
    )


def _first(
    marks: Sequence[MarkT],
    *,
    cell_of: Callable[[MarkT], Hashable],
    count: Callable[[], Counter[Hashable]],
) -> list[MarkT]:
    """Return the first marks, whose cells have RUNS_A_TURN runs together or are a single one."""
    if len(marks) <= 1:  # of most uploads; nothing needs to be counted
        return list(marks)
    runs, n_runs = count(), 0
    cells: set[Hashable] = set()
    for place, mark in enumerate(marks):
        cell = cell_of(mark)
        if cell in cells:
            continue
        n_runs += runs[cell]
        if cells and n_runs > RUNS_A_TURN:
            return list(marks[:place])
        cells.add(cell)
    return list(marks)


def _runs_by_cell(board: BoardKey) -> Counter[Hashable]:
    """Return how many runs counted in each cell of a board, by slug and region group."""
    is_plan = board.subject is CellSubject.PLAN
    rows = Standing.objects.filter(
        plan__isnull=not is_plan,
        evidence=board.evidence,
        workload=board.workload,
        version=board.version,
    ).values_list("plan_id" if is_plan else "drive_family_id", "region_group", "n_runs")
    runs: Counter[Hashable] = Counter()
    for *cell, n_runs in rows:  # one for each kind of storage of a cell
        runs[tuple(cell)] += n_runs
    return runs


def _runs_by_month() -> Counter[Hashable]:
    """Return how many runs each month of a plan or drive had, of all of its workloads."""
    runs: Counter[Hashable] = Counter()
    marked = MonthMark.objects.order_by("pk")[:MONTH_MARKS_A_TURN]
    stored = CellMonth.objects.filter(slug__in=set(marked.values_list("slug", flat=True)))
    for *cell, n_runs in stored.values_list("subject", "slug", "first_day", "n_runs"):
        runs[tuple(cell)] += n_runs
    return runs
