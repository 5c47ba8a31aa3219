"""Lies about writes: rated IOPS, ignored flushes, file states, means, fresh drives, macOS."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.lanes import LanePoint, Lanes
from apps.pages.guides.lies import published as of
from apps.pages.guides.lies.lie import Lie, LieTest, draw_lie
from apps.pages.guides.lies.reads import RATE
from apps.pages.guides.recordings import Recordings
from apps.pages.show.phrases import join_facts
from apps.stats.figures import significant
from apps.words.workloads import workload_short

UNSYNCED: Final = _("4 KiB, 128 in flight, no sync")
SYNCED: Final = _("8 KiB alone, each synced")
PREALLOCATED: Final = _("preallocated")


def picture_rated(_taken: Recordings) -> Lanes:
    """Writes a second of two servers as ratings are taken, and synced, on the lower scale."""
    rates = (
        ("AX102", UNSYNCED, of.AX102_UNSYNCED_PER_S[1], "full", False),
        ("AX41", UNSYNCED, of.AX41_UNSYNCED_PER_S[1], "none", False),
        ("AX102", SYNCED, of.AX102_SYNCED_PER_S[1], "full", True),
        ("AX41", SYNCED, of.AX41_SYNCED_PER_S[1], "none", True),
    )
    return draw_lie(
        [
            LanePoint(name, NS_PER_S / rate, quantity=work, value=f"{significant(rate)} /s",
                  is_hot=is_hot, is_claim=True, plp=plp)
            for name, work, rate, plp, is_hot in rates
        ]
    )  # fmt: skip


def picture_mean(recordings: Recordings) -> Lanes:
    """One run by five of its figures."""
    times = recordings.times("fallocated-8k-fsync", "commit")
    return draw_lie(
        [
            LanePoint("p50", times.p50_ns or 0),
            LanePoint(_("mean"), times.mean_ns, is_hot=True),
            LanePoint("p99", times.p99_ns or 0),
            LanePoint("p99.9", times.p999_ns or 0),
            LanePoint(_("slowest"), times.max_ns),
        ]
    )


def picture_states(recordings: Recordings) -> Lanes:
    """Durable writes of 8 KiB into three states of a file, at the rates that the lie names."""
    points = []
    states = (
        ("commit-8k", workload_short("commit-8k")),
        ("append-8k-fdatasync", workload_short("append-8k-fdatasync")),
        ("fallocated-8k-fsync", join_facts((PREALLOCATED, "fsync"))),
    )
    for figure, name in states:
        is_hot = figure == "commit-8k"
        at_ns = NS_PER_S / recordings.figures[figure].per_s
        points.append(LanePoint(name, at_ns, quantity=RATE, is_hot=is_hot))
    return draw_lie(points)


def picture_flush(recordings: Recordings) -> Lanes:
    """One flush after more and more was written."""
    names = (
        ("empty-flush", "0 KiB"),
        ("drain-64k", "64 KiB"),
        ("drain-1m", "1 MiB"),
        ("drain-16m", "16 MiB"),
        ("drain-64m", "64 MiB"),
    )
    return draw_lie(
        [
            LanePoint(
                name, recordings.times(figure, "sync").p50_ns or 0, is_hot=figure == "drain-64m"
            )
            for figure, name in names
        ]
    )


def picture_fresh(recordings: Recordings) -> Lanes:
    """Large writes that nobody syncs beside large reads: writes should not be quicker."""
    written, read = (
        recordings.times("seqwrite-256k-qd8", "write"),
        recordings.times("seqread-256k-qd8", "read"),
    )
    return draw_lie(
        [
            LanePoint(workload_short("seqwrite-256k-qd8"), written.p50_ns or 0,
                  to_ns=written.p99_ns, is_hot=True),
            LanePoint(workload_short("seqread-256k-qd8"), read.p50_ns or 0, to_ns=read.p99_ns),
        ]
    )  # fmt: skip


LIES_OF_WRITES: Final = (
    Lie(
        anchor="rated-iops",
        title=_("Do 194,400 IOPS mean 194,400 commits?"),
        claim=_(
            "Two NVMe servers: without a sync one does 194,400 writes a second, the other "
            "127,800: 1.5 times apart."
        ),
        says=_("No: with a sync after each write they are 55 times apart."),
        figure="10,318 / 187",
        unit=_("durable writes a second"),
        truth=_(
            "Ratings are taken without a sync, with hundreds in flight, on a fresh drive. With "
            "power-loss protection a drive answers a flush from its memory (AX102: Micron 7500 "
            "PRO); without, it programs flash first (AX41: Samsung PM9A1)."
        ),
        tests=(
            LieTest("", "./fsyncmark run . --no-upload --only commit-8k"),
        ),
        cited=(of.WEBP,),
        draw=picture_rated,
        n_published=4,
        is_ours=False,
    ),
    Lie(
        anchor="ignored-flushes",
        title=_("Does a very fast sync keep the data?"),
        says=_(
            "Nobody can tell from inside: capacitors, a host's memory and ignored flushes look the "
            "same."
        ),
        figure="65 / 173 µs",
        unit=_("a flush after nothing, and after 64 MiB"),
        truth=_(
            "The disk reports a volatile cache, and syncs faster than flash can. An honest one "
            "takes far longer to flush 64 MiB than nothing. The kernel counted one flush a commit: "
            "it is protected, or flushes are ignored further down."
        ),
        tests=(
            LieTest(
                _("Does a flush cost more, the more there is to flush?"),
                "./fsyncmark run . --no-upload --suite standard --only commit-8k,empty-flush,"
                "drain-64k,drain-1m,drain-16m,drain-64m",
            ),
            LieTest("", "cat /sys/block/*/queue/write_cache"),
            LieTest("", "findmnt -T . -o OPTIONS"),
        ),
        unknown=_("Whether data survive. Protection stands in the data sheet alone."),
        rules=(
            "faster-than-medium",
            "fast-for-volatile-cache",
            "few-flushes",
            "volatile-write-through",
            "zfs-sync-disabled",
            "unwritten-bytes",
            "unprotected-write-through",
            "controller-cache",
            "name-alone",
            "barriers-off",
            "unflushed-host-disk",
            "unseen-drive",
            "unseen-server",
            "indirect-filesystem",
        ),
        draw=picture_flush,
        is_open=True,
        behind=_("only a power cut can tell"),
    ),
    Lie(
        anchor="mean",
        title=_("Does a commit take 638 µs?"),
        says=_("That is the mean: half finish within 240 µs, one in a hundred takes over 4.6 ms."),
        figure="240 µs",
        unit="p50",
        truth=_(
            "p99 is nineteen times the median; 61 % of the time went by in operations over ten "
            "times the median. Four commits in a row meet a slow one in one of twenty-five "
            "requests. The processor itself stood still for up to 4.4 ms."
        ),
        tests=(
            LieTest("", "./fsyncmark run . --no-upload --html page.html"),
        ),
        rules=("stolen-time", "other-io", "unsteady-passes"),
        draw=picture_mean,
    ),
    Lie(
        anchor="file-state",
        title=_("How can one disk do 8,142 and 1,566 writes a second?"),
        claim=_("Three benchmarks of 8 KiB and a sync: 8,142, 2,878 and 1,566 writes a second."),
        says=_("They write into an overwritten file, one that grows, and a preallocated one."),
        figure="5.2",
        unit=_("times apart, on one disk"),
        truth=_(
            "An overwrite is one flush. An append makes the new size durable too. A preallocated "
            "block has to be marked as written: fio lays out its files like that by default."
        ),
        tests=(
            LieTest(
                "",
                "./fsyncmark fio --rw=write --bs=8k --fsync=1",
            ),
            LieTest(
                "",
                "./fsyncmark run . --no-upload --suite standard --only commit-8k,"
                "append-8k-fdatasync,fallocated-8k-fsync",
            ),
        ),
        draw=picture_states,
    ),
    Lie(
        anchor="slc-cliff",
        title=_("Does the first minute last?"),
        says=_("No run here has filled a cache yet: how far the rate falls is not measured."),
        figure="",
        unit="",
        truth=_(
            "Consumer drives use 50 to 200 GB of their flash as SLC; cloud volumes give credits. "
            "Articles say that the rate then falls two to three and three to five times. On our "
            "machine unsynced writes are 3.9 times as fast as reads: a cache, of unknown size."
        ),
        tests=(
            LieTest(
                _("Write 32 GiB, and look for the drop."),
                "./fsyncmark run . --no-upload --suite deep --only sustained-write-128k-qd16",
            ),
        ),
        rules=("burst", "little-free-space"),
        draw=picture_fresh,
        is_open=True,
        behind=_("nobody measured it"),
    ),
    Lie(
        anchor="macos",
        title=_("Does fsync on macOS reach the disk?"),
        says=_("No: fsync leaves data in the drive's cache; F_FULLFSYNC empties it."),
        figure="",
        unit="",
        truth=_(
            "Our agent ends every durable workload on macOS with F_FULLFSYNC. Of pg_test_fsync "
            "only the row fsync_writethrough is shown as durable."
        ),
        tests=(LieTest("", "pg_test_fsync"),),
        unknown=_("Whether the drive keeps its word after F_FULLFSYNC."),
        cited=(of.APPLE,),
        behind="Apple, fsync(2)",
    ),
)  # fmt: skip
