"""Lies about reads, queues and memory: 668 ns, 12 ms, the page cache, files in memory."""

from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.lanes import LanePoint, Lanes, draw_lanes
from apps.pages.guides.lies import published as of
from apps.pages.guides.lies.lie import Lie, LieTest
from apps.pages.guides.recordings import Recordings
from apps.pages.show import units

PUBLISHED: Final = _("published")


def picture_668(recordings: Recordings) -> Lanes:
    """0.7 µs beside what memory, fio's two clocks and media take."""
    cached, floor = (
        recordings.times("fio-page-cache", "completion"),
        recordings.times("read-4k-floor", "read"),
    )
    return draw_lanes(
        [
            LanePoint(_("fio's clat, p1, CCX33"), of.CLAT_P1_668_NS[1], quantity=PUBLISHED,
                  is_hot=True, is_claim=True, plp="none"),
            LanePoint(_("reads of memory, through the page cache"), cached.p50_ns or 0,
                  from_ns=cached.p1_ns, to_ns=cached.p99_ns, quantity=_("fio's clat, p1 to p99")),
            LanePoint(_("least clat and least lat of one job"), of.VIRTUOZZO_CLAT_MIN_NS,
                  to_ns=of.VIRTUOZZO_LAT_MIN_NS, quantity=PUBLISHED, is_claim=True, plp="none"),
            LanePoint(_("quickest read past the page cache"), floor.min_ns),
            LanePoint(_("quickest read of a local NVMe drive"), of.HOME_NVME_MIN_NS[1],
                  quantity=PUBLISHED, is_claim=True, plp="none"),
            LanePoint(_("half of our reads, one at a time"), floor.p50_ns or 0, to_ns=floor.p99_ns),
            LanePoint(_("half of the reads, CCX33"), of.READ_P50_NS[1], to_ns=of.READ_P99_NS[1],
                  quantity=PUBLISHED, is_claim=True, plp="none"),
        ]
    )  # fmt: skip


def picture_queue(recordings: Recordings) -> Lanes:
    """One disk, alone and with 128 reads in flight."""
    alone = recordings.times("commit-8k", "commit")
    many = recordings.times("randwrite-8k-fsync-qd32x4", "commit")
    per_s = recordings.figures["randwrite-8k-fsync-qd32x4"].per_s
    return draw_lanes(
        [
            LanePoint(_("CCX33, 128 in flight"), of.WRITE_P50_NS[1], to_ns=of.WRITE_P99_NS[1],
                  quantity=PUBLISHED, is_hot=True, is_claim=True, plp="none"),
            LanePoint(_("CCX33, time for each write"), NS_PER_S / of.WRITES_PER_S[1],
                  quantity=_("1 / rate, published"), is_claim=True, plp="none"),
            LanePoint(_("our disk, 128 in flight"), many.p50_ns or 0, to_ns=many.p99_ns),
            LanePoint(_("our disk, time for each write"), NS_PER_S / per_s, quantity=_("1 / rate")),
            LanePoint(_("our disk, one writer alone"), alone.p50_ns or 0, to_ns=alone.p99_ns),
        ]
    )  # fmt: skip


def picture_page_cache(recordings: Recordings) -> Lanes:
    """Reads and writes that end in memory, beside the same that do not."""
    cached = recordings.times("fio-page-cache", "completion")
    direct = recordings.times("fio-direct", "completion")
    plain, synced = recordings.figures["dd"].per_s, recordings.figures["dd-dsync"].per_s
    return draw_lanes(
        [
            LanePoint(_("4 KiB reads, page cache"), cached.p50_ns or 0, to_ns=cached.p99_ns,
                  is_hot=True),
            LanePoint(_("the same reads with --direct=1"), direct.p50_ns or 0, to_ns=direct.p99_ns),
            LanePoint(_("dd, 8 KiB blocks"), NS_PER_S / plain, quantity=_("1 / rate"), is_hot=True),
            LanePoint(_("dd with oflag=dsync"), NS_PER_S / synced, quantity=_("1 / rate")),
        ]
    )  # fmt: skip


