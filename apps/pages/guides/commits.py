"""Guides to what waits for durable writes: databases, one hot row, etcd."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.pages.guides.guide import Guide, Knob, RuleSource, Wait
from apps.rankings.advice import stand_ins
from apps.rankings.advice.rules import ONE_SESSION, FitnessRule
from apps.rankings.advice.software import ETCD_P99_NS, ETCD_RATE
from apps.rankings.advice.verdicts import NEEDS_REPLICA

MS: Final = 1_000_000  # nanoseconds
LOOKED_UP: Final = "2026-11-22"
POSTGRES_AT: Final = "https://github.com/postgres/postgres/blob"  # its text at a commit
COMMITS_NEED: Final = _("%(rate)s commits a second of one session")
P99_NEED: Final = _("a p99 of at most %(time)s")
COMMIT_STEPS: Final = (
    Wait("commit-8k", "write", is_awaited=False),
    Wait("commit-8k", "sync"),
    Wait("commit-8k", "commit"),
)

OLTP: Final = Guide(
    slug="oltp",
    title=_("PostgreSQL and MySQL"),
    question=_("Is it fit for PostgreSQL?"),
    answer=_("Look at durable commits a second of one writer: no session commits faster."),
    waits=_(
        "A commit is acknowledged once its log record is durable: one small write, one fdatasync. "
        "Sessions that commit together share a sync; none waits less."
    ),
    steps=(*COMMIT_STEPS, Wait("group-commit-8k-32", "commit")),
    rule=ONE_SESSION,
    need_text=COMMITS_NEED,
    sources=(
        RuleSource(
            "PostgreSQL documentation, Reliability",
            "https://www.postgresql.org/docs/current/wal-reliability.html",
            LOOKED_UP,
        ),
    ),
    stand_ins=stand_ins.COMMITS,
    catch=_("MySQL with sync_binlog=1 syncs twice a transaction: ask for twice your rate."),
    settings=(
        Knob(
            "fsync, full_page_writes, synchronous_commit",
            _("On: off, a crash loses commits or the whole database."),
        ),
        Knob(
            "innodb_flush_log_at_trx_commit, sync_binlog",
            _("Both 1, or it answers before the commit is durable."),
        ),
    ),
    command="./fsyncmark run . --suite standard "
    "--only commit-8k,commit-8k-fsync,group-commit-8k-32",
    advisor="postgresql",
)

SEATS: Final = Guide(
    slug="seats",
    title=_("One hot row: seats, stock, balances"),
    question=_("How often can one row be sold a second?"),
    answer=_("Look at durable commits a second of one writer: buyers of one row queue."),
    waits=_(
        "The second buyer waits for the row's lock, which the first holds until its commit is "
        "durable. Group commit does not help: the two cannot share a sync."
    ),
    steps=COMMIT_STEPS,
    rule=FitnessRule(least_per_s=500, if_emptied=NEEDS_REPLICA),
    need_text=COMMITS_NEED,
    sources=(
        RuleSource(
            "PostgreSQL documentation, Explicit Locking, row-level locks: FOR UPDATE",
            "https://www.postgresql.org/docs/current/explicit-locking.html#LOCKING-ROWS",
            LOOKED_UP,
            "This prevents them from being locked, modified or deleted by other transactions "
            "until the current transaction ends.",
            f"{POSTGRES_AT}/627e360358e3beb67cd2f54393835f979c5e30b7/doc/src/sgml/mvcc.sgml",
        ),
    ),
    stand_ins=stand_ins.COMMITS,
    catch=_("A round trip inside the transaction can cost more than the sync."),
    settings=(Knob("commit_delay", "0"),),
    command="./fsyncmark run . --only commit-8k",
    advisor="postgresql",
)

ETCD: Final = Guide(
    slug="etcd",
    title=_("etcd and Kubernetes"),
    question=_("Is it fit for etcd?"),
    answer=_("Look at the p99 of the sync: etcd asks for less than 10 ms."),
    waits=_(
        "A majority of members syncs each change before it counts, into a preallocated log: each "
        "sync also marks blocks as written."
    ),
    steps=(
        Wait("fallocated-2300-fdatasync", "write", is_awaited=False),
        Wait("fallocated-2300-fdatasync", "sync"),
        Wait("commit-8k", "sync"),
    ),
    rule=FitnessRule(least_per_s=ETCD_RATE, p99_ns_max=ETCD_P99_NS),
    need_text=P99_NEED,
    also=_(
        "It passes where 99.9\u00a0% of all syncs of all uploaders keep the limit, and 50 syncs a "
        "second are reached; heavily loaded clusters need 500."
    ),
    sources=(
        RuleSource(
            "etcd FAQ: failed to send out heartbeat on time",
            "https://etcd.io/docs/v3.5/faq/",
            LOOKED_UP,
            "monitor wal_fsync_duration_seconds (p99 duration should be less than 10ms) to "
            "confirm the disk is reasonably fast",
            "https://github.com/etcd-io/website/blob/000225b3e8683521977fa47c880cffe3055a52ff/"
            "content/en/docs/v3.5/faq.md",
        ),
        RuleSource(
            "etcd documentation, Hardware recommendations: disks",
            "https://etcd.io/docs/v3.5/op-guide/hardware/",
            LOOKED_UP,
            "Typically 50 sequential IOPS (e.g., a 7200 RPM disk) is required. For heavily loaded "
            "clusters, 500 sequential IOPS (e.g., a typical local SSD or a high performance "
            "virtualized block device) is recommended.",
            "https://github.com/etcd-io/website/blob/cb192bf87e7641b17d5b1838098a8c10e47927ad/"
            "content/en/docs/v3.5/op-guide/hardware.md",
        ),
    ),
    stand_ins=stand_ins.ETCD,
    catch=_("A minute sees no backup and no neighbour: watch wal_fsync_duration_seconds."),
    settings=(
        Knob("--unsafe-no-fsync", _("Never: a crash of several members loses the cluster.")),
    ),
    command="./fsyncmark run . --suite standard --only fallocated-2300-fdatasync,commit-8k",
    advisor="etcd",
)
