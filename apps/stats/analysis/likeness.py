"""How alike two histograms are, measured by what chance alone makes them differ.

Two samples of one and the same distribution differ in each bucket by about the root of its count.
The sum of the squared differences, each over its variance, is then chi-squared: about as large as
the number of buckets, with the deviation √(2 · buckets) (two samples of unequal size: Pearson
1911). What really changes from one measurement to the next, and latencies that follow each other,
only add to it. So a sum far below the number of buckets is no second measurement: somebody took one
and changed it a little.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from apps.stats.histogram import Histogram

BUCKET_COUNT_MIN: Final = 10  # of both together: below it a count is not nearly normal
BUCKETS_MIN: Final = 100  # with fewer, chance reaches far: deviations are 14 % of the sum and more


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
