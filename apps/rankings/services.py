"""Writes standings: those of the cells that runs touch, or all of them, and the ranks of boards.

An upload only marks the cells that it touches (`mark_cells`, in the transaction that stores its
run). The sweeper computes them (`refresh_marked`), with one transaction a board. Two processes that
refresh the same board take turns by advisory locks, which are taken in one order and held until
COMMIT. So the later one sees what the earlier one wrote, and standings always rest on all committed
runs.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Min, Q
from django.db.models.functions import Now
from django.dispatch import receiver

from apps.rankings.advice.lottery import store_lotteries
from apps.rankings.models import CellMark, Evidence, StandingsDay
from apps.rankings.standings.boards import all_boards, rank_board
from apps.rankings.standings.cells import BoardKey, CellKey, CellSubject, split_by_kind
from apps.rankings.standings.costs import prices_of, set_cost
from apps.rankings.standings.curves import set_curves
from apps.rankings.standings.day import set_standings_day, standings_day
from apps.rankings.standings.drafts import drafts_of
from apps.rankings.standings.months import compute_some_months, mark_all_months
from apps.rankings.standings.points import all_keys, keys_of_runs, points_of
from apps.rankings.standings.providers import provider_keys, refresh_providers
from apps.rankings.standings.spread import write_spreads
from apps.rankings.standings.stored.peers import label_far_runs, runs_labelled_so_far
from apps.rankings.standings.stored.rows import write_standing_runs, write_standings
from apps.rankings.standings.turns import (
    RUNS_NOT_KNOWN,
    allow_time_for,
    cell_of,
    crowded_boards,
    marks_of_turn,
    rests_of,
    runs_expected,
    thin_marks_on,
    thin_month_marks,
)
from apps.runs.locks import can_hold_alone, can_share, hold_alone, hold_shared
from apps.runs.models import Run
from apps.runs.rulings.signals import runs_left
from apps.stats.standings.window import KEPT, WINDOW, days_before
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from datetime import date, timedelta
    from uuid import UUID

_LOCK_SPACE: Final = "fsyncmark.rankings"
_MONTHS: Final = "fsyncmark.rankings/months"  # the lock of who computes months

log = structlog.get_logger(__name__)


def mark_cells(*, run_ids: Iterable[UUID], may_rest: bool = False) -> None:
    """Mark the cells that these runs touch or have left, to be computed again.

    Call it in the transaction that stores the runs, so that a process that sees the marks sees the
    runs. It waits for no lock. Large cells may rest before, but not where somebody decided.
    """
    keys = keys_of_runs(run_ids)
    mark_keys(keys, rests=rests_of(keys) if may_rest else None)


@receiver(runs_left, sender=Run)
def mark_cells_left(run_ids: Iterable[UUID], **_signal: object) -> None:
    """Mark the cells of runs about which somebody decided something."""
    mark_cells(run_ids=run_ids)


def mark_keys(keys: Iterable[CellKey], *, rests: Mapping[CellKey, timedelta] | None = None) -> None:
    """Mark these cells, to be computed now or after a rest. Call it as `mark_cells`."""
    due_at = {key: Now() + rest for key, rest in (rests or {}).items()}
    CellMark.objects.bulk_create(
        CellMark(
            subject=key.subject,
            slug=key.slug,
            evidence=key.evidence,
            workload=key.workload,
            version=key.version,
            region_group=key.region_group,
            **({"due_at": due_at[key]} if key in due_at else {}),
        )
        for key in sorted(keys)
    )


def mark_plans(slugs: Iterable[str]) -> None:
    """Mark every cell of these plans, because of their prices. Call it as `mark_cells`."""
    slug_set = set(slugs)
    mark_keys(key for key in all_keys() if key.subject is CellSubject.PLAN and key.slug in slug_set)


def advance_standings_day(today: date) -> bool:
    """Set the day of all standings, and return whether it is a new one; it never moves back.

    Cells whose runs are older now than may count are marked with it. They are looked for before the
    transaction, which so holds no lock on the tables that others fill.
    """
    stored = StandingsDay.objects.values_list("day", flat=True).first()
    if stored is not None and stored >= today:
        return False
    keys = all_keys() if stored is None else keys_of_runs(_runs_that_age(stored, today))
    with transaction.atomic():
        mark_keys(keys)
        set_standings_day(today)
    return True


def _runs_that_age(before: date, today: date) -> list[UUID]:
    """Return the runs that a limit of age passes between two days."""
    passed = Q()
    for days in (WINDOW, KEPT):
        begin, end = days_before(before, days), days_before(today, days)
        passed |= Q(measured_at__gte=begin, measured_at__lt=end)
    return list(Run.objects.filter(passed).values_list("pk", flat=True))


def refresh_marked(*, stop: Callable[[], bool] = lambda: False) -> int:
    """Compute marked cells, some of each board that nobody else has, until `stop()` is true.

    Returns how many cells were computed. A board that fails keeps its marks for the next time and
    does not hold up the others; so do the months. Raises only if the database is not available.
    """
    computed = 0
    for board in _marked_boards():
        computed += _tried(partial(_refresh_marked_on, board), of=str(board))
        if stop():
            return computed
    while _tried(refresh_months, of="months") and not stop():
        pass
    return computed


def _tried(work: Callable[[], int], *, of: str) -> int:
    """Return how much a work did: none where it fails, so that it does not stop the others."""
    try:
        return work()
    except (OperationalError, InterfaceError):
        raise
    except Exception:
        log.exception("not refreshed", of=of)
        return 0


@transaction.atomic
def refresh_months() -> int:
    """Compute some of the marked months; returns how many marks are done.

    None while another process computes months: it leaves no mark that it saw.
    """
    if standings_are_held() or not can_hold_alone(_MONTHS):
        return 0
    allow_time_for(RUNS_NOT_KNOWN)
    return compute_some_months()


@transaction.atomic
def refresh_cells(*, run_ids: Iterable[UUID]) -> None:
    """Compute the cells that these runs touch or have left, with their boards and providers.

    Call it after the runs are committed: a rebuild locks the standings first and then the runs.
    """
    _refresh_alone(keys_of_runs(run_ids))
    _compute_all_months()


def _refresh_alone(keys: set[CellKey]) -> None:
    """Compute these cells while no other process computes a cell of their boards."""
    if not keys:
        return
    _hold({key.board for key in keys})
    _refresh(keys)


@transaction.atomic
def refresh_plans(slugs: Iterable[str]) -> None:
    """Compute every cell of these plans again, because their prices changed."""
    slug_set = set(slugs)
    keys = {key for key in all_keys() if key.subject is CellSubject.PLAN and key.slug in slug_set}
    _refresh_alone(keys)


@transaction.atomic
def refresh_all() -> None:
    """Compute every cell and every provider again, and drop the cells that have no run left."""
    hold_all_standings()
    marks = list(CellMark.objects.values_list("pk", flat=True))
    _refresh(all_keys(), is_all=True)
    CellMark.objects.filter(pk__in=marks).delete()
    mark_all_months()
    _compute_all_months()


def rank_all() -> None:
    """Rank every board, also those whose cells are what they were."""
    for board in all_boards():
        with transaction.atomic():
            _hold({board})
            rank_board(board)


def _compute_all_months() -> None:
    hold_alone(_MONTHS)
    while compute_some_months():
        pass


def _marked_boards() -> list[BoardKey]:
    """Return the boards with cells that are due, the one with the oldest mark first."""
    due = CellMark.objects.filter(due_at__lte=Now())
    boards = due.values_list("subject", "evidence", "workload", "version")
    oldest = boards.annotate(oldest=Min("pk")).order_by("oldest")
    return [BoardKey(CellSubject(subject), *rest) for subject, *rest, _ in oldest]


@transaction.atomic
def _refresh_marked_on(board: BoardKey) -> int:
    if standings_are_held() or not can_hold_alone(_lock_of(board)):
        return 0  # who holds them computes these cells too, or leaves marks for the next time
    marks = marks_of_turn(board)
    keys = set(map(cell_of, marks))
    _refresh(keys)
    CellMark.objects.filter(pk__in=[mark.pk for mark in marks]).delete()
    return len(keys)


def thin_marks() -> None:
    """Leave one mark of each cell and month that rests, where uploads have left many."""
    for board in crowded_boards():
        _alone(partial(thin_marks_on, board), lock=_lock_of(board))
    _alone(thin_month_marks, lock=_MONTHS)


@transaction.atomic
def _alone(work: Callable[[], None], *, lock: str) -> None:
    if not standings_are_held() and can_hold_alone(lock):
        work()


def _hold(boards: set[BoardKey]) -> None:
    """Lock these boards until COMMIT, and with them the provider standings made from them."""
    hold_shared(_LOCK_SPACE)
    for board in sorted(boards):
        hold_alone(_lock_of(board))


def _lock_of(board: BoardKey) -> str:
    return f"{_LOCK_SPACE}/{board}"


def hold_all_standings() -> None:
    """Keep every other refresh waiting until this transaction ends.

    A transaction that changes standings in another way than a refresh calls this before anything
    else. Later, it could wait for a refresh that itself waits for rows of the transaction.
    """
    hold_alone(_LOCK_SPACE)


def standings_are_held() -> bool:
    """Whether a refresh would have to wait for a rebuild or a load of the catalogue."""
    return not can_share(_LOCK_SPACE)


def _refresh(keys: set[CellKey], *, is_all: bool = False) -> None:
    if not keys and not is_all:
        return
    day = standings_day()
    allow_time_for(runs_expected(keys))  # to read them
    points = points_of(keys, day=day)
    allow_time_for(sum(map(len, points.values())))
    drafts = [
        draft
        for key in sorted(points)
        for draft in drafts_of(split_by_kind(key, points[key], day=day))
    ]
    set_curves(drafts)
    prices = prices_of(drafts)
    counted_before = runs_labelled_so_far(keys)
    for draft in drafts:
        if draft.key.subject is CellSubject.PLAN:
            set_cost(draft, prices[draft.key.slug])
    changed = write_standings(keys, drafts)
    write_standing_runs(drafts)
    write_spreads((draft.standing, draft.spread) for draft in drafts)
    label_far_runs(drafts, counted_before)
    for board in sorted({key.board for key in keys} if is_all else changed):
        rank_board(board)
    refresh_providers(None if is_all else provider_keys(keys))
    store_lotteries({key.slug for key in keys if _draws(key)})


def _draws(key: CellKey) -> bool:
    """Whether this cell has the drives of its plan drawn: of an upload one of its cells does."""
    is_one = key.workload == HEADLINE_WORKLOAD or not Evidence.is_judged(key.evidence)
    return key.subject is CellSubject.PLAN and is_one
