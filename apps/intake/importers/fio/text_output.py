"""Reads what fio prints for people, of 2.0 and newer: the output without --output-format.

It says less than JSON: not which sync call was made, nor whether the file was opened with O_SYNC,
and most figures are rounded to three or four digits.
"""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from apps.intake.importers import units
from apps.intake.importers.fio import older
from apps.intake.importers.fio.command import COMMAND, block_sizes, options_of_command
from apps.intake.importers.fio.json_output import SYNCS, SYNCS_TIMED_SINCE, version_of
from apps.intake.importers.fio.options import (
    DURABLE_CALLS,
    SYNCHRONOUS,
    Options,
    is_durable_single_writer,
    moves_data,
    name_sync,
)
from apps.intake.importers.fio.text_job import FioTextJob
from apps.intake.importers.fio.text_syncs import SYNC_MEAN, command_of, name_sync_of_text
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
    own_name_of,
    tidy,
)
from apps.intake.importers.samples import leave_out_percentiles_of_few
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
_VERSION_LINE: Final = Pattern(r" *(?P<version>fio-\d\S*)", having="fio-")
_SIDE: Final = Pattern(
    r" +(?P<side>read|write|trim|mixed) *: IOPS=(?P<iops>[^,]+), BW=(?P<bw>\S+) "
    r"\((?P<again>[^)]+)\)\([^/]+/(?P<ms>\d+)msec\).*",
    having=": IOPS=",
)
_STATISTICS: Final = Pattern(
    r" +(?P<what>slat|clat|lat|sync) \((?P<unit>nsec|usec|msec)\): *min= *(?P<min>\S+?) *, "
    r"max= *(?P<max>\S+?) *, avg= *(?P<mean>\S+?) *, stdev= *(?P<stddev>\S+)",
    having="min=",
)
_RANKS: Final = Pattern(
    r" +(?P<what>clat|lat|sync) percentiles \((?P<unit>nsec|usec|msec)\):", having="percentiles ("
)
_RANK: Final = re.compile(r"(\d{1,3}\.\d{1,6})th=\[ *([^\] ]{1,40})\]")
_SYNC: Final = "fsync/fdatasync/sync_file_range:"
_ISSUED: Final = Pattern(r" +issued rwts: total=(\d+),(\d+),(\d+),(\d+) .*", having="issued rwts:")
_ISSUED_UNTIL_3_3: Final = Pattern(r" +issued rwt: total=(\d+),(\d+),(\d+), .*", having=" rwt: ")
RANKS_A_LINE_MAX: Final = 8  # fio prints four
ROUNDED: Final = "fio rounds the figures of its text to three or four digits."


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

    @property
    def awaits_version(self) -> bool:
        """Whether only headers came so far: the line of the version follows."""
        return bool(self.shapes) and not self.is_in_jobs and self.version is None


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
    if header := HEADER.match(text):
        _begin_output(reader)
        name, before = header["name"], reader.shapes.get(header["name"])
        is_same = before is not None and before.groups() == header.groups()
        reader.shapes[name] = header if is_same or name not in reader.shapes else None
    elif version := _VERSION_LINE.match(text):
        _begin_output(reader)
        _keep_version(reader, version["version"])
    elif reader.awaits_version and (version := older.VERSION_ALONE.match(text)):
        _keep_version(reader, version["version"])
    elif match := JOB.match(text):
        _begin_job(reader, match)
    elif reader.is_in_jobs:
        _read_figures(reader.parts[-1], line)
    elif reader.tried < COMMANDS_MAX and (command := COMMAND.match(text)):
        reader.tried += 1
        if (options := options_of_command(command["arguments"])) is not None:
            reader.commands.append(options)


def _begin_output(reader: Reader) -> None:
    """Begin another output where the one before it had jobs already."""
    if reader.is_in_jobs:
        _next_run(reader)


def _keep_version(reader: Reader, text: str) -> None:
    with contextlib.suppress(UnreadableError):  # then what depends on it stays unknown
        reader.version = version_of(text)
        reader.reading.tool_version = name_of(text.removeprefix("fio-"))


def _next_run(reader: Reader) -> None:
    _close_run(reader)
    if reader.run >= RUNS_MAX:
        raise UnreadableError(f"more than {RUNS_MAX} outputs in one file: send fewer")
    reader.run += 1
    reader.shapes, reader.parts, reader.is_in_jobs, reader.commands = {}, [], False, []
    reader.version = None