def picture_memory(recordings: Recordings) -> Lanes:
    """A sync on a filesystem in memory, and on a disk."""
    memory, disk = recordings.times("fio-tmpfs", "sync"), recordings.times("fio-disk", "sync")
    return draw_lanes(
        [
            LanePoint(
                _("fdatasync on tmpfs"), memory.p50_ns or 0, to_ns=memory.p99_ns, is_hot=True
            ),
            LanePoint(_("fdatasync on the disk beside it"), disk.p50_ns or 0, to_ns=disk.p99_ns),
        ]
    )


def basis_668(recordings: Recordings) -> str:
    """One published run beside one of ours: n, date and interval of both."""
    floor = recordings.times("read-4k-floor", "read")
    return gettext(
        "1 published run of one CCX33, date not stated: %(claim_low)s (p1) to %(claim_high)s "
        "(p99). 1 run of our machine, %(day)s, %(reads)s reads: %(low)s (least) to %(high)s (p99)."
    ) % {
        "claim_low": units.latency(of.CLAT_P1_668_NS[1]),
        "claim_high": units.latency(of.READ_P99_NS[1]),
        "day": recordings.measured_on,
        "reads": f"{floor.n or 0:,}",
        "low": units.latency(floor.min_ns),
        "high": units.latency(floor.p99_ns or 0),
    }


