"""Ranks with their uncertainty: which rows of a board can be told apart, and which cannot.

Two rows are apart where both hold:

- their medians differ by more than the critical value times the standard error of the difference.
  The critical value is the 95 % quantile of the largest such ratio among all pairs of the board if
  all rows were alike: a range test for all pairs at once (Tukey 1953), here of medians with
  variances that are partly pooled. It depends on nothing but how many uploaders each row has, so it
  is found by drawing such boards from a normal distribution;
- their intervals, whose coverage needs no distribution, do not overlap. That keeps the error where
  one plan scatters more than another, which pooling hides.

Rank intervals are drawn: each row 4,000 times from a normal distribution around its shrunken
estimate, and the rows are ranked in each draw. The name of the board seeds these draws, so that a
rebuild repeats them.
"""

from __future__ import annotations

import hashlib
import itertools
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.standings.shrinkage import median_variances, robust_deviations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

DRAWS: Final = 4_000  # the standard error of a share of draws is at most 0.8 %
RANK_QUANTILES: Final = (0.05, 0.95)
FALSE_SPLITS_MAX: Final = 0.05  # share of boards of alike rows on which any two are called apart
CRITICAL_DRAWS: Final = 2_000  # boards: 5 % of them has a standard error of 0.5 %
_CRITICAL_SEED: Final = 20_261_124
_CHUNK: Final = 50  # boards whose pairs are held at once, fewer of large boards
_PAIRS_MAX: Final = 2_000_000  # of them, 16 MB an array
_CRITICAL_CACHE_SIZE: Final = 512  # boards of one site
_SEED_BYTES: Final = 16


@dataclass(frozen=True, slots=True)
class Bounds:
    """What tells a row from another: ln of its median and interval, and the variance of it."""

    median: float
    low: float
    high: float
    variance: float


@dataclass(frozen=True, slots=True)
class Ranking:
    """The rows of a board, best first; arrays have one entry a row in that order."""

    order: NDArray[np.intp]  # indices of the input
    rank_low: NDArray[np.int64]  # 1 is best
    rank_high: NDArray[np.int64]


def seed_of(board: str) -> int:
    """Return the seed of a board from its name."""
    return int.from_bytes(hashlib.sha256(board.encode()).digest()[:_SEED_BYTES], "big")


def rank(thetas: NDArray[np.float64], sds: NDArray[np.float64], *, board: str) -> Ranking:
    """Rank rows by theta, highest first; equal ones keep the order given. Shapes (P,)."""
    order = np.argsort(-thetas, kind="stable")
    means, deviations = thetas[order], sds[order]
    generator = np.random.Generator(np.random.PCG64(seed_of(board)))
    draws = means + deviations * generator.standard_normal((DRAWS, means.size))
    return Ranking(order, *_rank_interval(draws))


def _rank_interval(draws: NDArray[np.float64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the 5 % and 95 % quantile of each column's rank over all draws."""
    best_first = np.argsort(-draws, axis=1, kind="stable")
    ranks = np.empty(draws.shape, dtype=np.int32)
    places = np.broadcast_to(np.arange(1, draws.shape[1] + 1, dtype=np.int32), draws.shape)
    np.put_along_axis(ranks, best_first, places, axis=1)
    low, high = np.quantile(ranks, RANK_QUANTILES, axis=0, method="inverted_cdf")
    return low.astype(np.int64), high.astype(np.int64)


def critical_value(ns: Sequence[int]) -> float:
    """Return how many standard errors two rows of a board must differ by at least.

    `ns` has the number of uploaders of each row, 2 at least, in any order.
    """
    return _critical_value(tuple(sorted(ns)))


@lru_cache(maxsize=_CRITICAL_CACHE_SIZE)
def _critical_value(ns: tuple[int, ...]) -> float:
    if len(ns) < 2:  # noqa: PLR2004 a pair
        return 0.0
    generator = np.random.Generator(np.random.PCG64([_CRITICAL_SEED, *ns]))
    largest = np.concatenate(list(_largest_ratios(generator, ns)))
    return float(np.quantile(largest, 1 - FALSE_SPLITS_MAX))


def _largest_ratios(
    generator: np.random.Generator, ns: tuple[int, ...]
) -> Iterator[NDArray[np.float64]]:
    """Yield the largest ratio of each drawn board of alike rows, some boards at a time."""
    chunk = max(1, min(_CHUNK, _PAIRS_MAX // len(ns) ** 2))
    for _ in range(CRITICAL_DRAWS // chunk):
        medians, variances = _alike_rows(generator, ns, boards=chunk)
        gaps = np.abs(medians[:, :, None] - medians[:, None, :])
        yield (gaps / np.sqrt(variances[:, :, None] + variances[:, None, :])).max(axis=(1, 2))


def _alike_rows(
    generator: np.random.Generator, ns: tuple[int, ...], *, boards: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return medians of alike rows and their estimated variances. Shapes (boards, P)."""
    medians, spreads = [], []
    for n, count in sorted(Counter(ns).items()):
        values = generator.standard_normal((boards, count, n))
        medians.append(np.median(values, axis=2))
        spreads.append(robust_deviations(values))
    variances = median_variances(np.concatenate(spreads, axis=1), np.array(ns, dtype=np.float64))
    return np.concatenate(medians, axis=1), variances


def are_apart(one: Bounds, other: Bounds, *, critical: float) -> bool:
    """Whether two rows can be told apart, by the rule of this module."""
    if one.low <= other.high and other.low <= one.high:
        return False
    gap = abs(one.median - other.median)
    return bool(gap > critical * np.sqrt(one.variance + other.variance))


def tiers_of(rows: Sequence[Bounds], *, critical: float) -> list[int]:
    """Return the tier of each row, best first, from 1.

    A row that is apart from the first of its tier begins the next one.
    """
    tiers: list[int] = []
    first = None
    for row in rows:
        if first is None or are_apart(first, row, critical=critical):
            first = row
            tiers.append(len(set(tiers)) + 1)
        else:
            tiers.append(tiers[-1])
    return tiers


def are_level_with_above(rows: Sequence[Bounds], *, critical: float) -> list[bool]:
    """Return which rows cannot be told from the one above them; the first is none of them."""
    level = [not are_apart(*pair, critical=critical) for pair in itertools.pairwise(rows)]
    return [False, *level] if rows else []
