"""What somebody asks for, and what each kind of software asks of a disk, with the rule's source."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from apps.plans.regions import Place, place_of

MS: Final = 1_000_000  # nanoseconds
RATE_MAX: Final = 10_000_000  # commits a second; persistent memory ends before
SESSIONS_MAX: Final = 10_000  # that commit at once; more stand in a pool's queue


@dataclass(frozen=True, slots=True)
class Software:
    """A kind of software: which workloads stand for its log, and how it uses them."""

    id: str
    title: str
    workloads: tuple[str, ...]  # the nearest first; the next where nobody measured it
    rule: str
    source: str
    syncs_each: int = 1  # syncs one after the other for one transaction
    groups: str = ""  # prefix of the workloads in which sessions share a sync
    p99_ns_max: int | None = None  # what the software itself asks for
    wants_plp: bool = False
    # Workloads that look for the highest rate under a limit of p99: used where a p99 is asked for.
    searches: tuple[str, ...] = ()
    arrives: bool = False  # by itself, so that a search says more than a closed loop, p99 or not
    operations: str = "syncs"  # what its rate counts


SOFTWARE: Final = (
    Software(
        "commits", "Durable commits", ("commit-8k",),
        "One writer that waits for each commit; nothing is shared.",
        "The workload commit-8k of this site",
    ),
    Software(
        "postgresql", "PostgreSQL", ("commit-8k",),
        "One fdatasync a commit; sessions that commit at once share one.",
        "PostgreSQL documentation, Write Ahead Log: wal_sync_method, commit_delay",
        groups="group-commit-8k-",
    ),
    Software(
        "mysql", "MySQL, InnoDB", ("commit-8k-fsync", "commit-8k"),
        "With sync_binlog=1 and innodb_flush_log_at_trx_commit=1 a transaction syncs the binary "
        "log and then the redo log; sessions share syncs by group commit.",
        "MySQL Reference Manual: sync_binlog, innodb_flush_log_at_trx_commit",
        syncs_each=2, groups="group-commit-8k-",
    ),
    Software(
        "etcd", "etcd", ("fallocated-2300-fdatasync", "commit-8k"),
        "p99 of fdatasync under 10 ms, or leaders are lost under load.",
        "etcd documentation, Hardware recommendations; FAQ: wal_fsync_duration_seconds",
        p99_ns_max=10 * MS,
    ),
    Software(
        "kafka", "Kafka with flush.messages=1", ("append-8k-fdatasync", "commit-8k"),
        "acks=all alone syncs nothing and relies on replicas; with flush.messages=1 each batch of "
        "a partition is appended and synced.",
        "Apache Kafka documentation: flush.messages, acks",
    ),
    Software(
        "zfs-slog", "ZFS SLOG", ("direct-16k-fdatasync", "commit-8k"),
        "Each synced write waits for the log device, which must keep it through a power cut.",
        "OpenZFS documentation, Hardware: SLOG devices",
        wants_plp=True,
    ),
    Software(
        "ceph-wal", "Ceph BlueStore WAL", ("randwrite-4k-fsync", "direct-16k-fdatasync"),
        "Small writes past the page cache, each with a sync; without power-loss protection every "
        "one waits for the flash.",
        "Ceph documentation, Hardware recommendations: SSDs and write caches",
        wants_plp=True, searches=("slo-randwrite-4k-fsync-10ms",),
    ),
    Software(
        "random-reads", "4 KiB random reads", ("randread-4k-qd32", "randread-4k-qd1"),
        "Requests arrive whether or not earlier ones were answered; useful are as many a second "
        "as are answered in time.",
        "The workloads slo-randread of this site, and its page on the method",
        searches=("slo-randread-4k-1ms", "slo-randread-4k-10ms"), arrives=True,
        operations="reads",
    ),
    Software(
        "random-writes", "4 KiB random writes, each durable", ("randwrite-4k-fsync",),
        "Requests arrive whether or not earlier ones were answered, and each waits for an fsync; "
        "useful are as many a second as are answered in time.",
        "The workload slo-randwrite of this site, and its page on the method",
        searches=("slo-randwrite-4k-fsync-10ms",), arrives=True, operations="durable writes",
    ),
)  # fmt: skip
BY_ID: Final = {software.id: software for software in SOFTWARE}


class NeedError(ValueError):
    """The need makes no sense; `field` is whose, the text says what would."""

    def __init__(self, field: str, text: str) -> None:
        """Keep the field for whoever shows it."""
        self.field = field
        super().__init__(text)


@dataclass(frozen=True, slots=True)
class Need:
    """What somebody asks for. Rates are transactions a second, latencies nanoseconds."""

    software: Software
    rate_per_s: int
    p99_ns_max: int | None = None
    sessions: int = 1  # that commit at once
    capacity_gb: int = 0
    region: str = ""
    provider: str = ""
    kind: str = ""  # of plan: cloud, dedicated, vps, ...
    budget_month: Decimal | None = None
    currency: str = "EUR"

    def __post_init__(self) -> None:
        """Refuse what nobody can answer."""
        if not 0 < self.rate_per_s <= RATE_MAX:
            raise NeedError("rate", f"The rate must be from 1 to {RATE_MAX:,} a second.")
        if not 0 < self.sessions <= SESSIONS_MAX:
            raise NeedError("sessions", f"Sessions must be from 1 to {SESSIONS_MAX:,}.")
        if self.p99_ns_max is not None and self.p99_ns_max <= 0:
            raise NeedError("p99", "The p99 must be more than nothing.")
        if self.capacity_gb < 0:
            raise NeedError("capacity", "The capacity cannot be negative.")
        if self.budget_month is not None and self.budget_month <= 0:
            raise NeedError("budget", "The budget must be more than nothing.")

    @property
    def syncs_per_s(self) -> int:
        """What the disk must do: several syncs for a transaction of some software."""
        return self.rate_per_s * self.software.syncs_each

    @property
    def latency_limit_ns(self) -> int | None:
        """The stricter of what was asked for and what the software asks for."""
        limits = [
            limit for limit in (self.p99_ns_max, self.software.p99_ns_max) if limit is not None
        ]
        return min(limits, default=None)

    def place(self, provider: str) -> Place:
        """Where it is asked for; a name that only this provider uses is its own region."""
        place = place_of(self.region, provider=self.provider)
        return place if place.group else place_of(self.region, provider=provider)
