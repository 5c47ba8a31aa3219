"""Where a sustained rate breaks down for good: the end of an SLC cache, or of burst credits.

Binary segmentation on the logarithm of the rate in each interval. A series is split where the
difference of the means on both sides, in units of its standard error, is largest (the likelihood
ratio for one change in the mean of normal noise, Sen and Srivastava 1975), if that exceeds
sqrt(2 ln(n / 0.01)): by the bound P(|Z| > t) <= exp(-t^2 / 2) none of n places of mere noise does
so in 99 of 100 series. Both parts are then split again. The noise is estimated from the median
of the absolute differences of neighbours, which a few steps do not move. Significance is not
enough, because the noise of a real disk is correlated in time. A cliff is a drop of the median by a
fifth or more that lasts to the end and in three quarters of the intervals after it.

Each split looks at every interval of its part, so a series that is split again and again takes time
that grows with the square of its length. A stranger decides how long a series is, so a long one is
first added up to INTERVALS_MAX intervals.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, Final

from apps.wire.judgement import thresholds

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLIFF: Final = thresholds().cliff
CLIFF_RATIO: Final = _CLIFF.rate_share_max.value  # rate after a cliff over the rate before, at most
# Five minutes of tenths of a second are 3,000 intervals. Neighbouring intervals of a longer series
# are added up until no more than this many remain.
INTERVALS_MAX: Final = 4096
SIDE_MIN: Final = _CLIFF.side_intervals_min.value  # intervals on either side
FALSE_SPLITS: Final = _CLIFF.false_splits_share.value  # of series of pure noise, that are split
LASTING_SHARE: Final = _CLIFF.lasting_share_min.value  # of the intervals after a cliff
CLIP_DEVIATIONS: Final = (
    _CLIFF.clip_deviations.value
)  # values further from the local median are pulled in to this distance
NEIGHBOURS: Final = _CLIFF.neighbour_intervals.value  # on either side, for the local median
DEVIATION_MIN: Final = _CLIFF.deviation_min.value  # a lower estimate is raised to it
DEVIATIONS_PER_MEDIAN: Final = 1.4826  # of absolute values, for normal noise


@dataclass(frozen=True, slots=True)
class RateCliff:
    """A lasting drop; counts and medians are of the intervals given."""

    sample: int  # index of the first interval after it
    operations: int  # before it
    before: float  # median of an interval before it
    after: float  # and after it


@dataclass(frozen=True, slots=True)
class _Part:
    first: int
    end: int
    level: float


def find_cliff(counts: Sequence[int]) -> RateCliff | None:
    """Return the largest drop of these counts that lasts, or None.

    A series longer than INTERVALS_MAX is added up in groups of equal width, and an incomplete group
    at the end is left out. The place of the cliff is then exact to one group only.
    """
    width = math.ceil(len(counts) / INTERVALS_MAX)
    if width <= 1:
        return _largest_drop(counts)
    whole = range(0, len(counts) - width + 1, width)
    cliff = _largest_drop([sum(counts[first : first + width]) for first in whole])
    return cliff and replace(
        cliff,
        sample=cliff.sample * width,
        before=cliff.before / width,
        after=cliff.after / width,
    )


def _largest_drop(counts: Sequence[int]) -> RateCliff | None:
    if not counts:
        return None
    edges = sorted({0, len(counts), *_edges(counts)})
    parts = [_Part(first, end, median(counts[first:end])) for first, end in pairwise(edges)]
    drops: list[tuple[float, RateCliff]] = []
    for place, (left, right) in enumerate(pairwise(parts)):
        if not left.level or right.level > CLIFF_RATIO * left.level:
            continue
        sample = right.first
        cliff = RateCliff(
            sample=sample,
            operations=sum(counts[:sample]),
            before=median(counts[:sample]),
            after=median(counts[sample:]),
        )
        if _lasts(cliff, parts[place + 1 :]):
            drops.append((right.level / left.level, cliff))
    return min(drops, key=lambda each: each[0])[1] if drops else None


def _lasts(cliff: RateCliff, parts_after: Sequence[_Part]) -> bool:
    low_max = CLIFF_RATIO * cliff.before
    low = sum(part.end - part.first for part in parts_after if part.level <= low_max)
    stays_low = low >= LASTING_SHARE * (parts_after[-1].end - cliff.sample)
    return stays_low and parts_after[-1].level <= low_max and cliff.after <= low_max


def _edges(counts: Sequence[int]) -> list[int]:
    logs = [math.log(max(count, 0.5)) for count in counts]
    deviation = _deviation(logs, counts)
    clipped = _clip(logs, CLIP_DEVIATIONS * deviation)
    threshold = deviation * math.sqrt(2 * math.log(max(len(counts), 2) / FALSE_SPLITS))
    return _split(clipped, threshold)


def _deviation(logs: Sequence[float], counts: Sequence[int]) -> float:
    """Return the standard deviation of the noise: not below what whole numbers can express."""
    differences = [abs(later - earlier) for earlier, later in pairwise(logs)]
    noise = median(differences) * DEVIATIONS_PER_MEDIAN / math.sqrt(2) if differences else 0.0
    return max(noise, 1 / (median(counts) + 1), DEVIATION_MIN)


def _clip(values: Sequence[float], most: float) -> list[float]:
    """Return the values, each pulled in to within `most` of the median of its neighbourhood."""
    clipped = []
    for place, value in enumerate(values):
        local = median(values[max(place - NEIGHBOURS, 0) : place + NEIGHBOURS + 1])
        clipped.append(min(max(value, local - most), local + most))
    return clipped


def _split(values: Sequence[float], threshold: float) -> list[int]:
    """Return the places where the mean of `values` changes, in no order.

    The stack is explicit because a series that changes often is split hundreds of levels deep.
    """
    places, parts = [], [(0, len(values))]
    while parts:
        first, end = parts.pop()
        place = _change(values[first:end], threshold)
        if place:
            places.append(first + place)
            parts += [(first, first + place), (first + place, end)]
    return places


def _change(values: Sequence[float], threshold: float) -> int:
    """Return where the means on both sides differ most; 0 where that is not significant."""
    count, total = len(values), sum(values)
    best, best_place, left_sum = 0.0, 0, sum(values[:SIDE_MIN])
    for place in range(SIDE_MIN, count - SIDE_MIN + 1):
        error = math.sqrt(place * (count - place) / count)
        excess = abs(left_sum - total * place / count) / error
        if excess > best:
            best, best_place = excess, place
        left_sum += values[place]
    return best_place if best > threshold else 0
