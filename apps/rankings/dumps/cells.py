"""The table of cells: which measurements count where, of whom, and with which weight.

Uploaders and machines have numbers, drawn at random in each cell of each dump, and no table says
who they are. But runs of one number are of one uploader, and cells and dumps share runs: who joins
them tells which runs are of one uploader or machine throughout, and one known run names all.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from apps.rankings.dumps.tables import DAY, FLAG, RATE, TEXT, WHOLE, DumpColumn, DumpTable
from apps.rankings.standings.cells import CellKey, counted, split_by_kind
from apps.rankings.standings.drafts import draft_of
from apps.rankings.standings.points import all_keys, points_of
from apps.stats.standings.estimate import group

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
    from datetime import date

    from apps.rankings.standings.cells import CellPoint
    from apps.rankings.standings.drafts import Draft

CELLS_A_READ: Final = 100  # of one board, whose points are in memory together
TOO_OLD: Final = "window"  # newer runs are enough
BEFORE_A_CHANGE: Final = "change"  # what was measured since another rate began is enough
_dice: Final = random.SystemRandom()

CELLS: Final = DumpTable(
    "cells",
    "One row a measurement and cell: of whom it is there, and with which weight it counts. A cell "
    "is a plan in a group of regions, or a drive family, under a workload.",
    (
        DumpColumn("subject", TEXT, "plan or drive"),
        DumpColumn("slug", TEXT, "Of the plan or the drive family."),
        DumpColumn("region_group", TEXT, "Of a plan, where it is known."),
        DumpColumn("evidence", TEXT),
        DumpColumn("workload", TEXT),
        DumpColumn("version", WHOLE),
        DumpColumn("run", TEXT),
        DumpColumn("uploader", WHOLE, "Drawn at random in this cell of this dump."),
        DumpColumn("machine", WHOLE, "Drawn at random in this cell of this dump."),
        DumpColumn("is_claimed", FLAG, "Its uploader is an account that is old enough."),
        DumpColumn("is_doubted", FLAG, "A label halves the weight of its uploader."),
        DumpColumn("day", DAY, "On which it was measured, in UTC."),
        DumpColumn("excluded_by", TEXT, f"{TOO_OLD} or {BEFORE_A_CHANGE}; empty: it counts."),
        DumpColumn(
            "variant", WHOLE, "Kind of storage: 0 where there is one, else 1 is the fastest."
        ),
        DumpColumn("weight", RATE, "Of its uploader in the median of the cell."),
        DumpColumn("is_flagged", FLAG, "Its uploader lies far from the others."),
    ),
    key=("subject", "slug", "region_group", "evidence", "workload", "version", "run"),
    is_large=True,
)


def rows_of_cells(day: date) -> Iterator[dict[str, Any]]:
    """Yield the rows of the table, board by board and there cell by cell."""
    boards: dict[Any, list[CellKey]] = defaultdict(list)
    for key in sorted(all_keys()):
        boards[key.board].append(key)
    for board in sorted(boards):
        for first in range(0, len(boards[board]), CELLS_A_READ):
            keys = boards[board][first : first + CELLS_A_READ]
            points = points_of(set(keys), day=day)
            for key in keys:
                yield from _rows(key, points.get(key, []), day=day)


@dataclass(frozen=True, slots=True)
class _Standing:
    """How a measurement stands in its cell."""

    variant: int
    weight: float
    is_flagged: bool


def _rows(key: CellKey, points: Sequence[CellPoint], *, day: date) -> Iterator[dict[str, Any]]:
    uploaders = numbered(point.uploader for point in points)
    machines = numbered((point.uploader, point.machine) for point in points)
    drafts = [draft_of(part) for part in split_by_kind(key, points, day=day)]
    standings = {run: found for draft in drafts for run, found in _standings_in(draft).items()}
    recent = {point.run_id for point in counted(key, points, day=day)}
    for point in points:
        found = standings.get(point.run_id)
        left_out = BEFORE_A_CHANGE if point.run_id in recent else TOO_OLD
        yield {
            **_of(key),
            "run": point.run_slug,
            "uploader": uploaders[point.uploader],
            "machine": machines[point.uploader, point.machine],
            "is_claimed": point.is_claimed,
            "is_doubted": point.is_doubted,
            "day": point.at.date() if point.at else None,
            "excluded_by": "" if found else left_out,
            "variant": found and found.variant,
            "weight": found and found.weight,
            "is_flagged": found and found.is_flagged,
        }


def _of(key: CellKey) -> dict[str, Any]:
    return {
        "subject": key.subject.value,
        "slug": key.slug,
        "region_group": key.region_group,
        "evidence": str(key.evidence),
        "workload": key.workload,
        "version": key.version,
    }


def _standings_in(draft: Draft) -> Mapping[Any, _Standing]:
    grouping = group([point.run_point for point in draft.points])
    weights = dict(zip(grouping.uploaders, grouping.weights.tolist(), strict=True))
    return {
        point.run_id: _Standing(
            draft.standing.variant, weights[point.uploader], point.run_id in draft.outliers
        )
        for point in draft.points
    }


def numbered(names: Iterable[Hashable]) -> dict[Hashable, int]:
    """Return a number from 1 for each name, at random."""
    distinct = list(set(names))
    _dice.shuffle(distinct)
    return {name: number for number, name in enumerate(distinct, start=1)}
