"""The kinds of software that the advisor knows, and what each asks of a disk."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import TYPE_CHECKING, Final

from apps.rankings.advice import stands
from apps.wire.judgement import thresholds
from apps.wire.suites import sessions_of_group_commits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from apps.rankings.advice.work import StandIn

MS: Final = 1_000_000  # nanoseconds
GROUP_COMMITS: Final = sessions_of_group_commits(block_bytes=8192)  # a page of PostgreSQL's log
ETCD_P99_NS: Final = thresholds().etcd.sync_p99_ns_below.value
ETCD_RATE: Final = 50  # "typically 50 sequential IOPS": its Hardware recommendations
RATE: Final = 1_000  # a shop that sells through the night; enough to tell a cache from a disk


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
    stands: tuple[StandIn, ...]  # the nearest first; the next where nobody measured it
    syncs_each: int = 1  # syncs one after the other for one transaction
    # How many sessions share a sync, by workload; empty where none do.
    groups: Mapping[str, int] = field(default_factory=dict)
    p99_ns_max: int | None = None  # what the software itself asks for
    wants_plp: bool = False
    wants_kept: bool = False  # what was synced must outlive a stop of the machine
    # Workloads that look for the highest rate under a limit of p99: used where a p99 is asked for.
    searches: tuple[str, ...] = ()
    arrives: bool = False  # by itself, so that a search says more than a closed loop, p99 or not
    operations: Operation = Operation.SYNCS  # what its rate counts
    rate_per_s: int = RATE  # what is asked for where nobody says how many

    @property
    def workloads(self) -> tuple[str, ...]:
        """The workloads that stand for it, the nearest first."""
        return tuple(stand.workload for stand in self.stands)


SOFTWARE: Final = (
    Software("commits", stands.COMMITS),
    Software("postgresql", stands.COMMITS, groups=GROUP_COMMITS),
    Software("mysql", stands.MYSQL, syncs_each=2, groups=GROUP_COMMITS),
    Software("etcd", stands.ETCD, p99_ns_max=ETCD_P99_NS, rate_per_s=ETCD_RATE),
    Software("kafka", stands.KAFKA),
    Software("zfs-slog", stands.SLOG, wants_plp=True, wants_kept=True),
    Software("ceph-wal", stands.CEPH, wants_plp=True, searches=("slo-randwrite-4k-fsync-10ms",)),
    Software(
        "index-lookups", stands.LOOKUPS, p99_ns_max=MS, operations=Operation.READS, rate_per_s=1
    ),
    Software(
        "random-reads",
        stands.READS,
        searches=("slo-randread-4k-1ms", "slo-randread-4k-10ms"),
        arrives=True,
        operations=Operation.READS,
    ),
    Software(
        "random-writes",
        stands.WRITES,
        searches=("slo-randwrite-4k-fsync-10ms",),
        arrives=True,
        operations=Operation.DURABLE_WRITES,
    ),
)
BY_ID: Final = {software.id: software for software in SOFTWARE}
