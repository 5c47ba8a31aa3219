"""Guides to log devices of storage systems, and to what waits for reads and for throughput."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.pages.guides.commits import LOOKED_UP, MS, POSTGRES_AT
from apps.pages.guides.guide import Guide, Knob, RuleSource, Wait
from apps.rankings.advice import stand_ins
from apps.rankings.advice.rules import FitnessRule

KIB: Final = 1 << 10

ZFS_SLOG: Final = Guide(
    slug="zfs-slog",
    title=_("A log device for ZFS (SLOG)"),
    question=_("Is this drive worth its slot as a SLOG?"),
    answer=_(
        "Look for power-loss protection first, then for 16 KiB writes with a sync each. A few "
        "gigabytes are enough."
    ),
    waits=(
        _(
            "Programs that sync, NFS and virtual machines among them, wait until ZFS has written "
            "the intent log. With a log device that is one write and one flush there; the pool is "
            "written seconds later."
        ),
    ),
    steps=(
        Wait(_("16 KiB past the page cache, no sync"), "direct-16k-nosync", "write", False),
        Wait(_("the same with fdatasync"), "direct-16k-fdatasync", "commit"),
    ),
    rule=FitnessRule(least_per_s=5_000, needs_plp=True, needs_persistence=True),
    rule_text=_(
        "Power-loss protection, as OpenZFS asks of flash for a SLOG; storage that is not emptied "
        "when its machine stops, as a log is read after a crash; and the low end of the rate "
        "reaches what you need. 5,000 is an example of ours, put in your own."
    ),
    sources=(
        RuleSource(
            "OpenZFS documentation, Hardware",
            "https://openzfs.github.io/openzfs-docs/Performance%20and%20Tuning/Hardware.html",
            LOOKED_UP,
        ),
    ),
    stand_ins=stand_ins.SLOG,
    catches=(
        _(
            "A drive without protection that honours flushes loses nothing; it is merely no "
            "quicker than a pool of the same drives."
        ),
        _("Everything synced is written to it: look at its rated endurance."),
        _("Writes that nobody syncs do not touch a SLOG, and get no faster."),
    ),
    settings=(
        Knob("sync=standard", _("sync=disabled is faster than any SLOG, and loses seconds.")),
        Knob("logbias=latency", _("With throughput the log device is passed by.")),
    ),
    command="./fsyncmark run . --suite standard --only direct-16k-fdatasync,direct-16k-nosync",
    advisor="zfs-slog",
    rate_name=_("durable writes a second"),
)

CEPH_WAL: Final = Guide(
    slug="ceph-wal",
    title=_("A Ceph OSD and its WAL"),
    question=_("Can this drive carry an OSD?"),
    answer=_(
        "Look for power-loss protection first: without it each small write waits for the flash, "
        "and rated IOPS melt by a factor of a hundred."
    ),
    waits=(
        _(
            "BlueStore writes small changes to its write-ahead log past the page cache and syncs "
            "before it answers. A client waits for the slowest of all copies."
        ),
    ),
    steps=(
        Wait(_("4 KiB, 32 in flight, no sync"), "randwrite-4k-qd32", "write", False),
        Wait(_("4 KiB with fsync, one at a time"), "randwrite-4k-fsync", "commit"),
    ),
    rule=FitnessRule(least_per_s=5_000, needs_plp=True),
    rule_text=_(
        "Power-loss protection, as Ceph advises, and the low end of the rate reaches what one OSD "
        "must sync a second. 5,000 is an example of ours, put in your own."
    ),
    sources=(
        RuleSource(
            "Ceph documentation, Hardware Recommendations",
            "https://docs.ceph.com/en/latest/start/hardware-recommendations/",
            LOOKED_UP,
        ),
    ),
    stand_ins=stand_ins.CEPH,
    catches=(
        _("One drive says nothing about the network between the copies."),
        _("A drive that is half full and long in use is slower than a fresh one."),
    ),
    settings=(
        Knob("bluestore_prefer_deferred_size", _("Which writes take the way through the log.")),
        Knob(
            "hdparm -W 0, nvme vwc",
            _("The volatile write cache off: some drives with protection sync quicker then."),
        ),
    ),
    command="./fsyncmark run . --suite standard --only randwrite-4k-fsync,direct-16k-fdatasync",
    advisor="ceph-wal",
    rate_name=_("durable writes a second"),
)

TICKS: Final = Guide(
    slug="ticks",
    title=_("Tick store: many producers, group commit"),
    question=_("How many events a second can be kept?"),
    answer=_(
        "Look at commits that share a sync. A slow disk with large groups can keep as many events "
        "as a quick one; each of them only waits longer."
    ),
    waits=(
        _(
            "Producers hand in events and wait. Whoever finds no flush on its way leads the next "
            "one and makes durable what all have appended until then, so one sync serves many."
        ),
    ),
    steps=(
        Wait(_("one writer alone"), "commit-8k", "commit", False),
        Wait(_("one of 32 that share a sync"), "group-commit-8k-32", "commit"),
        Wait(_("one of 32 that sync for themselves"), "commit-8k-writers-32", "commit", False),
    ),
    rule=FitnessRule(least_per_s=20_000),
    rule_text=_(
        "The low end of the rate of 32 committers together reaches your events a second. 20,000 is "
        "an example of ours, put in your own."
    ),
    sources=(
        RuleSource(
            "PostgreSQL documentation, WAL Configuration: group commit",
            "https://www.postgresql.org/docs/current/wal-configuration.html",
            LOOKED_UP,
            "each group will consist only of sessions that reach the point where they need to "
            "flush their commit records during the window in which the previous flush operation "
            "(if any) is occurring",
            f"{POSTGRES_AT}/016c3ea26c0a156b28e33915ab2575d73039cf5a/doc/src/sgml/wal.sgml",
        ),
    ),
    stand_ins=stand_ins.SHARED_COMMITS,
    catches=(
        _("A group is as large as the queue in front of it: with few producers it shrinks to one."),
        _("Throughput that lasts an hour is another matter: caches of a drive run full."),
    ),
    settings=(
        Knob(
            "commit_delay",
            _(
                "A wait can make groups larger, and makes commits slower. Half of what "
                "pg_test_fsync takes for a single 8 kB write is where PostgreSQL's documentation "
                "begins; too long a wait lowers the rate."
            ),
        ),
        Knob(_("batch size of the producers"), _("A batch is one commit: the cheapest lever.")),
    ),
    command="./fsyncmark run . --suite standard --only group-commit-8k-32,commit-8k",
    rate_name=_("commits a second of 32 together"),
    is_one_at_a_time=False,
)

STREAMING: Final = Guide(
    slug="streaming",
    title=_("Streaming and object serving"),
    question=_("Does the disk keep up with the network?"),
    answer=_(
        "Look at large reads a second. Nothing is synced here, so a drive that is poor for a "
        "database may be all you need."
    ),
    waits=(
        _(
            "A server of large files reads ahead in big blocks, several at once. The disk is quick "
            "enough as soon as the network card is the slower of the two."
        ),
    ),
    steps=(
        Wait(_("a 4 KiB read, alone"), "read-4k-floor", "read", False),
        Wait(_("256 KiB reads, 8 in flight"), "seqread-256k-qd8", "read"),
    ),
    rule=FitnessRule(least_per_s=125_000_000 / (256 * KIB)),
    rule_text=_(
        "The low end of the rate of 256 KiB reads fills the network port: 1 Gbit/s divided by 8 "
        "bits is 125 MB/s before any overhead of the network, which is 477 such reads a second. "
        "For 10 Gbit/s put in 4,770."
    ),
    sources=(),
    stand_ins=stand_ins.STREAMS,
    catches=(
        _(
            "Many streams at once are not one sequence: the more of them, the nearer to random "
            "reads, on a hard disk above all."
        ),
        _("Providers limit network disks and traffic; the limit may be lower than the disk."),
    ),
    settings=(
        Knob("read_ahead_kb", _("Larger on hard disks, for few and long streams.")),
        Knob("sendfile, io_uring", _("Keep the processor out of the copy.")),
    ),
    command="./fsyncmark run . --suite standard --only seqread-256k-qd8",
    rate_name=_("reads of 256 KiB a second"),
    unit_bytes=256 * KIB,
    is_one_at_a_time=False,
)

INDEX_LOOKUPS: Final = Guide(
    slug="index-lookups",
    title=_("Index lookups on data larger than memory"),
    question=_("How long does a cold lookup take?"),
    answer=_(
        "Look at the slow ones of single 4 KiB reads. A lookup walks down a tree, one read after "
        "the other: four levels that are not in memory are four waits."
    ),
    waits=(
        _(
            "Each step of a lookup needs the page that the step before it named, so reads cannot "
            "be in flight together. IOPS at a queue depth of 32 say nothing about this wait."
        ),
    ),
    steps=(
        Wait(_("a page that is in memory"), "fio-page-cache", "completion", False),
        Wait(_("one 4 KiB read of the disk"), "randread-4k-qd1", "read"),
        Wait(_("the same at 128 in flight (8 KiB)"), "randread-8k-qd32x4", "read", False),
    ),
    rule=FitnessRule(p99_ns_max=MS),
    rule_text=_(
        "99 of 100 single reads end within 1 ms. That is a rule of ours: four such reads in a row "
        "then seldom take longer than 4 ms."
    ),
    sources=(),
    stand_ins=stand_ins.LOOKUPS,
    catches=(
        _(
            "Reads past the page cache of this machine may still be answered by a cache of the "
            "host. Half of them below 25 µs is no flash at all; below 50 µs, no common one."
        ),
        _("A neighbour's load shows in the slow reads first."),
    ),
    settings=(
        Knob(_("memory"), _("The cheapest lookup is the one that reads nothing.")),
        Knob("random_page_cost", _("Lower it on flash, so that plans use the index.")),
    ),
    command="./fsyncmark run . --suite standard --only randread-4k-qd1,read-4k-floor",
    advisor="index-lookups",
)
