"""PooledDistribution curves: exact merging within an uploader, equal weight between them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.histogram import CURVE_QUANTILES, Histogram
from apps.stats.standings.pooled import Pool, PooledCounts, PooledDistribution

latencies = st.lists(st.integers(0, 10**9), min_size=1, max_size=50)
runs = st.lists(latencies, min_size=1, max_size=5)


def counts_of(*histograms: Histogram) -> PooledCounts:
    counts = PooledCounts()
    for each in histograms:
        counts.add(each.buckets, each.counts, min_ns=each.min_ns, max_ns=each.max_ns)
    return counts


def pooled(*uploaders: PooledCounts, weights: tuple[float, ...] = ()) -> PooledDistribution:
    pool = Pool()
    for uploader, weight in zip(uploaders, weights or (1.0,) * len(uploaders), strict=True):
        pool.add(uploader, weight=weight)
    found = pool.pooled()
    assert found is not None
    return found


@given(runs)
def test_an_uploader_alone_has_the_percentiles_of_all_its_values(values: list[list[int]]) -> None:
    """Merging loses nothing: the quantiles are those of one histogram of all values."""
    whole = Histogram.from_values([ns for run in values for ns in run])
    found = pooled(counts_of(*(Histogram.from_values(run) for run in values)))
    quantiles = [0.25, 0.5, 0.75, 0.99, 0.999, 1.0]
    assert found.quantiles_ns(quantiles) == whole.percentiles_ns(quantiles)
    assert (found.count, found.min_ns, found.max_ns) == (whole.count, whole.min_ns, whole.max_ns)


@given(runs.flatmap(lambda values: st.tuples(st.just(values), st.permutations(values))))
def test_the_order_of_runs_changes_no_bit(both: tuple[list[list[int]], list[list[int]]]) -> None:
    values, shuffled = both
    one = pooled(counts_of(*map(Histogram.from_values, values)))
    other = pooled(counts_of(*map(Histogram.from_values, shuffled)))
    assert one.shares.tobytes() == other.shares.tobytes()


def test_who_syncs_a_thousand_times_as_often_weighs_the_same() -> None:
    fast = counts_of(Histogram.from_values([100] * 100_000))
    slow = counts_of(Histogram.from_values([5_000_000] * 100))
    found = pooled(fast, slow)
    assert found.quantile_ns(0.5) == 100
    assert found.quantiles_ns([0.501])[0] == pytest.approx(5_000_000, rel=0.008)
    assert found.shares.sum() == pytest.approx(1)


def test_a_voice_of_a_third_moves_only_its_third() -> None:
    fast, slow = (
        counts_of(Histogram.from_values([100] * 9)),
        counts_of(Histogram.from_values([200] * 9)),
    )
    found = pooled(fast, slow, weights=(1.0, 0.5))
    assert found.quantiles_ns([0.66, 0.67]) == [100, 200]


def test_numpy_finds_the_same_weighted_quantiles() -> None:
    generator = np.random.default_rng(5)
    samples = [generator.integers(1, 120, 40 * (place + 1)) for place in range(4)]  # own buckets
    found = pooled(*(counts_of(Histogram.from_values(each.tolist())) for each in samples))
    values = np.concatenate(samples)
    weights = np.concatenate([np.full(each.size, 1 / each.size) for each in samples])
    for quantile in (0.1, 0.333, 0.5, 0.9, 0.99):
        theirs = np.quantile(values, quantile, weights=weights, method="inverted_cdf")
        assert found.quantiles_ns([quantile])[0] == theirs


def test_a_quantile_needs_a_value_above_it() -> None:
    found = pooled(counts_of(Histogram.from_values(range(1, 101))))
    assert found.quantile_ns(0.99) is not None
    assert found.quantile_ns(0.999) is None
    assert [quantile for quantile, _ in found.curve()] == [q for q in CURVE_QUANTILES if q <= 0.99]
    heights = [ns for _, ns in found.curve()]
    assert heights == sorted(heights)


@pytest.mark.parametrize("quantile", [0.9, 0.99, 0.999, 0.9999])
def test_a_quantile_is_drawn_from_the_first_count_that_has_a_value_above_it(
    quantile: float,
) -> None:
    """In floating point 10,000 x (1 - 0.9999) is a little less than one."""
    count = round(1 / (1 - quantile))
    assert pooled(counts_of(Histogram.from_values([5] * count))).allows(quantile)
    assert not pooled(counts_of(Histogram.from_values([5] * (count - 1)))).allows(quantile)


def test_who_counted_nothing_is_silent() -> None:
    counted = counts_of(Histogram.from_values([100]))
    assert pooled(PooledCounts(), counted).shares.tolist() == pooled(counted).shares.tolist()
    pool = Pool()
    pool.add(PooledCounts(), weight=1.0)
    assert pool.pooled() is None
