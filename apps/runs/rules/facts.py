"""What rules look at: one run, what its suite demands, and what the door saw of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from apps.runs.rules.history import History
from apps.stats.histogram import Histogram
from apps.wire.suites import HEADLINE_WORKLOAD, Suite, WorkloadDefinition, find_workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from apps.plans.placement import Placement
    from apps.runs.members import Members
    from apps.wire.run import RunPayload, Workload

READ_FLOOR_WORKLOAD = "read-4k-floor"  # how fast the device answers at all


@dataclass(frozen=True)
class Measured:
    """One workload as sent, with its definition (None: not ours) and its histograms."""

    sent: Workload
    definition: WorkloadDefinition | None
    histograms: dict[str, Histogram]  # by side

    @property
    def rate_per_s(self) -> float | None:
        """Operations per second of elapsed time; None where nothing was measured."""
        if not self.sent.operations or not self.sent.elapsed_ns:
            return None
        return self.sent.operations * 1e9 / self.sent.elapsed_ns

    @property
    def is_one_at_a_time(self) -> bool:
        """Whether a rate is the inverse of a latency here."""
        definition = self.definition
        return definition is not None and definition.writers * definition.queue_depth == 1

    @property
    def whole(self) -> Histogram | None:
        """The latency of whole operations: commits, or reads."""
        return self.histograms.get("commit") or self.histograms.get("read")

    def p50_ns(self, side: str) -> int | None:
        """Return the median of one side in nanoseconds, or None."""
        histogram = self.histograms.get(side)
        return histogram.percentile_ns(0.5) if histogram else None


@dataclass(frozen=True)
class RunFacts:
    """One run before the rules."""

    run: RunPayload
    suite: Suite | None  # None: not a suite of ours, or other bytes under its name
    members: Members
    placement: Placement
    challenge_use: str
    challenge_issued_at: datetime | None
    challenge_seed: bytes | None
    received_at: datetime
    history: History = field(default_factory=History)

    @cached_property
    def measured(self) -> tuple[Measured, ...]:
        """Every workload with its definition and histograms."""
        return tuple(measure(workload) for workload in self.run.workloads)

    @property
    def headline(self) -> Measured | None:
        """The workload that boards rank by."""
        return self.find(HEADLINE_WORKLOAD)

    @property
    def commit_p50_ns(self) -> int | None:
        """The median commit of the headline workload in nanoseconds."""
        return self.p50_ns(HEADLINE_WORKLOAD, "commit")

    @property
    def read_p50_ns(self) -> int | None:
        """The median of single reads past the page cache in nanoseconds."""
        return self.p50_ns(READ_FLOOR_WORKLOAD, "read")

    def find(self, workload_id: str) -> Measured | None:
        """Return a workload of the run by its id, or None."""
        return next((each for each in self.measured if each.sent.id == workload_id), None)

    def p50_ns(self, workload_id: str, side: str) -> int | None:
        """Return the median of one side of a workload in nanoseconds, or None."""
        found = self.find(workload_id)
        return found.p50_ns(side) if found else None

    @property
    def server_elapsed_ns(self) -> int | None:
        """Time between challenge and upload by the server's clock."""
        if self.challenge_issued_at is None:
            return None
        return round((self.received_at - self.challenge_issued_at).total_seconds() * 1e9)

    def one_at_a_time(self) -> Iterator[Measured]:
        """Yield the workloads with one operation in flight."""
        return (each for each in self.measured if each.is_one_at_a_time)


def read_p50_ns(workloads: Iterable[Workload]) -> int | None:
    """Return the median of single reads past the page cache in nanoseconds, or None."""
    reads = next((each for each in workloads if each.id == READ_FLOOR_WORKLOAD), None)
    return measure(reads).p50_ns("read") if reads else None


def measure(workload: Workload) -> Measured:
    """Return a workload with its definition and histograms."""
    return Measured(
        sent=workload,
        definition=find_workload(workload.id, version=workload.version),
        histograms={
            side: Histogram.from_counts(
                sent.counts, sum_ns=sent.sum_ns, min_ns=sent.min_ns, max_ns=sent.max_ns
            )
            for side, sent in workload.histograms.items()
        },
    )
