"""Guides to what waits for durable writes: databases, seats, etcd, log devices."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.pages.guides.guide import Guide, Knob, RuleSource, Wait
from apps.rankings.advice import stand_ins
from apps.rankings.advice.rules import ONE_SESSION, FitnessRule
from apps.rankings.advice.software import ETCD_P99_NS, ETCD_RATE

MS: Final = 1_000_000  # nanoseconds
LOOKED_UP: Final = "2026-11-22"
POSTGRES_AT: Final = "https://github.com/postgres/postgres/blob"  # its text at a commit

WRITE_STEP: Final = Wait(
    _("the write, into the page cache"), "commit-8k", "write", is_awaited=False
)
SYNC_STEP: Final = Wait(_("fdatasync, until it is durable"), "commit-8k", "sync")
COMMIT_STEP: Final = Wait(_("the whole commit"), "commit-8k", "commit")

OLTP: Final = Guide(
    slug="oltp",
    title=_("PostgreSQL and MySQL: a sync a commit"),
    question=_("Is it fit for PostgreSQL?"),
    answer=_(
        "Look at durable commits a second of one writer. One session can never commit faster, "
        "whatever the drive's rated IOPS say."
    ),
    waits=(
        _(
            "A commit is acknowledged once its record in the write-ahead log is durable: one small "
            "write, then fdatasync. Reads come from memory, data pages are written later, so this "
            "wait is what a session feels."
        ),
        _(
            "Sessions that commit at the same moment share a sync. Many sessions together get "
            "more commits a second than one, up to a limit; none of them waits less."
        ),
    ),
    steps=(
        WRITE_STEP,
        SYNC_STEP,
        COMMIT_STEP,
        Wait(_("a commit of one of 32 sessions that share"), "group-commit-8k-32", "commit"),
    ),
    rule=ONE_SESSION,
    rule_text=_(
        "The low end of the measured rate reaches the commits a second that one session needs. "
        "There is no figure that suits every database: 1,000 is an example, put in your own."
    ),
    sources=(
        RuleSource(
            "PostgreSQL documentation, Reliability",
            "https://www.postgresql.org/docs/current/wal-reliability.html",
            LOOKED_UP,
        ),
    ),
    stand_ins=stand_ins.COMMITS,
    catches=(
        _(
            "MySQL with sync_binlog=1 syncs the binary log and the redo log: a transaction costs "
            "two syncs, so ask for twice your rate."
        ),
        _(
            "The rate says nothing about reads. A database that does not fit into memory waits for "
            "random reads too, which another guide is about."
        ),
        _("A replica that must confirm each commit adds its own sync and the way there and back."),
    ),
    settings=(
        Knob(
            "fsync, full_page_writes",
            _("Both must be on. Off, commits are fast and a power cut may cost the database."),
        ),
        Knob(
            "synchronous_commit",
            _("off answers before the log is durable: the last commits are lost in a crash."),
        ),
        Knob("wal_sync_method", _("fdatasync on Linux; pg_test_fsync compares the others.")),
        Knob(
            "innodb_flush_log_at_trx_commit, sync_binlog",
            _("Both 1 for durable transactions; anything else answers earlier."),
        ),
    ),
    command="./fsyncmark run . --suite standard "
    "--only commit-8k,commit-8k-fsync,group-commit-8k-32",
    advisor="postgresql",
    rate_name=_("durable commits a second"),
)

SEATS: Final = Guide(
    slug="seats",
    title=_("Seats, stock, balances: one hot row"),
    question=_("How often can one row be sold a second?"),
    answer=_(
        "Look at durable commits a second of one writer, on a log device of its own. A row is "
        "locked until its transaction ends, so buyers of one row queue up behind the sync."
    ),
    waits=(
        _(
            "Two buyers of the same seat must not both get it. The second waits for the lock of "
            "the row, and the first holds it until its transaction ends: with synchronous_commit "
            "on, that waits for the sync. Group commit does not help: the two cannot be in one "
            "group."
        ),
    ),
    steps=(WRITE_STEP, SYNC_STEP, COMMIT_STEP),
    rule=FitnessRule(least_per_s=500),
    rule_text=_(
        "The low end of the measured rate reaches the sales a second of your hottest row. 500 is "
        "an example of ours, put in your own."
    ),
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
    catches=(
        _(
            "The figure is a ceiling: the time in which your own code holds the lock comes on top. "
            "A round trip to the application inside the transaction often costs more than the sync."
        ),
        _("A log that shares its disk with data files waits behind their writes."),
    ),
    settings=(
        Knob(_("pg_wal on a disk of its own"), _("Then checkpoints do not delay a commit.")),
        Knob(
            "commit_delay",
            _("Leave it at 0: waiting for company delays the one whom everybody waits for."),
        ),
    ),
    command="./fsyncmark run . --only commit-8k",
    advisor="postgresql",
    rate_name=_("durable commits a second"),
)

ETCD: Final = Guide(
    slug="etcd",
    title=_("etcd and Kubernetes: p99 of the sync below 10 ms"),
    question=_("Will etcd keep its leader?"),
    answer=_(
        "Look at the slow syncs, not at the rate: 99 of 100 must end within 10 ms, or heartbeats "
        "come late and leaders are lost."
    ),
    waits=(
        _(
            "Every change of the cluster is appended to a log and synced by a majority of members "
            "before it counts. The log is allocated in advance and never written before, so each "
            "sync also turns reserved blocks into written ones."
        ),
    ),
    steps=(
        Wait(_("the write"), "fallocated-2300-fdatasync", "write", is_awaited=False),
        Wait(_("fdatasync, etcd's own shape"), "fallocated-2300-fdatasync", "sync"),
        Wait(_("the same for an overwrite"), "commit-8k", "sync"),
    ),
    rule=FitnessRule(least_per_s=ETCD_RATE, p99_ns_max=ETCD_P99_NS),
    rule_text=_(
        "p99 of wal_fsync_duration_seconds below 10 ms. It passes where 99.9\u00a0% of all "
        "commits of all uploaders together stay below: then at most one uploader in ten can have "
        "seen a p99 above it. The rate is the smaller matter: 50 syncs one after the other a "
        "second, and 500 for heavily loaded clusters."
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
    catches=(
        _(
            "A minute of measuring sees no backup, no neighbour and no compaction. Watch etcd's "
            "own metric once it runs."
        ),
        _("Members in several places wait for the network too; no disk mends that."),
    ),
    settings=(
        Knob("--heartbeat-interval, --election-timeout", _("Raise them only for slow networks.")),
        Knob("--wal-dir", _("A disk of its own keeps the log apart from snapshots.")),
        Knob("--unsafe-no-fsync", _("Never: a crash of several members loses the cluster.")),
    ),
    command="./fsyncmark run . --suite standard --only fallocated-2300-fdatasync,commit-8k",
    advisor="etcd",
)
