"""What each workload is called and what it does, for a reader who has not read its definition."""

import re
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, gettext_noop

from apps.runs.published.comparable import APART, OVERWRITE, WITH_METADATA
from apps.runs.published.services import published_workloads
from apps.wire.suites import find_workload


@dataclass(frozen=True, slots=True)
class WorkloadWords:
    """What a workload does, for a reader who has not read its definition."""

    title: str  # what a person would say
    short: str  # the same in three words at most, for a row among others
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
    APART: (gettext_noop("Other work"), gettext_noop("comparable with nothing above")),
}

ANY_COMPARABLE: Final = (
    gettext_noop("All durable work of one writer"),
    gettext_noop("rows that write metadata too do more for each commit"),
)

WORKLOADS = {
    "commit-8k": WorkloadWords(
        "Overwrite, fdatasync: what a WAL does",
        "overwrite, fdatasync",
        "A fully written file of 64 MiB is overwritten in pieces of 8 KiB through the page "
        "cache, fdatasync after each, by one writer.",
    ),
    "commit-8k-fsync": WorkloadWords(
        "Overwrite, fsync",
        "overwrite, fsync",
        "As commit-8k, with fsync: the times of the file too.",
    ),
    "commit-8k-dsync": WorkloadWords(
        "Overwrite of a file opened with O_DSYNC",
        "overwrite, O_DSYNC",
        "The file is opened with O_DSYNC: each write returns once it is durable.",
    ),
    "read-4k-floor": WorkloadWords(
        "4 KiB reads, one at a time",
        "single reads",
        "One read at a time past the page cache: how fast this device answers at all. Faster "
        "than flash can be means that a cache answers.",
    ),
    "fallocated-8k-fsync": WorkloadWords(
        "New file, fsync (fio's default)",
        "new file, fsync",
        "8 KiB through the page cache into a file that was allocated and never written. On "
        "ext4 each sync commits the journal too.",
    ),
    "direct-16k-fsync": WorkloadWords(
        "16 KiB page, O_DIRECT, fsync",
        "16 KiB, fsync",
        "fio past the page cache, fsync after each write, one job.",
    ),
    "direct-16k-fdatasync": WorkloadWords(
        "16 KiB page, O_DIRECT, fdatasync",
        "16 KiB, fdatasync",
        "fio past the page cache, fdatasync after each write, one job.",
    ),
    "direct-2m-fsync": WorkloadWords(
        "2 MiB, O_DIRECT, fsync",
        "2 MiB, fsync",
        "fio past the page cache in large blocks, fsync after each.",
    ),
    "direct-2m-fdatasync": WorkloadWords(
        "2 MiB, O_DIRECT, fdatasync",
        "2 MiB, fdatasync",
        "fio past the page cache in large blocks, fdatasync after each.",
    ),
    "randwrite-4k-fsync": WorkloadWords(
        "Random 4 KiB writes, fsync after each",
        "random write, fsync",
        "fio, O_DIRECT, one in flight. Latency is fio's completion latency, not that of the sync.",
    ),
    "commit-8k-rwf-dsync": WorkloadWords(
        "Overwrite, RWF_DSYNC on each write",
        "overwrite, RWF_DSYNC",
        "Each write asks by itself to be durable when it returns.",
    ),
    "fallocated-2300-fdatasync": WorkloadWords(
        "etcd's check, 2,300 bytes",
        "etcd's check",
        "2,300 bytes into a file that was allocated and never written. etcd's documentation "
        "asks for 99 of 100 syncs in less than 10 ms.",
    ),
    "append-8k-fdatasync": WorkloadWords(
        "Append, fdatasync: a log that grows",
        "append, fdatasync",
        "8 KiB each: the file grows with each write, so each sync makes its new size durable too.",
    ),
    "doublewrite-16k-batch": WorkloadWords(
        "InnoDB's doublewrite, 64 pages",
        "InnoDB's doublewrite",
        "The pages in one write, fsync, then each in its place, fsync.",
    ),
    "direct-16k-nosync": WorkloadWords(
        "16 KiB page, O_DIRECT, never synced",
        "16 KiB, unsynced",
        "Past the page cache, one at a time; the device may keep it in its cache.",
    ),
    "direct-2m-nosync": WorkloadWords(
        "2 MiB, O_DIRECT, never synced",
        "2 MiB, unsynced",
        "Past the page cache in large blocks, one at a time.",
    ),
    "randwrite-8k-fsync-qd32x4": WorkloadWords(
        "Random 8 KiB writes, 128 in flight, fsync",
        "128 in flight",
        "Each write waits for an fsync of its own; most of its latency is waiting in line.",
    ),
    "randread-4k-qd1": WorkloadWords(
        "Random 4 KiB reads, one at a time",
        "single random reads",
        "Past the page cache, over 4 GiB.",
    ),
    "randread-4k-qd32": WorkloadWords(
        "Random 4 KiB reads, 32 in flight", "random reads", "Past the page cache."
    ),
    "randwrite-4k-qd32": WorkloadWords(
        "Random 4 KiB writes, never synced, 32 in flight",
        "random writes",
        "Past the page cache, no sync.",
    ),
    "seqread-256k-qd8": WorkloadWords(
        "Sequential reads, 8 in flight", "sequential reads", "Past the page cache."
    ),
    "seqwrite-256k-qd8": WorkloadWords(
        "Sequential writes, never synced, 8 in flight",
        "sequential writes",
        "Past the page cache, no sync.",
    ),
    "randread-8k-qd32x4": WorkloadWords(
        "Random 8 KiB reads, 128 in flight", "8 KiB reads", "Past the page cache, four jobs."
    ),
    "mix-4k": WorkloadWords(
        "Half reads, half writes of 4 KiB", "4 KiB mix", "Half reads, half writes."
    ),
    "mix-64k": WorkloadWords(
        "Half reads, half writes of 64 KiB", "64 KiB mix", "Half reads, half writes."
    ),
    "mix-512k": WorkloadWords(
        "Half reads, half writes of 512 KiB", "512 KiB mix", "Half reads, half writes."
    ),
    "mix-1m": WorkloadWords(
        "Half reads, half writes of 1 MiB", "1 MiB mix", "Half reads, half writes."
    ),
    "mix-4k-read": WorkloadWords(
        "The reads of a 4 KiB mix",
        "mix, reads",
        "Half reads, half writes, two jobs; these are its reads.",
    ),
    "mix-4k-write": WorkloadWords(
        "The writes of a 4 KiB mix, never synced",
        "mix, writes",
        "Half reads, half writes, two jobs, no sync; these are its writes.",
    ),
    "mix-64k-read": WorkloadWords(
        "The reads of a 64 KiB mix",
        "mix, reads",
        "Half reads, half writes, two jobs; these are its reads.",
    ),
    "mix-64k-write": WorkloadWords(
        "The writes of a 64 KiB mix, never synced",
        "mix, writes",
        "Half reads, half writes, two jobs, no sync; these are its writes.",
    ),
    "mix-512k-read": WorkloadWords(
        "The reads of a 512 KiB mix",
        "mix, reads",
        "Half reads, half writes, two jobs; these are its reads.",
    ),
    "mix-512k-write": WorkloadWords(
        "The writes of a 512 KiB mix, never synced",
        "mix, writes",
        "Half reads, half writes, two jobs, no sync; these are its writes.",
    ),
    "mix-1m-read": WorkloadWords(
        "The reads of a 1 MiB mix",
        "mix, reads",
        "Half reads, half writes, two jobs; these are its reads.",
    ),
    "mix-1m-write": WorkloadWords(
        "The writes of a 1 MiB mix, never synced",
        "mix, writes",
        "Half reads, half writes, two jobs, no sync; these are its writes.",
    ),
    "pgbench-c16": WorkloadWords(
        "pgbench, 16 clients",
        "pgbench",
        "Transactions of PostgreSQL; whether its commits were durable is not printed.",
    ),
    "geekbench-6": WorkloadWords("Geekbench 6", "Geekbench", "Nothing of it asks a disk."),
    "innodb-fsyncs-per-write": WorkloadWords(
        "InnoDB: fsyncs for each data write",
        "InnoDB's fsyncs",
        "A ratio of two counters of a server.",
    ),
    "read-floor": WorkloadWords(
        "Lowest read latency",
        "quickest read",
        "The quickest read of all; nothing of the others is published.",
    ),
    "hiccup": WorkloadWords(
        "Gaps between clock readings",
        "clock gaps",
        "How long the machine lets nobody run: what every tail here holds of its own.",
    ),
    "write-64k-zeros": WorkloadWords(
        "64 KiB of zeros, fdatasync",
        "64 KiB zeros",
        "Quicker than random bytes: then a layer compresses or detects zeros.",
    ),
    "write-64k-random": WorkloadWords(
        "64 KiB of random bytes, fdatasync",
        "64 KiB random",
        "What the same with zeros is laid beside.",
    ),
    "sustained-write-128k-qd16": WorkloadWords(
        "Sequential writes until 32 GiB",
        "sustained writes",
        "Into a file that was only allocated, 16 in flight: where the rate falls for good, a "
        "cache was full or credits were used up.",
    ),
    "precondition-128k": WorkloadWords(
        "The file written twice",
        "preconditioning",
        "What a device goes through before its steady state is looked for.",
    ),
    "steady-randwrite-4k-qd32": WorkloadWords(
        "Random writes until they are steady",
        "steady writes",
        "No sync, 32 in flight: the steady state is where five rounds in a row are alike.",
    ),
    "slo-randread-4k-1ms": WorkloadWords(
        "Random reads, 99 of 100 below 1 ms",
        "reads, 1 ms",
        "The highest rate of arrivals at which reads are answered in time, past the page cache.",
    ),
    "slo-randread-4k-10ms": WorkloadWords(
        "Random reads, 99 of 100 below 10 ms",
        "reads, 10 ms",
        "The highest rate of arrivals at which reads are answered in time, past the page cache.",
    ),
    "slo-randwrite-4k-fsync-10ms": WorkloadWords(
        "Durable random writes, 99 of 100 below 10 ms",
        "writes, 10 ms",
        "The highest rate of arrivals at which durable writes are answered in time.",
    ),
    "empty-flush": WorkloadWords(
        "fdatasync with nothing to do",
        "empty flush",
        "Not longer than the way to the device and back: then a flush does no work there.",
    ),
}


