"""How far kinds of work lie apart on one disk.

Ratios are compared by their logarithms, so that twice and half are equally far. A disk counts once,
however many kinds of work were measured on it: its pairs share its weight.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

# 90 % of disks lie between these quantiles of a ratio; of a distance, which has one end, below 0.9.
LOW: Final = 0.05
HIGH: Final = 0.95
WITHIN: Final = 0.9

Rates = dict[str, float]  # operations a second of one disk, by workload


@dataclass(frozen=True, slots=True)
class RatioSpread:
    """A distribution of ratios: factors, none of them a logarithm."""

    disks: int
    pairs: int
    median: float
    mad: float  # exp of the median absolute deviation of the logarithms: 1 is no scatter
    low: float
    high: float


def rates_by_disk(rates: Iterable[tuple[str, str, float]]) -> dict[str, Rates]:
    """Return the median rate of each workload on each disk, of (disk, workload, rate) in any order.

    Raises:
        ValueError: a rate that is not above zero.

    """
    kept: dict[str, dict[str, list[float]]] = {}
    for disk, workload, rate in rates:
        if not rate > 0:
            raise ValueError(f"{disk}, {workload}: a rate of {rate} has no ratio to another")
        kept.setdefault(disk, {}).setdefault(workload, []).append(rate)
    return {
        disk: {workload: median(values) for workload, values in by_workload.items()}
        for disk, by_workload in kept.items()
    }


def ratio_of(disks: Mapping[str, Rates], first: str, second: str) -> RatioSpread | None:
    """Return how many times the rate of `second` that of `first` is, over disks that have both."""
    ratios = [
        [math.log(rates[first] / rates[second])]
        for rates in disks.values()
        if first in rates and second in rates
    ]
    return _spread(ratios, low=LOW, high=HIGH)


def distance_within(disks: Mapping[str, Rates], members: Collection[str]) -> RatioSpread | None:
    """Return how many times the slower of two members the faster one is, over all pairs of a disk.

    `low` is 1 and `high` the factor within which 90 % of pairs are; None without a pair.
    """
    distances = [
        [abs(math.log(one / other)) for one, other in combinations(_of_members(rates, members), 2)]
        for rates in disks.values()
    ]
    found = _spread([pairs for pairs in distances if pairs], low=0.0, high=WITHIN)
    return found and RatioSpread(found.disks, found.pairs, found.median, found.mad, 1.0, found.high)


def distance_between(
    disks: Mapping[str, Rates], one: Collection[str], other: Collection[str]
) -> RatioSpread | None:
    """Return how many times the typical rate of `other` that of `one` is, over disks with both.

    What is typical of a disk is the median of its workloads.
    """
    ratios = [
        [math.log(median(ones) / median(others))]
        for rates in disks.values()
        if (ones := _of_members(rates, one)) and (others := _of_members(rates, other))
    ]
    return _spread(ratios, low=LOW, high=HIGH)


def _of_members(rates: Rates, members: Collection[str]) -> list[float]:
    return [rate for workload, rate in rates.items() if workload in members]


def _spread(by_disk: Sequence[Sequence[float]], *, low: float, high: float) -> RatioSpread | None:
    """Return the distribution of logarithms of ratios, each disk with a weight of one."""
    if not by_disk:
        return None
    values = np.array([value for pairs in by_disk for value in pairs])
    weights = np.array([1 / len(pairs) for pairs in by_disk for _ in pairs])
    middle = _quantile(values, weights, 0.5)
    return RatioSpread(
        disks=len(by_disk),
        pairs=len(values),
        median=math.exp(middle),
        mad=math.exp(_quantile(np.abs(values - middle), weights, 0.5)),
        low=math.exp(_quantile(values, weights, low)),
        high=math.exp(_quantile(values, weights, high)),
    )


def _quantile(values: np.ndarray, weights: np.ndarray, share: float) -> float:
    """Return a weighted quantile that is one of the values, the lower of two in the middle."""
    return float(np.quantile(values, share, weights=weights, method="inverted_cdf"))
