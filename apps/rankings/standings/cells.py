"""Cells: which runs count in which cell, and how many kinds of storage a cell has.

A cell is a plan in one group of regions, or a drive family anywhere, with one kind of evidence and
one version of one workload. Pure: a rebuild from the same points gives the same cells.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Final

import numpy as np

from apps.rankings.models import Evidence
from apps.stats.standings.changes import find_change
from apps.stats.standings.estimate import (
    RunPoint,
    estimate,
    group,
    uploader_of_keys,
)
from apps.stats.standings.variants import variants_of
from apps.stats.standings.window import counts_from, has_enough, is_current

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from numpy.typing import NDArray

    from apps.plans.regions import Place
    from apps.stats.standings.estimate import Estimate

NOT_DATED: Final = datetime(
    1970, 1, 1, tzinfo=UTC
)  # of published runs without a day: before any run


class CellSubject(StrEnum):
    """What a cell is about."""

    PLAN = "plan"
    DRIVE = "drive"


@dataclass(frozen=True, slots=True, order=True)
class BoardKey:
    """Cells that are ranked against each other. It sorts, so that locks are taken in one order."""

    subject: CellSubject
    evidence: str
    workload: str
    version: int

    def __str__(self) -> str:
        """Return its name, which seeds the draws of its ranks: never change it."""
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
    p999_ns: int | None
    p9999_ns: int | None


@dataclass(frozen=True, slots=True)
class CellPoint:
    """One measurement of one run that counts in a cell."""

    run_id: UUID
    run_slug: str
    at: datetime | None
    key: str  # the key that signed it; of a published run its source
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
    is_doubted: bool = False  # it has a label that halves the weight of its uploader
    slowest_part_per_s: float | None = None  # None: of one part
    fastest_part_per_s: float | None = None
    sides: dict[str, SideLatency] = field(default_factory=dict)
    p99_bound_ns: int | None = None  # of a commit, by its two sides
    plan: str = ""  # slugs of what it was measured on; empty: nobody named it
    drive: str = ""
    run_point: RunPoint = field(init=False, repr=False, compare=False)  # as apps.stats takes it

    def __post_init__(self) -> None:
        """Make `run_point` once, for all that ask for it."""
        run_point = RunPoint(
            key=self.key,
            uploader=self.uploader,
            machine=self.machine,
            at=self.at or NOT_DATED,
            figure=self.rate_per_s,
            is_claimed=self.is_claimed,
            is_doubted=self.is_doubted,
        )
        object.__setattr__(self, "run_point", run_point)

    @property
    def age_key(self) -> tuple[datetime, str]:
        """The key to sort runs by age; the slug decides between equal or missing dates."""
        return self.at or NOT_DATED, self.run_slug


@dataclass(frozen=True, slots=True)
class CellChange:
    """A day from which on others measured another rate than those before. Rates a second."""

    since: date
    rate_before: float
    rate_since: float
    n_since: int  # uploaders


@dataclass(frozen=True, slots=True)
class VariantPoints:
    """The points of a cell that are of one kind of storage."""

    key: CellKey
    points: tuple[CellPoint, ...]  # at least one
    n_cell_uploaders: int  # of all kinds of storage together
    variant: int = 0  # 0: the cell is of one kind; else 1 is the fastest
    n_variants: int = 1
    is_current: bool = True  # enough of the cell is recent; else it is not ranked
    change: CellChange | None = None


def counted(key: CellKey, points: Sequence[CellPoint], *, day: date) -> list[CellPoint]:
    """Return the points that count in the standing of a day: of published ones all."""
    if not Evidence.is_judged(key.evidence):
        return list(points)
    begin = counts_from([point.run_point for point in points], day=day)
    return [point for point in points if (point.at or NOT_DATED) >= begin]


def change_of(points: Sequence[CellPoint]) -> CellChange | None:
    """Return the change that these points of one cell show, or None.

    Beside enough claimed accounts only they show one.
    """
    runs = [point.run_point for point in points]
    grouping = group(runs)
    uploader_of_key, deciders = grouping.uploader_of_key, grouping.deciding_names
    runs = [run for run in runs if uploader_of_key[run.key] in deciders]
    times: dict[str, list[float]] = defaultdict(list)
    for run in runs:
        times[uploader_of_key[run.key]].append(run.at.timestamp())
    cell = estimate(runs)
    change = find_change(
        np.array([min(times[each.name]) for each in cell.uploaders]),
        np.array([max(times[each.name]) for each in cell.uploaders]),
        cell.log_figures,
    )
    if change is None:
        return None
    since = [run for run in runs if run.at.timestamp() >= change.since]
    earlier = [run for run in runs if run.at.timestamp() < change.since]
    before, after = estimate(earlier), estimate(since)
    day = datetime.fromtimestamp(change.since, UTC).date()
    return CellChange(day, before.figure, after.figure, after.n_uploaders)


def split_by_kind(key: CellKey, points: Sequence[CellPoint], *, day: date) -> list[VariantPoints]:
    """Return the points of a cell by kind of storage, the fastest kind first; mostly there is one.

    After a change only what was measured since counts, as soon as it is enough; until then the cell
    is of one kind, because time tells its uploaders apart. Without a point there is no kind.
    """
    recent = counted(key, points, day=day)
    if not recent:
        return []
    if not Evidence.is_judged(key.evidence):
        return [_one_kind(key, recent)]
    change = change_of(recent)
    since = _since(change, recent)
    is_changing = change is not None and not has_enough([each.run_point for each in since])
    recent = recent if is_changing else since
    runs = [point.run_point for point in recent]
    is_fresh = is_current(runs, day=day)
    parts = [_one_kind(key, recent)] if is_changing else _kinds(key, recent)
    return [replace(part, is_current=is_fresh, change=change) for part in parts]


def _since(change: CellChange | None, points: Sequence[CellPoint]) -> list[CellPoint]:
    if change is None:
        return list(points)
    return [point for point in points if (point.at or NOT_DATED).date() >= change.since]


def _one_kind(key: CellKey, points: Sequence[CellPoint]) -> VariantPoints:
    uploader_of_key = uploader_of_keys([point.run_point for point in points])
    return VariantPoints(key, tuple(points), len(set(uploader_of_key.values())))


def _nearest(values: NDArray[np.float64], *, among: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return which of `among` is nearest to each value, the lower of two. (n,), (m,) -> (n,)."""
    order = np.argsort(among, kind="stable")
    ordered = among[order]
    above = np.searchsorted(ordered, values).clip(max=len(ordered) - 1)
    below = (above - 1).clip(min=0)
    is_lower = np.abs(values - ordered[below]) <= np.abs(values - ordered[above])
    return order[np.where(is_lower, below, above)]


def _variants(cell: Estimate) -> NDArray[np.int64]:
    """Return the kind of storage of each uploader: that of the nearest one who decides. (n,)."""
    values, decides = cell.log_figures, cell.decides
    kinds = variants_of(values[decides])
    nearest = _nearest(values, among=values[decides])
    each_kind: NDArray[np.int64] = kinds[nearest]
    return each_kind


def _kinds(key: CellKey, recent: Sequence[CellPoint]) -> list[VariantPoints]:
    runs = [point.run_point for point in recent]
    cell = estimate(runs)
    variants = dict(zip((each.name for each in cell.uploaders), _variants(cell), strict=True))
    n_variants = max(int(variant) for variant in variants.values())
    if not n_variants:
        return [_one_kind(key, recent)]
    uploader_of_key = uploader_of_keys(runs)
    by_variant: dict[int, list[CellPoint]] = defaultdict(list)
    for point in recent:
        by_variant[int(variants[uploader_of_key[point.key]])].append(point)
    return [
        VariantPoints(key, tuple(by_variant[each]), cell.n_uploaders, each, n_variants)
        for each in sorted(by_variant)
    ]
