"""The kinds of software that the advisor knows, and what each needs from a disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import TYPE_CHECKING, Final

from apps.rankings.advice import stand_ins
from apps.rankings.advice.verdicts import EMPTIED, NEEDS_REPLICA
from apps.wire.judgement import thresholds
from apps.wire.suites import sessions_of_group_commits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apps.rankings.advice.verdicts import Judgement
    from apps.rankings.advice.work import StandIn

MS: Final = 1_000_000  # nanoseconds
GROUP_COMMITS: Final = sessions_of_group_commits(block_bytes=8192)  # a page of PostgreSQL's log
ETCD_P99_NS: Final = thresholds().etcd.sync_p99_ns_below.value
ETCD_RATE: Final = 50  # "typically 50 sequential IOPS": its Hardware recommendations
RATE: Final = 1_000  # a busy shop; no hard disk reaches it without a cache


@unique
class Operation(StrEnum):
    """What a rate counts."""

    SYNCS = "syncs"
    READS = "reads"
    DURABLE_WRITES = "durable-writes"


@dataclass(frozen=True, slots=True)
class Software:
    """A kind of software: which workloads stand for its log, and how it uses them."""

    id: str
    stand_ins: tuple[StandIn, ...]  # the nearest first; the next where nobody measured it
    syncs_per_transaction: int = 1  # syncs one after the other for one transaction
    # How many sessions share a sync, by workload; empty where none do.
    groups: Mapping[str, int] = field(default_factory=dict)
    p99_ns_max: int | None = None  # what the software itself asks for
    needs_plp: bool = False
    if_emptied: Judgement | None = None  # what storage that a stop of its machine empties means
    # Workloads that search for the highest rate under a limit of p99: used where one is asked for.
    searches: tuple[str, ...] = ()
    is_open_loop: bool = False  # requests arrive by themselves, so a search is always the nearest
    operations: Operation = Operation.SYNCS  # what its rate counts
    rate_per_s: int = RATE  # that is assumed where nobody states one

    @property
    def workloads(self) -> tuple[str, ...]:
        """The workloads that stand for it, the nearest first."""
        return tuple(stand_in.workload for stand_in in self.stand_ins)


SOFTWARE: Final = (
    Software("commits", stand_ins.COMMITS, if_emptied=NEEDS_REPLICA),
    Software("postgresql", stand_ins.COMMITS, groups=GROUP_COMMITS, if_emptied=NEEDS_REPLICA),
    Software(
        "mysql",
        stand_ins.MYSQL,
        syncs_per_transaction=2,
        groups=GROUP_COMMITS,
        if_emptied=NEEDS_REPLICA,
    ),
    Software("etcd", stand_ins.ETCD, p99_ns_max=ETCD_P99_NS, rate_per_s=ETCD_RATE),
    Software("kafka", stand_ins.KAFKA),
    Software("zfs-slog", stand_ins.SLOG, needs_plp=True, if_emptied=EMPTIED),
    Software("ceph-wal", stand_ins.CEPH, needs_plp=True, searches=("slo-randwrite-4k-fsync-10ms",)),
    Software(
        "index-lookups", stand_ins.LOOKUPS, p99_ns_max=MS, operations=Operation.READS, rate_per_s=1
    ),
    Software(
        "random-reads",
        stand_ins.READS,
        searches=("slo-randread-4k-1ms", "slo-randread-4k-10ms"),
        is_open_loop=True,
        operations=Operation.READS,
    ),
    Software(
        "random-writes",
        stand_ins.WRITES,
        searches=("slo-randwrite-4k-fsync-10ms",),
        is_open_loop=True,
        operations=Operation.DURABLE_WRITES,
        if_emptied=NEEDS_REPLICA,
    ),
)
BY_ID: Final = {software.id: software for software in SOFTWARE}