# Families whose names hold a number or a size, which the title repeats.
FAMILIES = {
    r"commit-8k-writers-(\d+)": WorkloadWords(
        r"Overwrite, fdatasync, \1 writers in one file",
        r"\1 writers",
        "Each writer overwrites a part of its own of one file, fdatasync after each write.",
    ),
    r"commit-8k-files-(\d+)": WorkloadWords(
        r"Overwrite, fdatasync, \1 writers with a file each",
        r"\1 files",
        "Each writer overwrites a file of its own, fdatasync after each write.",
    ),
    r"group-commit-8k-(\d+)": WorkloadWords(
        r"Group commit of \1 sessions",
        r"\1 committers",
        "As a database does it: whoever finds no flush on its way leads the next one, and "
        "makes everything durable that was appended until then. Writes and syncs are those of"
        " groups.",
    ),
    r"direct-(\d+)([km])-nosync-x(\d+)": WorkloadWords(
        r"\1 \2iB, O_DIRECT, never synced, \3 jobs",
        r"\3 jobs, unsynced",
        "Past the page cache; the device may keep it in its cache.",
    ),
    r"direct-(\d+)([km])-(f(?:data)?sync)-x(\d+)": WorkloadWords(
        r"\1 \2iB, O_DIRECT, \3, \4 jobs",
        r"\4 jobs, \3",
        "Past the page cache, each job in a part of the file of its own.",
    ),
    r"drain-(\d+)([km])": WorkloadWords(
        r"A flush after \1 \2iB",
        "flush",
        "So many bytes past the page cache without a flush, then one fdatasync. A volatile "
        "cache takes the longer the more it holds.",
    ),
    r"read-4k-area-(\d+)([kmg])": WorkloadWords(
        r"4 KiB reads over \1 \2iB",
        "reads, area",
        "One at a time, past the page cache: where small areas are quicker, a cache answers.",
    ),
}
SMALL_UNIT = re.compile(r"\b[kmg](?=iB\b)")


