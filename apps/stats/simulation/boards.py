"""Trials of the order of a board: how often its bands and rank intervals hold the truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.simulation.cells import UPLOADER_DEVIATION, generator_of
from apps.stats.standings.interval import ranks_of
from apps.stats.standings.ranks import (
    Bounds,
    are_apart,
    are_level_with_above,
    critical_value,
    rank,
    tiers_of,
)
from apps.stats.standings.shrinkage import (
    CellEstimate,
    median_variances,
    robust_deviation,
    shrink,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BOARDS: Final = 200
PLANS: Final = 40
UPLOADERS: Final = (7, 16)  # a plan has from so many to so many
PLAN_DEVIATION: Final = 0.3  # of plans of one storage class, in ln
BAND_DEVIATIONS: Final = 1.645  # 90 % of a normal distribution
SPLIT_BOARDS: Final = 1_000
SCATTER_DEVIATION: Final = 0.5  # of ln of a plan's spread, where plans scatter unequally


@dataclass(frozen=True, slots=True)
class BoardTrials:
    """Shares over all rows of all boards, 0..1."""

    band_coverage: float  # of the 90 % band around a row's shrunken estimate
    rank_coverage: float  # of the rank interval
    pairs_apart: float  # neighbours that can be told apart
    tiers: float  # mean number a board


def try_boards(*, boards: int = BOARDS, plans: int = PLANS) -> BoardTrials:
    """Return the shares over simulated boards of one storage class."""
    generator = generator_of(f"boards {plans}")
    rows = [_try_board(generator, plans, f"simulated/{each}") for each in range(boards)]
    return BoardTrials(*(float(each) for each in np.mean(rows, axis=0)))


def false_splits(
    *, plans: int, uploaders: int, scatter: float = 0.0, boards: int = SPLIT_BOARDS
) -> float:
    """Return the share of boards of plans with one truth that show two tiers or more.

    `scatter` is the deviation of ln of a plan's spread: 0 where all scatter alike.
    """
    generator = generator_of(f"false splits {plans} {uploaders} {scatter}")
    critical = critical_value([uploaders] * plans)
    split = 0
    for _ in range(boards):
        spreads = UPLOADER_DEVIATION * np.exp(generator.normal(0, scatter, plans))
        values = [generator.normal(0, spread, uploaders) for spread in spreads]
        rows = sorted(_bounds(values), key=lambda row: -row.median)
        split += tiers_of(rows, critical=critical)[-1] > 1
    return split / boards


def power(*, plans: int, uploaders: int, factor: float, boards: int = SPLIT_BOARDS) -> float:
    """Return how often two plans of a board are told apart, of which one is `factor` as fast."""
    generator = generator_of(f"power {plans} {uploaders} {factor}")
    critical = critical_value([uploaders] * plans)
    told = 0
    for _ in range(boards):
        values = list(generator.normal(0, UPLOADER_DEVIATION, (plans, uploaders)))
        values[0] = values[0] + np.log(factor)
        first, second = _bounds(values)[:2]
        told += are_apart(first, second, critical=critical)
    return told / boards


def _bounds(values: Sequence[NDArray[np.float64]]) -> list[Bounds]:
    """Return what tells the rows of a board apart, from the uploaders of each."""
    spreads = np.array([robust_deviation(each) for each in values])
    variances = median_variances(spreads, np.array([each.size for each in values]))
    return [
        _bounds_of(np.sort(each), float(variance))
        for each, variance in zip(values, variances, strict=True)
    ]


def _bounds_of(ordered: NDArray[np.float64], variance: float) -> Bounds:
    ranks = ranks_of(ordered.size)
    low, high = float(ordered[ranks.low - 1]), float(ordered[ranks.high - 1])
    return Bounds(float(np.median(ordered)), low, high, variance)


def _try_board(generator: np.random.Generator, plans: int, name: str) -> list[float]:
    truth = generator.normal(0, PLAN_DEVIATION, plans)
    ns = generator.integers(UPLOADERS[0], UPLOADERS[1] + 1, plans)
    values = [
        generator.normal(theta, UPLOADER_DEVIATION, n) for theta, n in zip(truth, ns, strict=True)
    ]
    shrunk = shrink([_cell(each) for each in values])
    thetas = np.array([each.theta for each in shrunk])
    sds = np.array([each.sd for each in shrunk])
    ranking = rank(thetas, sds, board=name)
    bounds = _bounds(values)
    rows, critical = [bounds[each] for each in ranking.order], critical_value(ns.tolist())
    true_ranks = np.empty(plans, dtype=np.int64)
    true_ranks[np.argsort(-truth)] = np.arange(1, plans + 1)
    in_order = true_ranks[ranking.order]
    level = are_level_with_above(rows, critical=critical)
    return [
        float(np.mean(np.abs(thetas - truth) <= BAND_DEVIATIONS * sds)),
        float(np.mean((ranking.rank_low <= in_order) & (in_order <= ranking.rank_high))),
        1 - sum(level) / (plans - 1),
        float(tiers_of(rows, critical=critical)[-1]),
    ]


def _cell(values: NDArray[np.float64]) -> CellEstimate:
    theta = float(np.median(values))
    return CellEstimate(
        theta=theta, spread=robust_deviation(values), n=values.size, storage_class="one"
    )
