"""What each workload is called and what it does, for a reader who has not read its definition."""

import re
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, gettext_noop

from apps.runs.comparable_work import ALL_ELSE, OVERWRITE, WITH_METADATA
from apps.wire.suites import find_workload


@dataclass(frozen=True, slots=True)
class WorkloadWords:
    """What a workload does, for a reader who has not read its definition."""

    title: str
    note: str


# The classes of comparable work: heading, and what it means for the reader.
COMPARABLE: Final = {
    OVERWRITE: (
        gettext_noop("Overwrite with a data sync"),
        gettext_noop("what a write-ahead log does"),
    ),
    WITH_METADATA: (
        gettext_noop("Heavier work: each sync writes metadata too"),
        gettext_noop("not comparable with the rows above"),
    ),
    ALL_ELSE: (gettext_noop("Other work"), gettext_noop("comparable with nothing above")),
}

ANY_COMPARABLE: Final = (
    gettext_noop("All durable work of one writer"),
    gettext_noop("rows that write metadata too do more for each commit"),
)

SHORT: Final = {
    "commit-8k": gettext_noop("overwrite, fdatasync"),
    "commit-8k-fsync": gettext_noop("overwrite, fsync"),
    "commit-8k-dsync": gettext_noop("overwrite, O_DSYNC"),
    "commit-8k-rwf-dsync": gettext_noop("overwrite, RWF_DSYNC"),
    "fallocated-8k-fsync": gettext_noop("preallocated, fsync"),
    "fallocated-2300-fdatasync": gettext_noop("etcd's check"),
    "append-8k-fdatasync": gettext_noop("append, fdatasync"),
    "direct-16k-fdatasync": gettext_noop("16 KiB direct, fdatasync"),
    "direct-16k-fsync": gettext_noop("16 KiB direct, fsync"),
    "randwrite-4k-fsync": gettext_noop("random write, fsync"),
}
WORKLOADS = {
    "commit-8k": WorkloadWords(
        "8 KiB overwrite + fdatasync",
        "What a write-ahead log does: a fully written 64 MiB file is overwritten through the page "
        "cache, fdatasync after each write, one writer.",
    ),
    "commit-8k-fsync": WorkloadWords(
        "8 KiB overwrite + fsync", "The same overwrite, with fsync in place of fdatasync."
    ),
    "commit-8k-dsync": WorkloadWords(
        "8 KiB overwrite, O_DSYNC",
        "The file is opened with O_DSYNC: each write returns once it is durable.",
    ),
    "read-4k-floor": WorkloadWords(
        "4 KiB random read, O_DIRECT",
        "One read at a time past the page cache: how fast this device answers at all. Faster than "
        "flash can be means that a cache answers.",
    ),
    "fallocated-8k-fsync": WorkloadWords(
        "8 KiB into unwritten extents + fsync",
        "fio, buffered, a new file that was only allocated. Slower than overwriting on ext4: each "
        "sync also commits the journal.",
    ),
    "direct-16k-fsync": WorkloadWords(
        "16 KiB O_DIRECT + fsync", "fio past the page cache, fsync after each write, one job."
    ),
    "direct-16k-fdatasync": WorkloadWords(
        "16 KiB O_DIRECT + fdatasync",
        "fio past the page cache, fdatasync after each write, one job.",
    ),
    "direct-2m-fsync": WorkloadWords(
        "2 MiB O_DIRECT + fsync", "fio past the page cache in large blocks, fsync after each."
    ),
    "direct-2m-fdatasync": WorkloadWords(
        "2 MiB O_DIRECT + fdatasync",
        "fio past the page cache in large blocks, fdatasync after each.",
    ),
    "randwrite-4k-fsync": WorkloadWords(
        "4 KiB random write + fsync",
        "fio, O_DIRECT, one in flight. Latency is fio's completion latency, not that of the sync.",
    ),
    "commit-8k-rwf-dsync": WorkloadWords(
        "8 KiB overwrite, RWF_DSYNC",
        "Each write asks by itself to be durable when it returns.",
    ),
    "fallocated-2300-fdatasync": WorkloadWords(
        "2,300 bytes into unwritten extents + fdatasync",
        "What etcd's documentation asks of a disk: 99 of 100 syncs in less than 10 ms.",
    ),
    "append-8k-fdatasync": WorkloadWords(
        "8 KiB append + fdatasync",
        "The file grows with each write, so each sync makes its new size durable too.",
    ),
    "doublewrite-16k-batch": WorkloadWords(
        "InnoDB's doublewrite, 64 pages of 16 KiB",
        "The pages in one write, fsync, then each in its place, fsync.",
    ),
    "direct-16k-nosync": WorkloadWords(
        "16 KiB O_DIRECT, no sync",
        "Past the page cache, one at a time; the device may keep it in its cache.",
    ),
    "direct-2m-nosync": WorkloadWords(
        "2 MiB O_DIRECT, no sync",
        "Past the page cache in large blocks, one at a time.",
    ),
    "randwrite-8k-fsync-qd32x4": WorkloadWords(
        "8 KiB random write + fsync, 128 in flight",
        "Each write waits for an fsync of its own; most of its latency is waiting in line.",
    ),
    "randread-4k-qd1": WorkloadWords(
        "4 KiB random read, one at a time", "Past the page cache, over 4 GiB."
    ),
    "randread-4k-qd32": WorkloadWords("4 KiB random read, 32 in flight", "Past the page cache."),
    "randwrite-4k-qd32": WorkloadWords(
        "4 KiB random write, 32 in flight", "Past the page cache, no sync."
    ),
    "seqread-256k-qd8": WorkloadWords(
        "256 KiB sequential read, 8 in flight", "Past the page cache."
    ),
    "seqwrite-256k-qd8": WorkloadWords(
        "256 KiB sequential write, 8 in flight", "Past the page cache, no sync."
    ),
    "randread-8k-qd32x4": WorkloadWords(
        "8 KiB random read, 128 in flight", "Past the page cache, four jobs."
    ),
    "mix-4k": WorkloadWords("4 KiB mix, 128 in flight", "Half reads, half writes."),
    "mix-64k": WorkloadWords("64 KiB mix, 128 in flight", "Half reads, half writes."),
    "mix-512k": WorkloadWords("512 KiB mix, 128 in flight", "Half reads, half writes."),
    "mix-1m": WorkloadWords("1 MiB mix, 128 in flight", "Half reads, half writes."),
    "mix-4k-read": WorkloadWords(
        "4 KiB mix, 128 in flight: the reads",
        "Half reads, half writes, two jobs; these are its reads.",
    ),
    "mix-4k-write": WorkloadWords(
        "4 KiB mix, 128 in flight: the writes",
        "Half reads, half writes, two jobs, no sync; these are its writes.",
    ),
    "mix-64k-read": WorkloadWords(
        "64 KiB mix, 128 in flight: the reads",
        "Half reads, half writes, two jobs; these are its reads.",
    ),
    "mix-64k-write": WorkloadWords(
        "64 KiB mix, 128 in flight: the writes",
        "Half reads, half writes, two jobs, no sync; these are its writes.",
    ),
    "mix-512k-read": WorkloadWords(
        "512 KiB mix, 128 in flight: the reads",
        "Half reads, half writes, two jobs; these are its reads.",
    ),
    "mix-512k-write": WorkloadWords(
        "512 KiB mix, 128 in flight: the writes",
        "Half reads, half writes, two jobs, no sync; these are its writes.",
    ),
    "mix-1m-read": WorkloadWords(
        "1 MiB mix, 128 in flight: the reads",
        "Half reads, half writes, two jobs; these are its reads.",
    ),
    "mix-1m-write": WorkloadWords(
        "1 MiB mix, 128 in flight: the writes",
        "Half reads, half writes, two jobs, no sync; these are its writes.",
    ),
    "pgbench-c16": WorkloadWords(
        "pgbench, TPC-B-like, scale 100, 16 clients",
        "Transactions of PostgreSQL; whether its commits were durable is not printed.",
    ),
    "geekbench-6": WorkloadWords("Geekbench 6 (processor)", "Nothing of it asks a disk."),
    "innodb-fsyncs-per-write": WorkloadWords(
        "InnoDB: fsyncs for each data write", "A ratio of two counters of a server."
    ),
    "read-floor": WorkloadWords(
        "Lowest read latency", "The quickest read of all; nothing of the others is published."
    ),
    "hiccup": WorkloadWords(
        "Gaps between clock readings",
        "How long the machine lets nobody run: what every tail here holds of its own.",
    ),
    "write-64k-zeros": WorkloadWords(
        "64 KiB of zeros + fdatasync",
        "Quicker than random bytes: then a layer compresses or detects zeros.",
    ),
    "write-64k-random": WorkloadWords(
        "64 KiB of random bytes + fdatasync", "What the same with zeros is laid beside."
    ),
    "sustained-write-128k-qd16": WorkloadWords(
        "128 KiB sequential write until 32 GiB",
        "Into a file that was only allocated, 16 in flight: where the rate falls for good, a cache "
        "was full or credits were used up.",
    ),
    "precondition-128k": WorkloadWords(
        "128 KiB sequential write, twice through the file",
        "What a device goes through before its steady state is looked for.",
    ),
    "steady-randwrite-4k-qd32": WorkloadWords(
        "4 KiB random write in rounds of 30 s",
        "No sync, 32 in flight: the steady state is where five rounds in a row are alike.",
    ),
    "slo-randread-4k-1ms": WorkloadWords(
        "4 KiB random reads, 99 of 100 below 1 ms",
        "The highest rate of arrivals at which reads are answered in time, past the page cache.",
    ),
    "slo-randread-4k-10ms": WorkloadWords(
        "4 KiB random reads, 99 of 100 below 10 ms",
        "The highest rate of arrivals at which reads are answered in time, past the page cache.",
    ),
    "slo-randwrite-4k-fsync-10ms": WorkloadWords(
        "4 KiB random write + fsync, 99 of 100 below 10 ms",
        "The highest rate of arrivals at which durable writes are answered in time.",
    ),
    "empty-flush": WorkloadWords(
        "fdatasync with nothing to do",
        "Not longer than the way to the device and back: then a flush does no work there.",
    ),
}


