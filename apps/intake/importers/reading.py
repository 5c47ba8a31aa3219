"""What an importer gives back: figures, each with the line that it came from. Plain data."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from apps.intake.importers.limits import (
    EXCERPT_CHARACTERS_MAX,
    FIGURES_MAX,
    NAME_CHARACTERS_MAX,
    NOTES_MAX,
    PERCENTILES_MAX,
)
from apps.runs.imported.measures import BANDWIDTH, MEASURE, Metric, Statistic

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.runs.imported.measures import ImportMeasure, Timing

READER_VERSION: Final = 3  # rises when the same bytes give other figures
_NAME_SYMBOLS: Final = frozenset(" _-.,:;/()[]#%+@")  # HTML and formulas need others
_FORMULA_STARTS: Final = frozenset("+-@")  # what a spreadsheet computes when a cell begins so
# The folders of a path, which may name a person; the slash between two numbers is of a ratio.
_FOLDERS: Final = re.compile(r".*(?:[/\\](?![0-9])|(?<![0-9])[/\\])", re.DOTALL)


class UnreadableError(ValueError):
    """The bytes are no output that we read, or not a whole one; the message says what to do."""


@dataclass(frozen=True, slots=True)
class ImportedFigure:
    """One number as a tool printed it."""

    value: float  # a whole number where the tool printed one
    line: int  # counted from 1
    text: str  # of that line


@dataclass(slots=True)
class Job:
    """What one job of a benchmark did. A fact that the output does not state is None."""

    name: str
    run: int = 1  # which output of the file, counted from 1
    workload: str | None = None  # fio's rw, or what pgbench calls its transaction type
    sync: str | None = None  # none, fsync, fdatasync, o_sync, o_dsync, ...; None: not stated
    sync_every: int | None = None  # writes between two syncs
    block_bytes: int | None = None
    queue_depth: int | None = None  # operations that one job keeps in flight
    writers: int | None = None  # jobs or clients side by side
    is_direct: bool | None = None
    is_overwrite: bool = False  # its file was written before it was timed
    engine: str | None = None
    is_durable_single_writer: bool = False  # one writer, a sync after each write, nothing else
    is_default: bool = False  # what the tool's own server would do; it stands for an output first
    durable_latency: Timing | None = None  # how long a write took until it was durable
    figures: dict[str, ImportedFigure] = field(default_factory=dict)  # by the name of their measure
    measures: dict[str, ImportMeasure] = field(default_factory=dict)  # by name: what a figure is of
    notes: list[str] = field(default_factory=list)

    def keep(self, measure: ImportMeasure, figure: ImportedFigure) -> None:
        """Keep a figure. Raises UnreadableError where there is one of that name already."""
        name = measure.name
        if name in self.figures:
            raise UnreadableError(
                f"lines {self.figures[name].line} and {figure.line} both give {name} of one job: "
                "send what the tool printed, unchanged"
            )
        self.figures[name], self.measures[name] = figure, measure

    def has(self, measure: ImportMeasure) -> bool:
        """Whether there is a figure of this."""
        return measure.name in self.figures

    def leave_out(self, measure: ImportMeasure) -> ImportedFigure:
        """Take back the figure of this and return it."""
        del self.measures[measure.name]
        return self.figures.pop(measure.name)

    def rename_lone_bandwidth(self) -> None:
        """Name the bandwidth of a job that did one thing by what it is: that of the whole job."""
        bandwidths = [each for each in self.measures.values() if each.metric is Metric.BANDWIDTH]
        if len(bandwidths) == 1:
            self.keep(BANDWIDTH, self.leave_out(bandwidths[0]))

    def percentiles(self, timing: Timing) -> list[ImportMeasure]:
        """Return of which percentiles of a latency there is a figure."""
        return [
            measure
            for measure in self.measures.values()
            if measure.is_of(timing) and measure.statistic is Statistic.PERCENTILE
        ]

    def leave_out_percentiles(self, timing: Timing) -> None:
        """Take back what was kept of too many percentiles of one latency, and say so."""
        for measure in self.percentiles(timing):
            self.leave_out(measure)
        self.note(
            f"More than {PERCENTILES_MAX} percentiles of {timing.name}, which fio never prints: "
            "they are left out."
        )

    def leave_out_figures(self) -> None:
        """Take back everything that was kept."""
        self.figures.clear()
        self.measures.clear()

    def note(self, text: str) -> None:
        """Say something to the reader of this job, once."""
        if text not in self.notes and len(self.notes) < NOTES_MAX:
            self.notes.append(text)


@dataclass(slots=True)
class ImportReading:
    """Everything that was understood of one file."""

    kind: str  # fio-json, fio-json+, fio-text, yabs-json, yabs-text, pg_test_fsync, pgbench
    tool: str
    tool_version: str | None
    facts: dict[str, str] = field(default_factory=dict)  # of the machine, as the tool words them
    notes: list[str] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)
    paths: set[str] = field(default_factory=set)  # of the files that were written; never stored

    def note(self, text: str) -> None:
        """Say something to the reader of this file, once."""
        if text not in self.notes and len(self.notes) < NOTES_MAX:
            self.notes.append(text)


def check_figures(jobs: Iterable[Job]) -> None:
    """Refuse more figures than the page of a run can show. Raises UnreadableError."""
    if sum(len(job.figures) for job in jobs) > FIGURES_MAX:
        raise UnreadableError(
            f"more than {FIGURES_MAX:,} figures: send fewer jobs, or run them with group_reporting"
        )


def as_document(reading: ImportReading) -> dict[str, Any]:
    """Return a reading as the JSON that the site stores: each figure with what it is of."""
    jobs = [
        {
            "name": job.name,
            "run": job.run,
            "workload": job.workload,
            "sync": job.sync,
            "sync_every_writes": job.sync_every,
            "block_size_bytes": job.block_bytes,
            "queue_depth": job.queue_depth,
            "writers": job.writers,
            "direct": job.is_direct,
            "overwrites": job.is_overwrite,
            "io_engine": job.engine,
            "is_durable_single_writer": job.is_durable_single_writer,
            "is_default": job.is_default,
            "durable_latency": job.durable_latency.name if job.durable_latency else None,
            "figures": {
                name: {**asdict(figure), MEASURE: job.measures[name].stored()}
                for name, figure in job.figures.items()
            },
            "notes": job.notes,
        }
        for job in reading.jobs
    ]
    return {
        "kind": reading.kind,
        "tool": reading.tool,
        "tool_version": reading.tool_version,
        "reader_version": READER_VERSION,
        "facts": reading.facts,
        "notes": reading.notes,
        "jobs": jobs,
    }


def without_measures(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document as programs and people get it: figures by name, as a tool printed them."""
    jobs = [
        {
            **job,
            "figures": {
                name: {key: value for key, value in figure.items() if key != MEASURE}
                for name, figure in job["figures"].items()
            },
        }
        for job in document["jobs"]
    ]
    return {**document, "jobs": jobs}


