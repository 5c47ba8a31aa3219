"""How alike two histograms are, against what chance makes of two samples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from apps.stats.analysis.likeness import BUCKETS_MIN, deviations_of_likeness
from apps.stats.histogram import Histogram

COMMITS = 30_000


def sample(seed: int, *, commits: int = COMMITS, shift: float = 0.0) -> Histogram:
    """Return latencies around 80 us that were drawn independently of each other."""
    generator = np.random.default_rng(seed)
    return Histogram.from_values(
        generator.lognormal(np.log(80_000) + shift, 0.3, commits).astype(np.int64).tolist()
    )


def deviations(one: Histogram, other: Histogram) -> float:
    found = deviations_of_likeness(one, other)
    assert found is not None
    return found


def jittered(histogram: Histogram, *, share: float) -> Histogram:
    generator = np.random.default_rng(5)
    counts = (max(round(count * generator.uniform(1 - share, 1 + share)), 1)
              for count in histogram.counts)  # fmt: skip
    return Histogram(
        histogram.buckets, tuple(counts), histogram.sum_ns, histogram.min_ns, histogram.max_ns
    )


def test_samples_of_one_distribution_lie_where_chance_puts_them() -> None:
    samples = [sample(seed) for seed in range(20)]
    found = [deviations(one, other) for one, other in combinations(samples, 2)]
    assert -3.5 < min(found) < max(found) < 4.0
    assert abs(float(np.mean(found))) < 0.5


def test_samples_of_unequal_size_lie_there_too() -> None:
    found = [deviations(sample(seed), sample(99, commits=7_000)) for seed in range(20)]
    assert max(map(abs, found)) < 4.0


@pytest.mark.parametrize("share", [0.0, 0.01, 0.05])
def test_a_sample_that_was_changed_a_little_is_far_below(share: float) -> None:
    original = sample(1)
    assert deviations(jittered(original, share=share), original) < -6.5


def test_a_sample_that_was_changed_as_much_as_chance_does_is_not_told() -> None:
    original = sample(1)
    assert deviations(jittered(original, share=0.3), original) > -6.0


def test_what_really_changed_lies_above() -> None:
    assert deviations(sample(1), sample(2, shift=0.05)) > 6.0


def test_few_buckets_tell_nothing() -> None:
    buckets = tuple(range(1000, 1000 + BUCKETS_MIN))
    full = Histogram(buckets, (5,) * BUCKETS_MIN, 10**9, 1, 10**9)
    assert deviations_of_likeness(full, full) == pytest.approx(-7.07, abs=0.01)
    fewer = Histogram(buckets[1:], (5,) * (BUCKETS_MIN - 1), 10**9, 1, 10**9)
    assert deviations_of_likeness(fewer, fewer) is None
    thin = Histogram(buckets, (4,) * BUCKETS_MIN, 10**9, 1, 10**9)
    assert deviations_of_likeness(thin, thin) is None
