"""Guides to log devices of storage systems, and to what waits for reads and for throughput."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.pages.guides.commits import LOOKED_UP, MS, P99_NEED, POSTGRES_AT
from apps.pages.guides.guide import Guide, Knob, RuleSource, Wait
from apps.rankings.advice import stand_ins
from apps.rankings.advice.rules import FitnessRule
from apps.rankings.advice.verdicts import EMPTIED, NEEDS_REPLICA

KIB: Final = 1 << 10
WRITES_NEED: Final = _("%(rate)s durable writes a second")

ZFS_SLOG: Final = Guide(
    slug="zfs-slog",
    title=_("ZFS log device (SLOG)"),
    question=_("Is it fit as a SLOG?"),
    answer=_("Look for power-loss protection, then for synced 16 KiB writes a second."),
    waits=_(
        "Whoever syncs, NFS and virtual machines too, waits until ZFS has written its intent log: "
        "one write and one flush. Writes that nobody syncs get no faster."
    ),
    steps=(
        Wait("direct-16k-nosync", "write", False),
        Wait("direct-16k-fdatasync", "commit"),
    ),
    rule=FitnessRule(least_per_s=5_000, needs_plp=True, if_emptied=EMPTIED),
    need_text=WRITES_NEED,
    also=_("It needs power-loss protection, and storage that outlives a stop of the machine."),
    sources=(
        RuleSource(
            "OpenZFS documentation, Hardware",
            "https://openzfs.github.io/openzfs-docs/Performance%20and%20Tuning/Hardware.html",
            LOOKED_UP,
        ),
    ),
    stand_ins=stand_ins.SLOG,
    catch=_("Everything synced is written to it: check its rated endurance."),
    settings=(
        Knob("sync=standard", _("disabled is faster, and a power cut loses seconds.")),
        Knob("logbias=latency", _("throughput bypasses the log device.")),
    ),
    command="./fsyncmark run . --suite standard --only direct-16k-fdatasync,direct-16k-nosync",
    advisor="zfs-slog",
)

CEPH_WAL: Final = Guide(
    slug="ceph-wal",
    title=_("Ceph OSD and its WAL"),
    question=_("Is it fit for a Ceph OSD?"),
    answer=_("Look for power-loss protection, then for synced 4 KiB writes a second."),
    steps=(
        Wait("randwrite-4k-qd32", "write", False),
        Wait("randwrite-4k-fsync", "commit"),
    ),
    rule=FitnessRule(least_per_s=5_000, needs_plp=True),
    need_text=WRITES_NEED,
    also=_("It needs power-loss protection."),
    sources=(
        RuleSource(
            "Ceph documentation, Hardware Recommendations",
            "https://docs.ceph.com/en/latest/start/hardware-recommendations/",
            LOOKED_UP,
        ),
    ),
    stand_ins=stand_ins.CEPH,
    catch=_("A client waits for the slowest copy, and a drive long in use is slower."),
    settings=(),
    command="./fsyncmark run . --suite standard --only randwrite-4k-fsync,direct-16k-fdatasync",
    advisor="ceph-wal",
)

TICKS: Final = Guide(
    slug="ticks",
    title=_("Tick store: many producers, group commit"),
    question=_("How many events a second can be kept?"),
    answer=_("Look at commits that share a sync: large groups make up for a slow disk."),
    waits=_(
        "A producer that finds no flush on its way leads the next one, and makes durable what all "
        "have appended until then."
    ),
    steps=(
        Wait("commit-8k", "commit", False),
        Wait("group-commit-8k-32", "commit"),
        Wait("commit-8k-writers-32", "commit", False),
    ),
    rule=FitnessRule(least_per_s=20_000, if_emptied=NEEDS_REPLICA),
    need_text=_("%(rate)s commits a second of 32 together"),
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
    catch=_("With few producers a group shrinks to one commit."),
    settings=(
        Knob("commit_delay", _("Half of pg_test_fsync's 8 kB write, as PostgreSQL advises.")),
    ),
    command="./fsyncmark run . --suite standard --only group-commit-8k-32,commit-8k",
    is_one_at_a_time=False,
)

STREAMING: Final = Guide(
    slug="streaming",
    title=_("Streaming and object serving"),
    question=_("Does the disk keep up with the network?"),
    answer=_("Look at large reads a second: nothing is synced here."),
    steps=(
        Wait("read-4k-floor", "read", False),
        Wait("seqread-256k-qd8", "read"),
    ),
    rule=FitnessRule(least_per_s=125_000_000 / (256 * KIB)),
    need_text=_("%(rate)s reads of 256 KiB a second"),
    also=_("477 reads fill 1 Gbit/s: 125 MB/s without overhead. For 10 Gbit/s ask for 4,770."),
    sources=(),
    stand_ins=stand_ins.STREAMS,
    catch=_("Many streams at once come near to random reads, on a hard disk above all."),
    settings=(),
    command="./fsyncmark run . --suite standard --only seqread-256k-qd8",
    unit_bytes=256 * KIB,
    is_of_commits=False,
    is_one_at_a_time=False,
)

INDEX_LOOKUPS: Final = Guide(
    slug="index-lookups",
    title=_("Index lookups on data larger than memory"),
    question=_("How long does a cold lookup take?"),
    answer=_("Look at the p99 of single 4 KiB reads: four cold levels are four waits."),
    steps=(
        Wait("fio-page-cache", "completion", False, _("page cache")),
        Wait("randread-4k-qd1", "read"),
        Wait("randread-8k-qd32x4", "read", False),
    ),
    rule=FitnessRule(p99_ns_max=MS),
    need_text=P99_NEED,
    sources=(),
    stand_ins=stand_ins.LOOKUPS,
    catch=_("A host's cache can answer: half of the reads below 25 µs is no flash at all."),
    settings=(Knob("random_page_cost", _("Lower on flash, so that plans use the index.")),),
    command="./fsyncmark run . --suite standard --only randread-4k-qd1,read-4k-floor",
    advisor="index-lookups",
    is_of_commits=False,
)