# Families whose names hold a number or a size, which the title repeats.
FAMILIES = {
    r"commit-8k-writers-(\d+)": WorkloadWords(
        r"8 KiB commits, \1 writers, one file",
        "Each writer overwrites a part of its own of one file, fdatasync after each write.",
    ),
    r"commit-8k-files-(\d+)": WorkloadWords(
        r"8 KiB commits, \1 writers, a file each",
        "Each writer overwrites a file of its own, fdatasync after each write.",
    ),
    r"group-commit-8k-(\d+)": WorkloadWords(
        r"Group commit, \1 committers",
        "As a database does it: whoever finds no flush on its way leads the next one, and makes "
        "everything durable that was appended until then. Writes and syncs are those of groups.",
    ),
    r"direct-(\d+)([km])-nosync-x(\d+)": WorkloadWords(
        r"\1 \2iB O_DIRECT, no sync, \3 jobs",
        "Past the page cache; the device may keep it in its cache.",
    ),
    r"direct-(\d+)([km])-(f(?:data)?sync)-x(\d+)": WorkloadWords(
        r"\1 \2iB O_DIRECT + \3, \4 jobs",
        "Past the page cache, each job in a part of the file of its own.",
    ),
    r"drain-(\d+)([km])": WorkloadWords(
        r"A flush after \1 \2iB",
        "So many bytes past the page cache without a flush, then one fdatasync. A volatile cache "
        "takes the longer the more it holds.",
    ),
    r"read-4k-area-(\d+)([kmg])": WorkloadWords(
        r"4 KiB random read over \1 \2iB",
        "One at a time, past the page cache: where small areas are quicker, a cache answers.",
    ),
}
SMALL_UNIT = re.compile(r"\b[kmg](?=iB\b)")


