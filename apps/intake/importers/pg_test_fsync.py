"""Reads pg_test_fsync of PostgreSQL 9.1 and newer: means of one call after another.

Each method of a section becomes a job of its own. Operations a second are kept; the microseconds
beside them are the same figure, rounded to whole ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.intake.importers.limits import JOBS_MAX, RUNS_MAX
from apps.intake.importers.patterns import Pattern, PatternMatch
from apps.intake.importers.reading import ImportReading, Job, UnreadableError
from apps.intake.importers.text import TextLine, decimal_comma, figure_of, number_of
from apps.runs.imported.measures import calls_per_s

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.runs.imported.measures import ImportMeasure

_VALUE: Final = Pattern(
    r"\s+(?P<label>\S.*?)\s+(?P<ops>[\d.,]{1,40}) ops/sec(?:\s+(?P<us>[\d.,]{1,40}) usecs/op)?",
    having=" ops/sec",
)
_NOT_AVAILABLE: Final = Pattern(r"\s+(?P<label>\S.*?)\s+n/a(?P<star>\*?)", having="n/a")
_SIZES: Final = Pattern(
    r"(?:(?P<count>\d{1,3}) \* +)?(?P<size>\d{1,4})kB open_sync writes?", having="open_sync write"
)
SIZES_KB: Final = 16  # what the writes of one operation come to; 9.1 and 9.2 print no count of them
_COMMAND: Final = Pattern(
    r".*pg_test_fsync\b.* (?:-f ?|--filename[ =])(?P<path>/\S+).*", having="pg_test_fsync"
)
_UNSYNCED: Final = Pattern("Non-[Ss]ync['\u2019]?ed .*", having="Non-")
_SECONDS: Final = Pattern(r"\d{1,9} (?:seconds?|operations) per test", having=" per test")
_BLOCK: Final = Pattern(r".*?(?P<size>\d{1,4})kB writes?:", having="kB write")
KIBIBYTE: Final = 1024
METHODS: Final = frozenset(
    {"open_datasync", "fdatasync", "fsync", "fsync_writethrough", "open_sync"}
)
# The name of each method in other tools.
_SYNC: Final = {"open_datasync": "o_dsync", "open_sync": "o_sync"}
_DESCRIPTOR_TESTS: Final = {
    "write, fsync, close": "write_fsync_close",
    "write, close, fsync": "write_close_fsync",
}
US_PER_S: Final = 1_000_000
# What PostgreSQL takes on Linux, whatever comes first in the order of preference; elsewhere the
# first that makes anything durable does.
DEFAULT: Final = "fdatasync"
FLUSHING: Final = "fsync_writethrough"
NOT_FLUSHED: Final = (
    "Not shown as durable: where there is fsync_writethrough (F_FULLFSYNC on macOS), no other call "
    "makes the drive empty its cache."
)


@dataclass(slots=True)
class SyncTest:
    """Which test the lines below a heading are of."""

    kind: str = ""  # one, two, sizes, descriptor, unsynced
    block_bytes: int | None = None


def read_pg_test_fsync(lines: Sequence[TextLine]) -> ImportReading:
    """Return what one or more outputs say. Raises UnreadableError."""
    reading = ImportReading(kind="pg_test_fsync", tool="pg_test_fsync", tool_version=None)
    reading.note("The output names neither the version of PostgreSQL nor the machine.")
    reading.note("Means only: pg_test_fsync prints no percentiles.")
    section, run, is_direct = SyncTest(), 0, None
    without_flush: set[int] = set()  # outputs of systems whose fsync leaves the drive alone
    for line in lines:
        text = line.text.lstrip()
        if _SECONDS.match(text):
            run, section, is_direct = _next_run(run), SyncTest(), None
            reading.facts["duration"] = text
        elif text.startswith(("O_DIRECT supported", "F_NOCACHE supported", "Direct I/O")):
            is_direct = not text.startswith("Direct I/O is not")
            if text.startswith("F_NOCACHE"):  # macOS
                without_flush.add(max(run, 1))
        elif text.endswith(":") and (section_of_line := _section(text)):
            section = section_of_line
        elif command := _COMMAND.match(text):
            reading.paths.add(command["path"])
        elif section.kind:
            _read_value(reading, line, section, run=max(run, 1), is_direct=is_direct)
    without_flush |= {job.run for job in reading.jobs if job.sync == FLUSHING}
    _take_back(job for job in reading.jobs if job.run in without_flush)
    if run > 1:
        reading.note(f"{run} outputs in one file; each is shown, in their order.")
    return reading


def _take_back(jobs: Iterable[Job]) -> None:
    """Show as durable only what flushed the drive, of jobs on a system that has a call for it."""
    for job in jobs:
        if job.sync not in {FLUSHING, "none"}:
            job.is_durable_single_writer = job.is_default = False
            job.note(NOT_FLUSHED)


def _next_run(run: int) -> int:
    if run >= RUNS_MAX:
        raise UnreadableError(f"more than {RUNS_MAX} outputs in one file: send fewer")
    return run + 1


def _section(text: str) -> SyncTest | None:
    size = _BLOCK.match(text)
    block = int(size["size"]) * KIBIBYTE if size else None
    for beginning, kind in (
        ("Compare file sync methods using one ", "one"),
        ("Compare file sync methods using two ", "two"),
        ("Compare open_sync with different write sizes", "sizes"),
        ("Test if fsync on non-write file descriptor is honored", "descriptor"),
    ):
        if text.startswith(beginning):
            return SyncTest(kind, block)
    return SyncTest("unsynced", block) if _UNSYNCED.match(text) else None


def _read_value(
    reading: ImportReading, line: TextLine, section: SyncTest, *, run: int, is_direct: bool | None
) -> None:
    if (missing := _NOT_AVAILABLE.match(line.text)) is not None:
        why = " on this filesystem, without O_DIRECT" if missing["star"] else " on this system"
        reading.note(f"{missing['label'][:40]} is not available{why}.")
        return
    match = _VALUE.match(line.text)
    if match is None:
        if "ops/sec" in line.text:
            raise UnreadableError(f"line {line.number}: not a line of pg_test_fsync")
        return
    if len(reading.jobs) >= JOBS_MAX:
        raise UnreadableError(f"more than {JOBS_MAX} figures: send one output")
    target = _job_of(match["label"], section, is_direct=is_direct)
    if target is None:
        reading.note(f"Line {line.number} is a test that is not known: left out.")
        return
    job, measure = target
    job.run = run
    if _agrees(match, line):
        job.keep(measure, figure_of(line, match["ops"]))
        reading.jobs.append(job)
    else:
        reading.note(f"Line {line.number}: ops/sec and usecs/op do not agree, left out.")


def _agrees(match: PatternMatch, line: TextLine) -> bool:
    """Whether the microseconds, where there are any, are the rate's own, cut or rounded."""
    if any("," in (match[name] or "") for name in ("ops", "us")):
        raise UnreadableError(decimal_comma(line.number))
    rate = number_of(match["ops"], line=line.number)
    if match["us"] is None or not rate:
        return bool(rate)
    return abs(US_PER_S / rate - number_of(match["us"], line=line.number)) <= 1


