"""Which row stands for a plan or a drive that has several of one workload and one evidence.

A plan has a row in each group of regions, and in each for every kind of storage. Where there is
room for one (a badge, the head of a page, a comparison), it is this one, everywhere: of the regions
that with the most uploaders, all kinds of storage together; of the kinds there the one that the
most uploaders got, of equal ones that with the most runs, then the slower one. A few who agree with
each other can make a kind of their own; they cannot make it the common one.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db.models import F

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import Expression

    from apps.rankings.models import Standing


def choice_key(row: Standing) -> tuple[int, int, int, str, int]:
    """Sort the row that stands for the others first."""
    most = -row.n_cell_uploaders, -row.n_uploaders, -row.n_runs
    return *most, row.region_group, -row.variant


def choice_order() -> tuple[Expression, ...]:
    """Return the same order for the database."""
    most = (F("n_cell_uploaders").desc(), F("n_uploaders").desc(), F("n_runs").desc())
    return *most, F("region_group").asc(), F("variant").desc()


def chosen(rows: Iterable[Standing]) -> Standing | None:
    """Return the row that stands for these, or None where there is none."""
    return min(rows, key=choice_key, default=None)


def common_kinds(rows: Iterable[Standing]) -> list[Standing]:
    """Return of each plan or drive, in each region, the row of the kind that most uploaders got.

    The rows are those of one board. Only these rank: the others are shown beside them.
    """
    cells: dict[tuple[str | None, str | None, str], list[Standing]] = defaultdict(list)
    for row in rows:
        cells[row.plan_id, row.drive_family_id, row.region_group].append(row)
    return [min(kinds, key=choice_key) for kinds in cells.values()]
