"""Cells: which runs stand in which, and of how many kinds each cell is.

A cell is a plan in one group of regions, or a drive family wherever it is, one kind of evidence,
and one version of one workload. Nothing here reads: all of it follows from the points, so that a
rebuild makes the same again.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from apps.rankings.models import Evidence
from apps.stats.estimate import RunPoint, estimate, homes_of_keys
from apps.stats.variants import variants_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from apps.plans.regions import Place

NOT_DATED: Final = datetime(1970, 1, 1, tzinfo=UTC)  # published without a day: older than any run
WINDOW: Final = timedelta(days=180)  # drives age, clouds renew their hosts: older runs say little


class CellSubject(StrEnum):
    """What a cell is about."""

    PLAN = "plan"
    DRIVE = "drive"


@dataclass(frozen=True, slots=True, order=True)
class BoardKey:
    """Cells that are ranked against each other. Sorted the same everywhere, as locks are taken."""

    subject: CellSubject
    evidence: str
    workload: str
    version: int

    def __str__(self) -> str:
        """Return its name, from which its draws follow: never change it."""
        return f"{self.subject}/{self.evidence}/{self.workload}/v{self.version}"


@dataclass(frozen=True, slots=True, order=True)
class CellKey:
    """The key of a cell: what it is about, the workload and the group of regions."""

    subject: CellSubject
    slug: str
    evidence: str
    workload: str
    version: int
    region_group: str = ""  # of a plan, where it is known; see apps.plans.regions

    @property
    def board(self) -> BoardKey:
        """The board that the cell is ranked on."""
        return BoardKey(self.subject, self.evidence, self.workload, self.version)

    def __str__(self) -> str:
        """Return its name as a person writes it."""
        where = f"{self.region_group}/" if self.region_group else ""
        return f"{self.subject}/{self.slug}/{where}{self.evidence}/{self.workload}/v{self.version}"


@dataclass(frozen=True, slots=True)
class SideLatency:
    """Latency percentiles of one side of a measurement, in nanoseconds."""

    latency_id: int
    p50_ns: int | None
    p99_ns: int | None
    p9999_ns: int | None


@dataclass(frozen=True, slots=True)
class CellPoint:
    """One measurement of one run that counts in a cell."""

    run_id: UUID
    run_slug: str
    at: datetime | None
    key: str  # that signed it; of a published run its source
    machine: str
    uploader: str
    is_claimed: bool
    place: Place
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
    is_illustrative: bool  # its source calls its figures a sample
    sides: dict[str, SideLatency] = field(default_factory=dict)

    @property
    def age_key(self) -> tuple[datetime, str]:
        """Sort runs by age; of undated ones and twins the slug decides."""
        return self.at or NOT_DATED, self.run_slug

    def as_run(self, value: float | None = None) -> RunPoint:
        """Return the point as statistics see it, with another figure than its rate if given."""
        return RunPoint(
            key=self.key,
            uploader=self.uploader,
            machine=self.machine,
            at=self.at or NOT_DATED,
            figure=self.rate_per_s if value is None else value,
            is_claimed=self.is_claimed,
        )


@dataclass(frozen=True, slots=True)
class VariantPoints:
    """The runs of a cell that are of one kind of storage."""

    key: CellKey
    points: tuple[CellPoint, ...]  # at least one
    n_cell_uploaders: int  # of all kinds of storage together
    variant: int = 0  # 0: the cell is of one kind; else 1 is the fastest
    n_variants: int = 1


def in_window(key: CellKey, points: Sequence[CellPoint]) -> list[CellPoint]:
    """Return the points that count: of measured ones those of the WINDOW up to the newest.

    Counted from the newest run and not from today, so that a cell that nobody measures any more
    keeps its last figures, which its newest run dates, and a rebuild makes the same again.
    """
    if not Evidence.is_judged(key.evidence):
        return list(points)
    oldest = max(point.age_key for point in points)[0] - WINDOW
    return [point for point in points if point.age_key[0] >= oldest]


def parts_of(key: CellKey, points: Sequence[CellPoint]) -> list[VariantPoints]:
    """Return the kinds of storage in a cell, fastest first: one, unless its uploaders disagree.

    Raises ValueError where there is no point.
    """
    counted = in_window(key, points)
    runs = [point.as_run() for point in counted]
    cell = estimate(runs)
    variants = dict(
        zip((each.name for each in cell.uploaders), variants_of(cell.log_figures), strict=True)
    )
    n_variants = max(int(variant) for variant in variants.values())
    if not Evidence.is_judged(key.evidence) or not n_variants:
        return [VariantPoints(key, tuple(counted), cell.n_uploaders)]
    homes = homes_of_keys(runs)
    by_variant: dict[int, list[CellPoint]] = defaultdict(list)
    for point in counted:
        by_variant[int(variants[homes[point.key]])].append(point)
    return [
        VariantPoints(key, tuple(by_variant[each]), cell.n_uploaders, each, n_variants)
        for each in sorted(by_variant)
    ]
