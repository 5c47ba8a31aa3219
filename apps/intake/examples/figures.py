"""Made-up figures of one workload: passes, histograms and engine that fit each other.

Each kind of workload keeps the arithmetic that rules check: one operation at a time fills the
elapsed time, several in flight share it (Little 1961), a group of commits shares a sync.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from apps.stats.histogram import Histogram
from apps.stats.slo import LOAD_PERCENTS, SEARCHES, TRIALS
from apps.wire.suites import find_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from apps.intake.examples.world import Visit
    from apps.wire.suites import WorkloadDefinition

    Latencies = NDArray[np.int64]

SAMPLE_NS: Final = 100_000_000
OPERATIONS: Final = 320  # in each pass: enough for a p99, and quickly made
OPERATIONS_ELSE: Final = 64  # of workloads that no guide judges: enough for a median
DEVIATION: Final = 0.08  # of commits, in ln
SLOW_SHARE: Final = 0.012  # of commits that take the tail's time
WRITE_SHARE: Final = 0.02  # of a commit, before its sync
CPU_NS: Final = 9_000  # of the agent for each operation
LAG_NS: Final = 2_000  # of the clock when nothing is in the way
USEFUL_SHARE: Final = 0.8  # of the capacity, up to which a search is answered in time
READ_TAIL: Final = 0.5  # of a commit's: a read waits for no flush
READ_NS_MIN: Final = 60_000  # below this, reads would come from a cache
# How long an operation takes, in commits of 8 KiB with fdatasync; all others take as long as one.
FACTORS: Final = {
    "commit-8k-fsync": 1.25, "commit-8k-dsync": 0.97, "fallocated-8k-fsync": 2.1,
    "fallocated-2300-fdatasync": 1.4, "append-8k-fdatasync": 1.6, "randwrite-4k-fsync": 1.3,
    "direct-16k-nosync": 0.2, "randwrite-4k-qd32": 0.4,
}  # fmt: skip
# What guides judge by beside the quick suite: these have a tail that means something.
JUDGED: Final = frozenset({
    "fallocated-8k-fsync", "fallocated-2300-fdatasync", "direct-16k-fdatasync",
    "randwrite-4k-fsync", "group-commit-8k-32", "seqread-256k-qd8", "randread-4k-qd1",
})  # fmt: skip

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Timed:
    """One pass: the latencies of each side, and how long all of it took, in nanoseconds."""

    operations: int
    elapsed_ns: int
    sides: dict[str, Latencies]
    in_all_ns: int  # latencies of whole operations added up
    open_loop: Json | None = None


def figures(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> Json:
    """Return a workload as an agent sends it, each pass drawn for itself."""
    passes = _passes(generator, definition, visit)
    operations = sum(each.operations for each in passes)
    elapsed_ns = sum(each.elapsed_ns for each in passes)
    depth_milli = sum(each.in_all_ns for each in passes) * 1000 // elapsed_ns
    return {
        "id": definition.id,
        "version": definition.version,
        "operations": operations,
        "bytes": operations * definition.block_bytes,
        "elapsed_ns": elapsed_ns,
        "sample_ns": SAMPLE_NS,
        "passes": [_pass(each, definition) for each in passes],
        "histograms": {
            side: _histogram([each.sides[side] for each in passes])
            for side in definition.histograms
        },
        "flushes": operations if definition.sync != "none" else 0,
        "device_bytes": operations * definition.block_bytes,
        "engine": {
            "kind": "uring" if definition.queue_depth > 1 else "psync",
            "writers": definition.writers,
            "queue_depth": definition.queue_depth,
            "effective_depth_milli": depth_milli,
            "cpu_ns": CPU_NS * operations,
            "fallback": None,
        },
        "other_io": {"interval_ns": SAMPLE_NS, "reads": 0, "writes": 0, "bytes": 0},
    }


def _passes(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> list[Timed]:
    if definition.p99_ns_max is not None:
        return _search(generator, definition, visit)
    one = {"group-commit": _group_commit, "clock-gap": _clock_gap, "mix": _mix}
    make = one.get(definition.operation, _closed_loop)
    return [make(generator, definition, visit) for _ in range(definition.passes)]


def _closed_loop(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> Timed:
    """As many in flight as the workload keeps: together they take so many times less."""
    in_flight = definition.writers * definition.queue_depth
    whole = _drawn(generator, definition, visit, _operations(definition))
    in_all_ns = int(whole.sum())
    return Timed(len(whole), -(-in_all_ns // in_flight), _sides(whole), in_all_ns)


def _group_commit(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> Timed:
    """Half of the committers share a sync while the other half waits for the next one."""
    size = max(definition.writers // 2, 1)
    groups = _drawn(generator, definition, visit, _operations(definition) // size, times=size)
    before = np.concatenate((groups[:1], groups[:-1]))
    commits = np.repeat(groups + before, size)
    commits[:size] = groups[0]  # nobody was before them
    sides = _sides(groups) | {"commit": commits}
    return Timed(len(commits), int(groups.sum()), sides, int(commits.sum()))


def _clock_gap(generator: Generator, definition: WorkloadDefinition, _visit: Visit) -> Timed:
    lags = _tailed(generator, LAG_NS, 3.0, _operations(definition))
    in_all_ns = int(lags.sum())
    return Timed(len(lags), in_all_ns, {"lag": lags}, in_all_ns)


def _mix(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> Timed:
    """Every operation is a write or a read: here the one after the other."""
    in_flight = definition.writers * definition.queue_depth
    whole = _drawn(generator, definition, visit, _operations(definition))
    sides = {"write": whole[::2], "read": whole[1::2]}
    in_all_ns = int(whole.sum())
    return Timed(len(whole), -(-in_all_ns // in_flight), sides, in_all_ns)


def _search(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> list[Timed]:
    """Three searches for the highest rate in time, each in halves, and passes at shares of it."""
    passes: list[Timed] = []
    capacity = 1.0
    for _ in range(SEARCHES):
        closed = _closed_loop(generator, definition, visit)
        capacity = closed.operations * 1e9 / closed.elapsed_ns
        passes.append(closed)
        low, high = 0.0, capacity
        for _ in range(TRIALS):
            offered = (low + high) / 2
            is_good = offered <= capacity * USEFUL_SHARE
            passes.append(_arrivals(generator, definition, visit, offered, is_good=is_good))
            low, high = (offered, high) if is_good else (low, offered)
    loads = [capacity * percent / 100 for percent in LOAD_PERCENTS]
    return passes + [_arrivals(generator, definition, visit, each, is_good=None) for each in loads]


def _arrivals(
    generator: Generator,
    definition: WorkloadDefinition,
    visit: Visit,
    offered_per_s: float,
    *,
    is_good: bool | None,
) -> Timed:
    """A pass of arrivals: a trial that is good or not, or one at a share of the capacity."""
    whole = _drawn(generator, definition, visit, OPERATIONS_ELSE)
    limit_ns = definition.p99_ns_max or 0
    whole = np.minimum(whole, limit_ns // 2) if is_good is not False else whole + 2 * limit_ns
    p50_ns, p99_ns = (int(ns) for ns in np.quantile(whole, (0.5, 0.99)))
    loop = {
        "purpose": "load" if is_good is None else "search",
        "offered_per_s": int(offered_per_s),
        "p50_ns": p50_ns,
        "p99_ns": p99_ns,
        "lag_p99_ns": LAG_NS,
    }
    elapsed_ns = round(len(whole) * 1e9 / offered_per_s)
    return Timed(len(whole), elapsed_ns, _sides(whole), int(whole.sum()), loop)


def _operations(definition: WorkloadDefinition) -> int:
    quick = find_suite("quick", version=1)
    is_quick = quick is not None and quick.workload(definition.id, version=definition.version)
    return OPERATIONS if is_quick or definition.id in JUDGED else OPERATIONS_ELSE


def _drawn(
    generator: Generator, definition: WorkloadDefinition, visit: Visit, n: int, *, times: int = 1
) -> Latencies:
    """Latencies of n operations, each of which moves so many blocks."""
    storage = visit.storage
    own = visit.commit_ns / storage.commit_ns  # of this machine, against its kind of storage
    if definition.operation == "read" or "read" in definition.histograms:
        typical_ns, tail = max(storage.read_ns * own, READ_NS_MIN), storage.tail * READ_TAIL
    else:
        typical_ns, tail = visit.commit_ns * FACTORS.get(definition.id, 1.0), storage.tail
    # What a block of 16 KiB moves is in the time of an operation already.
    beyond = max(definition.block_bytes * times - (1 << 14), 0)
    return _tailed(generator, typical_ns + beyond * storage.byte_ns, tail, n)


def _tailed(generator: Generator, typical_ns: float, tail: float, n: int) -> Latencies:
    latencies = typical_ns * np.exp(generator.normal(0, DEVIATION, n))
    is_slow = generator.uniform(size=n) < SLOW_SHARE
    latencies[is_slow] *= tail * np.exp(generator.normal(0, 0.3, int(is_slow.sum())))
    return np.maximum(latencies.astype(np.int64), 100)


def _sides(whole: Latencies) -> dict[str, Latencies]:
    """Every side that a workload may record of these operations."""
    writes = np.maximum((whole * WRITE_SHARE).astype(np.int64), 1)
    return {"write": writes, "sync": whole - writes, "commit": whole, "read": whole}


def _pass(timed: Timed, definition: WorkloadDefinition) -> Json:
    """A pass with its rate samples: operations spread evenly over the time that it took."""
    ends = np.linspace(0, timed.elapsed_ns, timed.operations + 1)[1:].astype(np.int64)
    samples = np.bincount(ends // SAMPLE_NS, minlength=1)[: timed.elapsed_ns // SAMPLE_NS]
    loop = {} if timed.open_loop is None else {"open_loop": timed.open_loop}
    return {
        "operations": timed.operations,
        "bytes": timed.operations * definition.block_bytes,
        "elapsed_ns": timed.elapsed_ns,
        "ended_by": "time",
        "rate_samples": [int(count) for count in samples],
        **loop,
    }


def _histogram(parts: Sequence[Latencies]) -> Json:
    histogram = Histogram.of(np.concatenate(parts).tolist())
    return {
        "kind": "log128",
        "sum_ns": histogram.sum_ns,
        "min_ns": histogram.min_ns,
        "max_ns": histogram.max_ns,
        "counts": [list(pair) for pair in zip(histogram.buckets, histogram.counts, strict=True)],
    }
