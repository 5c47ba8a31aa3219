"""How many latencies each kind of operation must have on each side."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from apps.runs.rules.consistency import histogram_totals
from apps.runs.rules.facts import Measured, RunFacts
from apps.stats.histogram import Histogram
from apps.wire.suites import find_suite

OPERATIONS = 100


def verdict(workload_id: str, **counts: int) -> str | None:
    suite = find_suite("standard", version=1)
    assert suite is not None
    (definition,) = (each for each in suite.workloads if each.id == workload_id)
    sent = cast("Any", SimpleNamespace(id=workload_id, operations=OPERATIONS))
    histograms = {side: of_tens(count) for side, count in counts.items()}
    measured = Measured(sent=sent, definition=definition, histograms=histograms)
    return histogram_totals(cast("RunFacts", SimpleNamespace(measured=[measured])))


def of_tens(count: int) -> Histogram:
    """Return a histogram of so many latencies of ten nanoseconds."""
    return Histogram.from_counts([(10, count)], sum_ns=10 * count, min_ns=10, max_ns=10)


def test_an_operation_of_a_mix_is_a_write_or_a_read() -> None:
    assert verdict("mix-4k", write=40, read=60) is None


def test_a_mix_has_no_more_latencies_than_operations() -> None:
    assert (
        verdict("mix-4k", write=60, read=60)
        == "mix-4k: 120 read and write latencies of 100 operations."
    )


def test_a_group_commit_syncs_once_for_many() -> None:
    name = "group-commit-8k-8"
    assert verdict(name, write=20, sync=20, commit=100) is None
    assert verdict(name, write=20, sync=20, commit=99) is not None
    assert verdict(name, write=20, sync=101, commit=100) is not None


def test_any_other_operation_has_one_on_each_side() -> None:
    assert verdict("commit-8k", write=100, sync=100, commit=100) is None
    assert verdict("commit-8k", write=20, sync=20, commit=100) is not None
