"""What an importer gives back: figures, each with the line that it came from. Plain data."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from apps.intake.importers.limits import (
    EXCERPT_CHARACTERS_MAX,
    FIGURES_MAX,
    NAME_CHARACTERS_MAX,
    NOTES_MAX,
    PERCENTILES_MAX,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

READER_VERSION: Final = 2  # rises when the same bytes give other figures
_NAME_SYMBOLS: Final = frozenset(" _-.,:;/()[]#%+@")  # HTML and formulas need others
_FORMULA_STARTS: Final = frozenset("+-@")  # what a spreadsheet computes when a cell begins so


class UnreadableError(ValueError):
    """The bytes are no output that we read, or not a whole one; the message says what to do."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One number as a tool printed it, in the unit that its name ends in."""

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
    engine: str | None = None
    is_durable_single_writer: bool = False  # one writer, a sync after each write, nothing else
    durable_latency: str | None = None  # what the names of its durable latency begin with
    figures: dict[str, Figure] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def keep(self, name: str, figure: Figure) -> None:
        """Keep a figure. Raises UnreadableError where there is one of that name already."""
        if name in self.figures:
            raise UnreadableError(
                f"lines {self.figures[name].line} and {figure.line} both give {name} of one job: "
                "send what the tool printed, unchanged"
            )
        self.figures[name] = figure

    def leave_out_percentiles(self, prefix: str) -> None:
        """Take back what was kept of too many percentiles of one latency, and say so."""
        for name in [name for name in self.figures if name.startswith(f"{prefix}_p")]:
            del self.figures[name]
        self.note(
            f"More than {PERCENTILES_MAX} percentiles of {prefix}, which fio never prints: they "
            "are left out."
        )

    def note(self, text: str) -> None:
        """Say something to the reader of this job, once."""
        if text not in self.notes and len(self.notes) < NOTES_MAX:
            self.notes.append(text)


@dataclass(slots=True)
class Reading:
    """Everything that was understood of one file."""

    kind: str  # fio-json, fio-json+, fio-text, yabs-json, yabs-text, pg_test_fsync, pgbench
    tool: str
    tool_version: str | None
    facts: dict[str, str] = field(default_factory=dict)  # of the machine, as the tool words them
    notes: list[str] = field(default_factory=list)
    jobs: list[Job] = field(default_factory=list)

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


def as_document(reading: Reading) -> dict[str, Any]:
    """Return a reading as the JSON that the command prints and the site stores."""
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
            "io_engine": job.engine,
            "is_durable_single_writer": job.is_durable_single_writer,
            "durable_latency": job.durable_latency,
            "figures": {name: asdict(figure) for name, figure in job.figures.items()},
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


def name_of(text: str) -> str:
    """Return a stranger's word as a name: short, one line, no sign that another program acts on.

    Names are escaped wherever they are shown; this holds for whoever copies them elsewhere.
    """
    kept = "".join(c if c.isalnum() or c in _NAME_SYMBOLS else "?" for c in text.strip())
    kept = " ".join(kept.split())[:NAME_CHARACTERS_MAX]
    return f"?{kept[1:]}" if kept[:1] in _FORMULA_STARTS else kept


def in_bytes(figure: Figure) -> Figure:
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