def _job_of(
    label: str, section: SyncTest, *, is_direct: bool | None
) -> tuple[Job, ImportMeasure] | None:
    """Return a job and what its figure is of, or None for a label that is not known."""
    if section.kind in {"one", "two"} and label in METHODS:
        return _method(label, section, is_direct=is_direct)
    if section.kind == "sizes" and (sizes := _SIZES.match(label)) is not None:
        size = int(sizes["size"])
        count = int(sizes["count"] or SIZES_KB // size)
        job = Job(
            name=f"open_sync, {count} x {size} kB", workload="write", sync="o_sync",
            sync_every=1, block_bytes=size * KIBIBYTE, queue_depth=1, writers=1,
            is_direct=is_direct, engine="write",
        )  # fmt: skip
        if count > 1:
            job.note(f"An operation is all {count} writes.")
        return job, calls_per_s(f"open_sync_{count}x{size}kib")
    if section.kind == "descriptor" and label in _DESCRIPTOR_TESTS:
        job = Job(name=label, workload="write", sync="fsync", queue_depth=1, writers=1)
        job.note("Each operation opens and closes the file.")
        return job, calls_per_s(_DESCRIPTOR_TESTS[label])
    if section.kind == "unsynced" and label == "write":
        job = Job(
            name="write without sync", workload="write", sync="none",
            block_bytes=section.block_bytes, queue_depth=1, writers=1, is_direct=False,
        )  # fmt: skip
        return job, calls_per_s("unsynced_write")
    return None


def _method(label: str, section: SyncTest, *, is_direct: bool | None) -> tuple[Job, ImportMeasure]:
    is_flag, is_one = label in _SYNC, section.kind == "one"
    job = Job(
        name=f"{label}, {'one write' if is_one else 'two writes'}",
        workload="write",
        sync=_SYNC.get(label, label),
        sync_every=1 if is_one or is_flag else 2,
        block_bytes=section.block_bytes,
        queue_depth=1,
        writers=1,
        is_direct=is_direct if is_flag else False,
        engine="write",
        is_durable_single_writer=is_one,
        is_default=is_one and label == DEFAULT,
    )
    if not is_one:
        job.note("An operation is two writes: not comparable with those of one.")
    return job, calls_per_s(label if is_one else f"{label}_two_writes")
