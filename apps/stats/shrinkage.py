"""How far each figure of a board is to be believed: for the order of its rows, never printed.

An estimate that rests on few uploaders is drawn towards the middle of its storage class, the more
the less it knows (empirical Bayes; the variance between plans by Paule and Mandel 1982). All values
are natural logarithms of rates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.outliers import mad_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# What the median of n absolute deviations must be multiplied by, besides 1.4826, to be right on
# average for few normal values (Croux and Rousseeuw 1992); above nine, 1 + 0.8 / n.
SMALL_SAMPLE: Final = {3: 1.49, 4: 1.36, 5: 1.21, 6: 1.20, 7: 1.14, 8: 1.13, 9: 1.11}
DEVIATIONS_PER_MAD: Final = 1.4826  # for normal values
POOLED_DEVIATION_MIN: Final = 0.05
PRIOR_UPLOADERS: Final = 8  # what the pooled variance weighs against a cell's own (nu0)
MEDIAN_VARIANCE: Final = math.pi / 2  # of a median over that of a mean, for normal values
TAU_MIN: Final = 0.10  # between plans of a class: bands built with 0.05 covered 60 %, not 90 %
AT_LEAST_DEVIATIONS: Final = 1.28  # nine in ten lie above estimate - 1.28 sd


@dataclass(frozen=True, slots=True)
class CellEstimate:
    """What shrinkage needs to know of a cell."""

    theta: float  # ln of its rate
    spread: float  # standard deviation of its uploaders, from `spread_of`
    n: float  # uploaders, or as many as their weights are worth
    storage_class: str


@dataclass(frozen=True, slots=True)
class Prior:
    """The middle of a storage class and how far its plans lie apart."""

    mean: float
    tau: float
    weight: float  # sum of 1 / (v + tau^2)


@dataclass(frozen=True, slots=True)
class ShrunkEstimate:
    """Where a cell is believed to stand, and how well that is known."""

    theta: float
    sd: float
    kept: float  # B: 1 where it stays where it was measured, towards 0 where it is drawn in
    prior: Prior | None

    @property
    def at_least(self) -> float:
        """The rate that nine in ten such cells exceed."""
        return math.exp(self.theta - AT_LEAST_DEVIATIONS * self.sd)


def small_sample(n: int) -> float:
    """Return c_n, which corrects the spread of few values."""
    return SMALL_SAMPLE.get(n, 1 + 0.8 / n)


def spread_of(values: NDArray[np.float64]) -> float:
    """Return a standard deviation that a few wild values do not move: c_n * 1.4826 * MAD."""
    return small_sample(values.size) * DEVIATIONS_PER_MAD * mad_of(values)


def pooled_variance(spreads: NDArray[np.float64], ns: NDArray[np.float64]) -> float:
    """Return the variance within a cell, over all of them: not below 0.05 squared."""
    freedom = np.maximum(ns - 1, 0)
    if not freedom.sum():
        return POOLED_DEVIATION_MIN**2
    pooled = float(np.sum(freedom * spreads**2) / freedom.sum())
    return max(pooled, POOLED_DEVIATION_MIN**2)


def median_variances(
    spreads: NDArray[np.float64], ns: NDArray[np.float64], pooled: float
) -> NDArray[np.float64]:
    """Return the variance of the median of each cell. Shape (P,)."""
    freedom = np.maximum(ns - 1, 0)
    own = (freedom * spreads**2 + PRIOR_UPLOADERS * pooled) / (freedom + PRIOR_UPLOADERS)
    variances: NDArray[np.float64] = MEDIAN_VARIANCE * own / ns
    return variances


def paule_mandel(thetas: NDArray[np.float64], variances: NDArray[np.float64]) -> float:
    """Return tau^2 with sum (theta - mu)^2 / (v + tau^2) = P - 1, or 0 where none is needed."""

    def excess(tau2: float) -> float:
        weights = 1 / (variances + tau2)
        mean = np.sum(weights * thetas) / np.sum(weights)
        return float(np.sum(weights * (thetas - mean) ** 2)) - (thetas.size - 1)

    if excess(0.0) <= 0:
        return 0.0
    # At the square of the range no term exceeds 1, and the sum stays below P - 1: a mean that were
    # a whole range away from all but one would lie on that one.
    low, high = 0.0, float(np.ptp(thetas) ** 2)
    middle = high / 2
    while low < middle < high:  # until a double can tell them apart no more
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        middle = (low + high) / 2
    return middle


def prior_of(thetas: NDArray[np.float64], variances: NDArray[np.float64]) -> Prior:
    """Return the prior of one storage class, from its cells (two at least)."""
    tau = max(math.sqrt(paule_mandel(thetas, variances)), TAU_MIN)
    weights = 1 / (variances + tau**2)
    return Prior(float(np.sum(weights * thetas) / weights.sum()), tau, float(weights.sum()))


def shrink(cells: Sequence[CellEstimate]) -> list[ShrunkEstimate]:
    """Return where each cell of a board is believed to stand, in the order given.

    A class with a single cell has no middle but that cell: it stays where it is.
    """
    thetas = np.array([cell.theta for cell in cells], dtype=np.float64)
    spreads = np.array([cell.spread for cell in cells], dtype=np.float64)
    ns = np.array([cell.n for cell in cells], dtype=np.float64)
    variances = median_variances(spreads, ns, pooled_variance(spreads, ns))
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
        return ShrunkEstimate(theta, math.sqrt(variance), 1.0, None)
    kept = prior.tau**2 / (prior.tau**2 + variance)
    believed = prior.mean + kept * (theta - prior.mean)
    sd = math.sqrt(kept * variance + (1 - kept) ** 2 / prior.weight)
    return ShrunkEstimate(believed, sd, kept, prior)
