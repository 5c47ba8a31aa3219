"""Which of our workloads stand for which software, in which direction: the one table of them.

The nearest comes first. What does something else altogether is not in it: it says nothing.
"""

from typing import Final

from apps.rankings.advice.work import Likeness, Stand, Work
from apps.wire.suites import HEADLINE_WORKLOAD

_OVERWRITE: Final = Stand(HEADLINE_WORKLOAD, Likeness.OVERWRITE)
_UNWRITTEN: Final = Stand("fallocated-8k-fsync", Likeness.UNWRITTEN, Work.MORE)
# Written as two overwrites it would take twice as long at most; what was measured lies within that.
_DIRECT_16K: Final = Stand("direct-16k-fdatasync", Likeness.DIRECT_16K, Work.OTHER, times=2)
_DIRECT_16K_FSYNC: Final = Stand("direct-16k-fsync", Likeness.DIRECT_16K_FSYNC, Work.OTHER)

COMMITS: Final = (_OVERWRITE, _UNWRITTEN, _DIRECT_16K, _DIRECT_16K_FSYNC)
MYSQL: Final = (
    Stand("commit-8k-fsync", Likeness.MYSQL_COMMIT),
    Stand(HEADLINE_WORKLOAD, Likeness.MYSQL_OVERWRITE, Work.LESS),
    _UNWRITTEN,
    _DIRECT_16K_FSYNC,
)
ETCD: Final = (
    Stand("fallocated-2300-fdatasync", Likeness.ETCD_LOG),
    Stand("fallocated-8k-fsync", Likeness.ETCD_UNWRITTEN, Work.MORE),
    Stand(HEADLINE_WORKLOAD, Likeness.ETCD_OVERWRITE, Work.LESS),
)
KAFKA: Final = (
    Stand("append-8k-fdatasync", Likeness.KAFKA_BATCH),
    Stand(HEADLINE_WORKLOAD, Likeness.KAFKA_OVERWRITE, Work.LESS),
)
SLOG: Final = (
    Stand("direct-16k-fdatasync", Likeness.SLOG_FLUSH),
    Stand("direct-16k-fsync", Likeness.SLOG_FSYNC, Work.MORE),
    Stand(HEADLINE_WORKLOAD, Likeness.SLOG_OVERWRITE, Work.OTHER),
)
CEPH: Final = (
    Stand("randwrite-4k-fsync", Likeness.CEPH_WRITE),
    Stand("direct-16k-fdatasync", Likeness.CEPH_DIRECT, Work.MORE),
)
# In a closed loop a request waits until an earlier one was answered, which arrivals do not.
READS: Final = (
    Stand("randread-4k-qd32", Likeness.READS_IN_FLIGHT, Work.MORE, Work.OTHER),
    Stand("randread-4k-qd1", Likeness.READ_AT_A_TIME, Work.MORE, Work.LESS),
)
WRITES: Final = (Stand("randwrite-4k-fsync", Likeness.WRITE_AT_A_TIME, Work.MORE, Work.LESS),)
SHARED_COMMITS: Final = (Stand("group-commit-8k-32", Likeness.SHARED_COMMITS),)
STREAMS: Final = (Stand("seqread-256k-qd8", Likeness.STREAM),)
LOOKUPS: Final = (
    Stand("randread-4k-qd1", Likeness.LOOKUP),
    Stand("read-4k-floor", Likeness.LOOKUP_OF_QUICK_SUITE, Work.LESS),
)


def search_of(workload: str) -> Stand:
    """A search for the highest rate under a limit: it is what is asked for."""
    return Stand(workload, Likeness.SEARCH)
