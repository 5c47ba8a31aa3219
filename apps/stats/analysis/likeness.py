"""How alike two histograms are, measured by what chance alone makes them differ.

Two samples of one and the same distribution differ in each bucket by about the root of its count.
The sum of the squared differences, each over its variance, is then chi-squared: about as large as
the number of buckets, with the deviation √(2 · buckets) (two samples of unequal size: Pearson
1911). What really changes from one measurement to the next only adds to it. So a sum far below the
number of buckets is no second measurement: somebody took one and changed it a little. Latencies are
taken for independent; a device that paces its answers is somewhat more even.

The rate is compared besides, tenth of a second by tenth of a second: whether it rose or fell is
chance, and is kept by whoever changes or scales latencies. The rank correlation (Spearman 1904) of
n changes, neighbours of which share a value, has a standard deviation of the root of 1.5 / n.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from apps.stats.histogram import Histogram

BUCKET_COUNT_MIN: Final = 10  # of both together: below it a count is not nearly normal
BUCKETS_MIN: Final = 100  # with fewer, chance reaches far: deviations are 14 % of the sum and more
CHANGES_MIN: Final = 50  # of the rate: with fewer, chance reaches far
DISTINCT_SHARE_MIN: Final = 0.5  # of them: a rate that is held, or small, has no pattern of its own


def deviations_of_likeness(one: Histogram, other: Histogram) -> float | None:
    """Return how many standard deviations two histograms are from differing as chance has it.

    Negative where they are more alike than two samples of one distribution; None where too few
    buckets are filled.
    """
    first = dict(zip(one.buckets, one.counts, strict=True))
    second = dict(zip(other.buckets, other.counts, strict=True))
    ratio = math.sqrt(other.count / one.count)
    terms = [
        (here * ratio - there / ratio) ** 2 / (here + there)
        for bucket in first.keys() | second.keys()
        if (here := first.get(bucket, 0)) + (there := second.get(bucket, 0)) >= BUCKET_COUNT_MIN
    ]
    if len(terms) < BUCKETS_MIN:
        return None
    return (math.fsum(terms) - len(terms)) / math.sqrt(2 * len(terms))


def correlation_of_rates(
    one: Sequence[Sequence[int]], other: Sequence[Sequence[int]]
) -> float | None:
    """Return the rank correlation of the changes of two rates, each given pass by pass.

    None where there are too few changes, or too few that differ from each other.
    """
    both = [_changes(*pair) for pair in zip(one, other, strict=False)]
    if not both:
        return None
    first, second = (np.concatenate(changes) for changes in zip(*both, strict=True))
    if first.size < CHANGES_MIN:
        return None
    (first_ranks, n_first), (second_ranks, n_second) = _ranks(first), _ranks(second)
    if min(n_first, n_second) < first.size * DISTINCT_SHARE_MIN:
        return None
    return float(np.corrcoef(first_ranks, second_ranks)[0, 1])


def _changes(
    one: Sequence[int], other: Sequence[int]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return by how much each sample of a pass differs from the one before, as far as both go."""
    length = min(len(one), len(other))
    first, second = (np.diff(np.array(samples[:length], dtype=float)) for samples in (one, other))
    return first, second


def _ranks(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Return the rank of each value, and how many differ; equal ones have the mean of theirs."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    ranks: NDArray[np.float64] = (ends - (counts - 1) / 2)[places]
    return ranks, counts.size
