"""Trials of the order of a board: how often its bands and rank intervals hold the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.simulation.cells import UPLOADER_DEVIATION, generator_of
from apps.stats.standings.ranks import APART_MIN, rank
from apps.stats.standings.shrinkage import (
    AT_LEAST_DEVIATIONS,
    CellEstimate,
    robust_deviation,
    shrink,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

BOARDS: Final = 200
PLANS: Final = 40
UPLOADERS: Final = (3, 12)  # a plan has from so many to so many
PLAN_DEVIATION: Final = 0.3  # of plans of one storage class, in ln
BAND_DEVIATIONS: Final = 1.645  # 90 % of a normal distribution


@dataclass(frozen=True, slots=True)
class BoardTrials:
    """Shares over all rows of all boards, 0..1."""

    band_coverage: float  # of the 90 % band around a row's shrunken estimate
    rank_coverage: float  # of the rank interval
    at_least_coverage: float  # the truth exceeds the "at least" figure
    pairs_apart: float  # neighbours that can be told apart
    tiers: float  # mean number a board


def try_boards(*, boards: int = BOARDS, plans: int = PLANS) -> BoardTrials:
    """Return the shares over simulated boards of one storage class."""
    generator = generator_of(f"boards {plans}")
    rows = [_try_board(generator, plans, f"simulated/{each}") for each in range(boards)]
    return BoardTrials(*(float(each) for each in np.mean(rows, axis=0)))


def _try_board(generator: np.random.Generator, plans: int, name: str) -> list[float]:
    truth = generator.normal(0, PLAN_DEVIATION, plans)
    ns = generator.integers(UPLOADERS[0], UPLOADERS[1] + 1, plans)
    cells = [
        _cell(generator.normal(theta, UPLOADER_DEVIATION, n))
        for theta, n in zip(truth, ns, strict=True)
    ]
    shrunk = shrink(cells)
    thetas = np.array([each.theta for each in shrunk])
    sds = np.array([each.sd for each in shrunk])
    ranking = rank(thetas, sds, board=name)
    true_ranks = np.empty(plans, dtype=np.int64)
    true_ranks[np.argsort(-truth)] = np.arange(1, plans + 1)
    in_order = true_ranks[ranking.order]
    return [
        float(np.mean(np.abs(thetas - truth) <= BAND_DEVIATIONS * sds)),
        float(np.mean((ranking.rank_low <= in_order) & (in_order <= ranking.rank_high))),
        float(np.mean(truth >= thetas - AT_LEAST_DEVIATIONS * sds)),
        float(np.mean(ranking.ahead[1:] >= APART_MIN)),
        float(ranking.tier[-1]),
    ]


def _cell(values: NDArray[np.float64]) -> CellEstimate:
    theta = float(np.median(values))
    return CellEstimate(
        theta=theta, spread=robust_deviation(values), n=values.size, storage_class="one"
    )
