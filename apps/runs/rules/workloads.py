"""One workload of a run as rules need it: as sent, with its definition and its histograms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.stats.analysis.interference import Bystanders, OthersShare, own_traffic_below
from apps.stats.histogram import Histogram
from apps.wire.suites import WorkloadDefinition, find_workload

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.wire.run import RunPayload, Workload

READ_FLOOR_WORKLOAD: Final = "read-4k-floor"  # single reads: the shortest answer of the device


@dataclass(frozen=True)
class MeasuredWorkload:
    """One workload as sent, with its definition (None: not ours) and its histograms."""

    workload: Workload
    definition: WorkloadDefinition | None
    histograms: dict[str, Histogram]  # by side
    others: OthersShare  # of the pass that other programs disturbed most

    @property
    def rate_per_s(self) -> float | None:
        """Operations per second of elapsed time; None where nothing was measured."""
        if not self.workload.operations or not self.workload.elapsed_ns:
            return None
        return self.workload.operations * 1e9 / self.workload.elapsed_ns

    @property
    def is_one_at_a_time(self) -> bool:
        """Whether one operation is in flight: the rate is then the inverse of the mean latency."""
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


def measured_workloads(run: RunPayload) -> tuple[MeasuredWorkload, ...]:
    """Return every workload with its definition, its histograms and what others had of it."""
    bystanders = bystanders_of(run)
    return tuple(measure(workload, bystanders) for workload in run.workloads)


def p50_ns_of(workloads: Iterable[MeasuredWorkload], workload_id: str, side: str) -> int | None:
    """Return the median of one side of the workload with this id in nanoseconds, or None."""
    found = next((each for each in workloads if each.workload.id == workload_id), None)
    return found.p50_ns(side) if found else None


def syncs_each_time(definition: WorkloadDefinition | None) -> bool:
    """Return whether each operation of a workload writes something and syncs it."""
    return definition is not None and definition.sync != "none" and definition.block_bytes > 0


def bystanders_of(run: RunPayload) -> Bystanders:
    """Return by what the share of others can be judged in this run."""
    own_traffic = own_traffic_below(
        run.stack,
        mount_flags=run.env.mount_flags,
        device_classes=[device.device_class for device in run.devices],
    )
    return Bystanders(cpus=run.env.cpu_count, own_traffic=own_traffic)


def measure(workload: Workload, bystanders: Bystanders) -> MeasuredWorkload:
    """Return a workload with its definition, its histograms and what others had of it."""
    definition = find_workload(workload.id, version=workload.version)
    return MeasuredWorkload(
        workload=workload,
        definition=definition,
        others=bystanders.share_of_others(definition, workload.passes)
        if definition
        else OthersShare(),
        histograms={
            side: Histogram.from_counts(
                workload.counts,
                sum_ns=workload.sum_ns,
                min_ns=workload.min_ns,
                max_ns=workload.max_ns,
            )
            for side, workload in workload.histograms.items()
        },
    )
