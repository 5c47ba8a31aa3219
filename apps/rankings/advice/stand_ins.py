"""Which of our workloads stand for which software, and whether they do more or less work than it.

The nearest comes first. What was published with other work of a comparable class stands behind
those: it shows neither a pass nor a failure, and has to clear a need by more. A workload that does
something else altogether is not listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.rankings.advice.work import Likeness, StandIn, Work
from apps.rankings.comparable.order import headline_place
from apps.runs.published.comparable import OVERWRITE, WITH_METADATA, workloads_of
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from apps.wire.suites import ComparableClass


def _with_comparable(
    *nearest: StandIn, classes: tuple[ComparableClass, ...]
) -> tuple[StandIn, ...]:
    """Return these, then the other workloads of the classes, the nearer class first."""
    listed = {each.workload for each in nearest}
    others = (
        StandIn(workload, Likeness.COMPARABLE, Work.OTHER)
        for comparable in classes
        for workload in sorted(workloads_of(comparable) - listed, key=headline_place)
    )
    return (*nearest, *others)


_OVERWRITE: Final = StandIn(HEADLINE_WORKLOAD, Likeness.OVERWRITE)
_PG_TEST_FSYNC: Final = StandIn("pg-8k-fdatasync", Likeness.OVERWRITE)
_UNWRITTEN: Final = StandIn("fallocated-8k-fsync", Likeness.UNWRITTEN, Work.MORE)
# 16 KiB can be written as two overwrites, so it takes at most twice as long; measurements agree.
_DIRECT_16K: Final = StandIn("direct-16k-fdatasync", Likeness.DIRECT_16K, Work.OTHER, times=2)
_DIRECT_16K_FSYNC: Final = StandIn("direct-16k-fsync", Likeness.DIRECT_16K_FSYNC, Work.OTHER)

# In the order in which a figure leads the page of its plan or drive: there is one for both.
COMMITS: Final = tuple(
    sorted(
        _with_comparable(
            _OVERWRITE, _PG_TEST_FSYNC, _DIRECT_16K, _UNWRITTEN, _DIRECT_16K_FSYNC,
            classes=(OVERWRITE, WITH_METADATA),
        ),
        key=lambda each: headline_place(each.workload),
    )
)  # fmt: skip
MYSQL: Final = _with_comparable(
    StandIn("commit-8k-fsync", Likeness.MYSQL_COMMIT),
    StandIn("pg-8k-fsync", Likeness.MYSQL_COMMIT),
    StandIn(HEADLINE_WORKLOAD, Likeness.MYSQL_OVERWRITE, Work.LESS),
    StandIn("pg-8k-fdatasync", Likeness.MYSQL_OVERWRITE, Work.LESS),
    _UNWRITTEN,
    _DIRECT_16K_FSYNC,
    classes=(WITH_METADATA, OVERWRITE),
)
ETCD: Final = _with_comparable(
    StandIn("fallocated-2300-fdatasync", Likeness.ETCD_LOG),
    StandIn("etcd-2300-fdatasync", Likeness.ETCD_LOG),
    StandIn("fallocated-8k-fsync", Likeness.ETCD_UNWRITTEN, Work.MORE),
    StandIn(HEADLINE_WORKLOAD, Likeness.ETCD_OVERWRITE, Work.LESS),
    classes=(WITH_METADATA, OVERWRITE),
)
KAFKA: Final = _with_comparable(
    StandIn("append-8k-fdatasync", Likeness.KAFKA_BATCH),
    StandIn(HEADLINE_WORKLOAD, Likeness.KAFKA_OVERWRITE, Work.LESS),
    classes=(WITH_METADATA, OVERWRITE),
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
