"""The latencies of a plan: histograms of all its runs as one, each uploader weighing the same.

An uploader's own histograms merge exactly, count by count. Then each uploader is given the weight
of its voice, so that whoever syncs most does not speak for the plan.
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
_ROUNDING: Final = 1e-12  # of a share of one; a sum of shares ends this much below it


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
        """Count one more histogram; nothing is lost. Its buckets are named once each."""
        self.by_bucket[np.asarray(buckets, dtype=np.intp)] += np.asarray(counts, dtype=np.int64)
        self.min_ns = min_ns if self.min_ns is None else min(self.min_ns, min_ns)
        self.max_ns = max_ns if self.max_ns is None else max(self.max_ns, max_ns)

    @property
    def total(self) -> int:
        """How many values were counted."""
        return int(self.by_bucket.sum())


@dataclass(frozen=True, slots=True)
class Pooled:
    """A distribution over several uploaders."""

    shares: NDArray[np.float64]  # of each bucket, together 1
    min_ns: int
    max_ns: int
    count: int  # of all values: how far up a quantile means anything

    def quantiles_ns(self, quantiles: Sequence[float]) -> list[int]:
        """Return the latency at each quantile (0 < q <= 1): the middle of the bucket it is in."""
        reached = np.cumsum(self.shares)
        places = np.searchsorted(reached, np.asarray(quantiles) - _ROUNDING, side="left")
        places = np.minimum(places, int(np.flatnonzero(self.shares)[-1]))
        return [int(ns) for ns in np.clip(MIDDLES_NS[places], self.min_ns, self.max_ns)]

    def allows(self, quantile: float) -> bool:
        """Whether at least one counted value lies above the quantile."""
        return self.count * (1 - quantile) >= 1 - _ROUNDING * self.count

    def quantile_ns(self, quantile: float) -> int | None:
        """Return the latency at a quantile, None where too little was counted for it."""
        return self.quantiles_ns([quantile])[0] if self.allows(quantile) else None

    def curve(self) -> list[list[float]]:
        """Return [quantile, nanoseconds] points for drawing, as far up as the count allows."""
        quantiles = [quantile for quantile in CURVE_QUANTILES if self.allows(quantile)]
        points = zip(quantiles, self.quantiles_ns(quantiles), strict=True)
        return [[quantile, ns] for quantile, ns in points]


class Pool:
    """Adds up uploaders, one after the other, so that a plan of thousands needs little memory."""

    def __init__(self) -> None:
        self._shares = np.zeros(BUCKETS_MAX)
        self._weight = 0.0
        self._ends_ns: list[tuple[int, int]] = []
        self._count = 0

    def add(self, uploader: PooledCounts, *, weight: float) -> None:
        """Let an uploader speak with its weight; one who counted nothing is silent."""
        if uploader.min_ns is None or uploader.max_ns is None or not uploader.total:
            return
        self._shares += weight * uploader.by_bucket / uploader.total
        self._weight += weight
        self._ends_ns.append((uploader.min_ns, uploader.max_ns))
        self._count += uploader.total

    def pooled(self) -> Pooled | None:
        """Return the distribution of all; None where none has counted."""
        if not self._ends_ns:
            return None
        return Pooled(
            shares=self._shares / self._weight,
            min_ns=min(low for low, _ in self._ends_ns),
            max_ns=max(high for _, high in self._ends_ns),
            count=self._count,
        )
