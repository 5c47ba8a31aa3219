"""Reads what Yet-Another-Bench-Script says about disks, as JSON (-j, -w) and as text.

Its bandwidths are fio's KiB/s, which the JSON calls KBps. The text of releases before 2026-07-03
divides them by 1,000 and prints MB/s, 2.4 % low where somebody reads 10^6 bytes; later ones print
true MB/s. Nothing in it was ever synced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from apps.intake.importers.limits import JOBS_MAX, RUNS_MAX
from apps.intake.importers.numbered_json import Document, Json, items, number, part, word
from apps.intake.importers.patterns import Pattern, PatternMatch
from apps.intake.importers.reading import (
    ImportedFigure,
    ImportReading,
    Job,
    UnreadableError,
    in_bytes,
    name_of,
)
from apps.intake.importers.text import TextLine, figure_of
from apps.intake.importers.units import read_count
from apps.runs.imported.measures import BANDWIDTH, Side, bandwidth, iops

if TYPE_CHECKING:
    from collections.abc import Sequence

KIBIBYTE: Final = 1024
KILOBYTE: Final = 1000
_BLOCKS: Final = {"4k": 4096, "64k": 65_536, "512k": 524_288, "1m": 1_048_576}
_SIDES: Final = {"r": Side.READ, "w": Side.WRITE, "rw": Side.TOTAL}
_ROWS: Final = {"Read": Side.READ, "Write": Side.WRITE, "Total": Side.TOTAL}
_VERSION: Final = Pattern(r"[# ]*v(?P<version>\d{4}-\d{2}-\d{2})[# ]*", having="v20")
_BLOCK_LINE: Final = Pattern(r" *Block Size *\|(?P<cells>.*)", having="Block Size")
_BLOCK_CELL: Final = Pattern(r" *(?P<size>\d+[km]) +\(IOPS\) *", having="(IOPS)")
_ROW_LINE: Final = Pattern(r" *(?P<row>Read|Write|Total) *\|(?P<cells>.*)", having="|")
_CELL: Final = Pattern(
    r" *(?P<speed>[\d.,]{1,40}) (?P<unit>[KMG])B/s +\((?P<iops>[\d.,]{1,40}k?)\) *", having="B/s"
)
_FACT_LINE: Final = Pattern(
    r" *(?P<name>Processor|Distro|Kernel|VM Type) *: (?P<value>.+)", having=": "
)
_THOUSANDS: Final = {"K": 1, "M": 1_000, "G": 1_000_000}
DECIMAL_SINCE: Final = "2026-07-03"  # "correction for fio's kilobyte vs kibibyte", pull request 120
# Half of the 2.4 % by which KiB and KB differ.
TOLERANCE: Final = 0.012
FROM_THE_SCRIPT: Final = (
    "Depth, jobs and O_DIRECT are those of yabs.sh; its output does not state them. It never "
    "syncs, and prints no latency: it says nothing about durable commits."
)
NO_FIO: Final = (
    "YABS without results of fio: it was skipped (-f), there was no room, or it fell back to dd, "
    "whose figures are of a cache as often as of a disk"
)


def read_yabs_json(documents: Sequence[Document]) -> ImportReading:
    """Return what one or more results say. Raises UnreadableError."""
    reading = ImportReading(kind="yabs-json", tool="yabs", tool_version=None)
    reading.note(FROM_THE_SCRIPT)
    for run, document in enumerate(documents, start=1):
        root = document.root
        reading.tool_version = name_of(word(root, "version").removeprefix("v")) or None
        reading.facts = _facts(root)
        for row in items(root, "fio"):
            if len(reading.jobs) >= JOBS_MAX:
                raise UnreadableError(f"more than {JOBS_MAX} rows: send one result")
            reading.jobs.append(_row(document, row, run))
    if not reading.jobs:
        raise UnreadableError(NO_FIO)
    return reading


def read_yabs_text(lines: Sequence[TextLine]) -> ImportReading:
    """Return what one or more outputs say. Raises UnreadableError."""
    reading = ImportReading(kind="yabs-text", tool="yabs", tool_version=None)
    reading.note(FROM_THE_SCRIPT)
    reading.note("YABS cuts its figures to two decimals, and IOPS to hundreds.")
    jobs: list[Job] = []
    run, is_fio = 0, False
    for line in lines:
        if "Disk Speed Tests" in line.text or "Network Speed Tests" in line.text:
            is_fio = "fio Disk Speed Tests" in line.text
            run, jobs = run + is_fio, []
            if run > RUNS_MAX:
                raise UnreadableError(f"more than {RUNS_MAX} outputs in one file: send fewer")
        elif is_fio and (sizes := _BLOCK_LINE.match(line.text)):
            jobs = [_job(size, run) for size in _sizes(sizes["cells"], line)]
            reading.jobs += jobs
        elif is_fio and (row := _ROW_LINE.match(line.text)):
            _read_row(jobs, line, row, kilobytes=_kilobytes(reading.tool_version))
        else:
            _read_fact(reading, line)
    if not reading.jobs:
        raise UnreadableError(NO_FIO)
    return reading


def _facts(root: Json) -> dict[str, str]:
    system = part(root, "os")
    facts = {
        "time": word(root, "time"),
        "distribution": word(system, "distro"),
        "kernel": word(system, "kernel"),
        "virtualisation": word(system, "vm"),
        "processor": word(part(root, "cpu"), "model"),
        "partition": word(root, "partition"),
    }
    return {name: name_of(text) for name, text in facts.items() if text.strip()}


def _read_fact(reading: ImportReading, line: TextLine) -> None:
    if (match := _FACT_LINE.match(line.text)) is not None:
        names = {"Processor": "processor", "Distro": "distribution", "VM Type": "virtualisation"}
        reading.facts.setdefault(names.get(match["name"], "kernel"), name_of(match["value"]))
    elif reading.tool_version is None and (version := _VERSION.match(line.text)):
        reading.tool_version = version["version"]


def _job(size: str, run: int) -> Job:
    return Job(
        name=f"{size} random, half reads and half writes",
        run=run,
        workload="randrw",
        sync="none",
        block_bytes=_BLOCKS.get(size),
        queue_depth=64,
        writers=2,
        is_direct=True,
        engine="libaio",
    )


def _row(document: Document, row: object, run: int) -> Job:
    size = word(row, "bs")
    if size not in _BLOCKS:
        raise UnreadableError(f"{name_of(size)!r} is no block size of YABS")
    job = _job(size, run)
    for end, side in _SIDES.items():
        speed, count = number(row, f"speed_{end}"), number(row, f"iops_{end}")
        if speed is None or count is None:
            job.note(f"YABS gives no speed_{end} or iops_{end}: left out.")
            continue
        moved = document.figure(speed, times=KIBIBYTE)
        _keep(job, side, [moved], document.figure(count), slack=0.0)
    return job


def _sizes(cells: str, line: TextLine) -> list[str]:
    cells_matched = [_BLOCK_CELL.match(cell) for cell in cells.split("|")]
    sizes = [match["size"] for match in cells_matched if match]
    if len(sizes) != len(cells_matched) or not set(sizes) <= _BLOCKS.keys():
        raise UnreadableError(f"line {line.number}: not the block sizes of YABS")
    return sizes


def _kilobytes(version: str | None) -> tuple[int, ...]:
    """Return what "KB" can be in the text of a release, in bytes: both where it is not known."""
    if version is None:
        return KIBIBYTE, KILOBYTE
    return (KILOBYTE,) if version >= DECIMAL_SINCE else (KIBIBYTE,)


def _read_row(
    jobs: Sequence[Job], line: TextLine, row: PatternMatch, *, kilobytes: Sequence[int]
) -> None:
    cells = row["cells"].split("|")
    if len(cells) != len(jobs):
        raise UnreadableError(f"line {line.number}: not as many cells as block sizes above it")
    for job, cell in zip(jobs, cells, strict=True):
        match = _CELL.match(cell)
        printed = read_count(match["iops"], line=line.number) if match else None
        if match is None or printed is None:
            job.note(f"Line {line.number} is not a row of YABS: left out.")
            continue
        thousands = _THOUSANDS[match["unit"]]
        speeds = [
            in_bytes(figure_of(line, match["speed"], times=thousands * kilobyte))
            for kilobyte in kilobytes
        ]
        count = figure_of(line, match["iops"].rstrip("k"), times=printed.times)
        slack = printed.step / max(printed.value, 1)
        _keep(job, _ROWS[row["row"]], speeds, count, slack=slack)


def _keep(
    job: Job,
    side: Side,
    bandwidths: Sequence[ImportedFigure],
    count: ImportedFigure,
    *,
    slack: float,
) -> None:
    """Keep IOPS, and the bandwidth where it is IOPS times block size, which tells its unit.

    `bandwidths` is one figure in each unit that it can be in, and `slack` how much of the IOPS
    their last printed digit is worth. Where several units fit, nobody can say which it is.
    """
    job.keep(iops(side), count)
    moved = count.value * (job.block_bytes or 0)
    slack += TOLERANCE + 1 / max(count.value, 1)
    fitting = [each for each in bandwidths if moved and abs(each.value / moved - 1) <= slack]
    if len(fitting) == 1:
        job.keep(BANDWIDTH if side is Side.TOTAL else bandwidth(side), fitting[0])
    else:
        why = (
            "could be in KB or KiB, and no release is named"
            if fitting
            else ("is not its IOPS times the block size, in the unit that this release has")
        )
        job.note(f"Line {bandwidths[0].line}: the bandwidth {why}: left out.")
