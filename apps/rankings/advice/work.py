"""What a workload of ours does, laid beside what software does, and how far it stands for that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, StrEnum, unique


@unique
class Work(Enum):
    """What a workload does, laid beside what the software does."""

    SAME = "same"
    MORE = "more"  # who passes it passes; who fails it may still pass
    LESS = "less"  # who fails it fails; who passes it may still fail
    OTHER = "other"  # more of one thing and less of another: it shows neither


@unique
class Likeness(StrEnum):
    """How a workload resembles that for which it stands, and where it differs."""

    OVERWRITE = "overwrite"
    UNWRITTEN = "unwritten"
    DIRECT_16K = "direct-16k"
    DIRECT_16K_FSYNC = "direct-16k-fsync"
    MYSQL_COMMIT = "mysql-commit"
    MYSQL_OVERWRITE = "mysql-overwrite"
    ETCD_LOG = "etcd-log"
    ETCD_UNWRITTEN = "etcd-unwritten"
    ETCD_OVERWRITE = "etcd-overwrite"
    KAFKA_BATCH = "kafka-batch"
    KAFKA_OVERWRITE = "kafka-overwrite"
    SLOG_FLUSH = "slog-flush"
    SLOG_FSYNC = "slog-fsync"
    SLOG_OVERWRITE = "slog-overwrite"
    CEPH_WRITE = "ceph-write"
    CEPH_DIRECT = "ceph-direct"
    READS_IN_FLIGHT = "reads-in-flight"
    READ_AT_A_TIME = "read-at-a-time"
    WRITE_AT_A_TIME = "write-at-a-time"
    SHARED_COMMITS = "shared-commits"
    STREAM = "stream"
    LOOKUP = "lookup"
    LOOKUP_OF_QUICK_SUITE = "lookup-of-quick-suite"
    SEARCH = "search"


@dataclass(frozen=True, slots=True)
class StandIn:
    """One of our workloads that stands for what a piece of software waits for, and how far."""

    workload: str
    likeness: Likeness | None = None
    work: Work = Work.SAME
    p99_work: Work | None = None  # where the direction of a p99 is another one
    # It takes at most so many times as long: then a rate that misses by more fails. Only where that
    # was measured, which the words of its likeness cite.
    times: float | None = None

    @property
    def can_pass(self) -> bool:
        """Whether a rate of it can show a pass."""
        return self.work in (Work.SAME, Work.MORE)

    def for_more_sessions(self) -> StandIn:
        """How it stands for more sessions that commit at once than were measured.

        They share syncs, so their rate is no lower; each of them waits no less.
        """
        rate = {Work.SAME: Work.MORE, Work.LESS: Work.OTHER}.get(self.work, self.work)
        p99_work = self.p99_work or self.work
        p99 = {Work.SAME: Work.LESS, Work.MORE: Work.OTHER}.get(p99_work, p99_work)
        return replace(self, work=rate, p99_work=p99, times=None)