def _begin_job(reader: Reader, match: PatternMatch) -> None:
    if len(reader.parts) + len(reader.reading.jobs) >= JOBS_MAX:
        raise UnreadableError(f"more than {JOBS_MAX} jobs: send fewer, or group_reporting")
    check_figures(part.job for part in reader.parts)
    reader.is_in_jobs = True
    job = Job(name=own_name_of(match["name"]), run=reader.run)
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
    job.workload, job.engine = name_of(shape["rw"]), own_name_of(shape["engine"])
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
    rate = units.read_count(match["iops"], line=line.number)
    _take(part, iops(side), rate, line)
    job.keep(runtime(side), figure_of(line, match["ms"]))
    job.note(ROUNDED)
    first = units.read_size(match["bw"], line=line.number)
    again = units.read_size(match["again"], line=line.number)
    moved = first and again and _bandwidth_of(first, again, rate=rate, block=_block(part, side))
    if moved:
        job.keep(bandwidth(side), in_bytes(figure_of(line, moved.digits, times=moved.times)))
    else:
        job.note(
            f"Line {line.number} gives two bandwidths that do not agree, or in bits: left out."
        )


def _bandwidth_of(
    first: units.PrintedNumber,
    again: units.PrintedNumber,
    *,
    rate: units.PrintedNumber | None,
    block: units.PrintedNumber | None,
) -> units.PrintedNumber | None:
    """Return the one of two bandwidths that is right: 2.17 and its like err behind the point."""
    if first.agrees_with(again):
        return first
    if rate is None or block is None:
        return None
    moved = units.PrintedNumber("", 1, rate.value * block.value, rate.step * block.value)
    fitting = [each for each in (first, again) if each.agrees_with(moved)]
    return fitting[0] if len(fitting) == 1 else None


def _block(part: FioTextJob, side: Side) -> units.PrintedNumber | None:
    """Return the block size of a side by the header of the job, where it has one size."""
    return block_sizes(part.shape).get(side[0].upper()) if part.shape else None


def _read_older_side(part: FioTextJob, line: TextLine, match: PatternMatch) -> None:
    side, job = Side(match["side"]), part.job
    part.side, part.ranks = side, None
    rate = units.read_count(match["iops"], line=line.number)
    _take(part, iops(side), rate, line)
    job.keep(runtime(side), figure_of(line, match["ms"]))
    job.note(ROUNDED)
    moved = older.bandwidth_figure(line, match["bw"], iops=rate, block=_block(part, side))
    if moved is None:
        job.note(older.UNCERTAIN_BANDWIDTH)
    else:
        job.keep(bandwidth(side), moved)


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
    (older.SIDE, _read_older_side),
    (_STATISTICS, _read_statistics),
    (_RANKS, _begin_ranks),
    (_ISSUED, _read_issued),
    (_ISSUED_UNTIL_3_3, _read_issued),
    (older.ISSUED, _read_issued),
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
            commands = reader.commands if is_one else []
            _finish(part, reader.version, commands, paths=reader.reading.paths)
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


def _finish(
    part: FioTextJob,
    version: tuple[int, int] | None,
    commands: Sequence[Options],
    *,
    paths: set[str],
) -> None:
    job = part.job
    if not job.figures:
        job.note("No figure of this job was understood: send what fio printed, unchanged.")
        return
    job.rename_lone_bandwidth()
    for side, figure in zip((Side.READ, Side.WRITE, Side.TRIM), part.issued, strict=False):
        if job.has(iops(side)):
            job.keep(operations(side), figure)
    times_syncs = version is None or version >= SYNCS_TIMED_SINCE
    name_sync_of_text(part, version, times_syncs=times_syncs)
    command = command_of(part, commands, times_syncs=times_syncs)
    if command is not None:
        paths |= command.paths
        name_sync(job, command)
        job.note("Sync and direct are those of the command line above the output.")
    leave_out_percentiles_of_few(job)
    if job.has(SYNC_MEAN) and job.sync in DURABLE_CALLS:
        job.durable_latency = SYNCS
    is_throttled = command if command is not None else Options({})
    job.is_durable_single_writer = is_durable_single_writer(job, is_throttled)
