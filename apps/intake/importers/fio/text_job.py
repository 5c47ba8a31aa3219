"""One job of fio's text, on its way to figures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.intake.importers.patterns import PatternMatch
    from apps.intake.importers.reading import ImportedFigure, Job
    from apps.runs.imported.measures import Side, Timing


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
