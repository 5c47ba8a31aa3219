"""Which of our workloads stand for which software, in which direction: the one table of them.

The nearest comes first. What does something else altogether is not in it: it says nothing.
"""

from typing import Final

from django.utils.translation import gettext_lazy as _

from apps.rankings.advice.verdicts import Stand, Work
from apps.wire.suites import HEADLINE_WORKLOAD

_OVERWRITE: Final = Stand(
    HEADLINE_WORKLOAD,
    _("It is the same thing: a small overwrite and one fdatasync, one after the other."),
)
_UNWRITTEN: Final = Stand(
    "fallocated-8k-fsync",
    _(
        "fsync into a file that was only allocated: on top of the overwrite each sync turns "
        "reserved blocks into written ones and commits the journal. Who passes here passes. How "
        "much more that is differs by filesystem (5.2 times on the machine of our pictures, and "
        "its ext4 has no journal to commit), so who misses stays open."
    ),
    Work.MORE,
)
# Written as two overwrites it would take twice as long at most; what was measured lies within that.
_DIRECT_16K: Final = Stand(
    "direct-16k-fdatasync",
    _(
        "16 KiB past the page cache, fdatasync after each: twice the bytes, but another way to the "
        "disk, so it cannot show a pass. It takes at most as long as two commits (1.2 times one "
        "on the machine of our pictures), so who misses by more than twice fails."
    ),
    Work.OTHER,
    times=2,
)
_DIRECT_16K_FSYNC: Final = Stand(
    "direct-16k-fsync",
    _(
        "16 KiB past the page cache, fsync after each: another way to the disk, and a sync that "
        "does more. It shows neither a pass nor a failure."
    ),
    Work.OTHER,
)

COMMITS: Final = (_OVERWRITE, _UNWRITTEN, _DIRECT_16K, _DIRECT_16K_FSYNC)
MYSQL: Final = (
    Stand("commit-8k-fsync", _("A small overwrite and one fsync, twice for each transaction.")),
    Stand(
        HEADLINE_WORKLOAD,
        _(
            "fdatasync does less than fsync. It can show that a disk is too slow, never that it is "
            "quick enough."
        ),
        Work.LESS,
    ),
    _UNWRITTEN,
    _DIRECT_16K_FSYNC,
)
ETCD: Final = (
    Stand(
        "fallocated-2300-fdatasync",
        _("It is etcd's own shape: 2,300 bytes into allocated blocks, fdatasync after each."),
    ),
    Stand(
        "fallocated-8k-fsync",
        _(
            "More bytes, and fsync in place of fdatasync. Who keeps 10 ms here keeps it for etcd; "
            "who does not may still keep it."
        ),
        Work.MORE,
    ),
    Stand(
        HEADLINE_WORKLOAD,
        _(
            "An overwrite does less work than etcd's log. It can show that a disk is too slow, "
            "never that it is quick enough."
        ),
        Work.LESS,
    ),
)
KAFKA: Final = (
    Stand("append-8k-fdatasync", _("A batch is appended and synced, and the file grows.")),
    Stand(
        HEADLINE_WORKLOAD,
        _(
            "An overwrite need not make a new size durable. It can show that a disk is too slow, "
            "never that it is quick enough."
        ),
        Work.LESS,
    ),
)
SLOG: Final = (
    Stand(
        "direct-16k-fdatasync",
        _("A block past the page cache and a flush after it: what the intent log does."),
    ),
    Stand(
        "direct-16k-fsync",
        _(
            "The same block with fsync, which also commits the journal of a filesystem that an "
            "intent log does without. Who passes here passes; who misses stays open."
        ),
        Work.MORE,
    ),
    Stand(
        HEADLINE_WORKLOAD,
        _(
            "An overwrite of 8 KiB moves half the bytes, by way of the page cache. It shows "
            "neither a pass nor a failure."
        ),
        Work.OTHER,
    ),
)
CEPH: Final = (
    Stand(
        "randwrite-4k-fsync",
        _("Small writes at random places past the page cache, each with a sync."),
    ),
    Stand(
        "direct-16k-fdatasync",
        _(
            "The same way with four times the bytes. Who passes here passes; nobody measured how "
            "much longer it takes, so who misses stays open."
        ),
        Work.MORE,
    ),
)
# In a closed loop a request waits until an earlier one was answered, which arrivals do not.
READS: Final = (
    Stand(
        "randread-4k-qd32",
        _(
            "4 KiB reads, 32 in flight all the time. It shows a rate that is reached, not how late "
            "reads are answered that arrive by themselves."
        ),
        Work.MORE,
        Work.OTHER,
    ),
    Stand(
        "randread-4k-qd1",
        _("One 4 KiB read at a time: more at once are no fewer a second, and each waits no less."),
        Work.MORE,
        Work.LESS,
    ),
)
WRITES: Final = (
    Stand(
        "randwrite-4k-fsync",
        _(
            "One durable 4 KiB write at a time: more at once are no fewer a second, and each waits "
            "no less."
        ),
        Work.MORE,
        Work.LESS,
    ),
)
SHARED_COMMITS: Final = (
    Stand("group-commit-8k-32", _("32 committers of 8 KiB that share syncs as databases do.")),
)
STREAMS: Final = (
    Stand("seqread-256k-qd8", _("256 KiB reads in sequence, 8 in flight, past the page cache.")),
)
LOOKUPS: Final = (
    Stand("randread-4k-qd1", _("One 4 KiB read at a time, at random over 4 GiB.")),
    Stand(
        "read-4k-floor",
        _(
            "The same over 1 GiB, as the quick suite does it. A cache behind the disk is "
            "likelier to hold that, so it can show a failure only."
        ),
        Work.LESS,
    ),
)


def search_of(workload: str) -> Stand:
    """A search for the highest rate under a limit: it is what is asked for."""
    return Stand(workload, _("As many a second as are answered in time."))
