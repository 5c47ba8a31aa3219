"""Which marks are worked on together, and when: the runs of their cells are in memory at once.

A cell is computed of all of its runs. So that a busy plan does not hold up the others, large ones
rest after an upload for twenty times as long as computing all of them takes that it touches; then
one computation is for all uploads that came meanwhile.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, TypeVar

from django.db import connection
from django.db.models import Count, Q, Sum
from django.db.models.functions import Now

from apps.rankings.models import CellMark, CellMonth, MonthMark, Standing
from apps.rankings.standings.cells import BoardKey, CellKey, CellSubject
from apps.rankings.standings.points import CELL_FIELDS
from apps.rankings.versions.data import leave_unnoted

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Mapping, Sequence

    from django.db.models import QuerySet

MarkT = TypeVar("MarkT", CellMark, MonthMark)

_BOARD: Final = ("subject", "evidence", "workload", "version")
_CELL: Final = (*_BOARD, "slug", "region_group")  # of a mark
_MONTH: Final = ("subject", "slug", "first_day")

MARKS_A_TURN: Final = 1_000  # after them the board is ranked
MONTH_MARKS_A_TURN: Final = 200
RUNS_A_TURN: Final = 200_000  # with 2.3 KB each as points; a cell that has more is computed alone

RUNS_NOT_KNOWN: Final = 3 * RUNS_A_TURN  # of cells or months that were never computed

RESTS_FROM: Final = 5_000  # runs of a cell, which take half a second
REST_A_RUN: Final = timedelta(milliseconds=2)  # of those beyond; computing takes 0.1 ms a run

MARKS_A_CELL: Final = 100  # left alone while it rests: those of 5 s at 20 uploads a second

RUNS_A_MINUTE: Final = 60_000  # a third of what a worker computed; a minute is the usual limit


def allow_time_for(n_runs: int) -> None:
    """Let this transaction idle while so many runs are computed, if that may take over a minute.

    A limit stays: whoever is cut off from the database must not keep its locks.
    """
    if n_runs > RUNS_A_MINUTE:
        milliseconds = n_runs * 60_000 // RUNS_A_MINUTE
        with connection.cursor() as cursor:
            cursor.execute(f"SET LOCAL idle_in_transaction_session_timeout = {milliseconds:d}")


def runs_expected(keys: Collection[CellKey]) -> int:
    """Return how many runs these cells had when they were computed, or some more for new ones."""
    runs = _runs_of(keys)
    return sum(runs.values()) + (0 if len(runs) == len(keys) else RUNS_NOT_KNOWN)


def rests_of(keys: Collection[CellKey]) -> dict[CellKey, timedelta]:
    """Return how long those of these cells rest that are large: all of them as long."""
    large = {key: n - RESTS_FROM for key, n in _runs_of(keys).items() if n > RESTS_FROM}
    return dict.fromkeys(large, sum(large.values()) * REST_A_RUN)


def _runs_of(keys: Collection[CellKey]) -> dict[CellKey, int]:
    """Return how many runs count in each of these cells that was computed."""
    slugs, workloads = {key.slug for key in keys}, {key.workload for key in keys}
    rows = (
        Standing.objects.filter(
            Q(plan_id__in=slugs) | Q(drive_family_id__in=slugs), workload__in=workloads
        )
        .order_by()
        .values(*CELL_FIELDS)
        .annotate(n=Sum("n_runs"))  # of all kinds of storage
        .values_list(*CELL_FIELDS, "n")
    )
    runs = {}
    for plan, drive, evidence, workload, version, region_group, n_runs in rows:
        subject = CellSubject.PLAN if plan else CellSubject.DRIVE
        runs[CellKey(subject, plan or drive, evidence, workload, version, region_group)] = n_runs
    return {key: runs[key] for key in keys if key in runs}


def cell_of(mark: CellMark) -> CellKey:
    """Return the cell that is marked."""
    return CellKey(
        CellSubject(mark.subject),
        mark.slug,
        mark.evidence,
        mark.workload,
        mark.version,
        mark.region_group,
    )


def marks_of_turn(board: BoardKey) -> list[CellMark]:
    """Return the oldest marks of a board whose cells had so many runs when they were computed.

    They are due, and with them come those of the same cells that are not.
    """
    marks = _marks_on(board).order_by("pk")
    due = list(marks.filter(due_at__lte=Now())[:MARKS_A_TURN])
    return _first(
        due,
        resting=marks.filter(due_at__gt=Now()),
        cell_of=cell_of,
        count=lambda: _runs_of(set(map(cell_of, due))),
    )


def crowded_boards() -> list[BoardKey]:
    """Return the boards on which a cell that rests has more than MARKS_A_CELL marks."""
    cells = CellMark.objects.filter(due_at__gt=Now()).order_by().values(*_CELL)
    crowded = cells.annotate(n=Count("pk")).filter(n__gt=MARKS_A_CELL)
    boards = crowded.values_list(*_BOARD)
    return sorted({BoardKey(CellSubject(subject), *rest) for subject, *rest in boards})


def thin_marks_on(board: BoardKey) -> None:
    """Leave of the marks of each cell that rests on a board the one that is due first.

    Only while no other process computes the board: what it has read lacks runs of marks that came
    since, and it deletes the mark that would be left.
    """
    leave_unnoted()
    _thin(_marks_on(board), _CELL)


def thin_month_marks() -> None:
    """Leave of the marks of each month that rests the one that is due first; as `thin_marks_on`."""
    _thin(MonthMark.objects.all(), _MONTH)


def _marks_on(board: BoardKey) -> QuerySet[CellMark]:
    return CellMark.objects.filter(
        subject=board.subject,
        evidence=board.evidence,
        workload=board.workload,
        version=board.version,
    )


def _thin(marks: QuerySet[MarkT], cell: Sequence[str]) -> None:
    """In one statement, which sees the same marks throughout."""
    resting = marks.filter(due_at__gt=Now())
    first = resting.order_by(*cell, "due_at", "pk").distinct(*cell)
    resting.exclude(pk__in=first.values("pk")).delete()


def month_marks_of_turn() -> list[MonthMark]:
    """Return the oldest marks of months that had so many runs when they were computed.

    They are due, and with them come those of the same months that are not.
    """
    marks = MonthMark.objects.order_by("pk")
    due = list(marks.filter(due_at__lte=Now())[:MONTH_MARKS_A_TURN])
    return _first(
        due,
        resting=marks.filter(due_at__gt=Now()),
        cell_of=lambda mark: (mark.subject, mark.slug, mark.first_day),
        count=lambda: _runs_by_month({mark.slug for mark in due}),
    )


def _first(
    marks: Sequence[MarkT],
    *,
    resting: QuerySet[MarkT],
    cell_of: Callable[[MarkT], Hashable],
    count: Callable[[], Mapping[Any, int]],
) -> list[MarkT]:
    """Return the first marks, whose cells have RUNS_A_TURN runs together or are a single one."""
    if not marks:
        return []
    first: list[MarkT] = list(_fitting(marks, cell_of=cell_of, count=count))
    cells: set[Hashable] = set(map(cell_of, first))
    beside: list[MarkT] = list(resting.filter(slug__in={mark.slug for mark in first}))
    return first + [mark for mark in beside if cell_of(mark) in cells]


def _fitting(
    marks: Sequence[MarkT],
    *,
    cell_of: Callable[[MarkT], Hashable],
    count: Callable[[], Mapping[Any, int]],
) -> Sequence[MarkT]:
    if len(marks) == 1:  # of most uploads; nothing needs to be counted
        return marks
    runs, n_runs = count(), 0
    cells: set[Hashable] = set()
    for place, mark in enumerate(marks):
        cell = cell_of(mark)
        if cell in cells:
            continue
        n_runs += runs.get(cell, 0)
        if cells and n_runs > RUNS_A_TURN:
            return marks[:place]
        cells.add(cell)
    return marks


def _runs_by_month(slugs: set[str]) -> Mapping[Any, int]:
    """Return how many runs each month of these plans and drives had, of all of its workloads."""
    runs: Counter[Hashable] = Counter()
    stored = CellMonth.objects.filter(slug__in=slugs)
    for *cell, n_runs in stored.values_list("subject", "slug", "first_day", "n_runs"):
        runs[tuple(cell)] += n_runs
    return runs
