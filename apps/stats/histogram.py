"""Latency histograms with 128 sub-buckets an octave ("log128"), as agents send them.

A value v below 128 has a bucket of its own. Above, e = floor(log2 v) - 7 and the bucket is
128 * (e + 1) + (v >> e) - 128, so that a bucket is never wider than 1/128 of its lower bound
(HdrHistogram calls this two significant digits). Sum, minimum and maximum are kept exactly.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, repeat
from operator import ge, mul
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SUB_BUCKETS = 128  # linear steps in each octave: an error below 0.8 %
SUB_BUCKET_BITS = 7
BUCKETS_MAX = 4096  # the last one begins at 273 s: longer stalls are clamped into it

# Quantiles that draw a latency curve well on a logarithmic axis of 1 - q.
CURVE_QUANTILES = (
    0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7,
    0.75, 0.8, 0.85, 0.9, 0.925, 0.95, 0.97, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998,
    0.9999,
)  # fmt: skip


def bucket_of(value_ns: int) -> int:
    """Return the bucket of a latency in nanoseconds.

    Raises ValueError for a negative latency.
    """
    if value_ns < 0:
        message = f"a latency cannot be negative: {value_ns} ns"
        raise ValueError(message)
    if value_ns < SUB_BUCKETS:
        return value_ns
    exponent = value_ns.bit_length() - 1 - SUB_BUCKET_BITS
    bucket = SUB_BUCKETS * (exponent + 1) + (value_ns >> exponent) - SUB_BUCKETS
    return min(bucket, BUCKETS_MAX - 1)


def bucket_low_ns(bucket: int) -> int:
    """Return the smallest latency in nanoseconds that falls into a bucket."""
    if bucket < SUB_BUCKETS:
        return bucket
    return (SUB_BUCKETS + bucket % SUB_BUCKETS) << (bucket // SUB_BUCKETS - 1)


def bucket_width_ns(bucket: int) -> int:
    """Return how many whole nanoseconds share a bucket."""
    return 1 if bucket < SUB_BUCKETS else 1 << (bucket // SUB_BUCKETS - 1)


_LOWS_NS = [bucket_low_ns(bucket) for bucket in range(BUCKETS_MAX)]
# The last bucket has no end.
_HIGHS_NS = [low_ns - 1 for low_ns in _LOWS_NS[1:]] + [1 << 63]


@lru_cache(maxsize=256, typed=True)  # callers ask for a few dozen, thousands of times each
def exact(quantile: float | Fraction) -> tuple[int, int]:
    """Return numerator and denominator of a quantile as it was written, 7 and 100 of 0.07.

    The ratio of its binary neighbour would be another one.
    """
    written = quantile if isinstance(quantile, Fraction) else Fraction(repr(quantile))
    return written.as_integer_ratio()


def _rank(quantile: float | Fraction, count: int) -> int:
    numerator, denominator = exact(quantile)
    return -(-numerator * count // denominator)


def _allows(count: int, quantile: float | Fraction) -> bool:
    numerator, denominator = exact(quantile)
    return count * (denominator - numerator) >= denominator


@dataclass(frozen=True, slots=True)
class Histogram:
    """Counted latencies: rising buckets, positive counts, at least one value."""

    buckets: tuple[int, ...]
    counts: tuple[int, ...]
    sum_ns: int
    min_ns: int
    max_ns: int
    # How many values there are up to the end of each bucket: every percentile looks into it.
    _reached: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Add up the counts once."""
        object.__setattr__(self, "_reached", tuple(accumulate(self.counts)))

    @classmethod
    def from_counts(
        cls, pairs: Iterable[Sequence[int]], *, sum_ns: int, min_ns: int, max_ns: int
    ) -> Histogram:
        """Build a histogram from [bucket, count] pairs in rising order.

        Raises ValueError where the pairs are not in order, out of bounds, or empty.
        """
        rows = list(pairs)
        if not rows:
            message = "a histogram needs at least one bucket"
            raise ValueError(message)
        buckets, counts = zip(*rows, strict=True)
        if any(map(ge, buckets, buckets[1:])):
            message = "buckets must rise, each named once"
            raise ValueError(message)
        if buckets[0] < 0 or buckets[-1] >= BUCKETS_MAX or min(counts) < 1:
            message = f"buckets must be in 0..{BUCKETS_MAX - 1} and counts positive"
            raise ValueError(message)
        return cls(buckets, counts, sum_ns, min_ns, max_ns)

    @classmethod
    def from_values(cls, values_ns: Iterable[int]) -> Histogram:
        """Count latencies in nanoseconds. Raises ValueError where there are none."""
        values = list(values_ns)
        counts: Counter[int] = Counter()
        for value_ns, count in Counter(values).items():
            counts[bucket_of(value_ns)] += count
        return cls.from_counts(
            sorted(counts.items()),
            sum_ns=sum(values),
            min_ns=min(values, default=0),
            max_ns=max(values, default=0),
        )

    @property
    def count(self) -> int:
        """The number of values."""
        return self._reached[-1]

    @property
    def mean_ns(self) -> int:
        """The mean in whole nanoseconds, rounded down, from the exact sum."""
        return self.sum_ns // self.count

    def merge(self, other: Histogram) -> Histogram:
        """Return the histogram of both sets of values together, exactly."""
        counts = Counter(dict(zip(self.buckets, self.counts, strict=True)))
        counts.update(dict(zip(other.buckets, other.counts, strict=True)))
        return Histogram.from_counts(
            sorted(counts.items()),
            sum_ns=self.sum_ns + other.sum_ns,
            min_ns=min(self.min_ns, other.min_ns),
            max_ns=max(self.max_ns, other.max_ns),
        )

    def percentiles_ns(self, quantiles: Sequence[float | Fraction]) -> list[int]:
        """Return the latency in nanoseconds at each of the quantiles (0 < q <= 1).

        Nearest rank ceil(q * n), then the middle of its bucket, clamped to [min, max].
        """
        reached = self._reached
        places = (bisect_left(reached, _rank(quantile, reached[-1])) for quantile in quantiles)
        return [self._middle_ns(self.buckets[place]) for place in places]

    def percentile_ns(self, quantile: float | Fraction) -> int:
        """Return the latency in nanoseconds at one quantile (0 < q <= 1)."""
        return self.percentiles_ns([quantile])[0]

    def _middle_ns(self, bucket: int) -> int:
        middle = bucket_low_ns(bucket) + (bucket_width_ns(bucket) - 1) // 2
        return min(max(middle, self.min_ns), self.max_ns)

    def allows(self, quantile: float | Fraction) -> bool:
        """Whether at least one value lies above the quantile, so that it is not the maximum."""
        return _allows(self.count, quantile)

    def curve(self) -> list[tuple[float, int]]:
        """Return (quantile, nanoseconds) points for drawing, as far up as the count allows."""
        total = self.count
        quantiles = [quantile for quantile in CURVE_QUANTILES if _allows(total, quantile)]
        return list(zip(quantiles, self.percentiles_ns(quantiles), strict=True))

    def bounds_sum_ns(self) -> tuple[int, int]:
        """Return the smallest and the largest exact sum that these buckets can have."""
        lows = [_LOWS_NS[bucket] for bucket in self.buckets]
        below_min = bisect_left(lows, self.min_ns)
        lows[:below_min] = repeat(self.min_ns, below_min)
        highs = [_HIGHS_NS[bucket] for bucket in self.buckets]
        within_max = bisect_left(highs, self.max_ns)
        highs[within_max:] = repeat(self.max_ns, len(highs) - within_max)
        return sum(map(mul, self.counts, lows)), sum(map(mul, self.counts, highs))
