"""The interval of a median from order statistics, with the coverage that it really has.

Of n independent values the number below the true median is binomial (n, 1/2), whatever they are
distributed like. So the interval from the k-th smallest to the k-th largest misses the median with
probability 2 * sum over i < k of C(n, i) / 2^n (Thompson 1936, Nair 1940). For n < 6 no k reaches
95 %: the range is given, with its coverage 1 - 2^(1 - n).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

# Probability that the interval misses the median, where it can be so low.
MISS_MAX: Final = Fraction(1, 20)
VALUES_MIN: Final = 2  # one value has no interval
_RANKS_CACHE_SIZE: Final = 4096  # distinct numbers of uploaders


@dataclass(frozen=True, slots=True)
class Ranks:
    """Which order statistics bound a median: the `low`-th to the `high`-th smallest, from 1."""

    low: int
    high: int
    coverage: float  # probability of holding the true median, 0..1


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval in the unit of its values."""

    low: float
    high: float
    coverage: float  # of the order statistics; a widened interval covers at least as much


@lru_cache(maxsize=_RANKS_CACHE_SIZE)
def ranks_of(n: int, miss_max: Fraction = MISS_MAX) -> Ranks:
    """Return the narrowest ranks that miss with at most `miss_max`, else the whole range.

    Raises ValueError for fewer than two values.
    """
    if n < VALUES_MIN:
        raise ValueError(f"an interval needs at least two values, not {n}")
    whole = 2**n
    rank, below, choose = 0, 0, 1  # below = sum of C(n, i) over i < rank; choose = C(n, rank)
    while 2 * (below + choose) * miss_max.denominator <= whole * miss_max.numerator:
        below += choose
        choose = choose * (n - rank) // (rank + 1)
        rank += 1
    if rank == 0:
        rank, below = 1, 1
    return Ranks(rank, n + 1 - rank, float(1 - Fraction(2 * below, whole)))


def bounds_of(
    values: Sequence[float], *, miss_max: Fraction = MISS_MAX
) -> tuple[float, float] | None:
    """Return an interval that misses with at most `miss_max`; None for too few values."""
    if len(values) < VALUES_MIN:
        return None
    ranks, ordered = ranks_of(len(values), miss_max), sorted(values)
    if 1 - ranks.coverage > miss_max:
        return None
    return ordered[ranks.low - 1], ordered[ranks.high - 1]


def widened_to(
    value: float | None, low: float | None, high: float | None
) -> tuple[float | None, float | None]:
    """Return the interval widened to hold `value`, in the unit given; (None, None) if one is None.

    The ends are extremes of parts of a measurement, such as windows, and the value is of all of it,
    so it can lie outside.
    """
    if value is None or low is None or high is None:
        return None, None
    return min(low, value), max(high, value)


def median_interval(values: Sequence[float], *, estimate: float) -> Interval | None:
    """Return the interval of the median of these values; None for fewer than two.

    It is widened to hold the estimate, which may lie outside where weights are unequal.
    """
    if len(values) < VALUES_MIN:
        return None
    ranks, ordered = ranks_of(len(values)), sorted(values)
    low, high = ordered[ranks.low - 1], ordered[ranks.high - 1]
    return Interval(min(low, estimate), max(high, estimate), ranks.coverage)