def workload_words(workload: str) -> WorkloadWords | None:
    """The words of a workload, or of its family, in the language of the page."""
    if entry := WORKLOADS.get(workload):
        return WorkloadWords(gettext(entry.title), gettext(entry.short), gettext(entry.note))
    for pattern, words in FAMILIES.items():
        if match := re.fullmatch(pattern, workload):
            title = SMALL_UNIT.sub(lambda unit: unit[0].upper(), match.expand(gettext(words.title)))
            short = match.expand(gettext(words.short))
            return WorkloadWords(title, short, gettext(words.note))
    return None


def workload_title(workload: str, fallback: str = "") -> str:
    """The title of a workload; one that these pages do not know keeps the title it came with.

    Titles of published workloads are among the texts that are translated.
    """
    words = workload_words(workload)
    if words:
        return words.title
    return gettext(fallback) if fallback else workload


def workload_short(workload: str, fallback: str = "") -> str:
    """The name of a workload in three words at most; else as `workload_title`."""
    if words := workload_words(workload):
        return words.short
    published = published_workloads().get(workload)
    if published is None:
        return fallback or workload
    name: str = published["short"]
    return gettext(name)


def workload_note(workload: str) -> str:
    """What a workload does; empty where nothing is known beyond its title."""
    words = workload_words(workload)
    return words.note if words else ""


CALLS = {"fdatasync": "fdatasync", "fsync": "fsync", "o_dsync": "O_DSYNC", "rwf_dsync": "RWF_DSYNC"}


def call_of(workload: str, *, version: int = 1) -> str:
    """The name of the call; nothing where nothing is synced or the workload is not ours."""
    definition = find_workload(workload, version=version)
    return CALLS.get(definition.sync, "") if definition else ""
