"""How alike two histograms are, against what chance makes of two samples."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from apps.stats.analysis.likeness import (
    BUCKETS_MIN,
    CHANGES_MIN,
    correlation_of_rates,
    deviations_of_likeness,
)
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


def rates(seed: int, *, deviation: float = 60.0) -> list[list[int]]:
    """Return the rates of three passes, each tenth of a second drawn for itself."""
    generator = np.random.default_rng(seed)
    return [np.rint(generator.normal(2500, deviation, 40)).astype(int).tolist() for _ in range(3)]


def correlation(one: list[list[int]], other: list[list[int]]) -> float:
    found = correlation_of_rates(one, other)
    assert found is not None
    return found


def test_rates_of_two_measurements_rise_and_fall_by_chance() -> None:
    found = [correlation(rates(one), rates(other)) for one, other in combinations(range(20), 2)]
    assert max(map(abs, found)) < 0.5


def test_a_rate_that_was_scaled_and_shaken_is_the_same_one() -> None:
    generator = np.random.default_rng(3)
    copied = [
        [round(sample * 1.02 + generator.normal(0, 10)) for sample in one] for one in rates(1)
    ]
    assert correlation(rates(1), copied) > 0.95


def test_what_both_passes_have_is_compared() -> None:
    shorter = [samples[:25] for samples in rates(1)]
    assert correlation(rates(1), shorter) == pytest.approx(1.0)


def test_a_rate_that_is_held_and_one_of_few_samples_tell_nothing() -> None:
    held = [[2500 + place % 2 for place in range(40)] for _ in range(3)]
    assert correlation_of_rates(held, held) is None
    few = [samples[: CHANGES_MIN // 3] for samples in rates(1)]
    assert correlation_of_rates(few, few) is None
    assert correlation_of_rates([], rates(1)) is None
