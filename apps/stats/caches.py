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
# Below this ratio of the dearest to the empty flush, a flush does no work that grows with what was
# written.
FLAT_RATIO: Final = _DRAIN.flat_ratio_below.value
# A flush cannot cost less than one that has nothing to do: below this ratio, others used the disk.
UNEVEN_RATIO: Final = 1 / FLAT_RATIO
VOLATILE_RATIO: Final = _DRAIN.volatile_ratio_above.value  # above it, a volatile cache is emptied
FLUSHES_MIN: Final = _DRAIN.flushes_min.value  # of fewer a median decides nothing
# An area so much slower than the next smaller one lies behind a cache.
STEP_RATIO: Final = thresholds().working_set.step_ratio_min.value
POINTS_MIN: Final = 2  # a slope needs two
MIB: Final = 1 << 20


class CacheDrain(StrEnum):
    """What the cost of a flush says of the cache before it."""

    # It does no measurable work: protected against power loss, not volatile, or ignored. Only a
    # power cut can tell these apart.
    FLAT = "flat"
    VOLATILE = "volatile"
    # Neither, or the empty flush was far dearer than that of the most bytes.
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class FlushCost:
    """The cost of a flush against what was written before it."""

    slope_ns_per_mib: float  # by least squares
    ratio: float  # the flush of the most bytes over that of the fewest
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
    """Return what flushes cost; None of fewer than two amounts.

    Points are (bytes written before, median of the sync in nanoseconds) in rising order. Where one
    between costs over three times the dearer end, others used the disk: nothing is clear.
    """
    if len(points) < POINTS_MIN or not points[0][1]:
        return None
    mibs = [drained / MIB for drained, _ in points]
    mean_mib, mean_ns = fmean(mibs), fmean(ns for _, ns in points)
    variance = sum((mib - mean_mib) ** 2 for mib in mibs)
    if not variance:
        return None
    covariance = sum(
        (mib - mean_mib) * (ns - mean_ns) for mib, (_, ns) in zip(mibs, points, strict=True)
    )
    ratio = points[-1][1] / points[0][1]
    ends_ns = max(points[0][1], points[-1][1])
    is_disturbed = any(ns > FLAT_RATIO * ends_ns for _, ns in points[1:-1])
    drain = CacheDrain.UNCLEAR if is_disturbed else drain_of(ratio)
    return FlushCost(covariance / variance, ratio, drain)


def drain_of(ratio: float) -> CacheDrain:
    """Return what the flush of the most bytes over that of the fewest says."""
    if UNEVEN_RATIO <= ratio < FLAT_RATIO:
        return CacheDrain.FLAT
    return CacheDrain.VOLATILE if ratio > VOLATILE_RATIO else CacheDrain.UNCLEAR


def sweep_step(areas: Sequence[Area]) -> AreaStep | None:
    """Return the largest step between neighbouring areas in rising order, or None.

    One of at least half again in the median that is there in every pass.
    """
    steps = [
        AreaStep(quick.bytes, slow.bytes, slow.p50_ns / quick.p50_ns)
        for quick, slow in pairwise(areas)
        if quick.p50_ns and min(slow.means_ns) > max(quick.means_ns)
    ]
    steep = [step for step in steps if step.ratio >= STEP_RATIO]
    return max(steep, key=lambda step: step.ratio, default=None)
