"""How the work of our workloads compares with that of software, and what that lets them show."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, StrEnum, unique


@unique
class Work(Enum):
    """How much a workload does compared with the software."""

    SAME = "same"
    MORE = "more"  # a pass here is a pass; a failure here decides nothing
    LESS = "less"  # a failure here is a failure; a pass here decides nothing
    OTHER = "other"  # more of one thing and less of another: it decides nothing


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
    COMPARABLE = "comparable"


@dataclass(frozen=True, slots=True)
class StandIn:
    """One of our workloads that stands for what software waits for, and how it differs."""

    workload: str
    likeness: Likeness | None = None
    work: Work = Work.SAME
    p99_work: Work | None = None  # of a p99, where that is not `work`
    # It takes at most this many times as long as the software's own work, so a rate that misses by
    # more is a failure. Set only where it was measured; the words of its likeness cite the figures.
    times: float | None = None

    @property
    def can_pass(self) -> bool:
        """Whether its rate can show a pass."""
        return self.work in (Work.SAME, Work.MORE)

    def for_more_sessions(self) -> StandIn:
        """Return the stand-in for more sessions that commit at once than were measured.

        They share syncs, so their rate is not lower, but none of them waits for less time.
        """
        rate = {Work.SAME: Work.MORE, Work.LESS: Work.OTHER}.get(self.work, self.work)
        p99_work = self.p99_work or self.work
        p99 = {Work.SAME: Work.LESS, Work.MORE: Work.OTHER}.get(p99_work, p99_work)
        return replace(self, work=rate, p99_work=p99, times=None)
