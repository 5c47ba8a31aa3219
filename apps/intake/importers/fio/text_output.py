"""Reads what fio prints for people, of 2.x and 3.x: the output without --output-format.

It says less than JSON: not which sync call was made, nor whether the file was opened with O_SYNC,
and most figures are rounded to three or four digits.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from apps.intake.importers import units
from apps.intake.importers.fio_command import COMMAND, agrees, block_sizes, options_of_command
from apps.intake.importers.fio_json import SYNCS, VERSION
from apps.intake.importers.fio_options import (
    DURABLE_CALLS,
    SYNCHRONOUS,
    Options,
    is_durable_single_writer,
    moves_data,
    name_sync,
)
from apps.intake.importers.limits import COMMANDS_MAX, JOBS_MAX, PERCENTILES_MAX, RUNS_MAX
from apps.intake.importers.patterns import Pattern, PatternMatch
from apps.intake.importers.reading import (
    ImportedFigure,
    ImportReading,
    Job,
    UnreadableError,
    check_figures,
    in_bytes,
    name_of,
    tidy,
)
from apps.intake.importers.text import TextLine, figure_of
from apps.runs.imported.measures import (
    FioStage,
    Side,
    Statistic,
    Timing,
    bandwidth,
    iops,
    latency,
    operations,
    percentile,
    runtime,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from apps.runs.imported.measures import ImportMeasure

JOB: Final = Pattern(
    r"(?P<name>.+?): \(groupid=(?P<group>\d{1,6}), jobs=(?P<jobs>\d{1,6})\): err= *"
    r"(?P<error>\d{1,6})(?: .*?)?(?:: pid=(?P<pid>\d{1,20}))?(?:: (?P<time>.+))?",
    having="(groupid=",
)
HEADER: Final = Pattern(
    r"(?P<name>.+?): \(g=\d+\): rw=(?P<rw>[^,]+), bs=(?P<bs>.+?), ioengine=(?P<engine>[^,]+), "
    r"iodepth=(?P<depth>\d{1,9})",
    having=": (g=",
)
_VERSION_LINE: Final = Pattern(r"fio-\d\S*", having="fio-")
_SIDE: Final = Pattern(
    r" +(?P<side>read|write|trim|mixed) *: IOPS=(?P<iops>[^,]+), BW=(?P<bw>\S+) "
    r"\((?P<again>[^)]+)\)\([^/]+/(?P<ms>\d+)msec\).*",
    having=": IOPS=",
)
_SIDE_2: Final = Pattern(
    r" +(?P<side>read|write|trim|mixed) *: io=[^,]+, bw=[^,]+, "
    r"iops=(?P<iops>[^,]+), runtime= *(?P<ms>\d+)msec.*",
    having=" iops=",
)
_STATISTICS: Final = Pattern(
    r" +(?P<what>slat|clat|lat|sync) \((?P<unit>nsec|usec|msec)\): *min= *(?P<min>[^ ]+), "
    r"max= *(?P<max>[^ ]+), avg= *(?P<mean>\S+), stdev= *(?P<stddev>\S+)",
    having="min=",
)
_RANKS: Final = Pattern(
    r" +(?P<what>clat|lat|sync) percentiles \((?P<unit>nsec|usec|msec)\):", having="percentiles ("
)
_RANK: Final = re.compile(r"(\d{1,3}\.\d{1,6})th=\[ *([^\] ]{1,40})\]")
_SYNC: Final = "fsync/fdatasync/sync_file_range:"
_ISSUED: Final = Pattern(r" +issued rwts: total=(\d+),(\d+),(\d+),(\d+) .*", having="issued rwts:")
# Releases in which the fourth count is of fsync alone, 0 after fdatasync (until af511749).
FSYNCS_COUNTED_UNTIL: Final = (3, 42)
RANKS_A_LINE_MAX: Final = 8  # fio prints four
SYNC_MEAN: Final = latency(SYNCS, Statistic.MEAN)
ROUNDED: Final = "fio rounds the figures of its text to three or four digits."


@dataclass(slots=True)
class FioTextJob:
    """The lines of one job, on their way to figures."""

    job: Job
    group: int
    jobs: int
    pid: str
    side: Side | None = None  # read, write, ..., and sync below its own heading
    ranks: tuple[Timing, float] | None = None  # what the percentiles that follow are of, in µs
    issued: tuple[ImportedFigure, ...] = ()
    shape: PatternMatch | None = None  # its header
    crowded: set[Timing] = field(default_factory=set)  # latencies of too many percentiles
    is_failed: bool = False


@dataclass(slots=True)
class Reader:
    """The state of reading: the jobs and options that earlier lines gave."""

    reading: ImportReading
    run: int = 1
    version: tuple[int, int] | None = None
    commands: list[Options] = field(default_factory=list)
    tried: int = 0  # lines that were tried as a command
    shapes: dict[str, PatternMatch | None] = field(default_factory=dict)
    parts: list[FioTextJob] = field(default_factory=list)
    is_in_jobs: bool = False


def read_fio_text(lines: Sequence[TextLine]) -> ImportReading:
    """Return what one or more outputs of fio say. Raises UnreadableError."""
    reader = Reader(ImportReading(kind="fio-text", tool="fio", tool_version=None))
    for line in lines:
        _read_line(reader, line)
    _close_run(reader)
    if reader.run > 1:
        reader.reading.note(
            f"{reader.run} outputs in one file; each is shown, in their order. Nothing says which "
            "of them was a warm-up."
        )
    return reader.reading


def _read_line(reader: Reader, line: TextLine) -> None:
    text = line.text
    if (header := HEADER.match(text)) or _VERSION_LINE.match(text):
        if reader.is_in_jobs:
            _next_run(reader)
        if header:
            name, before = header["name"], reader.shapes.get(header["name"])
            is_same = before is not None and before.groups() == header.groups()
            reader.shapes[name] = header if is_same or name not in reader.shapes else None
        else:
            _keep_version(reader, text)
    elif match := JOB.match(text):
        _begin_job(reader, match)
    elif reader.is_in_jobs:
        _read_figures(reader.parts[-1], line)
    elif reader.tried < COMMANDS_MAX and (command := COMMAND.match(text)):
        reader.tried += 1
        if (options := options_of_command(command["arguments"])) is not None:
            reader.commands.append(options)


def _keep_version(reader: Reader, text: str) -> None:
    match = VERSION.match(text)
    if match is not None:
        reader.version = int(match["major"]), int(match["minor"])
        reader.reading.tool_version = name_of(text.removeprefix("fio-"))


def _next_run(reader: Reader) -> None:
    _close_run(reader)
    if reader.run >= RUNS_MAX:
        raise UnreadableError(f"more than {RUNS_MAX} outputs in one file: send fewer")
    reader.run += 1
    reader.shapes, reader.parts, reader.is_in_jobs, reader.commands = {}, [], False, []


def _begin_job(reader: Reader, match: PatternMatch) -> None:
    if len(reader.parts) + len(reader.reading.jobs) >= JOBS_MAX:
        raise UnreadableError(f"more than {JOBS_MAX} jobs: send fewer, or group_reporting")
    check_figures(part.job for part in reader.parts)
    reader.is_in_jobs = True
    job = Job(name=name_of(match["name"]), run=reader.run)
    part = FioTextJob(job, int(match["group"]), int(match["jobs"]), match["pid"] or "")
    if match["time"]:
        reader.reading.facts["time"] = name_of(match["time"])
    shape = reader.shapes.get(match["name"])
    if shape is not None:
        _describe(part, shape)
    if int(match["error"]):
        part.is_failed = True
        job.note("fio says that this job failed: its figures are left out.")
    reader.parts.append(part)


def _describe(part: FioTextJob, shape: PatternMatch) -> None:
    job, depth = part.job, int(shape["depth"])
    job.workload, job.engine = name_of(shape["rw"]), name_of(shape["engine"])
    job.queue_depth = 1 if job.engine in SYNCHRONOUS else depth
    side = "R" if "read" in job.workload else "W" if "write" in job.workload else ""
    size = block_sizes(shape).get(side)
    # 64.0KiB is rounded: only a whole number of steps is a size that was asked for
    job.block_bytes = int(size.value) if size and size.value == int(size.value) else None
    part.shape = shape
    part.is_failed = not moves_data(job)


def _read_figures(part: FioTextJob, line: TextLine) -> None:
    text = line.text
    for pattern, read in _PATTERNS:
        if (match := pattern.match(text)) is not None:
            read(part, line, match)
            return
    if text.strip() == _SYNC:
        part.side = Side.SYNC
    elif part.ranks and text.lstrip().startswith("|"):
        _read_ranks(part, line, *part.ranks)
    elif text.startswith("Run status group"):
        part.side = None


def _read_side(part: FioTextJob, line: TextLine, match: PatternMatch) -> None:
    side, job = Side(match["side"]), part.job
    part.side, part.ranks = side, None
    _take(part, iops(side), units.read_count(match["iops"], line=line.number), line)
    job.keep(runtime(side), figure_of(line, match["ms"]))
    job.note(ROUNDED)
    first = units.read_size(match["bw"], line=line.number)
    again = units.read_size(match["again"], line=line.number)
    if first and again and first.agrees_with(again):
        job.keep(bandwidth(side), in_bytes(figure_of(line, first.digits, times=first.times)))
    else:
        job.note(
            f"Line {line.number} gives two bandwidths that do not agree, or in bits: left out."
        )


def _read_side_of_fio_2(part: FioTextJob, line: TextLine, match: PatternMatch) -> None:
    side, job = Side(match["side"]), part.job
    part.side, part.ranks = side, None
    _take(part, iops(side), units.read_count(match["iops"], line=line.number), line)
    job.keep(runtime(side), figure_of(line, match["ms"]))
    job.note(
        "fio 2 calls both 1,024 and 1,000 bytes KB (kb_base): bandwidth and block size are left "
        "out."
    )


def _read_statistics(part: FioTextJob, line: TextLine, match: PatternMatch) -> None:
    timing = _timing(part, match["what"])
    part.ranks = None
    if timing is None:
        return
    for statistic in (Statistic.MIN, Statistic.MEAN, Statistic.MAX, Statistic.STDDEV):
        printed = units.read_count(match[statistic], line=line.number)
        measure = latency(timing, statistic)
        _take(part, measure, printed, line, times=units.US_PER[match["unit"]])


def _begin_ranks(part: FioTextJob, _line: TextLine, match: PatternMatch) -> None:
    timing = _timing(part, match["what"])
    part.ranks = None
    if timing is not None and timing not in part.crowded:
        part.ranks = timing, units.US_PER[match["unit"]]


def _read_ranks(part: FioTextJob, line: TextLine, timing: Timing, times: float) -> None:
    for rank, value in _RANK.findall(line.text)[:RANKS_A_LINE_MAX]:
        part.job.keep(percentile(timing, rank), figure_of(line, value, times=times))
    if len(part.job.percentiles(timing)) > PERCENTILES_MAX:
        part.job.leave_out_percentiles(timing)
        part.crowded.add(timing)
        part.ranks = None


def _read_issued(part: FioTextJob, line: TextLine, match: PatternMatch) -> None:
    part.issued = tuple(figure_of(line, count) for count in match.groups())


_PATTERNS: Final[
    tuple[tuple[Pattern, Callable[[FioTextJob, TextLine, PatternMatch], None]], ...]
] = (
    (_SIDE, _read_side),
    (_SIDE_2, _read_side_of_fio_2),
    (_STATISTICS, _read_statistics),
    (_RANKS, _begin_ranks),
    (_ISSUED, _read_issued),
)


def _timing(part: FioTextJob, what: str) -> Timing | None:
    """Return what a latency is of: that of a sync stands below the heading of syncs alone."""
    if what == Side.SYNC:
        return SYNCS if part.side is Side.SYNC else None
    side = part.side
    return Timing(side, FioStage(what)) if side is not None and side is not Side.SYNC else None


def _take(
    part: FioTextJob,
    measure: ImportMeasure,
    printed: units.PrintedNumber | None,
    line: TextLine,
    *,
    times: float = 1,
) -> None:
    if printed is None:
        why = f"has a unit that is not read: {measure.name} is left out."
        part.job.note(f"Line {line.number} {why}")
        return
    figure = figure_of(line, printed.digits, times=printed.times)
    value = tidy(figure.value * times) if times != 1 else figure.value
    part.job.keep(measure, ImportedFigure(value, figure.line, figure.text))


def _close_run(reader: Reader) -> None:
    """Fill in what follows only from all jobs of a run."""
    parts = _last_of_each(reader)
    beside = Counter(part.group for part in parts)
    is_one = len({part.job.name for part in parts}) <= 1
    for part in parts:
        job = part.job
        job.writers = part.jobs if beside[part.group] == 1 else beside[part.group]
        if part.jobs > 1:
            job.note(f"The figures of {part.jobs} jobs together (group_reporting).")
        elif beside[part.group] > 1:
            job.note(
                f"{beside[part.group]} jobs ran side by side; these are the figures of one. "
                "Percentiles of several jobs cannot be added up."
            )
        if part.is_failed:
            job.leave_out_figures()
        else:
            _finish(part, reader.version, reader.commands if is_one else [])
        reader.reading.jobs.append(job)


def _last_of_each(reader: Reader) -> list[FioTextJob]:
    """Drop interim outputs (--status-interval): the last one of a job has all of it."""
    last = {
        (part.job.name, part.group, part.pid or place): part
        for place, part in enumerate(reader.parts)
    }
    if len(last) < len(reader.parts):
        reader.reading.note("Interim outputs of fio (--status-interval) are left out.")
    return list(last.values())


def _finish(part: FioTextJob, version: tuple[int, int] | None, commands: Sequence[Options]) -> None:
    job = part.job
    job.rename_lone_bandwidth()
    for side, figure in zip((Side.READ, Side.WRITE, Side.TRIM), part.issued, strict=False):
        if job.has(iops(side)):
            job.keep(operations(side), figure)
    _name_sync(part, version)
    command = _command_of(part, commands)
    if command is not None:
        name_sync(job, command)
        job.note("Sync and direct are those of the command line above the output.")
    if job.has(SYNC_MEAN) and job.sync in DURABLE_CALLS:
        job.durable_latency = SYNCS
    is_throttled = command if command is not None else Options({})
    job.is_durable_single_writer = is_durable_single_writer(job, is_throttled)
    if not job.figures:
        job.note("No figure of this job was understood.")


def _command_of(part: FioTextJob, commands: Sequence[Options]) -> Options | None:
    """Return the one command above an output that can be its own; says so where none is."""
    fitting = [each for each in commands if part.shape and agrees(part.job, each, part.shape)]
    if commands and not fitting:
        part.job.note("The command line above the output is not that of this job: left out.")
    if any(each != fitting[0] for each in fitting):
        part.job.note("Several command lines above the output differ: all are left out.")
        return None
    return fitting[0] if fitting else None


def _name_sync(part: FioTextJob, version: tuple[int, int] | None) -> None:
    """Tell the sync call from how many fio counts: it counts fsync, and fdatasync not."""
    job = part.job
    if not job.has(SYNC_MEAN):
        job.note("fio's text does not show O_SYNC or O_DSYNC: how durable writes were is unknown.")
        return
    can_tell = version is not None and version <= FSYNCS_COUNTED_UNTIL and part.issued
    if not can_tell:
        job.note("fio's text does not say which call synced.")
        return
    writes, syncs = part.issued[1], part.issued[3]
    if not syncs.value:
        job.sync = "fdatasync or sync_file_range"
        job.note("fio counts no fsync here, so the syncs were fdatasync or sync_file_range.")
        return
    job.sync = "fsync"
    job.keep(operations(Side.SYNC), syncs)
    is_each = part.jobs == 1 and 0 <= writes.value - syncs.value <= 1
    job.sync_every = 1 if is_each else None
