"""Made-up figures of one workload: passes, histograms and engine that fit each other.

Each kind of workload keeps the arithmetic that rules check: one operation at a time fills the
elapsed time, several in flight share it (Little 1961), a group of commits shares a sync.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from apps.intake.examples import classes
from apps.intake.examples.passes import (
    SAMPLE_NS,
    PassDraw,
    histogram,
    pass_as_sent,
    run_open_pass,
    run_pass,
)  # fmt: skip
from apps.stats.analysis.slo import LOAD_PERCENTS, SEARCHES, TRIALS, SearchPass
from apps.wire.suites import find_suite

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from apps.intake.examples.passes import PassTiming
    from apps.intake.examples.world import Visit
    from apps.wire.suites import WorkloadDefinition

    Latencies = NDArray[np.int64]

DRAWN: Final = 320  # latencies of each pass: enough for a p99.9 of three
DRAWN_ELSE: Final = 48  # of workloads that no guide judges: enough for a median
DEVIATION: Final = 0.08  # of commits, in ln
SLOW_SHARE: Final = 0.012  # of commits that take the tail's time
TAIL_DEVIATION: Final = 0.3
RARE: Final = 2  # operations of a pass that take longer than all others
RARE_FACTOR: Final = 2.4  # of the tail's time
WRITE_TAIL: Final = 2.2
PAGE_WRITE_NS: Final = 2_600  # 8 KiB into the page cache
WRITE_SHARE_MAX: Final = 0.96  # of a commit, before its sync
JOURNAL_BYTES: Final = 12 << 10  # that the filesystem adds where a commit changes its metadata
TICKS_PER_S: Final = 250  # of the kernel: so often a file's time of change moves
NS_PER_S: Final = 10**9
PAGE_BYTES: Final = 4096
SERVICES_PERMILLE: Final = 8  # of one processor, for what runs on any system
CPU_NS: Final = 9_000  # of the agent for each operation, while it has so much
THREAD_NS: Final = 2_500  # between two operations of one thread, however many it has in flight
FLUSHES_WAITED: Final = 2.0  # of a volatile cache: one is under way, and the next is for all
GAP_NS: Final = 45  # between two readings of the clock when nothing is in the way
LAG_NS: Final = 4_000  # of the generator of arrivals
LOAD_MAX: Final = 0.998  # of the capacity: a queue beyond it has no end
READ_TAIL: Final = 0.5  # of a commit's: a read waits for no flush
# How far reads follow a machine whose commits are slower than those of its kind: hardly.
READ_FOLLOWS: Final = 0.1
SMALL_BYTES: Final = 1 << 14  # what such a block moves is in the time of an operation already
# How long a durable operation takes, in commits of 8 KiB with fdatasync; all others take one.
FACTORS: Final = {
    "commit-8k-fsync": 1.25, "commit-8k-dsync": 0.97, "fallocated-8k-fsync": 2.1,
    "fallocated-2300-fdatasync": 1.4, "append-8k-fdatasync": 1.6, "randwrite-4k-fsync": 1.1,
    "doublewrite-16k-batch": 2.5,
}  # fmt: skip
METADATA: Final = frozenset({
    "commit-8k-fsync", "fallocated-8k-fsync", "fallocated-2300-fdatasync", "append-8k-fdatasync",
})  # fmt: skip
# What guides judge by beside the quick suite: these have a tail that means something.
JUDGED: Final = frozenset({
    "fallocated-8k-fsync", "fallocated-2300-fdatasync", "direct-16k-fdatasync",
    "randwrite-4k-fsync", "group-commit-8k-32", "seqread-256k-qd8", "randread-4k-qd1",
})  # fmt: skip

Json = dict[str, Any]


def figures(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> Json:
    """Return a workload as an agent sends it, each pass drawn for itself."""
    passes = _passes(generator, definition, visit)
    operations = sum(each.operations for each in passes)
    elapsed_ns = sum(each.elapsed_ns for each in passes)
    histograms = {
        side: histogram([each.sides[side] for each in passes]) for side in definition.histograms
    }
    return {
        "id": definition.id,
        "version": definition.version,
        "operations": operations,
        "bytes": operations * definition.block_bytes,
        "elapsed_ns": elapsed_ns,
        "sample_ns": SAMPLE_NS,
        "passes": [
            {**pass_as_sent(generator, each, definition), "interference": _quiet(definition, each)}
            for each in passes
        ],
        "histograms": histograms,
        **_kernel_counts(definition, visit, passes),
        "engine": {
            "kind": "uring" if definition.queue_depth > 1 else "psync",
            "writers": definition.writers,
            "queue_depth": definition.queue_depth,
            "effective_depth_milli": _in_all_ns(histograms) * 1000 // elapsed_ns,
            "cpu_ns": min(CPU_NS * operations, definition.writers * elapsed_ns),
            "fallback": None,
        },
    }


def _kernel_counts(
    definition: WorkloadDefinition, visit: Visit, passes: Sequence[PassTiming]
) -> Json:
    """What the kernel counted: flushes of a volatile cache alone, and whole pages written."""
    is_flushed = definition.sync != "none" and visit.storage.device["write_cache"] == "write back"
    return {
        "flushes": sum(each.operations for each in passes) if is_flushed else 0,
        "device_bytes": sum(_written_bytes(definition, each) for each in passes),
    }


def _written_bytes(definition: WorkloadDefinition, timed: PassTiming) -> int:
    """Return how many bytes the device writes in a pass, with the filesystem's journal."""
    pages = -(-definition.block_bytes // PAGE_BYTES) * PAGE_BYTES
    if definition.operation in ("read", "clock-gap"):
        pages = 0
    elif definition.operation == "mix":
        pages //= 2
    commits = timed.operations if definition.id in METADATA else 0
    if definition.file_state == "overwritten":  # only where the time of change has moved
        commits = min(commits, timed.elapsed_ns * TICKS_PER_S // NS_PER_S + 1)
    return timed.operations * pages + commits * JOURNAL_BYTES


def _quiet(definition: WorkloadDefinition, timed: PassTiming) -> Json:
    """What else went on during a pass on a machine that does nothing else: its services."""
    read_share = {"read": 1.0, "mix": 0.5}.get(definition.operation, 0.0)
    reads = int(timed.operations * read_share)
    return {
        "device": {
            "reads": reads,
            "writes": timed.operations - reads,
            "bytes_read": reads * definition.block_bytes,
            "bytes_written": _written_bytes(definition, timed),
        },
        "other_cpu_ns": timed.elapsed_ns * SERVICES_PERMILLE // 1000,
        "steal_ns": 0,
        "run_queue_ns": 0,
        "throttled_ns": None,
        "pressure": None,
        "own_pressure": None,
        "cpu_mhz": None,
    }


def _in_all_ns(histograms: Json) -> int:
    wholes = [histograms["commit"]] if "commit" in histograms else histograms.values()
    return sum(each["sum_ns"] for each in wholes)


def _passes(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> list[PassTiming]:
    if definition.p99_ns_max is not None:
        return _search(generator, definition, visit)
    one = {
        "group-commit": _group_commit, "clock-gap": _clock_gap, "mix": _mix, "batch": _batch,
    }  # fmt: skip
    make = one.get(definition.operation, _closed_loop)
    return [
        run_pass(make(generator, definition, visit), definition) for _ in range(definition.passes)
    ]


def _closed_loop(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> PassDraw:
    """Return a pass with as many operations in flight as the workload keeps."""
    whole = _operations(generator, definition, visit)
    slow = visit.storage.storage_class.tail * RARE_FACTOR * np.exp(generator.normal(0, 0.3, RARE))
    whole = np.append(whole, (slow * np.median(whole)).astype(np.int64))
    sides = _sides(generator, whole, definition, visit)
    return PassDraw(sides, whole / _in_flight(definition), rare=RARE)


def _group_commit(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> PassDraw:
    """Half of the committers share a sync while the other half waits for the next one."""
    size = max(definition.writers // 2, 1)
    typical_ns = _durable_ns(definition, visit) + _moving_ns(definition, visit, times=size)
    groups = _tailed(generator, typical_ns, visit.storage.storage_class.tail, _draws(definition))
    sides = _sides(generator, groups, definition, visit)
    sides["commit"] = groups + np.roll(groups, 1)
    return PassDraw(sides, groups.astype(float), size, shared=frozenset({"write", "sync"}))


def _clock_gap(generator: Generator, definition: WorkloadDefinition, _visit: Visit) -> PassDraw:
    lags = _tailed(generator, GAP_NS, 3.0, _draws(definition))
    return PassDraw({"lag": lags}, lags.astype(float))


def _mix(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> PassDraw:
    """Every operation is a write or a read: here the one after the other."""
    both = {side: _operations(generator, definition, visit) for side in ("write", "read")}
    steps = (both["write"] + both["read"]) / _in_flight(definition)
    return PassDraw(both, steps, 2, shared=frozenset(both))


def _batch(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> PassDraw:
    """Bytes past the page cache, then one sync: which costs the more the more it has to empty."""
    storage_class, moved = visit.storage.storage_class, definition.block_bytes
    flush_ns: float = storage_class.flush_ns
    writes = np.zeros(_draws(definition), dtype=np.int64)
    if moved:
        writing_ns = storage_class.write_ns + _moving_ns(definition, visit)
        writes = _tailed(generator, writing_ns, 1.5, len(writes))
        if storage_class.emptied_byte_ns:
            flush_ns = visit.commit_ns + moved * storage_class.emptied_byte_ns
    syncs = _tailed(generator, flush_ns, 2.0, len(writes))
    sides = {"write": writes, "sync": syncs, "commit": writes + syncs}
    return PassDraw(sides, sides["commit"].astype(float))


def _search(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> list[PassTiming]:
    """Three searches for the highest rate in time, each in halves, and passes at shares of it."""
    passes: list[PassTiming] = []
    capacity = 1.0

    def arrivals(offered_per_s: float, purpose: str) -> PassTiming:
        alone = _alone(generator, definition, visit)
        whole = (alone / (1 - min(offered_per_s / capacity, LOAD_MAX))).astype(np.int64)
        return _arrivals(whole, definition, offered_per_s=offered_per_s, purpose=purpose)

    for _ in range(SEARCHES):
        closed = run_pass(_closed_loop(generator, definition, visit), definition)
        capacity = closed.operations * 1e9 / closed.elapsed_ns
        passes.append(closed)
        low, high = 0.0, capacity
        for _ in range(TRIALS):
            offered = (low + high) / 2
            trial = arrivals(offered, "search")
            passes.append(trial)
            low, high = (offered, high) if _is_good(trial, definition) else (low, offered)
    return passes + [arrivals(capacity * percent / 100, "load") for percent in LOAD_PERCENTS]


def _alone(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> Latencies:
    """Reads that wait for no others: the nearer to the capacity, the longer arrivals wait."""
    storage_class = visit.storage.storage_class
    return _tailed(
        generator, _alone_ns(definition, visit), storage_class.tail * READ_TAIL, DRAWN_ELSE,
        deviation=storage_class.read_deviation,
    )  # fmt: skip


def _arrivals(
    whole: Latencies, definition: WorkloadDefinition, *, offered_per_s: float, purpose: str
) -> PassTiming:
    """A pass of reads that arrive by themselves."""
    p50_ns, p99_ns = (int(ns) for ns in np.quantile(whole, (0.5, 0.99)))
    loop = {
        "purpose": purpose,
        "offered_per_s": max(int(offered_per_s), 1),
        "p50_ns": p50_ns,
        "p99_ns": p99_ns,
        "lag_p99_ns": LAG_NS,
    }
    lasts_ns = definition.pass_ns_min
    drawn = PassDraw({"read": whole}, whole.astype(float))
    return run_open_pass(drawn, offered_per_s=offered_per_s, lasts_ns=lasts_ns, loop=loop)


def _is_good(timed: PassTiming, definition: WorkloadDefinition) -> bool:
    loop = timed.open_loop or {}
    trial = SearchPass(
        timed.operations, timed.elapsed_ns, loop["purpose"], loop["offered_per_s"],
        loop["p99_ns"], loop["lag_p99_ns"],
    )  # fmt: skip
    return trial.is_good(definition.p99_ns_max or 0)


def _draws(definition: WorkloadDefinition) -> int:
    quick = find_suite("quick", version=1)
    is_quick = quick is not None and quick.workload(definition.id, version=definition.version)
    return DRAWN if is_quick or definition.id in JUDGED else DRAWN_ELSE


def _in_flight(definition: WorkloadDefinition) -> int:
    return definition.writers * definition.queue_depth


def _operations(generator: Generator, definition: WorkloadDefinition, visit: Visit) -> Latencies:
    """Latencies of operations, as many in flight as the workload keeps."""
    storage_class, is_read = visit.storage.storage_class, _is_read(definition)
    typical_ns = max(_alone_ns(definition, visit), _queued_ns(definition, visit))
    tail = storage_class.tail * READ_TAIL if is_read else storage_class.tail
    deviation = storage_class.read_deviation if is_read else DEVIATION
    return _tailed(generator, typical_ns, tail, _draws(definition), deviation=deviation)


def _is_read(definition: WorkloadDefinition) -> bool:
    return "read" in definition.histograms


def _is_buffered(definition: WorkloadDefinition, visit: Visit) -> bool:
    """Whether the drive's own buffer answers, as that of a hard disk does over a small area."""
    return definition.area_bytes <= visit.storage.storage_class.buffer_bytes


def _alone_ns(definition: WorkloadDefinition, visit: Visit) -> float:
    """How long one operation takes that is alone; with a volatile cache, that has company."""
    storage_class = visit.storage.storage_class
    if _is_read(definition):
        own = (visit.commit_ns / visit.storage.commit_ns) ** READ_FOLLOWS
        is_buffered = _is_buffered(definition, visit)
        alone_ns = classes.BUFFER_READ_NS if is_buffered else storage_class.read_ns * own
    elif definition.sync == "none":
        alone_ns = storage_class.write_ns
    else:
        alone_ns = _durable_ns(definition, visit)
        if _in_flight(definition) > 1 and storage_class.emptied_byte_ns:
            alone_ns *= FLUSHES_WAITED
    return alone_ns + _moving_ns(definition, visit)


def _durable_ns(definition: WorkloadDefinition, visit: Visit) -> float:
    return visit.commit_ns * FACTORS.get(definition.id, 1.0)


def _moving_ns(definition: WorkloadDefinition, visit: Visit, *, times: int = 1) -> float:
    beyond = max(definition.block_bytes * times - SMALL_BYTES, 0)
    return beyond * 1e9 / visit.storage.storage_class.bytes_per_s


def _queued_ns(definition: WorkloadDefinition, visit: Visit) -> float:
    """How long one operation takes among all in flight, by what drive and threads do at most."""
    storage_class = visit.storage.storage_class
    each_ns = max(
        definition.block_bytes * 1e9 / storage_class.bytes_per_s, THREAD_NS / definition.writers
    )
    is_placed = definition.access == "random" or definition.sync != "none"
    if is_placed and not (_is_read(definition) and _is_buffered(definition, visit)):
        read_ns, write_ns = 1e9 / storage_class.reads_per_s, 1e9 / storage_class.writes_per_s
        placing_ns = read_ns if _is_read(definition) else write_ns
        if definition.operation == "mix":
            placing_ns = (read_ns + write_ns) / 2
        each_ns = max(each_ns, placing_ns)
    return each_ns * _in_flight(definition)


def _tailed(
    generator: Generator, typical_ns: float, tail: float, n: int, *, deviation: float = DEVIATION
) -> Latencies:
    """Log-normal latencies, of which a fixed share takes the tail's time: passes stay alike."""
    latencies = typical_ns * np.exp(generator.normal(0, deviation, n))
    slow = generator.choice(n, size=max(round(n * SLOW_SHARE), 1), replace=False)
    latencies[slow] *= tail * np.exp(generator.normal(0, TAIL_DEVIATION, len(slow)))
    return np.maximum(latencies.astype(np.int64), 1)


def _sides(
    generator: Generator, whole: Latencies, definition: WorkloadDefinition, visit: Visit
) -> dict[str, Latencies]:
    """Every side that a workload may record of these operations."""
    storage_class = visit.storage.storage_class
    write_ns = storage_class.write_ns + _moving_ns(definition, visit)
    if definition.page_cache:
        write_ns = PAGE_WRITE_NS
    writes = _tailed(generator, write_ns, WRITE_TAIL, len(whole))
    if not definition.page_cache and visit.storage.device["write_cache"] == "write through":
        # Nothing is left for the sync to do.
        writes = whole - _tailed(generator, storage_class.flush_ns, WRITE_TAIL, len(whole))
    if definition.sync == "none":
        writes = whole
    else:
        writes = writes.clip(1, (whole * WRITE_SHARE_MAX).astype(np.int64))
    return {"write": writes, "sync": whole - writes, "commit": whole, "read": whole}
