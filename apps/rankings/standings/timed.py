"""Latencies of a cell: those of its runs that have its side, and their percentiles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.rankings.models import Evidence
from apps.stats.standings.estimate import Grouping, group

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from apps.rankings.standings.cells import CellPoint, SideLatency, VariantPoints
    from apps.stats.standings.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Timed:
    """The runs of a cell that have a latency of its side."""

    keys: list[str]
    latencies: list[SideLatency]
    grouping: Grouping

    @classmethod
    def of(cls, points: Sequence[CellPoint], side: str) -> Timed | None:
        """Return those of these points; None where there are none."""
        timed = [point for point in points if side in point.sides]
        if not timed:
            return None
        return cls(
            [point.key for point in timed],
            [point.sides[side] for point in timed],
            group([point.run_point for point in timed]),
        )


def percentile_ns(
    part: VariantPoints, timed: Timed | None, percentile: Callable[[SideLatency], int | None]
) -> int | None:
    """Return a percentile of the cell in nanoseconds: that of its middle uploader."""
    is_measured = Evidence.is_judged(part.key.evidence)
    cell = latency_of(timed, percentile, is_measured=is_measured)
    return None if cell is None else round(cell.figure)


def latency_of(
    timed: Timed | None,
    percentile: Callable[[SideLatency], int | None],
    *,
    is_measured: bool = True,
) -> Estimate | None:
    """Return the estimate of a percentile in nanoseconds, computed like that of the rate.

    Short runs have no p99.99, and one over the long runs alone could be lower than the p99 of all
    runs. So a run without the percentile counts as slower than all others, and one of them cannot
    take a percentile away that many have. None where the middle uploader is such a one. What an
    article leaves out says nothing of it: then none of its cell has the percentile.
    """
    if timed is None:
        return None
    values = [percentile(latency) for latency in timed.latencies]
    if not (is_measured or all(values)):
        return None
    cell = timed.grouping.estimate([value or math.inf for value in values])
    return cell if math.isfinite(cell.figure) else None
