"""log128 histograms: exact where they promise it, within 1/128 elsewhere, equal to the vectors."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.stats.histogram import (
    BUCKETS_MAX,
    CURVE_QUANTILES,
    Histogram,
    bucket_low_ns,
    bucket_of,
    bucket_width_ns,
    exact,
)

VECTORS = Path(__file__).parents[1] / "wire" / "v1" / "vectors"

LARGEST_EXACT_NS = bucket_low_ns(BUCKETS_MAX - 1)
latencies = st.integers(min_value=0, max_value=LARGEST_EXACT_NS - 1)
many = st.lists(latencies, min_size=1, max_size=300)


def read(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def histogram_from(vector: dict[str, Any]) -> Histogram:
    return Histogram.from_counts(
        vector["counts"],
        sum_ns=vector["sum_ns"],
        min_ns=vector["min_ns"],
        max_ns=vector["max_ns"],
    )


@given(latencies)
def test_a_value_lies_in_its_bucket(value_ns: int) -> None:
    bucket = bucket_of(value_ns)
    low = bucket_low_ns(bucket)
    assert low <= value_ns < low + bucket_width_ns(bucket)


@given(st.integers(min_value=0, max_value=BUCKETS_MAX - 2))
def test_buckets_leave_no_gap(bucket: int) -> None:
    assert bucket_low_ns(bucket) + bucket_width_ns(bucket) == bucket_low_ns(bucket + 1)
    assert bucket_of(bucket_low_ns(bucket)) == bucket


@given(st.integers(min_value=128, max_value=BUCKETS_MAX - 2))
def test_no_bucket_is_wider_than_a_128th_of_its_lower_bound(bucket: int) -> None:
    assert bucket_width_ns(bucket) * 128 <= bucket_low_ns(bucket)


def test_a_stall_of_an_hour_is_counted_in_the_last_bucket() -> None:
    assert bucket_of(3600 * 10**9) == BUCKETS_MAX - 1


def test_a_negative_latency_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        bucket_of(-1)


@given(many)
def test_count_sum_and_extremes_are_exact(values: list[int]) -> None:
    histogram = Histogram.from_values(values)
    assert histogram.count == len(values)
    assert histogram.sum_ns == sum(values)
    assert (histogram.min_ns, histogram.max_ns) == (min(values), max(values))
    assert histogram.mean_ns == sum(values) // len(values)
    low, high = histogram.bounds_sum_ns()
    assert low <= histogram.sum_ns <= high


@given(many, many)
def test_merging_is_counting_both(left: list[int], right: list[int]) -> None:
    assert Histogram.from_values(left).merge(Histogram.from_values(right)) == Histogram.from_values(
        left + right
    )


@given(many, st.integers(min_value=1, max_value=10_000))
def test_a_percentile_is_within_a_128th_of_the_nearest_rank(
    values: list[int], per_ten_thousand: int
) -> None:
    quantile = Fraction(per_ten_thousand, 10_000)
    nearest = sorted(values)[math.ceil(quantile * len(values)) - 1]
    found = Histogram.from_values(values).percentile_ns(quantile)
    assert abs(found - nearest) * 128 <= nearest
    assert min(values) <= found <= max(values)


@given(many)
def test_percentiles_rise(values: list[int]) -> None:
    quantiles = [Fraction(place, 50) for place in range(1, 51)]
    found = Histogram.from_values(values).percentiles_ns(quantiles)
    assert found == sorted(found)
    assert len(found) == len(quantiles)


def test_a_quantile_means_the_decimal_that_was_written() -> None:
    assert exact(0.07) == (7, 100)  # in binary, 0.07 * 100 is 7.000000000000001
    assert Histogram.from_values(list(range(1, 101))).percentile_ns(0.07) == 7


def test_the_curve_goes_as_far_as_values_lie_above() -> None:
    thousand = Histogram.from_values(list(range(1, 1001)))
    assert [quantile for quantile, _ in thousand.curve()][-1] == 0.999
    assert thousand.curve()[0] == (0.01, 10)
    lots = Histogram.from_counts([[100, 10_000]], sum_ns=1_000_000, min_ns=100, max_ns=100)
    assert [quantile for quantile, _ in lots.curve()] == list(CURVE_QUANTILES)
    assert Histogram.from_values([5]).curve() == []


def test_a_single_value_has_no_values_above_any_quantile() -> None:
    assert not Histogram.from_values([5]).allows(0.5)
    assert Histogram.from_values([5, 6]).allows(0.5)


def test_sums_in_the_last_bucket_are_bounded_by_the_maximum() -> None:
    hour_ns = 3600 * 10**9
    histogram = Histogram.from_values([hour_ns, hour_ns])
    low, high = histogram.bounds_sum_ns()
    assert low <= 2 * hour_ns == high


@pytest.mark.parametrize(
    ("counts", "complaint"),
    [
        ([], "at least one"),
        ([[5, 1], [5, 1]], "rise"),
        ([[6, 1], [5, 1]], "rise"),
        ([[-1, 1]], "must be in"),
        ([[BUCKETS_MAX, 1]], "must be in"),
        ([[5, 0]], "positive"),
        ([[5, 0], [6, 1]], "positive"),
    ],
)
def test_what_is_no_histogram_is_refused(counts: list[list[int]], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Histogram.from_counts(counts, sum_ns=0, min_ns=0, max_ns=0)


def test_no_values_make_no_histogram() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Histogram.from_values([])


def test_buckets_equal_the_vectors_of_the_agent() -> None:
    for vector in read("histograms.json")["buckets"]:
        bucket = bucket_of(vector["value_ns"])
        assert bucket == vector["bucket"], vector
        assert bucket_low_ns(bucket) == vector["lower_ns"], vector
        assert bucket_width_ns(bucket) == vector["width_ns"], vector


def test_histograms_equal_the_vectors_of_the_agent() -> None:
    for vector in read("histograms.json")["recorded"]:
        expected = histogram_from(vector["histogram"])
        assert expected == Histogram.from_values(vector["values_ns"]), vector["name"]


def test_percentiles_equal_the_vectors_of_the_agent() -> None:
    recorded = read("histograms.json")["recorded"]
    named = {vector["name"]: vector["histogram"] for vector in recorded}
    for vector in read("percentiles.json")["percentiles"]:
        histogram = histogram_from(named[vector["histogram"]])
        for point in vector["at"]:
            quantile = Fraction(point["per_ten_thousand"], 10_000)
            assert histogram.percentile_ns(quantile) == point["value_ns"], (vector, point)
