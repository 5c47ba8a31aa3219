"""Writes a dump into a folder: all of it of one snapshot, in memory that does not grow with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db import connection, transaction
from django.db.models.functions import Now

from apps.accounts.clock import database_now
from apps.rankings.digest import board_digest, providers_digest
from apps.rankings.dumps.cells import CELLS, rows_of_cells
from apps.rankings.dumps.envelopes import write_envelopes
from apps.rankings.dumps.lists import LISTS, write_lists
from apps.rankings.dumps.measurements import RUNS, rows_of_runs
from apps.rankings.dumps.package import DumpContent, write_package
from apps.rankings.dumps.tables import write_all
from apps.rankings.models import CellMark, Standing
from apps.rankings.services import refresh_marked
from apps.rankings.standings.cells import BoardKey, CellSubject
from apps.rankings.standings.day import standings_day
from apps.rankings.versions.method import METHOD_VERSION

if TYPE_CHECKING:
    from pathlib import Path

    from apps.rankings.dumps.package import StoredFile

_BOARD: Final = ("evidence", "workload", "version")
TABLES: Final = {each.name: each for each in (RUNS, CELLS, *LISTS)}
# One statement sorts the measurements of a workload: seconds at 100,000 runs, a minute on a disk.
_STATEMENT_TIMEOUT: Final = "10min"


def write_dump(folder: Path) -> list[StoredFile]:
    """Write everything that is public into a folder, and return the files.

    Boards are computed first as far as they wait. Of those that uploads mark meanwhile the dump
    says that they are behind.
    """
    is_ours = not connection.in_atomic_block  # else the caller's transaction is the moment
    if is_ours:
        CellMark.objects.update(due_at=Now())  # those that rest too
        refresh_marked()
    with transaction.atomic():
        if is_ours:
            _see_one_moment()
        content = _content()
        rows = {
            RUNS.name: write_all(folder, RUNS, rows_of_runs()),
            CELLS.name: write_all(folder, CELLS, rows_of_cells(content.day)),
            **write_lists(folder),
        }
        write_envelopes(folder)
        return write_package(folder, content, TABLES, rows)


def _see_one_moment() -> None:
    """Read all tables as they are now, whatever others write meanwhile."""
    with connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute(f"SET LOCAL statement_timeout = '{_STATEMENT_TIMEOUT}'")


def _content() -> DumpContent:
    marked = CellMark.objects.order_by().values_list("subject", *_BOARD).distinct()
    behind = {BoardKey(CellSubject(subject), *rest) for subject, *rest in marked}
    boards = boards_with_standings()
    return DumpContent(
        taken_at=database_now(),
        day=standings_day(),
        method_version=METHOD_VERSION,
        boards={str(each): board_digest(each) for each in sorted(boards - behind)},
        behind=sorted(map(str, behind)),
        providers=None if behind else providers_digest(),
    )


def boards_with_standings() -> set[BoardKey]:
    """Return the boards that have a standing."""
    found = set()
    for subject in CellSubject:
        of_subject = Standing.objects.filter(plan__isnull=subject is not CellSubject.PLAN)
        for board in of_subject.order_by().values_list(*_BOARD).distinct():
            found.add(BoardKey(subject, *board))
    return found
