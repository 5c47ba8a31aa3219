"""Cells: which runs stand in which, and what each cell's standing says.

A cell is a plan or a drive family, one kind of evidence, and one version of one workload. Building
a standing reads nothing: it is a function of the points, so that a rebuild makes the same again.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeVar

from apps.rankings.models import Evidence, Standing
from apps.stats.estimate import Estimate, RunPoint, estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

T = TypeVar("T")

# What a reader wants to see first of a cell: the whole commit, else its sync, else what there is.
SIDES_BY_WORTH: Final = ("commit", "sync", "read", "transaction", "completion", "write")
NOT_DATED: Final = datetime(1970, 1, 1, tzinfo=UTC)  # published without a day: older than any run
WINDOW: Final = timedelta(days=180)  # drives age, clouds renew their hosts: older runs say little
PLP_UNKNOWN: Final = "unknown"
DRIVE_NAMES_CHARACTERS_MAX: Final = 200  # the column


class Subject(StrEnum):
    """What a cell is about."""

    PLAN = "plan"
    DRIVE = "drive"


@dataclass(frozen=True, slots=True, order=True)
class CellKey:
    """Which cell. Sorted the same everywhere, so that locks are taken in one order."""

    subject: Subject
    slug: str
    evidence: str
    workload: str
    version: int


@dataclass(frozen=True, slots=True)
class Side:
    """Latency percentiles of one side of a measurement, in nanoseconds."""

    latency_id: int
    p50_ns: int | None
    p99_ns: int | None
    p9999_ns: int | None


@dataclass(frozen=True, slots=True)
class Point:
    """One measurement of one run that counts in a cell."""

    run_id: UUID
    run_slug: str
    at: datetime | None
    key: str  # that signed it; of a published run its source
    machine: str
    uploader: str
    region: str
    rate_per_s: float
    rate_per_s_low: float | None
    rate_per_s_high: float | None
    title: str
    is_durable_single_writer: bool
    drive_name: str
    plp: str
    ladder_class: str | None
    filesystem: str
    warning: str
    sides: dict[str, Side] = field(default_factory=dict)

    @property
    def age_key(self) -> tuple[datetime, str]:
        """Sort runs by age; of undated ones and twins the slug decides."""
        return self.at or NOT_DATED, self.run_slug


def in_window(key: CellKey, points: Sequence[Point]) -> list[Point]:
    """Return the points that count: of measured ones those of the WINDOW up to the newest.

    Counted from the newest run and not from today, so that a cell that nobody measures any more
    keeps its last figures, which its newest run dates, and a rebuild makes the same again.
    """
    if key.evidence != Evidence.MEASURED:
        return list(points)
    oldest = max(point.age_key for point in points)[0] - WINDOW
    return [point for point in points if point.age_key[0] >= oldest]


def standing_of(key: CellKey, points: Sequence[Point]) -> tuple[Standing, int | None]:
    """Return the standing of a cell, unsaved and without price, and the latency that draws it.

    Raises ValueError where there is no point.
    """
    cell = estimate([_run_point(point, point.rate_per_s) for point in points])
    newest = max(points, key=lambda point: point.age_key)
    low, high, interval_is = _interval(cell, points)
    side = _side_of(points)
    typical = _most_typical(points, rate_per_s=cell.rate_per_s, side=side)
    standing = Standing(
        evidence=key.evidence,
        plan_id=key.slug if key.subject is Subject.PLAN else None,
        drive_family_id=key.slug if key.subject is Subject.DRIVE else None,
        workload=key.workload,
        version=key.version,
        workload_title=newest.title,
        is_durable_single_writer=all(point.is_durable_single_writer for point in points),
        rate_per_s=cell.rate_per_s,
        rate_per_s_low=low,
        rate_per_s_high=high,
        interval_is=interval_is,
        p50_ns=_percentile(points, side, lambda latency: latency.p50_ns),
        p99_ns=_percentile(points, side, lambda latency: latency.p99_ns),
        p9999_ns=_percentile(points, side, lambda latency: latency.p9999_ns),
        latency_side=side,
        n_runs=cell.n_runs,
        n_machines=cell.n_machines,
        n_uploaders=cell.n_uploaders,
        newest_run_slug=newest.run_slug,
        warning=_warning(points),
        drive_names=_drive_names(points),
        plp=_only({point.plp for point in points}, otherwise=PLP_UNKNOWN),
        ladder_class_id=_only({point.ladder_class for point in points}, otherwise=None),
    )
    return standing, typical.sides[side].latency_id if typical else None


def region_of(points: Sequence[Point]) -> str:
    """Return the region that all runs of a cell claim, or an empty string."""
    return _only({point.region for point in points}, otherwise="")


def _run_point(point: Point, value: float) -> RunPoint:
    at = point.at or NOT_DATED
    return RunPoint(
        key=point.key,
        uploader=point.uploader,
        machine=point.machine,
        at=at,
        rate_per_s=value,
    )


def _interval(cell: Estimate, points: Sequence[Point]) -> tuple[float | None, float | None, str]:
    """Return the lowest and highest of the largest independent units that there are, and which."""
    for values, name in (
        ([value.rate_per_s for value in cell.uploaders], "uploaders"),
        ([value.rate_per_s for value in cell.machines], "machines"),
        ([point.rate_per_s for point in points], "repeats"),
    ):
        if len(values) > 1:
            return min(values), max(values), name
    low, high = points[0].rate_per_s_low, points[0].rate_per_s_high
    if low is None or high is None:
        return None, None, ""
    return low, high, "samples"


def _side_of(points: Sequence[Point]) -> str:
    """Return the most telling side with a percentile, or an empty string."""
    known = {
        name for point in points for name, side in point.sides.items() if side.p50_ns or side.p99_ns
    }
    return next((side for side in SIDES_BY_WORTH if side in known), "")


def _percentile(points: Sequence[Point], side: str, of: Callable[[Side], int | None]) -> int | None:
    """Return a latency of the cell: machine, uploader, median, as for the rate."""
    values = [
        _run_point(point, value)
        for point in points
        if side in point.sides and (value := of(point.sides[side]))
    ]
    return round(estimate(values).rate_per_s) if values else None


def _most_typical(points: Sequence[Point], *, rate_per_s: float, side: str) -> Point | None:
    """Return the run nearest to the cell's rate by factor; of equals the newest."""
    drawn = sorted((point for point in points if side in point.sides), key=lambda p: p.age_key)
    return min(
        reversed(drawn),
        key=lambda point: abs(math.log(point.rate_per_s / rate_per_s)),
        default=None,
    )


def _drive_names(points: Sequence[Point]) -> str:
    """Return the drives seen, most frequent first, as many as fit whole."""
    counts = Counter(point.drive_name for point in points if point.drive_name)
    names = ""
    for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        longer = f"{names}, {name}" if names else name
        if len(longer) > DRIVE_NAMES_CHARACTERS_MAX:
            break
        names = longer
    return names


def _warning(points: Sequence[Point]) -> str:
    """Return what a reader must know: each warning of the runs once, and mixed filesystems."""
    warnings = list(dict.fromkeys(point.warning for point in points if point.warning))
    filesystems = sorted({point.filesystem for point in points if point.filesystem})
    if len(filesystems) > 1:
        warnings.append(f"Taken over runs on {', '.join(filesystems)}.")
    return " ".join(warnings)


def _only(values: set[T], *, otherwise: T) -> T:
    return next(iter(values)) if len(values) == 1 else otherwise
