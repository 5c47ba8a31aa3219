"""What is packed comes back as it was."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.runs.models import Latency
from apps.runs.packed.packing import (
    BucketCounts,
    deflated,
    inflated,
    packed,
    packed_counts,
    unpacked,
    unpacked_counts,
)
from apps.stats.histogram import BUCKETS_MAX, Histogram
from apps.wire.limits import INTEGER_MAX
from tests import make

INTEGERS = st.integers(min_value=-INTEGER_MAX, max_value=INTEGER_MAX)
VALUES = st.recursive(
    st.none() | st.booleans() | INTEGERS | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=20,
)
HISTOGRAMS = st.lists(
    st.tuples(
        st.integers(min_value=0, max_value=BUCKETS_MAX - 1),
        st.integers(min_value=1, max_value=INTEGER_MAX),
    ),
    unique_by=lambda pair: pair[0],
    max_size=60,
).map(sorted)


@given(st.binary(max_size=2_000))
def test_bytes_come_back(raw: bytes) -> None:
    assert inflated(deflated(raw)) == raw


@given(VALUES)
def test_values_come_back(value: object) -> None:
    assert unpacked(packed(value)) == value


@given(HISTOGRAMS)
def test_histograms_come_back(pairs: list[tuple[int, int]]) -> None:
    histogram = BucketCounts([bucket for bucket, _ in pairs], [count for _, count in pairs])
    assert unpacked_counts(packed_counts(histogram)) == histogram


@given(st.lists(st.integers(min_value=0, max_value=127), min_size=1, max_size=200))
def test_a_histogram_takes_two_bytes_a_bucket_and_some_more(steps: list[int]) -> None:
    buckets = sorted(set(accumulate(steps)))
    histogram = BucketCounts(buckets, [7] * len(buckets))
    assert len(packed_counts(histogram)) <= 2 * len(buckets) + 20


@pytest.mark.django_db
def test_the_database_gives_passes_and_histograms_back() -> None:
    values = Histogram.from_values([100] * 5 + [90_000] * 700 + [10**9] * 3)
    histogram = BucketCounts(list(values.buckets), list(values.counts))
    passes = [{"operations": 7, "rate_samples": [1, 2**40], "open_loop": None}]
    stored = make.latency(
        measurement=make.measurement(passes=passes), histogram=histogram, printed_curve=[],
        min_ns=values.min_ns, max_ns=values.max_ns,
    )  # fmt: skip
    found = Latency.objects.select_related("measurement").get(pk=stored.pk)
    assert found.histogram == histogram
    assert found.measurement.passes == passes
    assert found.curve == [list(point) for point in values.curve()]


@pytest.mark.django_db
def test_without_a_histogram_the_curve_is_what_the_source_printed() -> None:
    printed = make.latency(printed_curve=[[0.5, 10], [0.99, 20]])
    assert Latency.objects.get(pk=printed.pk).histogram is None
    assert Latency.objects.get(pk=printed.pk).curve == [[0.5, 10], [0.99, 20]]
