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

MISS_MAX: Final = Fraction(1, 20)  # the interval misses the median at most so often, if it can
VALUES_MIN: Final = 2  # one value has no interval
_RANKS_KEPT: Final = 4096  # numbers of uploaders whose ranks are remembered


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
    coverage: float  # of the order statistics; where it was widened, at least this


@lru_cache(maxsize=_RANKS_KEPT)
def ranks_of(n: int, miss_max: Fraction = MISS_MAX) -> Ranks:
    """Return the narrowest pair of ranks that misses at most so often; the range where none does.

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
    """Return an interval that misses the median at most so often; None where so few have none."""
    if len(values) < VALUES_MIN:
        return None
    ranks, ordered = ranks_of(len(values), miss_max), sorted(values)
    if 1 - ranks.coverage > miss_max:
        return None
    return ordered[ranks.low - 1], ordered[ranks.high - 1]


def holding(
    value: float | None, low: float | None, high: float | None
) -> tuple[float | None, float | None]:
    """Return the interval widened to hold its own figure; None and None without any of the three.

    Unit as given. A minimum and a maximum are of windows, and a figure is of all that was counted.
    """
    if value is None or low is None or high is None:
        return None, None
    return min(low, value), max(high, value)


def median_interval(values: Sequence[float], *, estimate: float) -> Interval | None:
    """Return the interval of the median of these values; None of fewer than two.

    Widened to hold the estimate, which with unequal weights may lie outside.
    """
    if len(values) < VALUES_MIN:
        return None
    ranks, ordered = ranks_of(len(values)), sorted(values)
    low, high = ordered[ranks.low - 1], ordered[ranks.high - 1]
    return Interval(min(low, estimate), max(high, estimate), ranks.coverage)
