"""Which of our workloads stand for which software, and whether they do more or less work than it.

The nearest comes first. A workload that does something else altogether is not listed.
"""

from typing import Final

from apps.rankings.advice.work import Likeness, StandIn, Work
from apps.wire.suites import HEADLINE_WORKLOAD

_OVERWRITE: Final = StandIn(HEADLINE_WORKLOAD, Likeness.OVERWRITE)
_PG_TEST_FSYNC: Final = StandIn("pg-8k-fdatasync", Likeness.OVERWRITE)
_UNWRITTEN: Final = StandIn("fallocated-8k-fsync", Likeness.UNWRITTEN, Work.MORE)
# 16 KiB can be written as two overwrites, so it takes at most twice as long; measurements agree.
_DIRECT_16K: Final = StandIn("direct-16k-fdatasync", Likeness.DIRECT_16K, Work.OTHER, times=2)
_DIRECT_16K_FSYNC: Final = StandIn("direct-16k-fsync", Likeness.DIRECT_16K_FSYNC, Work.OTHER)

COMMITS: Final = (_OVERWRITE, _PG_TEST_FSYNC, _DIRECT_16K, _UNWRITTEN, _DIRECT_16K_FSYNC)
MYSQL: Final = (
    StandIn("commit-8k-fsync", Likeness.MYSQL_COMMIT),
    StandIn("pg-8k-fsync", Likeness.MYSQL_COMMIT),
    StandIn(HEADLINE_WORKLOAD, Likeness.MYSQL_OVERWRITE, Work.LESS),
    StandIn("pg-8k-fdatasync", Likeness.MYSQL_OVERWRITE, Work.LESS),
    _UNWRITTEN,
    _DIRECT_16K_FSYNC,
)
ETCD: Final = (
    StandIn("fallocated-2300-fdatasync", Likeness.ETCD_LOG),
    StandIn("etcd-2300-fdatasync", Likeness.ETCD_LOG),
    StandIn("fallocated-8k-fsync", Likeness.ETCD_UNWRITTEN, Work.MORE),
    StandIn(HEADLINE_WORKLOAD, Likeness.ETCD_OVERWRITE, Work.LESS),
)
KAFKA: Final = (
    StandIn("append-8k-fdatasync", Likeness.KAFKA_BATCH),
    StandIn(HEADLINE_WORKLOAD, Likeness.KAFKA_OVERWRITE, Work.LESS),
)
SLOG: Final = (
    StandIn("direct-16k-fdatasync", Likeness.SLOG_FLUSH),
    StandIn("direct-16k-fsync", Likeness.SLOG_FSYNC, Work.MORE),
    StandIn(HEADLINE_WORKLOAD, Likeness.SLOG_OVERWRITE, Work.OTHER),
)
CEPH: Final = (
    StandIn("randwrite-4k-fsync", Likeness.CEPH_WRITE),
    StandIn("direct-16k-fdatasync", Likeness.CEPH_DIRECT, Work.MORE),
)
# In a closed loop a request waits for the answer to an earlier one; requests that arrive do not.
READS: Final = (
    StandIn("randread-4k-qd32", Likeness.READS_IN_FLIGHT, Work.MORE, Work.OTHER),
    StandIn("randread-4k-qd1", Likeness.READ_AT_A_TIME, Work.MORE, Work.LESS),
)
WRITES: Final = (StandIn("randwrite-4k-fsync", Likeness.WRITE_AT_A_TIME, Work.MORE, Work.LESS),)
SHARED_COMMITS: Final = (StandIn("group-commit-8k-32", Likeness.SHARED_COMMITS),)
STREAMS: Final = (StandIn("seqread-256k-qd8", Likeness.STREAM),)
LOOKUPS: Final = (
    StandIn("randread-4k-qd1", Likeness.LOOKUP),
    StandIn("read-4k-floor", Likeness.LOOKUP_OF_QUICK_SUITE, Work.LESS),
)


def search_of(workload: str) -> StandIn:
    """Return the stand-in of a search under a limit of p99, which does the same as the software."""
    return StandIn(workload, Likeness.SEARCH)
