"""Cells that hold several kinds of storage: providers have several back-ends under one name.

A cell is split at a gap between neighbouring uploaders if

- at least three uploaders, and a fifth of them, are on either side. Without the fifth, three
  networks that agree on a lie would be a kind of their own beside any number of others;
- the gap is wider than four median absolute deviations of the uploaders from the median of their
  own side. The median of the whole cell would lie between the kinds;
- the gap is wider than either side. Without this, cells of one kind whose six uploaders differ by a
  factor of 1.6 were split in one of 5 trials; with it, in one of 14.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.standings.outliers import FLAGGED_SHARE_MAX, MAD_MIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

UPLOADERS_MIN: Final = 3  # on either side: fewer may be one person or a bad day
GAP_MADS: Final = 4.0
# A smaller group of uploaders is flagged as outliers and is no kind of its own.
SHARE_MIN: Final = FLAGGED_SHARE_MAX
KINDS_MAX: Final = 5  # of storage in one cell: more would be noise


def variants_of(values: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the variant of each value (ln of a rate, one an uploader). Shape (n,).

    0 for all where the cell is of one kind; else from 1, which is the fastest.
    """
    order = np.argsort(-values, kind="stable")
    edges = _edges(values[order])
    numbers = np.zeros(values.size, dtype=np.int64)
    if edges:
        numbers[order] = 1 + np.searchsorted(edges, np.arange(values.size), side="right")
    return numbers


def _edges(falling: NDArray[np.float64]) -> list[int]:
    """Return where the kinds after the first one begin, in rising order.

    Cuts are tried at the widest gap, then at the two widest, and so on: with three kinds, a single
    cut leaves a side that is as wide as the gap.
    """
    gaps = falling[:-1] - falling[1:]
    side_min = max(UPLOADERS_MIN, math.ceil(SHARE_MIN * falling.size))
    last_cuts: list[int] = []
    best_cuts: list[int] = []
    for place in (np.argsort(-gaps, kind="stable") + 1).tolist():
        if len(last_cuts) + 1 == KINDS_MAX:
            break
        cuts = sorted([*last_cuts, place])
        if np.diff([0, *cuts, falling.size]).min() < side_min:
            continue
        last_cuts = cuts
        if gaps[place - 1] > _needed_gap(np.split(falling, cuts)):
            best_cuts = cuts
    return best_cuts


def _needed_gap(sides: Sequence[NDArray[np.float64]]) -> float:
    """Return how wide a gap between these sides must be at least."""
    deviations = np.concatenate([np.abs(side - np.median(side)) for side in sides])
    spread = max(float(np.median(deviations)), MAD_MIN)
    return max(GAP_MADS * spread, *(float(np.ptp(side)) for side in sides))
