"""Ranks the cells of a board against each other: order, rank intervals, ties and tiers.

The ranks depend on the standings of the board and nothing else, so that a rebuild repeats them.
Published figures are sorted and never ranked.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.rankings.choice import common_kinds
from apps.rankings.models import Evidence, Standing
from apps.rankings.standings.cells import BoardKey, CellSubject
from apps.stats.standings.ranks import Ranking, rank
from apps.stats.standings.shrinkage import CellEstimate, ShrunkEstimate, shrink

if TYPE_CHECKING:
    from collections.abc import Sequence

# Only the columns that ranking reads; a curve would be a hundred times larger.
_READ: Final = (
    "plan_id", "drive_family_id", "region_group", "variant", "rate_per_s", "spread_ln",
    "n_effective", "ladder_class_id", "needs_runs", "n_cell_uploaders", "n_uploaders", "n_runs",
)  # fmt: skip
RANKED: Final = (
    "order_rate_per_s", "order_sd_ln", "at_least_per_s", "rank_low", "rank_high", "tier",
    "is_tied_with_above",
)  # fmt: skip
_BATCH: Final = 100  # rows a statement: the time of bulk_update grows with the square


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
    Standing.objects.bulk_update(changed, RANKED, batch_size=_BATCH)


def standings_of(board: BoardKey) -> list[Standing]:
    """Return the standings of a board in an order that does not depend on the database."""
    rows = Standing.objects.filter(
        evidence=board.evidence,
        workload=board.workload,
        version=board.version,
        plan__isnull=board.subject is not CellSubject.PLAN,
    ).only(*_READ, *RANKED)
    return sorted(
        rows,
        key=lambda row: (row.plan_id or row.drive_family_id or "", row.region_group, row.variant),
    )


def set_ranks(board: BoardKey, rows: Sequence[Standing]) -> list[tuple[Standing, ShrunkEstimate]]:
    """Set the rank of each standing, unsaved; return those that are ranked, best first."""
    for row in rows:
        row.order_rate_per_s = row.order_sd_ln = row.at_least_per_s = None
        row.rank_low = row.rank_high = row.tier = None
        row.is_tied_with_above = False
    ranked = [row for row in common_kinds(rows) if not row.needs_runs]
    if not ranked:
        return []
    shrunk = shrink([cell_of(row) for row in ranked])
    thetas = np.array([each.theta for each in shrunk])
    sds = np.array([each.sd for each in shrunk])
    ranking = rank(thetas, sds, board=str(board))
    for place in range(len(ranked)):
        _set_rank(ranked[ranking.order[place]], shrunk[ranking.order[place]], ranking, place)
    return [(ranked[each], shrunk[each]) for each in ranking.order]


def cell_of(row: Standing) -> CellEstimate:
    """Return the input of shrinkage for a standing; its class is the one expected of the device."""
    return CellEstimate(
        theta=math.log(row.rate_per_s),
        spread=row.spread_ln,
        n=row.n_effective,
        storage_class=row.ladder_class_id or "",
    )


def _set_rank(row: Standing, shrunk: ShrunkEstimate, ranking: Ranking, place: int) -> None:
    row.order_rate_per_s = math.exp(shrunk.theta)
    row.order_sd_ln = shrunk.sd
    row.at_least_per_s = shrunk.at_least
    row.rank_low = int(ranking.rank_low[place])
    row.rank_high = int(ranking.rank_high[place])
    row.tier = int(ranking.tier[place])
    row.is_tied_with_above = bool(ranking.is_tied[place])
