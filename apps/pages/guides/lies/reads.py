"""Lies about reads, queues and memory: 668 ns, 12 ms, the page cache, files in memory."""

from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from apps.pages.draw.axis import NS_PER_S
from apps.pages.draw.lanes import LanePoint, Lanes
from apps.pages.guides.lies import published as of
from apps.pages.guides.lies.lie import Lie, LieTest, draw_lie
from apps.pages.guides.recordings import Recordings
from apps.pages.show import units

RATE: Final = _("1 / rate")
OURS: Final = _("our machine")
LEAST: Final = _("least")
CCX33: Final = "CCX33"
MANY: Final = "iodepth=128"


def picture_668(recordings: Recordings) -> Lanes:
    """0.7 µs beside what memory, fio's two clocks and media take."""
    cached, floor = (
        recordings.times("fio-page-cache", "completion"),
        recordings.times("read-4k-floor", "read"),
    )
    return draw_lie(
        [
            LanePoint(CCX33, of.CLAT_P1_668_NS[1], quantity="clat p1",
                  is_hot=True, is_claim=True, plp="none"),
            LanePoint(_("page cache"), cached.p50_ns or 0,
                  from_ns=cached.p1_ns, to_ns=cached.p99_ns, quantity="p1\u2013p99"),
            LanePoint("clat/lat", of.VIRTUOZZO_CLAT_MIN_NS, to_ns=of.VIRTUOZZO_LAT_MIN_NS,
                  quantity=LEAST, is_claim=True, plp="none"),
            LanePoint(OURS, floor.min_ns, quantity=LEAST),
            LanePoint(_("a local NVMe drive"), of.HOME_NVME_MIN_NS[1],
                  quantity=LEAST, is_claim=True, plp="none"),
            LanePoint(OURS, floor.p50_ns or 0, to_ns=floor.p99_ns, quantity="p50"),
            LanePoint(CCX33, of.READ_P50_NS[1], to_ns=of.READ_P99_NS[1], quantity="p50",
                  is_claim=True, plp="none"),
        ]
    )  # fmt: skip


def picture_queue(recordings: Recordings) -> Lanes:
    """One disk, alone and with 128 reads in flight."""
    alone = recordings.times("commit-8k", "commit")
    many = recordings.times("randwrite-8k-fsync-qd32x4", "commit")
    per_s = recordings.figures["randwrite-8k-fsync-qd32x4"].per_s
    return draw_lie(
        [
            LanePoint(CCX33, of.WRITE_P50_NS[1], to_ns=of.WRITE_P99_NS[1],
                  quantity=MANY, is_hot=True, is_claim=True, plp="none"),
            LanePoint(CCX33, NS_PER_S / of.WRITES_PER_S[1],
                  quantity=RATE, is_claim=True, plp="none"),
            LanePoint(OURS, many.p50_ns or 0, to_ns=many.p99_ns, quantity=MANY),
            LanePoint(OURS, NS_PER_S / per_s, quantity=RATE),
            LanePoint(OURS, alone.p50_ns or 0, to_ns=alone.p99_ns, quantity="iodepth=1"),
        ]
    )  # fmt: skip


def picture_page_cache(recordings: Recordings) -> Lanes:
    """Reads and writes that end in memory, beside the same that do not."""
    cached = recordings.times("fio-page-cache", "completion")
    direct = recordings.times("fio-direct", "completion")
    plain, synced = recordings.figures["dd"].per_s, recordings.figures["dd-dsync"].per_s
    return draw_lie(
        [
            LanePoint("fio", cached.p50_ns or 0, to_ns=cached.p99_ns, is_hot=True),
            LanePoint("fio --direct=1", direct.p50_ns or 0, to_ns=direct.p99_ns),
            LanePoint("dd", NS_PER_S / plain, quantity=RATE, is_hot=True),
            LanePoint("oflag=dsync", NS_PER_S / synced, quantity=RATE),
        ]
    )


def picture_memory(recordings: Recordings) -> Lanes:
    """A sync on a filesystem in memory, and on a disk."""
    memory, disk = recordings.times("fio-tmpfs", "sync"), recordings.times("fio-disk", "sync")
    return draw_lie(
        [
            LanePoint("tmpfs", memory.p50_ns or 0, to_ns=memory.p99_ns, is_hot=True),
            LanePoint("ext4", disk.p50_ns or 0, to_ns=disk.p99_ns),
        ]
    )


