"""Trials of the method on invented cells whose truth is known: coverage, a cheater, two kinds.

The truth is 0 in ln of the rate. Uploaders differ from it with a standard deviation of 0.15, their
machines from them with 0.05, and runs from their machine with 0.05, all normal. Arrays have one
trial a row; nothing but `split_share` loops over trials.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.standings.interval import ranks_of
from apps.stats.standings.variants import variants_of
from apps.stats.standings.weights import weighted_median, weights_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

UPLOADER_DEVIATION: Final = 0.15
MACHINE_DEVIATION: Final = 0.05
RUN_DEVIATION: Final = 0.05
HONEST_MACHINES: Final = 4
HONEST_DAYS: Final = 5  # one run a day: 20 uploads an honest uploader
CHEAT_UPLOADS: Final = 60
CHEAT_FACTOR: Final = 10.0
TRIALS: Final = 20_000
SPLIT_TRIALS: Final = 2_000  # one call a trial
SEED: Final = 20_261_121


class Cheat(StrEnum):
    """How somebody sends 60 uploads at ten times the rate."""

    ONE_KEY = "60 uploads, one key"
    ONE_NETWORK = "60 keys, one network"
    THREE_NETWORKS = "60 keys, 3 networks"
    MANY_NETWORKS = "60 keys, 60 networks"


@dataclass(frozen=True, slots=True)
class Trials:
    """Rates in ln: honest (trials, n, machines, days) and the cheater's (trials, uploads)."""

    honest: NDArray[np.float64]
    cheat: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class CheatEffect:
    """How far a cheater moves an estimator, and how far that is from the truth: 0.05 is 5 %."""

    error_median: float  # of |estimate / truth - 1|
    error_p95: float
    move_median: float  # of |with the cheater / without - 1|
    move_p95: float


@dataclass(frozen=True, slots=True)
class IntervalCoverage:
    """How often the interval over n uploaders held the truth."""

    n: int
    low: int
    high: int
    exact: float
    equal: float  # in the trials, all weights equal
    unequal: float  # in the trials, a third of the uploaders claimed


def generator_of(name: str) -> np.random.Generator:
    """Return the generator of one table, so that no table depends on which others are made."""
    return np.random.Generator(np.random.PCG64([SEED, *name.encode()]))


def draw(generator: np.random.Generator, *, n: int, trials: int = TRIALS) -> Trials:
    """Return invented uploads of n honest uploaders and of one cheater."""
    shape = (trials, n, HONEST_MACHINES, HONEST_DAYS)
    uploaders = generator.normal(0, UPLOADER_DEVIATION, (trials, n, 1, 1))
    machines = generator.normal(0, MACHINE_DEVIATION, (trials, n, HONEST_MACHINES, 1))
    runs = generator.normal(0, RUN_DEVIATION, shape)
    cheat = generator.normal(math.log(CHEAT_FACTOR), RUN_DEVIATION, (trials, CHEAT_UPLOADS))
    return Trials(uploaders + machines + runs, cheat)


def voices(trials: Trials, cheat: Cheat | None) -> NDArray[np.float64]:
    """Return the value of each uploader, the honest ones first: (trials, uploaders)."""
    honest = np.median(np.median(trials.honest, axis=3), axis=2)
    if cheat is None:
        return honest
    if cheat is Cheat.MANY_NETWORKS:
        return np.concatenate([honest, trials.cheat], axis=1)
    if cheat is Cheat.THREE_NETWORKS:
        networks = np.median(trials.cheat.reshape(len(honest), 3, -1), axis=2)
        return np.concatenate([honest, networks], axis=1)
    if cheat is Cheat.ONE_KEY:  # one machine: the median of its days, twelve runs on each
        days = np.median(trials.cheat.reshape(len(honest), HONEST_DAYS, -1), axis=2)
        return np.concatenate([honest, np.median(days, axis=1, keepdims=True)], axis=1)
    return np.concatenate([honest, np.median(trials.cheat, axis=1, keepdims=True)], axis=1)


def method(trials: Trials, cheat: Cheat | None, *, are_claimed: bool = False) -> CheatEffect:
    """Return how the method of standings does; all honest uploaders are claimed or nobody is."""
    n = trials.honest.shape[1]
    alone, together = voices(trials, None), voices(trials, cheat)
    is_claimed = np.arange(together.shape[1]) < (n if are_claimed else 0)
    return _cheat_effect(
        weighted_median(alone, weights_of(is_claimed[:n])),
        weighted_median(together, weights_of(is_claimed)),
    )


def mean_of_uploads(trials: Trials) -> CheatEffect:
    """Return how the mean of all uploads does."""
    honest = np.exp(trials.honest.reshape(len(trials.honest), -1))
    everything = np.concatenate([honest, np.exp(trials.cheat)], axis=1)
    return _cheat_effect(np.log(honest.mean(axis=1)), np.log(everything.mean(axis=1)))


def median_of_uploads(trials: Trials) -> CheatEffect:
    """Return how the median of all uploads does."""
    honest = trials.honest.reshape(len(trials.honest), -1)
    everything = np.concatenate([honest, trials.cheat], axis=1)
    return _cheat_effect(np.median(honest, axis=1), np.median(everything, axis=1))


def coverage(n: int, *, trials: int = TRIALS) -> IntervalCoverage:
    """Return how often the interval over n uploaders holds the truth."""
    generator = generator_of(f"coverage {n}")
    values = generator.normal(0, UPLOADER_DEVIATION, (trials, n))
    ranks, ordered = ranks_of(n), np.sort(values, axis=1)
    low, high = ordered[:, ranks.low - 1], ordered[:, ranks.high - 1]
    estimate = weighted_median(values, weights_of(np.arange(n) < (n + 2) // 3))
    wide_low, wide_high = np.minimum(low, estimate), np.maximum(high, estimate)
    return IntervalCoverage(
        n=n,
        low=ranks.low,
        high=ranks.high,
        exact=ranks.coverage,
        equal=float(np.mean((low <= 0) & (high >= 0))),
        unequal=float(np.mean((wide_low <= 0) & (wide_high >= 0))),
    )


def naive_coverage(trials: Trials) -> float:
    """Return how often an interval that takes uploads for independent holds the truth.

    The interval is the mean of all uploads and 1.96 standard errors on either side.
    """
    uploads = trials.honest.reshape(len(trials.honest), -1)
    reach = 1.96 * uploads.std(axis=1, ddof=1) / math.sqrt(uploads.shape[1])
    return float(np.mean(np.abs(uploads.mean(axis=1)) <= reach))


def split_share(sizes: Sequence[int], *, factor: float, trials: int = SPLIT_TRIALS) -> float:
    """Return how often a cell of two kinds of storage is split; `sizes` are uploaders of each.

    The second kind is `factor` times as fast. With a factor of 1 there is one kind only, and every
    split is an error.
    """
    generator = generator_of(f"split {sizes} {factor}")
    values = generator.normal(0, UPLOADER_DEVIATION, (trials, sum(sizes)))
    values[:, sizes[0] :] += math.log(factor)
    return float(np.mean([bool(variants_of(row).any()) for row in values]))


def _cheat_effect(alone: NDArray[np.float64], together: NDArray[np.float64]) -> CheatEffect:
    errors, moves = np.abs(np.expm1(together)), np.abs(np.expm1(together - alone))
    return CheatEffect(
        *(float(each) for each in np.quantile(errors, (0.5, 0.95))),
        *(float(each) for each in np.quantile(moves, (0.5, 0.95))),
    )
