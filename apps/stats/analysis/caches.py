"""Signs of a cache: flushes that cost the more there is to flush, areas that answer quicker."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Final

from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

_DRAIN: Final = thresholds().drain
# A flush after the most bytes that takes less than this many times an empty flush does no work
# that grows with the bytes written before it.
FLAT_RATIO: Final = _DRAIN.flat_ratio_below.value
# A flush of many bytes cannot be quicker than an empty one. A ratio below this one means that other
# processes used the disk meanwhile.
UNEVEN_RATIO: Final = 1 / FLAT_RATIO
VOLATILE_RATIO: Final = _DRAIN.volatile_ratio_above.value  # above it, a volatile cache is emptied
FLUSHES_MIN: Final = _DRAIN.flushes_min.value  # a median of fewer is not reliable
# An area is larger than a cache if its reads take at least this many times those of the next
# smaller area.
STEP_RATIO: Final = thresholds().working_set.step_ratio_min.value
POINTS_MIN: Final = 2  # a slope needs two
MIB: Final = 1 << 20


class CacheDrain(StrEnum):
    """What the cost of a flush says of the cache before it."""

    # Flushes do no measurable work. The cache is protected against power loss, or there is none,
    # or the flush is ignored: only a power cut can tell these apart.
    FLAT = "flat"
    VOLATILE = "volatile"
    # The ratio lies between the two thresholds, or below UNEVEN_RATIO, which means that other
    # processes used the disk.
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class FlushCost:
    """How the time of a flush grows with the bytes written before it."""

    slope_ns_per_mib: float  # by least squares
    ratio: float  # time after the most bytes over time after the fewest
    drain: CacheDrain


@dataclass(frozen=True, slots=True)
class Area:
    """One area of the working-set sweep."""

    bytes: int
    p50_ns: int
    means_ns: tuple[float, ...]  # mean of a read in each pass


@dataclass(frozen=True, slots=True)
class AreaStep:
    """The step between two areas at which reads become slower."""

    quick_bytes: int  # the largest area that is still quick: about the size of the cache
    slow_bytes: int
    ratio: float  # of the medians


def flush_cost(points: Sequence[tuple[int, int]]) -> FlushCost | None:
    """Return how the time of a flush grows with the bytes before it; None for a single point.

    Points are (bytes written before, median of the sync in nanoseconds) in rising order of bytes.
    A point between the ends that takes over FLAT_RATIO times the slower end shows that other
    processes used the disk, so the answer is UNCLEAR.
    """
    if len(points) < POINTS_MIN or not points[0][1]:
        return None
    mibs = [written_bytes / MIB for written_bytes, _ in points]
    mean_mib, mean_ns = fmean(mibs), fmean(ns for _, ns in points)
    variance = sum((mib - mean_mib) ** 2 for mib in mibs)
    if not variance:
        return None
    covariance = sum(
        (mib - mean_mib) * (ns - mean_ns) for mib, (_, ns) in zip(mibs, points, strict=True)
    )
    ratio = points[-1][1] / points[0][1]
    slower_end_ns = max(points[0][1], points[-1][1])
    is_disturbed = any(ns > FLAT_RATIO * slower_end_ns for _, ns in points[1:-1])
    drain = CacheDrain.UNCLEAR if is_disturbed else drain_of(ratio)
    return FlushCost(covariance / variance, ratio, drain)


def drain_of(ratio: float) -> CacheDrain:
    """Return what the ratio of a flush after the most bytes to one after the fewest means."""
    if UNEVEN_RATIO <= ratio < FLAT_RATIO:
        return CacheDrain.FLAT
    return CacheDrain.VOLATILE if ratio > VOLATILE_RATIO else CacheDrain.UNCLEAR


def sweep_step(areas: Sequence[Area]) -> AreaStep | None:
    """Return the largest step between neighbouring areas in rising order of size, or None.

    A step counts if the median rises by at least STEP_RATIO and every pass over the larger area was
    slower than every pass over the smaller one.
    """
    steps = [
        AreaStep(quick.bytes, slow.bytes, slow.p50_ns / quick.p50_ns)
        for quick, slow in pairwise(areas)
        if quick.p50_ns and min(slow.means_ns) > max(quick.means_ns)
    ]
    steep = [step for step in steps if step.ratio >= STEP_RATIO]
    return max(steep, key=lambda step: step.ratio, default=None)