def basis_668(recordings: Recordings) -> str:
    """One published run beside one of ours: n, date and interval of both."""
    floor = recordings.times("read-4k-floor", "read")
    return gettext(
        "1 published run of one CCX33, date not stated: %(claim_low)s (p1) to %(claim_high)s "
        "(p99). 1 run of ours, %(day)s, %(reads)s reads: %(low)s (least) to %(high)s (p99)."
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
        title=_("Can a disk read in 0.7 µs?"),
        claim=_(
            "A CCX33, fio with --direct=1, 128 in flight: one read in a hundred took 668 ns or "
            "less, half took 123 µs."
        ),
        says=_("No: flash takes over 10 µs, and fio's clock starts after the submission."),
        figure="26 µs",
        unit=_("the quickest of 56,000 reads, our machine"),
        truth=_(
            "fio's clat begins when the submission has returned; what came before is in slat. A "
            "manual prints a job whose least clat is 1.57 µs and least whole latency 50 µs. "
            "O_DIRECT bypasses this kernel's page cache and no other: a host or a volume's server "
            "can answer from memory, but even that takes longer: the quickest of our 56,000 reads "
            "took 26 µs. Kioxia specifies its FL6 at 29 µs; common drives take 50 and more. Count "
            "on the 123 µs."
        ),
        tests=(
            LieTest(
                _("Read one at a time, timed from before the call. Look at the least."),
                "./fsyncmark run . --no-upload --only read-4k-floor",
            ),
            LieTest(
                _("fio, one in flight by plain system calls. Read lat, not clat."),
                "fio --name=t --filename=t --size=1g --rw=randread --bs=8k --direct=1 "
                "--ioengine=psync --iodepth=1 --runtime=10 --time_based",
            ),
            LieTest(
                _(
                    "Read within growing areas: a cache answers those that fit into it. Here "
                    "64 KiB to 4 GiB took the same 60 to 65 µs."
                ),
                "./fsyncmark run . --no-upload --suite standard --only read-4k-area-64k,"
                "read-4k-area-16m,read-4k-area-256m,read-4k-area-4g",
            ),
        ),
        rules=("reads-from-cache",),
        cited=(of.FRN, of.FIO_CLOCKS, of.VIRTUOZZO, of.XL_FLASH),
        draw=picture_668,
        count=basis_668,
        n_published=1,
    ),
    Lie(
        anchor="memory",
        title=_("Can fdatasync take 191 ns?"),
        says=_("Only in memory: tmpfs has nothing below it that could be synced."),
        figure="118 µs",
        unit=_("fdatasync on the disk beside it"),
        truth=_(
            "It makes 470,515 durable writes a second. What a container calls its disk is often "
            "tmpfs, and so is /tmp. The agent refuses tmpfs, and notes every layer below it."
        ),
        tests=(LieTest("", "findmnt -T ."),
               LieTest("", "./fsyncmark doctor .")),
        rules=("memory-filesystem",),
        draw=picture_memory,
    ),
    Lie(
        anchor="queue",
        title=_("Does a durable write take 12 ms?"),
        claim=_(
            "The article on the CCX33: 8 KiB writes with an fsync each, 12.1 ms at the median."
        ),
        says=_("No: 128 were in flight, and each waited behind 127 others."),
        figure="98 µs",
        unit=_("from one write to the next, at 10,200 a second"),
        truth=_(
            "128 times 98 µs are 12.5 ms (Little's law). On our machine the same job took 3.97 ms "
            "at the median, and one writer alone 0.105 ms."
        ),
        tests=(
            LieTest(_("Multiply rate and latency: that is how many were in flight.")),
            LieTest("", "./fsyncmark run . --no-upload --only commit-8k"),
        ),
        cited=(of.FRN,),
        draw=picture_queue,
        n_published=1,
        is_ours=False,
    ),
    Lie(
        anchor="page-cache",
        title=_("Does dd write 57,183 blocks a second?"),
        says=_("Into memory: with a sync each, dd writes 29 times fewer."),
        figure="1,948 /s",
        unit="oflag=dsync",
        truth=_(
            "fio reads 665,459 a second from the page cache, 13,542 past it. dd and hdparm -T "
            "measure the page cache unless told otherwise."
        ),
        tests=(
            LieTest("",
                 "dd if=/dev/zero of=t bs=8k count=20000 oflag=dsync"),
            LieTest("",
                 "fio --name=t --filename=t --size=1g --rw=randread --bs=4k --direct=1 "
                 "--ioengine=psync --runtime=10 --time_based"),
        ),
        rules=("reads-from-cache",),
        draw=picture_page_cache,
    ),
)  # fmt: skip
