"""The latencies of a plan: the histograms of all its runs as one distribution.

An uploader's own histograms merge exactly, count by count. Then each uploader counts by its weight
and not by its number of syncs, so that the busiest machine does not decide for the plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.stats.histogram import (
    BUCKETS_MAX,
    CURVE_QUANTILES,
    bucket_low_ns,
    bucket_width_ns,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MIDDLES_NS: Final = np.array(
    [bucket_low_ns(bucket) + (bucket_width_ns(bucket) - 1) // 2 for bucket in range(BUCKETS_MAX)],
    dtype=np.int64,
)
_ROUNDING: Final = 1e-12  # a sum of shares that should be 1 can be this much less


@dataclass(slots=True)
class PooledCounts:
    """The merged histogram of one uploader: exact counts in all buckets, smallest and largest."""

    by_bucket: NDArray[np.int64] = field(
        default_factory=lambda: np.zeros(BUCKETS_MAX, dtype=np.int64)
    )
    min_ns: int | None = None
    max_ns: int | None = None

    def add(
        self,
        buckets: Sequence[int],
        counts: Sequence[int],
        *,
        min_ns: int,
        max_ns: int,
    ) -> None:
        """Add one more histogram exactly. Each bucket may be in `buckets` only once."""
        self.by_bucket[np.asarray(buckets, dtype=np.intp)] += np.asarray(counts, dtype=np.int64)
        self.min_ns = min_ns if self.min_ns is None else min(self.min_ns, min_ns)
        self.max_ns = max_ns if self.max_ns is None else max(self.max_ns, max_ns)

    @property
    def total(self) -> int:
        """The number of values."""
        return int(self.by_bucket.sum())


@dataclass(frozen=True, slots=True)
class PooledDistribution:
    """The distribution of the latencies of several uploaders."""

    shares: NDArray[np.float64]  # of each bucket, together 1
    min_ns: int
    max_ns: int
    count: int  # of all values; decides up to which quantile the tail is known

    def quantiles_ns(self, quantiles: Sequence[float]) -> list[int]:
        """Return the nanoseconds at each quantile (0 < q <= 1): the middle of its bucket."""
        reached = np.cumsum(self.shares)
        places = np.searchsorted(reached, np.asarray(quantiles) - _ROUNDING, side="left")
        places = np.minimum(places, int(np.flatnonzero(self.shares)[-1]))
        return [int(ns) for ns in np.clip(MIDDLES_NS[places], self.min_ns, self.max_ns)]

    def allows(self, quantile: float) -> bool:
        """Whether at least one counted value lies above the quantile."""
        return self.count * (1 - quantile) >= 1 - _ROUNDING * self.count

    def quantile_ns(self, quantile: float) -> int | None:
        """Return the nanoseconds at a quantile; None where there are too few values for it."""
        return self.quantiles_ns([quantile])[0] if self.allows(quantile) else None

    def curve(self) -> list[list[float]]:
        """Return [quantile, nanoseconds] points for drawing, as far up as the count allows."""
        quantiles = [quantile for quantile in CURVE_QUANTILES if self.allows(quantile)]
        points = zip(quantiles, self.quantiles_ns(quantiles), strict=True)
        return [[quantile, ns] for quantile, ns in points]


class Pool:
    """Adds up uploaders one after the other, so that thousands of them need little memory."""

    def __init__(self) -> None:
        self._shares = np.zeros(BUCKETS_MAX)
        self._weight = 0.0
        self._ends_ns: list[tuple[int, int]] = []
        self._count = 0

    def add(self, uploader: PooledCounts, *, weight: float) -> None:
        """Add an uploader with its weight; one without any value is left out."""
        if uploader.min_ns is None or uploader.max_ns is None or not uploader.total:
            return
        self._shares += weight * uploader.by_bucket / uploader.total
        self._weight += weight
        self._ends_ns.append((uploader.min_ns, uploader.max_ns))
        self._count += uploader.total

    def pooled(self) -> PooledDistribution | None:
        """Return the distribution over all uploaders; None where none has a value."""
        if not self._ends_ns:
            return None
        return PooledDistribution(
            shares=self._shares / self._weight,
            min_ns=min(low for low, _ in self._ends_ns),
            max_ns=max(high for _, high in self._ends_ns),
            count=self._count,
        )
