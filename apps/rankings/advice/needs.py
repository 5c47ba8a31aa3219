"""What somebody asks for, and what each kind of software asks of a disk, with the rule's source."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.plans.currencies import EURO
from apps.plans.regions import Place, place_of
from apps.rankings.advice import stands
from apps.rankings.advice.verdicts import Stand
from apps.wire.judgement import thresholds
from apps.wire.suites import sessions_of_group_commits

if TYPE_CHECKING:
    from collections.abc import Mapping

MS: Final = 1_000_000  # nanoseconds
RATE_MAX: Final = 10_000_000  # commits a second; persistent memory ends before
SESSIONS_MAX: Final = 10_000  # that commit at once; more stand in a pool's queue
MONEY_MAX: Final = Decimal(10**9)  # a month; who has more asks for an offer
CAPACITY_GB_MAX: Final = 10**6  # a petabyte; no plan of one machine holds more
RAM_GB_MAX: Final = 10**5
VCPUS_MAX: Final = 10**4
P99_NS_MAX: Final = 60 * 10**9  # a minute: who waits longer asks for nothing
SYNCS: Final = gettext_lazy("syncs")
GROUP_COMMITS: Final = sessions_of_group_commits(block_bytes=8192)  # a page of PostgreSQL's log
ETCD_P99_NS: Final = thresholds().etcd.sync_p99_ns_below.value
ETCD_RATE: Final = 50  # "typically 50 sequential IOPS": its Hardware recommendations
RATE: Final = 1_000  # a shop that sells through the night; enough to tell a cache from a disk


@dataclass(frozen=True, slots=True)
class Software:
    """A kind of software: which workloads stand for its log, and how it uses them."""

    id: str
    title: str | Promise
    stands: tuple[Stand, ...]  # the nearest first; the next where nobody measured it
    rule: str | Promise
    source: str | Promise
    syncs_each: int = 1  # syncs one after the other for one transaction
    # How many sessions share a sync, by workload; empty where none do.
    groups: Mapping[str, int] = field(default_factory=dict)
    p99_ns_max: int | None = None  # what the software itself asks for
    wants_plp: bool = False
    wants_kept: bool = False  # what was synced must outlive a stop of the machine
    # Workloads that look for the highest rate under a limit of p99: used where a p99 is asked for.
    searches: tuple[str, ...] = ()
    arrives: bool = False  # by itself, so that a search says more than a closed loop, p99 or not
    operations: str | Promise = SYNCS  # what its rate counts
    rate_per_s: int = RATE  # what is asked for where nobody says how many

    @property
    def workloads(self) -> tuple[str, ...]:
        """The workloads that stand for it, the nearest first."""
        return tuple(stand.workload for stand in self.stands)


SOFTWARE: Final = (
    Software(
        "commits", gettext_lazy("Durable commits"), stands.COMMITS,
        gettext_lazy(
        "One writer that waits for each commit; nothing is shared."
        ),
        gettext_lazy("The workload commit-8k of this site"),
    ),
    Software(
        "postgresql", "PostgreSQL", stands.COMMITS,
        gettext_lazy(
        "One fdatasync a commit; sessions that commit at once share one."
        ),
        "PostgreSQL documentation, Write Ahead Log: wal_sync_method, commit_delay",
        groups=GROUP_COMMITS,
    ),
    Software(
        "mysql", "MySQL, InnoDB", stands.MYSQL,
        gettext_lazy(
        "With sync_binlog=1 and innodb_flush_log_at_trx_commit=1 a transaction syncs the binary "
        "log and then the redo log; sessions share syncs by group commit."
        ),
        "MySQL Reference Manual: sync_binlog, innodb_flush_log_at_trx_commit",
        syncs_each=2, groups=GROUP_COMMITS,
    ),
    Software(
        "etcd", "etcd", stands.ETCD,
        gettext_lazy(
        "p99 of fdatasync under 10 ms, or leaders are lost under load; 50 syncs one after the "
        "other a second, 500 for heavily loaded clusters."
        ),
        "etcd documentation, Hardware recommendations; FAQ: wal_fsync_duration_seconds",
        p99_ns_max=ETCD_P99_NS, rate_per_s=ETCD_RATE,
    ),
    Software(
        "kafka", gettext_lazy("Kafka with flush.messages=1"), stands.KAFKA,
        gettext_lazy(
        "acks=all alone syncs nothing and relies on replicas; with flush.messages=1 each batch of "
        "a partition is appended and synced."
        ),
        "Apache Kafka documentation: flush.messages, acks",
    ),
    Software(
        "zfs-slog", "ZFS SLOG", stands.SLOG,
        gettext_lazy(
        "Each synced write waits for the log device, which must keep it through a power cut."
        ),
        "OpenZFS documentation, Hardware: SLOG devices",
        wants_plp=True, wants_kept=True,
    ),
    Software(
        "ceph-wal", "Ceph BlueStore WAL", stands.CEPH,
        gettext_lazy(
        "Small writes past the page cache, each with a sync; without power-loss protection every "
        "one waits for the flash."
        ),
        "Ceph documentation, Hardware recommendations: SSDs and write caches",
        wants_plp=True, searches=("slo-randwrite-4k-fsync-10ms",),
    ),
    Software(
        "index-lookups", gettext_lazy("Index lookups, one read after the other"),
        stands.LOOKUPS,
        gettext_lazy(
        "Each step of a lookup needs the page that the step before it named, so reads wait one "
        "after the other; 99 of 100 within 1 ms is a rule of ours."
        ),
        gettext_lazy("The workload randread-4k-qd1 of this site"),
        p99_ns_max=MS, operations=gettext_lazy("reads"), rate_per_s=1,
    ),
    Software(
        "random-reads", gettext_lazy("4 KiB random reads"), stands.READS,
        gettext_lazy(
        "Requests arrive whether or not earlier ones were answered; useful are as many a second "
        "as are answered in time."
        ),
        gettext_lazy("The workloads slo-randread of this site, and its page on the method"),
        searches=("slo-randread-4k-1ms", "slo-randread-4k-10ms"), arrives=True,
        operations=gettext_lazy("reads"),
    ),
    Software(
        "random-writes", gettext_lazy("4 KiB random writes, each durable"), stands.WRITES,
        gettext_lazy(
        "Requests arrive whether or not earlier ones were answered, and each waits for an fsync; "
        "useful are as many a second as are answered in time."
        ),
        gettext_lazy("The workload slo-randwrite of this site, and its page on the method"),
        searches=("slo-randwrite-4k-fsync-10ms",), arrives=True,
        operations=gettext_lazy("durable writes"),
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
    currency: str = EURO
    providers: frozenset[str] = frozenset()  # any of these; empty: of every one
    ram_gb: int = 0
    vcpus: int = 0
    plp: bool = False  # power-loss protection, also where the software does not ask for it

    def __post_init__(self) -> None:
        """Refuse what nobody can answer."""
        _refuse_beyond("rate", self.rate_per_s, 1, RATE_MAX)
        _refuse_beyond("sessions", self.sessions, 1, SESSIONS_MAX)
        if self.p99_ns_max is not None and not 0 < self.p99_ns_max <= P99_NS_MAX:
            raise NeedError("p99", _("The p99 must be more than nothing and at most a minute."))
        _refuse_beyond("capacity", self.capacity_gb, 0, CAPACITY_GB_MAX)
        _refuse_beyond("ram", self.ram_gb, 0, RAM_GB_MAX)
        _refuse_beyond("vcpus", self.vcpus, 0, VCPUS_MAX)
        if self.budget_month is not None and not 0 < self.budget_month <= MONEY_MAX:
            raise NeedError(
                "budget",
                _("The budget must be more than nothing and at most %(most)s.")
                % {"most": f"{MONEY_MAX:,}"},
            )

    @property
    def wants_plp(self) -> bool:
        """Whether power-loss protection is asked for, by the reader or by the software."""
        return self.plp or self.software.wants_plp

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


def _refuse_beyond(field: str, value: int, least: int, most: int) -> None:
    """Raise NeedError where a number lies outside of what can be answered."""
    if least <= value <= most:
        return
    texts = {
        "rate": _("The rate must be from %(least)s to %(most)s a second."),
        "sessions": _("Sessions must be from %(least)s to %(most)s."),
        "capacity": _("The capacity must be from %(least)s to %(most)s GB."),
        "ram": _("The memory must be from %(least)s to %(most)s GB."),
        "vcpus": _("Processors must be from %(least)s to %(most)s."),
    }
    raise NeedError(field, texts[field] % {"least": f"{least:,}", "most": f"{most:,}"})
