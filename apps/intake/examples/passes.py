"""Made-up passes: drawn latencies repeat until the suite's limits end a pass, as an agent's does.

A few hundred latencies stand for all operations of a pass: the first to the last of them in turn,
and again. So sums, counts and elapsed times fit to the nanosecond, and a pass of a hundred thousand
commits costs no more than one of a thousand.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from apps.stats.histogram import BUCKETS_MAX, SUB_BUCKET_BITS, SUB_BUCKETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.random import Generator
    from numpy.typing import NDArray

    from apps.wire.suites import WorkloadDefinition

    Numbers = NDArray[np.int64]

Json = dict[str, Any]

SAMPLE_NS: Final = 100_000_000
SAMPLE_DEVIATION: Final = 0.04  # of the rate in a tenth of a second
RARE_AMONG: Final = 2_000  # operations: of fewer, a rare one would be a share of the time
WITHOUT_BYTES: Final = 1 << 62  # operations, where none of them moves any


@dataclass(frozen=True, slots=True)
class PassDraw:
    """Latencies of a pass in turn, how far each moves the clock, and how many end with each."""

    sides: dict[str, Numbers]
    steps: NDArray[np.float64]  # nanoseconds between one end and the next
    each: int = 1  # operations that end together
    rare: int = 0  # of these, the last so many happen once in a pass that is long enough
    shared: frozenset[str] = frozenset()  # sides of which such operations have one for all


@dataclass(frozen=True, slots=True)
class PassTiming:
    """One pass: how often each latency of each side occurred, and how long all of it took."""

    operations: int
    elapsed_ns: int
    ended_by: str
    sides: dict[str, tuple[Numbers, Numbers]]  # latencies and their counts
    open_loop: Json | None = None


def operations_max(definition: WorkloadDefinition) -> int:
    """Return after how many operations of one block the bytes of a pass are used up."""
    block = definition.block_bytes
    return -(-definition.pass_bytes_max // block) if block else WITHOUT_BYTES


def run_pass(drawn: PassDraw, definition: WorkloadDefinition) -> PassTiming:
    """Return a pass that goes on with these latencies until a limit ends it."""
    ends = np.cumsum(drawn.steps[: len(drawn.steps) - drawn.rare])

    def reached(ns: int) -> int:
        """Return how many steps it takes until so much time has gone by."""
        rounds, rest = divmod(ns, float(ends[-1]))
        return int(rounds) * len(ends) + int(np.searchsorted(ends, rest)) + 1

    by = {
        "time": max(
            reached(definition.pass_ns_min), -(-definition.pass_operations_min // drawn.each)
        ),
        "bytes": -(-operations_max(definition) // drawn.each),
        "time-limit": reached(definition.pass_ns_max),
    }
    ended_by = min(by, key=lambda reason: by[reason])  # of equal ones the first, as the agent
    return _timed(drawn, by[ended_by], ended_by)


def run_open_pass(
    drawn: PassDraw, *, offered_per_s: float, lasts_ns: int, loop: Json
) -> PassTiming:
    """Return a pass of operations that arrive at a rate, whatever they take."""
    operations = max(round(offered_per_s * lasts_ns / 1e9), 1)
    timed = _timed(drawn, operations, "time")
    elapsed_ns = max(round(operations * 1e9 / offered_per_s), lasts_ns)
    return PassTiming(operations, elapsed_ns, "time", timed.sides, loop)


def _timed(drawn: PassDraw, steps: int, ended_by: str) -> PassTiming:
    length = len(drawn.steps) - drawn.rare
    rounds, rest = divmod(steps, length)
    counts = np.full(length + drawn.rare, rounds, dtype=np.int64)
    counts[:rest] += 1
    happened_once = int(steps >= RARE_AMONG)
    counts[length:] = happened_once
    counts[: drawn.rare] -= happened_once  # in their place
    happened = counts > 0
    sides = {
        side: (latencies[happened], counts[happened] * (1 if side in drawn.shared else drawn.each))
        for side, latencies in drawn.sides.items()
    }
    elapsed_ns = int(np.ceil(counts @ drawn.steps))
    return PassTiming(steps * drawn.each, elapsed_ns, ended_by, sides)


def pass_as_sent(generator: Generator, timed: PassTiming, definition: WorkloadDefinition) -> Json:
    """Return a pass as an agent sends it, with its rate samples."""
    loop = {} if timed.open_loop is None else {"open_loop": timed.open_loop}
    return {
        "operations": timed.operations,
        "bytes": timed.operations * definition.block_bytes,
        "elapsed_ns": timed.elapsed_ns,
        "ended_by": timed.ended_by,
        "rate_samples": _samples(generator, timed),
        **loop,
    }


def _samples(generator: Generator, timed: PassTiming) -> list[int]:
    """Operations of each whole tenth of a second: a few per cent more or less than the rate."""
    whole, rest_ns = divmod(timed.elapsed_ns, SAMPLE_NS)
    parts = np.append(np.ones(whole), rest_ns / SAMPLE_NS)
    parts *= np.exp(generator.normal(0, SAMPLE_DEVIATION, whole + 1))
    ends = np.rint(np.cumsum(parts) / parts.sum() * timed.operations).astype(np.int64)
    samples: list[int] = np.diff(ends, prepend=0)[:whole].tolist()
    return samples


def histogram(parts: Sequence[tuple[Numbers, Numbers]]) -> Json:
    """Return the histogram of latencies and their counts as an agent sends it."""
    latencies = np.concatenate([values for values, _ in parts])
    counts = np.concatenate([times for _, times in parts])
    bucket_counts = np.bincount(_buckets(latencies), weights=counts)  # exact below 2^53
    buckets = np.flatnonzero(bucket_counts)
    rows = np.column_stack((buckets, bucket_counts[buckets].astype(np.int64)))
    return {
        "kind": "log128",
        "sum_ns": int(latencies @ counts),
        "min_ns": int(latencies.min()),
        "max_ns": int(latencies.max()),
        "counts": rows.tolist(),
    }


def _buckets(latencies: Numbers) -> Numbers:
    """Return the bucket of each latency, as `apps.stats.histogram.bucket_of` does of one."""
    exponents = np.maximum(np.frexp(latencies)[1] - 1 - SUB_BUCKET_BITS, 0).astype(np.int64)
    linear: Numbers = SUB_BUCKETS * exponents + (latencies >> exponents)
    return linear.clip(max=BUCKETS_MAX - 1)
