"""What each workload is called and what it does, for a reader who has not read its definition."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext, gettext_noop

from apps.runs.published.comparable import APART, OVERWRITE, WITH_METADATA
from apps.runs.published.services import published_workloads
from apps.wire.suites import find_workload, suites
from apps.words.facts import work_in_words


@dataclass(frozen=True, slots=True)
class WorkloadWords:
    """What a workload does, for a reader who has not read its definition."""

    title: str  # what a person would say
    short: str  # the same in three words at most, for a row among others
    note: str = ""  # what the name does not say


# The classes of comparable work: heading, and what it means for the reader.
COMPARABLE: Final = {
    OVERWRITE: (
        gettext_noop("Overwrite with a data sync"),
        gettext_noop("what a WAL does"),
    ),
    WITH_METADATA: (
        gettext_noop("Heavier work: each sync writes metadata too"),
        gettext_noop("not comparable with the rows above"),
    ),
    APART: (gettext_noop("Other work"), gettext_noop("comparable with nothing above")),
}

# The same on a mark of a picture; nothing of what is compared with none.
CLASS_MARKS: Final[Mapping[int, str]] = {
    OVERWRITE: gettext_noop("data"),
    WITH_METADATA: gettext_noop("+metadata"),
}

ANY_COMPARABLE: Final = (
    gettext_noop("All durable work of one writer"),
    gettext_noop("rows that write metadata too do more for each commit"),
)

HIGHEST_IN_TIME: Final = "The highest rate of arrivals that are answered in time."
WORKLOADS = {
    "commit-8k": WorkloadWords(
        "Overwrite, fdatasync: what a WAL does",
        "overwrite, fdatasync",
        "8 KiB at a time, over a fully written file of 64 MiB, by one writer.",
    ),
    "commit-8k-fsync": WorkloadWords("Overwrite, fsync", "overwrite, fsync"),
    "commit-8k-dsync": WorkloadWords("Overwrite, O_DSYNC", "overwrite, O_DSYNC"),
    "commit-8k-rwf-dsync": WorkloadWords("Overwrite, RWF_DSYNC", "overwrite, RWF_DSYNC"),
    "fallocated-8k-fsync": WorkloadWords(
        "New file, fsync (fio's default)",
        "new file, fsync",
        "8 KiB into allocated, never written blocks. On ext4 each sync commits the journal too.",
    ),
    "fallocated-2300-fdatasync": WorkloadWords("etcd's check, 2,300 bytes", "etcd's check"),
    "append-8k-fdatasync": WorkloadWords(
        "Append, fdatasync: a log that grows", "append, fdatasync"
    ),
    "doublewrite-16k-batch": WorkloadWords(
        "InnoDB's doublewrite, 64 pages",
        "InnoDB's doublewrite",
        "The pages in one write, fsync, then each in its place, fsync.",
    ),
    "direct-16k-fsync": WorkloadWords("16 KiB page, O_DIRECT, fsync", "16 KiB, fsync"),
    "direct-16k-fdatasync": WorkloadWords("16 KiB page, O_DIRECT, fdatasync", "16 KiB, fdatasync"),
    "direct-16k-nosync": WorkloadWords("16 KiB page, O_DIRECT, unsynced", "16 KiB, unsynced"),
    "direct-2m-fsync": WorkloadWords("2 MiB, O_DIRECT, fsync", "2 MiB, fsync"),
    "direct-2m-fdatasync": WorkloadWords("2 MiB, O_DIRECT, fdatasync", "2 MiB, fdatasync"),
    "direct-2m-nosync": WorkloadWords("2 MiB, O_DIRECT, unsynced", "2 MiB, unsynced"),
    "randwrite-4k-fsync": WorkloadWords(
        "Random writes, 4 KiB, fsync",
        "random writes, fsync",
        "Latency is fio's completion latency, not that of the sync.",
    ),
    "randwrite-8k-fsync-qd32x4": WorkloadWords(
        "Random writes, 8 KiB, fsync, 128 in flight", "128 in flight"
    ),
    "randwrite-4k-qd32": WorkloadWords(
        "Random writes, 4 KiB, unsynced, 32 in flight", "random writes"
    ),
    "read-4k-floor": WorkloadWords(
        "4 KiB reads, one at a time", "single reads", "Faster than flash can be: a cache answers."
    ),
    "randread-4k-qd1": WorkloadWords("Random reads, 4 KiB, one at a time", "random reads"),
    "randread-4k-qd32": WorkloadWords("Random reads, 4 KiB, 32 in flight", "random reads"),
    "randread-8k-qd32x4": WorkloadWords("Random reads, 8 KiB, 128 in flight", "8 KiB reads"),
    "seqread-256k-qd8": WorkloadWords("Sequential reads, 8 in flight", "sequential reads"),
    "seqwrite-256k-qd8": WorkloadWords(
        "Sequential writes, unsynced, 8 in flight", "sequential writes"
    ),
    "pgbench-c16": WorkloadWords("pgbench, 16 clients", "pgbench"),
    "geekbench-6": WorkloadWords("Geekbench 6", "Geekbench"),
    "innodb-fsyncs-per-write": WorkloadWords("Fsyncs a write (InnoDB)", "fsyncs a write"),
    "read-floor": WorkloadWords("Lowest read latency", "lowest read latency"),
    "hiccup": WorkloadWords(
        "Clock gaps",
        "clock gaps",
        "For how long the machine ran nothing: a part of every tail here.",
    ),
    "write-64k-zeros": WorkloadWords(
        "64 KiB zeros, fdatasync",
        "64 KiB zeros",
        "Faster than random bytes: a layer compresses or detects zeros.",
    ),
    "write-64k-random": WorkloadWords("64 KiB random bytes, fdatasync", "random bytes"),
    "sustained-write-128k-qd16": WorkloadWords(
        "Sustained writes, 32 GiB",
        "sustained writes",
        "Where the rate falls for good, a cache was full or credits were used up.",
    ),
    "precondition-128k": WorkloadWords("Preconditioning", "preconditioning"),
    "steady-randwrite-4k-qd32": WorkloadWords(
        "Steady random writes", "steady random writes", "Steady: five rounds in a row are alike."
    ),
    "slo-randread-4k-1ms": WorkloadWords(
        "Random reads, p99 under 1 ms", "reads, 1 ms", HIGHEST_IN_TIME
    ),
    "slo-randread-4k-10ms": WorkloadWords(
        "Random reads, p99 under 10 ms", "reads, 10 ms", HIGHEST_IN_TIME
    ),
    "slo-randwrite-4k-fsync-10ms": WorkloadWords(
        "Random writes, fsync, p99 under 10 ms", "writes, 10 ms", HIGHEST_IN_TIME
    ),
    "empty-flush": WorkloadWords(
        "Empty flush",
        "empty flush",
        "Not longer than the way to the device and back: a flush does no work.",
    ),
}


# Families whose names hold a number or a size, which their words repeat.
FAMILIES = {
    r"commit-8k-writers-(\d+)": WorkloadWords(
        r"Overwrite, fdatasync, \1 writers, one file", r"\1 writers"
    ),
    r"commit-8k-files-(\d+)": WorkloadWords(
        r"Overwrite, fdatasync, \1 writers, \1 files", r"\1 files"
    ),
    r"group-commit-8k-(\d+)": WorkloadWords(
        r"Group commit, \1 sessions",
        r"\1 sessions",
        "Whoever finds no flush on its way leads the next one, for all that was appended.",
    ),
    r"direct-(\d+)([km])-nosync-x(\d+)": WorkloadWords(
        r"\1 \2iB, O_DIRECT, unsynced, \3 jobs", r"\3 jobs, unsynced"
    ),
    r"direct-(\d+)([km])-(f(?:data)?sync)-x(\d+)": WorkloadWords(
        r"\1 \2iB, O_DIRECT, \3, \4 jobs", r"\4 jobs, \3"
    ),
    r"drain-(\d+)([km])": WorkloadWords(
        r"Flush after \1 \2iB", "flush", "A volatile cache takes the longer the more it holds."
    ),
    r"read-4k-area-(\d+)([kmg])": WorkloadWords(
        r"4 KiB reads over \1 \2iB",
        r"reads, \1 \2iB",
        "Where small areas are faster, a cache answers.",
    ),
    r"mix-(\d+)([km])": WorkloadWords(r"Mixed reads and writes, \1 \2iB", r"\1 \2iB mix"),
    r"mix-(\d+)([km])-read": WorkloadWords(r"Reads of a mix, \1 \2iB", "mix, reads"),
    r"mix-(\d+)([km])-write": WorkloadWords(r"Writes of a mix, \1 \2iB, unsynced", "mix, writes"),
}
SMALL_UNIT: Final = re.compile(r"\b[kmg](?=iB\b)")


def class_mark(comparable: int) -> str:
    """The class of comparable work on a mark; nothing of a class that is compared with none."""
    return gettext(CLASS_MARKS[comparable]) if comparable in CLASS_MARKS else ""


def workload_words(workload: str) -> WorkloadWords | None:
    """The words of a workload, or of its family, in the language of the page."""
    if (entry := english_words(workload)) is None:
        return None
    note = gettext(entry.note) if entry.note else ""
    return WorkloadWords(work_in_words(entry.title), work_in_words(entry.short), note)


def english_words(workload: str) -> WorkloadWords | None:
    """The words of a workload, or of its family, as translators get them."""
    if entry := WORKLOADS.get(workload):
        return entry
    for pattern, words in FAMILIES.items():
        if match := re.fullmatch(pattern, workload):
            title, short = map(match.expand, (words.title, words.short))
            return WorkloadWords(_with_units(title), _with_units(short), words.note)
    return None


def _with_units(name: str) -> str:
    return SMALL_UNIT.sub(lambda unit: unit[0].upper(), name)


def workload_title(workload: str, fallback: str = "") -> str:
    """The title of a workload; one that these pages do not know keeps the title it came with.

    Titles of published workloads are among the texts that are translated.
    """
    words = workload_words(workload)
    return words.title if words else work_in_words(fallback or workload)


def workload_short(workload: str, fallback: str = "") -> str:
    """The name of a workload in three words at most; else as `workload_title`."""
    if words := workload_words(workload):
        return words.short
    published = published_workloads().get(workload)
    return work_in_words(published["short"]) if published else fallback or workload


def known_workloads() -> Iterator[str]:
    """Yield every workload that has words of its own."""
    yield from WORKLOADS
    for suite in suites().values():
        yield from (each.id for each in suite.workloads)


def workload_note(workload: str) -> str:
    """What a workload does; empty where nothing is known beyond its title."""
    words = workload_words(workload)
    return words.note if words else ""


CALLS = {"fdatasync": "fdatasync", "fsync": "fsync", "o_dsync": "O_DSYNC", "rwf_dsync": "RWF_DSYNC"}


def call_of(workload: str, *, version: int = 1) -> str:
    """The name of the call; nothing where nothing is synced or the workload is not ours."""
    definition = find_workload(workload, version=version)
    return CALLS.get(definition.sync, "") if definition else ""
