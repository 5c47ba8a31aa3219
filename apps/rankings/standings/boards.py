"""Ranks the cells of a board against each other: order, rank intervals, ties and tiers.

The ranks depend on the standings of the board and nothing else, so that a rebuild repeats them.
Published figures are sorted and never ranked.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from django.db import connection
from django.db.models import Q

from apps.rankings.choice import common_kinds
from apps.rankings.models import Evidence, Standing
from apps.rankings.standings.cells import BoardKey, CellSubject
from apps.stats.standings.ranks import (
    Bounds,
    are_level_with_above,
    critical_value,
    rank,
    tiers_of,
)
from apps.stats.standings.shrinkage import CellEstimate, ShrunkEstimate, shrink

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# Only the columns that ranking reads; a curve would be a hundred times larger.
RANKED_BY: Final = (
    "plan_id", "drive_family_id", "region_group", "variant", "rate_per_s", "rate_per_s_low",
    "rate_per_s_high", "spread_ln", "n_effective", "ladder_class_id", "needs_runs",
    "n_cell_uploaders", "n_uploaders", "n_runs", "n_claimed", "evidence",
)  # fmt: skip
RANKED: Final = (
    "order_rate_per_s", "rank_low", "rank_high", "tier", "is_tied_with_above",
    "median_sd_ln", "apart_sds",
)  # fmt: skip
# `bulk_update` took a fifth of the time that the standings of an upload to a ranked cell take.
_STORE: Final = """
    UPDATE rankings_standing AS old SET
        order_rate_per_s = new.order_rate_per_s, rank_low = new.rank_low,
        rank_high = new.rank_high, tier = new.tier, is_tied_with_above = new.is_tied_with_above,
        median_sd_ln = new.median_sd_ln, apart_sds = new.apart_sds
    FROM unnest(
        %s::bigint[], %s::float8[], %s::int[], %s::int[], %s::int[], %s::bool[], %s::float8[],
        %s::float8[]
    ) AS new (
        id, order_rate_per_s, rank_low, rank_high, tier, is_tied_with_above, median_sd_ln, apart_sds
    )
    WHERE old.id = new.id
"""


def rank_board(board: BoardKey) -> None:
    """Rank the standings of a board again and write those whose rank changed."""
    if not Evidence.is_judged(board.evidence):
        return
    rows = standings_of(board)
    before = [tuple(getattr(row, name) for name in RANKED) for row in rows]
    set_ranks(board, rows)
    changed = [
        row
        for row, old in zip(rows, before, strict=True)
        if tuple(getattr(row, name) for name in RANKED) != old
    ]
    if changed:
        _store_ranks(changed)


def _store_ranks(rows: Sequence[Standing]) -> None:
    """Write the ranks of these rows."""
    with connection.cursor() as cursor:
        columns = ("pk", *RANKED)
        cursor.execute(_STORE, [[getattr(row, name) for row in rows] for name in columns])


def all_boards() -> list[BoardKey]:
    """Return the boards of all standings."""
    rows = Standing.objects.annotate(is_drive=Q(plan=None)).order_by()
    columns = ("is_drive", "evidence", "workload", "version")
    return sorted(
        BoardKey(CellSubject.DRIVE if is_drive else CellSubject.PLAN, *rest)
        for is_drive, *rest in rows.values_list(*columns).distinct()
    )


def standings_of(board: BoardKey) -> list[Standing]:
    """Return the standings of a board, in their order."""
    rows = Standing.objects.filter(
        evidence=board.evidence,
        workload=board.workload,
        version=board.version,
        plan__isnull=board.subject is not CellSubject.PLAN,
    ).only(*RANKED_BY, *RANKED)
    return in_order(rows)


def in_order(rows: Iterable[Standing]) -> list[Standing]:
    """Return standings of a board in an order that does not depend on the database."""
    return sorted(
        rows,
        key=lambda row: (row.plan_id or row.drive_family_id or "", row.region_group, row.variant),
    )


def set_ranks(board: BoardKey, rows: Sequence[Standing]) -> list[tuple[Standing, ShrunkEstimate]]:
    """Set the rank of each standing, unsaved; return those that are ranked, best first."""
    for row in rows:
        row.order_rate_per_s = row.median_sd_ln = row.apart_sds = None
        row.rank_low = row.rank_high = row.tier = None
        row.is_tied_with_above = False
    enough = [row for row in rows if not row.needs_runs]
    shrunk = shrink([cell_of(row) for row in enough])
    critical = critical_value([int(row.n_effective) for row in enough])
    for row, estimate in zip(enough, shrunk, strict=True):
        row.median_sd_ln, row.apart_sds = math.sqrt(estimate.variance), critical
    common = {id(row) for row in common_kinds(rows)}
    eligible = [each for each in zip(enough, shrunk, strict=True) if id(each[0]) in common]
    if not eligible:
        return []
    thetas = np.array([each.theta for _, each in eligible])
    sds = np.array([each.sd for _, each in eligible])
    ranking = rank(thetas, sds, board=str(board))
    ranked = [eligible[each] for each in ranking.order]
    for (row, estimate), low, high in zip(ranked, ranking.rank_low, ranking.rank_high, strict=True):
        row.order_rate_per_s = math.exp(estimate.theta)
        row.rank_low, row.rank_high = int(low), int(high)
    bounds = [_bounds_of(row, estimate) for row, estimate in ranked]
    tiers = tiers_of(bounds, critical=critical)
    levels = are_level_with_above(bounds, critical=critical)
    for (row, _), tier, is_level in zip(ranked, tiers, levels, strict=True):
        row.tier, row.is_tied_with_above = tier, is_level
    return ranked


def _bounds_of(row: Standing, estimate: ShrunkEstimate) -> Bounds:
    low, high = row.rate_per_s_low or row.rate_per_s, row.rate_per_s_high or row.rate_per_s
    return Bounds(math.log(row.rate_per_s), math.log(low), math.log(high), estimate.variance)


def cell_of(row: Standing) -> CellEstimate:
    """Return the input of shrinkage for a standing; its class is the one expected of the device."""
    return CellEstimate(
        theta=math.log(row.rate_per_s),
        spread=row.spread_ln,
        n=row.n_effective,
        storage_class=row.ladder_class_id or "",
    )