def name_of(text: str) -> str:
    """Return a stranger's word as a name: short, one line, no sign that another program acts on.

    Names are escaped wherever they are shown; this holds for whoever copies them elsewhere.
    """
    name = "".join(c if c.isalnum() or c in _NAME_SYMBOLS else "?" for c in text.strip())
    name = " ".join(name.split())[:NAME_CHARACTERS_MAX]
    return f"?{name[1:]}" if name[:1] in _FORMULA_STARTS else name


def own_name_of(text: str) -> str:
    """Return what a stranger called a job, a script or an engine, without folders before it."""
    text = text.strip().rstrip("/\\")
    folders = _FOLDERS.match(text)
    return name_of(text[folders.end() :] if folders else text)


def in_bytes(figure: ImportedFigure) -> ImportedFigure:
    """Return a rounded size as whole bytes."""
    return replace(figure, value=round(figure.value))


def tidy(value: float) -> float:
    """Return a converted value without the dust of floating point: whole, or six decimals."""
    return int(value) if value == int(value) else round(value, 6)


def excerpt(text: str, at: int = 0) -> str:
    """Return the part of a line around a place in it, printable and short."""
    if len(text) > EXCERPT_CHARACTERS_MAX:
        first = max(0, min(at - EXCERPT_CHARACTERS_MAX // 2, len(text) - EXCERPT_CHARACTERS_MAX))
        text = text[first : first + EXCERPT_CHARACTERS_MAX]
    if not text.isprintable():
        text = "".join(c if c.isprintable() else " " for c in text)
    return text.strip()
