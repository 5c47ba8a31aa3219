"""Rules on workloads whose operations wait for each other, in groups or side by side."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

from apps.runs.measurements import rates_per_s
from apps.runs.rules.consistency.workload import (
    commit_parts,
    histogram_totals,
    rate_against_latency,
)
from apps.runs.rules.environment.storage import few_flushes
from apps.runs.rules.run_facts import RunFacts
from apps.runs.rules.workloads import MeasuredWorkload
from apps.stats.analysis.interference import OthersShare
from apps.stats.histogram import Histogram, bucket_of
from apps.wire.run import OpenLoop, Pass
from apps.wire.suites import find_suite, suites
from apps.words.labels import findings

OPERATIONS = 100


def facts_of(workload_id: str, *, flushes: int | None = None, **counts: int) -> RunFacts:
    """A run of one workload with so many latencies of ten nanoseconds on each side."""
    suite = find_suite("deep", version=1)
    assert suite is not None
    (definition,) = (each for each in suite.workloads if each.id == workload_id)
    workload = cast("Any", SimpleNamespace(id=workload_id, operations=OPERATIONS, flushes=flushes))
    histograms = {side: of_tens(count) for side, count in counts.items()}
    drive = SimpleNamespace(write_cache="write back", fua=False)
    facts = SimpleNamespace(
        workloads=(
            MeasuredWorkload(
                workload=workload,
                definition=definition,
                histograms=histograms,
                others=OthersShare(),
            ),
        ),
        members=SimpleNamespace(devices=[drive]),
    )
    facts.one_at_a_time = partial(RunFacts.one_at_a_time, cast("RunFacts", facts))
    return cast("RunFacts", facts)


def verdict(workload_id: str, **counts: int) -> str | None:
    figures = histogram_totals.check(facts_of(workload_id, **counts))
    return None if figures is None else " ".join(findings(histogram_totals.RULE, figures))


def closed(workload_id: str, **sides: tuple[int, int]) -> RunFacts:
    """A run of one workload, two seconds long: of each side so many latencies of so many ns."""
    (definition,) = (each.definition for each in facts_of(workload_id).workloads)
    a_second = Pass(1, 0, 10**9, "time", (), None)
    workload = cast(
        "Any", SimpleNamespace(id=workload_id, elapsed_ns=2 * 10**9, passes=(a_second,) * 2)
    )
    histograms = {
        side: Histogram.from_counts(
            [(bucket_of(ns), count)], sum_ns=ns * count, min_ns=ns, max_ns=ns
        )
        for side, (count, ns) in sides.items()
    }
    facts = SimpleNamespace(
        workloads=(MeasuredWorkload(workload, definition, histograms, OthersShare()),)
    )
    facts.one_at_a_time = partial(RunFacts.one_at_a_time, cast("RunFacts", facts))
    return cast("RunFacts", facts)


def test_no_more_is_in_flight_than_a_closed_loop_keeps() -> None:
    """32 writers for two seconds, 2 % for clocks, and a commit of each that began before a pass."""
    most = 32 * 2040 + 32 * 2
    name = "commit-8k-writers-32"
    assert rate_against_latency.check(closed(name, commit=(most, 1_000_000))) is None
    figures = rate_against_latency.check(closed(name, commit=(most + 1, 1_000_000)))
    assert figures is not None
    (said,) = findings(rate_against_latency.RULE, figures)
    assert said == (
        "commit-8k-writers-32: operations took 65345000000 ns together; 32 in flight cannot in "
        "2000000000 ns."
    )


def test_reads_and_writes_of_a_mix_are_in_flight_together() -> None:
    most = 128 * 2040 + 128 * 2
    for reads, is_fault in ((most // 2, False), (most // 2 + 1, True)):
        facts = closed("mix-4k", read=(reads, 1_000_000), write=(most // 2, 1_000_000))
        assert (rate_against_latency.check(facts) is not None) is is_fault


def test_one_long_operation_explains_no_more_than_warm_up_and_pass() -> None:
    """Half a second of warm-up and one of the pass, twice, beside two seconds and 2 %."""
    for commits, is_fault in ((16, False), (17, True)):  # of ten seconds, where 161 s are the most
        facts = closed("commit-8k-writers-32", commit=(commits, 10 * 10**9))
        assert (rate_against_latency.check(facts) is not None) is is_fault


def test_arrivals_of_a_search_wait_and_gaps_of_the_clock_are_no_operations() -> None:
    assert rate_against_latency.check(closed("slo-randread-4k-1ms", read=(10**9, 10**6))) is None
    assert rate_against_latency.check(closed("hiccup", lag=(10**9, 10**6))) is None


def searched(*, ended_by: str = "time") -> MeasuredWorkload:
    """Three searches: 4,000 operations a second are answered in time, 5,000 are not."""
    capacity = Pass(10_000, 0, 10**9, "time", (), None)
    trials = [
        Pass(offered, 0, 10**9, ended_by, (), OpenLoop("search", offered, 1, p99_ns, 0))
        for offered, p99_ns in [(4000, 5_000_000)] + [(5000, 50_000_000)] * 7
    ]
    (found,) = facts_of("slo-randread-4k-10ms").workloads
    workload = cast("Any", SimpleNamespace(passes=(capacity, *trials) * 3))
    return replace(found, workload=workload)


def test_the_rate_of_a_search_is_the_one_that_it_found() -> None:
    assert rates_per_s(searched()) == (4000, 4000, 4000)
    assert rates_per_s(searched(ended_by="interrupted")) == (None, None, None)


def of_tens(count: int) -> Histogram:
    """Return a histogram of so many latencies of ten nanoseconds."""
    return Histogram.from_counts([(10, count)], sum_ns=10 * count, min_ns=10, max_ns=10)


def test_an_operation_of_a_mix_is_a_write_or_a_read() -> None:
    assert verdict("mix-4k", write=40, read=60) is None


def test_a_mix_has_no_more_latencies_than_operations() -> None:
    assert (
        verdict("mix-4k", write=60, read=60)
        == "mix-4k: 100 operations, and 120 latencies (read, write)."
    )


def test_a_group_commit_syncs_once_for_many() -> None:
    name = "group-commit-8k-8"
    assert verdict(name, write=20, sync=20, commit=100) is None
    assert verdict(name, write=20, sync=20, commit=99) is not None
    assert verdict(name, write=20, sync=101, commit=100) is not None


def test_any_other_operation_has_one_on_each_side() -> None:
    assert verdict("commit-8k", write=100, sync=100, commit=100) is None
    assert verdict("commit-8k", write=20, sync=20, commit=100) is not None


def test_a_commit_in_a_group_waits_for_more_than_its_own_write_and_sync() -> None:
    for name, is_fault in (("group-commit-8k-8", False), ("commit-8k", True)):
        found = commit_parts.check(facts_of(name, write=20, sync=20, commit=100))
        assert (found is not None) is is_fault


def test_no_workload_could_do_without_a_flush_by_forced_writes() -> None:
    """Only O_DSYNC past the page cache could; the rule of flushes counts on it."""
    for suite in suites().values():
        for each in suite.workloads:
            assert each.page_cache or each.sync not in {"o_dsync", "rwf_dsync"}, each.id


def test_syncs_side_by_side_share_their_flushes() -> None:
    for name, is_fault in (
        ("commit-8k", True),
        ("commit-8k-writers-32", False),
        ("group-commit-8k-32", False),
        ("randwrite-8k-fsync-qd32x4", False),
    ):
        assert (few_flushes.check(facts_of(name, flushes=3)) is not None) is is_fault
