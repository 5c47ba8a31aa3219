"""Shrinks the figures of a board towards their storage class: for the order of rows, never printed.

The fewer uploaders an estimate rests on, the more it is drawn towards the middle of its storage
class (empirical Bayes; the variance between plans by Paule and Mandel 1982). All values are natural
logarithms of rates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.standings.outliers import mads_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# Besides 1.4826, the factor that makes the MAD of n normal values unbiased where n is small (Croux
# and Rousseeuw 1992). Above nine values theirs is n / (n - 0.8); 1 + 0.8 / n is within 0.8 % of it.
SMALL_SAMPLE: Final = {3: 1.49, 4: 1.36, 5: 1.21, 6: 1.20, 7: 1.14, 8: 1.13, 9: 1.11}
DEVIATIONS_PER_MAD: Final = 1.4826  # for normal values
POOLED_DEVIATION_MIN: Final = 0.05
# Degrees of freedom that the pooled variance counts for (nu0). With 8, boards whose plans scatter
# unequally were split falsely three times as often.
PRIOR_UPLOADERS: Final = 4
MEDIAN_VARIANCE: Final = math.pi / 2  # of a median over that of a mean, for normal values
TAU_MIN: Final = 0.10  # with 0.05 the 90 % bands of simulated boards covered 60 %


@dataclass(frozen=True, slots=True)
class CellEstimate:
    """What shrinkage needs to know of a cell."""

    theta: float  # ln of its rate
    spread: float  # standard deviation of its uploaders, from `robust_deviation`
    n: float  # effective number of uploaders, by their weights
    storage_class: str


@dataclass(frozen=True, slots=True)
class Prior:
    """The middle of a storage class and how far its plans lie apart."""

    mean: float
    tau: float
    weight: float  # sum of 1 / (v + tau^2)


@dataclass(frozen=True, slots=True)
class ShrunkEstimate:
    """The estimate of a cell after shrinkage, and its standard deviation."""

    theta: float
    sd: float
    variance: float  # of its own median, before shrinkage
    own_weight: float  # B: 1 keeps the cell's own estimate, 0 would be the prior's mean
    prior: Prior | None


def small_sample(n: int) -> float:
    """Return c_n, which corrects the MAD of n values."""
    return SMALL_SAMPLE.get(n, 1 + 0.8 / n)


def robust_deviations(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return robust standard deviations along the last axis: c_n * 1.4826 * MAD."""
    return small_sample(values.shape[-1]) * DEVIATIONS_PER_MAD * mads_of(values)


def robust_deviation(values: NDArray[np.float64]) -> float:
    """Return the robust standard deviation of these values."""
    return float(robust_deviations(values))


def pooled_variance(spreads: NDArray[np.float64], ns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the variance within a cell, pooled over a board; not below 0.05 squared.

    `spreads` has the cells of a board along the last axis, as `ns` (P,). Shape (..., 1).
    """
    freedom = np.maximum(ns - 1, 0)
    sums = np.sum(freedom * spreads**2, axis=-1, keepdims=True)
    pooled: NDArray[np.float64] = np.maximum(sums / max(freedom.sum(), 1), POOLED_DEVIATION_MIN**2)
    return pooled


def median_variances(spreads: NDArray[np.float64], ns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the variance of the median of each cell. Shapes as for `pooled_variance`, (..., P)."""
    freedom, pooled = np.maximum(ns - 1, 0), pooled_variance(spreads, ns)
    own = (freedom * spreads**2 + PRIOR_UPLOADERS * pooled) / (freedom + PRIOR_UPLOADERS)
    variances: NDArray[np.float64] = MEDIAN_VARIANCE * own / ns
    return variances


def paule_mandel(thetas: NDArray[np.float64], variances: NDArray[np.float64]) -> float:
    """Return tau^2 with sum (theta - mu)^2 / (v + tau^2) = P - 1, or 0 where there is none."""

    def excess(tau2: float) -> float:
        weights = 1 / (variances + tau2)
        mean = np.sum(weights * thetas) / np.sum(weights)
        return float(np.sum(weights * (thetas - mean) ** 2)) - (thetas.size - 1)

    if excess(0.0) <= 0:
        return 0.0
    # The root lies below the square of the range: there each term is at most 1, and the sum is
    # below P - 1, because the weighted mean cannot be a whole range away from every theta.
    low, high = 0.0, float(np.ptp(thetas) ** 2)
    middle = high / 2
    while low < middle < high:  # until neighbouring doubles are reached
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        middle = (low + high) / 2
    return middle


def prior_of(thetas: NDArray[np.float64], variances: NDArray[np.float64]) -> Prior:
    """Return the prior of one storage class, from its cells (two at least)."""
    tau = max(math.sqrt(paule_mandel(thetas, variances)), TAU_MIN)
    weights = 1 / (variances + tau**2)
    return Prior(float(np.sum(weights * thetas) / weights.sum()), tau, float(weights.sum()))


def shrink(cells: Sequence[CellEstimate]) -> list[ShrunkEstimate]:
    """Return the shrunken estimate of each cell of a board, in the order given.

    The only cell of its class has no prior and keeps its own estimate.
    """
    thetas = np.array([cell.theta for cell in cells], dtype=np.float64)
    spreads = np.array([cell.spread for cell in cells], dtype=np.float64)
    ns = np.array([cell.n for cell in cells], dtype=np.float64)
    variances = median_variances(spreads, ns)
    classes = [cell.storage_class for cell in cells]
    priors: dict[str, Prior] = {}
    for name in sorted(set(classes)):
        of_class = np.array([each == name for each in classes])
        if np.count_nonzero(of_class) > 1:
            priors[name] = prior_of(thetas[of_class], variances[of_class])
    return [
        _shrunk(float(theta), float(variance), priors.get(name))
        for theta, variance, name in zip(thetas, variances, classes, strict=True)
    ]


def _shrunk(theta: float, variance: float, prior: Prior | None) -> ShrunkEstimate:
    if prior is None:
        return ShrunkEstimate(theta, math.sqrt(variance), variance, 1.0, None)
    own_weight = prior.tau**2 / (prior.tau**2 + variance)
    shrunk_theta = prior.mean + own_weight * (theta - prior.mean)
    sd = math.sqrt(own_weight * variance + (1 - own_weight) ** 2 / prior.weight)
    return ShrunkEstimate(shrunk_theta, sd, variance, own_weight, prior)