def workload_words(workload: str) -> WorkloadWords | None:
    """The words of a workload, or of its family, in the language of the page."""
    if entry := WORKLOADS.get(workload):
        return WorkloadWords(gettext(entry.title), gettext(entry.note))
    for pattern, words in FAMILIES.items():
        if match := re.fullmatch(pattern, workload):
            title = SMALL_UNIT.sub(lambda unit: unit[0].upper(), match.expand(gettext(words.title)))
            return WorkloadWords(title, gettext(words.note))
    return None


def workload_title(workload: str, fallback: str = "") -> str:
    """The title of a workload; one that these pages do not know keeps the title it came with."""
    words = workload_words(workload)
    return words.title if words else fallback or workload


def workload_note(workload: str) -> str:
    """What a workload does; empty where nothing is known beyond its title."""
    words = workload_words(workload)
    return words.note if words else ""


CALLS = {"fdatasync": "fdatasync", "fsync": "fsync", "o_dsync": "O_DSYNC", "rwf_dsync": "RWF_DSYNC"}


def call_of(workload: str, *, version: int = 1) -> str:
    """The name of the call; nothing where nothing is synced or the workload is not ours."""
    definition = find_workload(workload, version=version)
    return CALLS.get(definition.sync, "") if definition else ""


def workload_short(workload: str, fallback: str = "") -> str:
    """A workload in about three words, for a row among rows of other workloads."""
    short = SHORT.get(workload)
    return gettext(short) if short else workload_title(workload, fallback)
