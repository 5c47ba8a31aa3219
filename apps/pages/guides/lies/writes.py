"""Lies about writes: rated IOPS, ignored flushes, file states, means, fresh drives, macOS."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.lanes import LanePoint, Lanes, draw_lanes
from apps.pages.guides.lies import published as of
from apps.pages.guides.lies.lie import Lie, LieTest
from apps.pages.guides.recordings import Recordings
from apps.stats.figures import significant


def picture_rated(_taken: Recordings) -> Lanes:
    """Writes a second of two servers as ratings are taken, and synced, on the lower scale."""
    rates = (
        (_("AX102, 4 KiB, 128 in flight, no sync"), of.AX102_UNSYNCED_PER_S[1], "full", False),
        (_("AX41, 4 KiB, 128 in flight, no sync"), of.AX41_UNSYNCED_PER_S[1], "none", False),
        (_("AX102, 8 KiB alone, each synced"), of.AX102_SYNCED_PER_S[1], "full", True),
        (_("AX41, 8 KiB alone, each synced"), of.AX41_SYNCED_PER_S[1], "none", True),
    )
    return draw_lanes(
        [
            LanePoint(name, NS_PER_S / rate, value=f"{significant(rate)} /s",
                  is_hot=is_hot, is_claim=True, plp=plp)
            for name, rate, plp, is_hot in rates
        ]
    )  # fmt: skip


def picture_mean(recordings: Recordings) -> Lanes:
    """One run by five of its figures."""
    times = recordings.times("fallocated-8k-fsync", "commit")
    return draw_lanes(
        [
            LanePoint(_("half of all commits"), times.p50_ns or 0, quantity="p50"),
            LanePoint(
                _("what a single figure would say"), times.mean_ns, is_hot=True, quantity=_("mean")
            ),
            LanePoint(_("one in a hundred takes longer"), times.p99_ns or 0, quantity="p99"),
            LanePoint(_("one in a thousand takes longer"), times.p999_ns or 0, quantity="p99.9"),
            LanePoint(_("the slowest"), times.max_ns),
        ]
    )


def picture_states(recordings: Recordings) -> Lanes:
    """Durable writes of 8 KiB into three states of a file."""
    names = (
        ("commit-8k", _("overwriting, fdatasync")),
        ("append-8k-fdatasync", _("appending, fdatasync")),
        ("fallocated-8k-fsync", _("into blocks that were only allocated, fsync")),
    )
    points = []
    for figure, name in names:
        times = recordings.times(figure, "commit")
        points.append(
            LanePoint(name, times.p50_ns or 0, to_ns=times.p99_ns, is_hot=figure == "commit-8k")
        )
    return draw_lanes(points)


def picture_flush(recordings: Recordings) -> Lanes:
    """One flush after more and more was written."""
    names = (
        ("empty-flush", _("a flush with nothing to do")),
        ("drain-64k", _("after 64 KiB")),
        ("drain-1m", _("after 1 MiB")),
        ("drain-16m", _("after 16 MiB")),
        ("drain-64m", _("after 64 MiB")),
    )
    return draw_lanes(
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
    return draw_lanes(
        [
            LanePoint(_("256 KiB writes, no sync, 8 in flight"), written.p50_ns or 0,
                  to_ns=written.p99_ns, is_hot=True),
            LanePoint(_("256 KiB reads, 8 in flight"), read.p50_ns or 0, to_ns=read.p99_ns),
        ]
    )  # fmt: skip


LIES_OF_WRITES: Final = (
    Lie(
        anchor="rated-iops",
        title=_("Rated IOPS against durable commits"),
        claim=_(
            "Two servers, both with NVMe. In a test that never syncs one does 194,400 writes a "
            "second, the other 127,800: 1.5 times apart."
        ),
        truth=(
            _(
                "Synced after each write they do 10,318 and 187: 55 times apart. Rated IOPS are "
                "taken without a sync, with hundreds in flight, on a fresh drive. A database "
                "with one session has one in flight, and waits."
            ),
            _(
                "A drive with power-loss protection may answer a flush from its memory, as "
                "capacitors carry that memory to flash. A drive without has to program flash "
                "first. The words on the invoice are the same: NVMe."
            ),
        ),
        tests=(
            LieTest(
                _("Measure with a sync after each write, one writer."),
                "./fsyncmark run . --no-upload --only commit-8k",
            ),
            LieTest(_("Look for “power-loss protection” in the data sheet, not for “NVMe”.")),
        ),
        unknown=_(
            "What a rating is worth for your own mix. Plan with half of it where nothing is "
            "synced."
        ),
        cited=(of.WEBP,),
        draw=picture_rated,
        sentence=_(
            "Published writes a second of an AX102 (Micron 7500 PRO) and an AX41 (Samsung PM9A1): "
            "half of a mix with reads, never synced; and one writer into a new file, each write "
            "synced"
        ),
    ),
    Lie(
        anchor="ignored-flushes",
        title=_("A cache that says “durable”"),
        claim=_(
            "A sync that is quicker than its medium, on a drive that reports a volatile cache."
        ),
        truth=(
            _(
                "Three things look the same from inside: capacitors that carry the cache through "
                "a power cut, a host that answers from its memory, and a drive that ignores "
                "flushes. One test tells an honest volatile cache from all three: a flush after "
                "64 MiB must take far longer than one after nothing."
            ),
            _(
                "On our virtual disk it took 173 µs against 65: nearly flat. The disk reports "
                "write back, and the kernel counted one flush a commit. So it is protected, or "
                "the flush is ignored further down. We cannot tell, and say so."
            ),
        ),
        tests=(
            LieTest(
                _("Does a flush cost more, the more there is to flush?"),
                "./fsyncmark run . --no-upload --suite standard --only commit-8k,empty-flush,"
                "drain-64k,drain-1m,drain-16m,drain-64m",
            ),
            LieTest(
                _("What the kernel believes of the cache."),
                "cat /sys/block/*/queue/write_cache",
            ),
            LieTest(
                _("Whether the mount keeps flushes from the drive: nobarrier, barrier=0."),
                "findmnt -T . -o OPTIONS",
            ),
        ),
        unknown=_(
            "Whether data survive: only a power cut can tell. Software can ask nobody for "
            "power-loss protection; it stands in the data sheet."
        ),
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
        ),
        draw=picture_flush,
        sentence=_("One flush after nothing, and after 64 KiB to 64 MiB"),
    ),
    Lie(
        anchor="mean",
        title=_("The mean hides p99"),
        claim=_("“638 µs a commit.” That is the mean of one run of ours."),
        truth=(
            _(
                "Hardly any commit took 638 µs. Half of them were done in 240 µs; one in a "
                "hundred took longer than 4.6 ms, nineteen times the median, and those took "
                "most of the time: 61 % of it went by in operations over ten times the median."
            ),
            _(
                "Who waits for four commits in a row meets one of the slow ones in one of "
                "twenty-five requests."
            ),
        ),
        tests=(
            LieTest(_("Ask for p99 and p99.9, and for how many operations stand behind them.")),
            LieTest(
                _("Every report and every page here shows the whole curve."),
                "./fsyncmark run . --no-upload --html page.html",
            ),
        ),
        unknown=_(
            "Whose tail it is: on this machine the processor itself stood still for up to "
            "4.4 ms while nothing was done."
        ),
        rules=("stolen-time", "other-io", "unsteady-passes"),
        draw=picture_mean,
        sentence=_("Median, mean, p99, p99.9 and slowest of one run"),
    ),
    Lie(
        anchor="file-state",
        title=_("“8 KiB and a sync”: into which file?"),
        claim=_("Three benchmarks of the same disk: 8,142, 2,878 and 1,566 writes a second."),
        truth=(
            _(
                "All three write 8 KiB and make it durable. The first overwrites, which is one "
                "flush. The second appends, so the new size must be durable too. The third "
                "writes into blocks that were only allocated, so each must be marked as "
                "written; fio lays out its files like that unless told otherwise."
            ),
            _(
                "They are three workloads here and never share a name or a board."
            ),
        ),
        tests=(
            LieTest(
                _("Ask which of ours a job of fio is, and what still differs."),
                "./fsyncmark fio --rw=write --bs=8k --fsync=1",
            ),
            LieTest(
                _("Measure all three."),
                "./fsyncmark run . --no-upload --suite standard --only commit-8k,"
                "append-8k-fdatasync,fallocated-8k-fsync",
            ),
        ),
        unknown=_("Which of the three an article measured that does not print its job."),
        draw=picture_states,
        sentence=_("A durable write of 8 KiB into three states of a file"),
    ),
    Lie(
        anchor="slc-cliff",
        title=_("The first minute: SLC cache, burst credits"),
        claim=_("A fresh drive, a short test, a wonderful figure."),
        truth=(
            _(
                "Consumer drives take writes into a part of their flash that is used as SLC, "
                "50 to 200 GB of it; cloud volumes give credits for bursts. When the one is "
                "full or the others are spent, the rate falls: by two to three times and by "
                "three to five times, articles say."
            ),
            _(
                "The cliff itself we cannot show yet: nobody has sent a run of the suite deep "
                "from such a drive. What a cache looks like, our machine shows: large writes "
                "that nobody syncs went 3.9 times as fast as large reads. How much fits into "
                "it, a few seconds do not say."
            ),
        ),
        tests=(
            LieTest(
                _("Write until 32 GiB are written, and look for the drop. It takes its time."),
                "./fsyncmark run . --no-upload --suite deep --only sustained-write-128k-qd16",
            ),
            LieTest(_("Measure again after an hour of your own load.")),
        ),
        unknown=_(
            "How large the cache is tomorrow: it shrinks as a drive fills, and credits are the "
            "provider's secret."
        ),
        rules=("burst", "little-free-space"),
        draw=picture_fresh,
        sentence=_("Large writes without a sync, and large reads, of one virtual disk"),
    ),
    Lie(
        anchor="macos",
        title=_("macOS: fsync is not F_FULLFSYNC"),
        claim=_("A laptop that commits faster than a server."),
        truth=(
            _(
                "On macOS fsync hands the data to the drive and leaves them in its cache, as "
                "Apple's manual page says; only fcntl with F_FULLFSYNC empties it. A benchmark "
                "that calls fsync there measures the way to the drive."
            ),
            _(
                "Our agent ends every durable workload on macOS with F_FULLFSYNC. Of "
                "pg_test_fsync only the row fsync_writethrough is shown as durable."
            ),
        ),
        tests=(
            LieTest(_("PostgreSQL's own test, on a Mac: compare fsync with fsync_writethrough."),
                 "pg_test_fsync"),
        ),
        unknown=_("Whether the drive keeps its word after F_FULLFSYNC."),
        cited=(of.APPLE,),
        sentence=_("There is no picture: nobody has sent a run from a Mac yet."),
    ),
)  # fmt: skip