LIES_OF_READS: Final = (
    Lie(
        anchor="668-ns",
        title=_("668 ns: artefact or cache?"),
        claim=_(
            "“fio says my VM reads in 0.7 µs, with --direct=1.” A CCX33 was measured like "
            "that: of 8 KiB random reads with 128 in flight, one in a hundred took 668 ns or "
            "less, half took 123 µs."
        ),
        truth=(
            _(
                "No, not from a disk. It can be two things. No drive of flash answers within 10 "
                "µs: one of the quickest is specified at 29 µs (Kioxia FL6), and common ones take "
                "50 and more."
            ),
            _(
                "An artefact: the figure is fio's clat, which begins when the submission has "
                "returned. What was done meanwhile is in slat. In a job that a manual prints, "
                "the least clat is 1.57 µs and the least whole latency 50 µs. With many in "
                "flight a read may be finished before its submission returns."
            ),
            _(
                "A cache: O_DIRECT passes by the page cache of this kernel and of no other. A "
                "host may answer from its memory, and a network volume from its server's. But "
                "even that has to leave the virtual machine and come back: on ours the "
                "quickest of 56,000 reads took 26 µs, which may be a cache below us, and is still "
                "nowhere near 0.7 µs."
            ),
            _(
                "So 668 ns by itself proves neither a cache nor a lie, and is no latency to "
                "count on. The 123 µs, with 128 in flight, are the figure of that disk."
            ),
        ),
        tests=(
            LieTest(
                _("Read one at a time, timed from before the call. Look at the least."),
                "./fsyncmark run . --no-upload --only read-4k-floor",
            ),
            LieTest(
                _(
                    "With fio: one in flight by plain system calls, so that nothing can be "
                    "finished early. Read lat, not clat."
                ),
                "fio --name=t --filename=t --size=1g --rw=randread --bs=8k --direct=1 "
                "--ioengine=psync --iodepth=1 --runtime=10 --time_based",
            ),
            LieTest(
                _(
                    "Read within growing areas: where small ones are quicker, a cache of about "
                    "that size answers. On our machine 64 KiB to 4 GiB took the same 60 to "
                    "65 µs: no cache of these sizes."
                ),
                "./fsyncmark run . --no-upload --suite standard --only read-4k-area-64k,"
                "read-4k-area-16m,read-4k-area-256m,read-4k-area-4g",
            ),
        ),
        unknown=_(
            "Whose memory answered, the host's or a controller's: nothing inside the machine "
            "tells. And what the quickest hundredth of the CCX33's reads were: its whole "
            "latencies were not published."
        ),
        rules=("reads-from-cache",),
        cited=(of.FRN, of.FIO_CLOCKS, of.VIRTUOZZO, of.XL_FLASH),
        draw=picture_668,
        answer=_(
            "It can be printed, but no drive reads that fast. It is an artefact of fio's clock or "
            "the answer of a cache; a local NVMe drive needs 50 µs and more."
        ),
        count=basis_668,
        sentence=_("0.7 µs beside memory, the two clocks of fio, and disks"),
    ),
    Lie(
        anchor="queue",
        title=_("12 ms for a durable write: a slow network?"),
        claim=_(
            "The same article: 8 KiB writes with an fsync each took 12.1 ms at the median. "
            "That looks like a disk far away."
        ),
        truth=(
            _(
                "128 were in flight. 10,200 a second is one every 98 µs; each of them waited "
                "in line behind 127 others, and 128 times 98 µs are 12.5 ms (Little's law)."
            ),
            _(
                "On our machine the same job took 3.97 ms at the median, and one writer alone "
                "0.105 ms on the same disk. The queue made the difference."
            ),
        ),
        tests=(
            LieTest(
                _("Multiply rate and latency. What comes out is how many were in flight."),
            ),
            LieTest(
                _("Measure one writer alone."), "./fsyncmark run . --no-upload --only commit-8k"
            ),
        ),
        unknown=_("How long one writer alone would have waited on that CCX33."),
        cited=(of.FRN,),
        draw=picture_queue,
        sentence=_("Durable writes alone and with 128 in flight"),
    ),
    Lie(
        anchor="page-cache",
        title=_("Reads from the page cache, writes into it"),
        claim=_(
            "A benchmark without O_DIRECT and without a sync: 665,459 reads a second, 57,183 "
            "writes a second by dd. Our little machine did that."
        ),
        truth=(
            _(
                "Both figures are of memory. The same reads past the page cache: 13,542 a "
                "second. The same dd with oflag=dsync: 1,948 a second, 29 times fewer. dd and "
                "hdparm -T measure the page cache unless told otherwise."
            ),
        ),
        tests=(
            LieTest(_("Make dd wait for each block."),
                 "dd if=/dev/zero of=t bs=8k count=20000 oflag=dsync"),
            LieTest(_("Read past the page cache."),
                 "fio --name=t --filename=t --size=1g --rw=randread --bs=4k --direct=1 "
                 "--ioengine=psync --runtime=10 --time_based"),
        ),
        unknown=_(
            "Whether a cache below this kernel answered: O_DIRECT says nothing about the host."
        ),
        rules=("reads-from-cache",),
        draw=picture_page_cache,
        sentence=_("Reads and writes through the page cache, and past it"),
    ),
    Lie(
        anchor="memory",
        title=_("A filesystem in memory: tmpfs, overlay"),
        claim=_("470,515 durable writes a second, fdatasync in 191 ns. On tmpfs."),
        truth=(
            _(
                "The call succeeds and does nothing, as there is nothing below it. The disk "
                "beside it took 118 µs for the same call. /tmp is often tmpfs, and so is what "
                "a container calls its disk; an overlay may lie on either."
            ),
            _(
                "The agent refuses tmpfs before it writes a byte, and notes every layer below "
                "the folder."
            ),
        ),
        tests=(LieTest(_("Ask what the folder lies on."), "findmnt -T ."),
               LieTest(_("See the whole stack, and what the agent thinks of it."),
                    "./fsyncmark doctor .")),
        unknown=_(
            "What lies below a virtual disk: the host may keep its file in memory, and the "
            "guest sees a disk."
        ),
        rules=(
            "memory-filesystem", "unflushed-host-disk", "unseen-drive", "unseen-server",
            "indirect-filesystem",
        ),
        draw=picture_memory,
        sentence=_("fdatasync in memory and on a disk"),
    ),
)  # fmt: skip
