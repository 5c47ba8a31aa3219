"""What the standing of a cell says: a row that is not saved yet, made from points alone."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from apps.plans.regions import Place, common_place
from apps.rankings.cells import CellKey, CellPoint, CellSubject, SideLatency, VariantPoints
from apps.rankings.method_version import METHOD_VERSION
from apps.rankings.models import Evidence, Standing
from apps.runs.sides import STANDING_SIDES
from apps.stats.estimate import Estimate, counted_places, estimate, homes_of_keys
from apps.stats.gates import needs_runs
from apps.stats.interval import median_interval
from apps.stats.outliers import modified_z, outliers
from apps.stats.shrinkage import spread_of
from apps.stats.weights import effective_number
from apps.wire.suites import p99_limit_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from uuid import UUID

T = TypeVar("T")

PLP_UNKNOWN: Final = "unknown"
# Of one machine: a day of many runs has no more to say than its newest, and each is read whole.
HISTOGRAMS_A_DAY_MAX: Final = 8
DRIVE_NAMES_CHARACTERS_MAX: Final = 200  # the column


@dataclass(frozen=True, slots=True)
class UploaderWeight:
    """One uploader: its weight, and the latencies that its runs brought."""

    weight: float
    latency_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A standing that is not saved, and what is still to be read for it."""

    key: CellKey
    standing: Standing
    points: tuple[CellPoint, ...]
    outliers: frozenset[UUID]  # runs of uploaders that lie far from the others
    scores: dict[UUID, float]  # modified z of each run's uploader, 0 of those not flagged
    voices: tuple[UploaderWeight, ...]  # for the pooled curve
    typical_latency_id: int | None  # drawn where no run has a histogram


def draft_of(part: VariantPoints) -> Draft:
    """Return what the standing of a part says, without price, curve and rank."""
    key, points = part.key, part.points
    cell = estimate([point.as_run_point() for point in points])
    is_measured = Evidence.is_judged(key.evidence)
    # Of a search the passes together, the overloaded ones included, would be no latency.
    is_search = p99_limit_of(key.workload, version=key.version) is not None
    side = "" if is_search else _side_of(points)
    far = _far_uploaders(cell) if is_measured else {}
    homes = homes_of_keys([point.as_run_point() for point in points])
    standing = _described(part, _standing(part, cell, side=side))
    standing.n_flagged = len(far)
    _set_interval(standing, cell, points, is_measured=is_measured)
    if is_measured:
        _set_p99_interval(standing, points)
        _set_evidence(standing, cell)
    typical = _most_typical(points, rate_per_s=cell.figure, side=side)
    return Draft(
        key=key,
        standing=standing,
        points=points,
        outliers=frozenset(point.run_id for point in points if homes[point.key] in far),
        scores={point.run_id: far.get(homes[point.key], 0.0) for point in points},
        voices=_voices(cell, points, homes=dict(homes), side=side),
        typical_latency_id=typical.sides[side].latency_id if typical else None,
    )


def place_of_all(points: Sequence[CellPoint]) -> Place:
    """Return the smallest place in which all machines of a cell stand, as far as is known."""
    return common_place(point.place for point in points)


def _standing(part: VariantPoints, cell: Estimate, *, side: str) -> Standing:
    key, points = part.key, part.points
    return Standing(
        evidence=key.evidence,
        plan_id=key.slug if key.subject is CellSubject.PLAN else None,
        drive_family_id=key.slug if key.subject is CellSubject.DRIVE else None,
        workload=key.workload,
        version=key.version,
        region_group=key.region_group,
        variant=part.variant,
        n_variants=part.n_variants,
        rate_per_s=cell.figure,
        p50_ns=_percentile(points, side, lambda latency: latency.p50_ns),
        p99_ns=_percentile(points, side, lambda latency: latency.p99_ns),
        p9999_ns=_percentile(points, side, lambda latency: latency.p9999_ns),
        latency_side=side,
        n_runs=cell.n_runs,
        n_machines=cell.n_machines,
        n_uploaders=cell.n_uploaders,
        n_cell_uploaders=part.n_cell_uploaders,
        method_version=METHOD_VERSION,
    )


def _described(part: VariantPoints, standing: Standing) -> Standing:
    """Set what a reader is told beside the figures, and return the same standing."""
    points = part.points
    newest = max(points, key=lambda point: point.age_key)
    standing.workload_title = newest.title
    standing.newest_run_slug = newest.run_slug
    standing.is_durable_single_writer = all(point.is_durable_single_writer for point in points)
    standing.warnings = list(dict.fromkeys(point.warning for point in points if point.warning))
    filesystems = _filesystems(points)
    standing.filesystems = filesystems if len(filesystems) > 1 else []
    standing.is_illustrative = any(point.is_illustrative for point in points)
    standing.drive_names = _drive_names(points)
    standing.plp = _only({point.plp for point in points}, otherwise=PLP_UNKNOWN)
    standing.ladder_class_id = _only({point.ladder_class for point in points}, otherwise=None)
    return standing


def _set_evidence(standing: Standing, cell: Estimate) -> None:
    """Set how much a measured standing rests on, and whether that is enough to be ranked."""
    standing.is_anonymous = cell.is_anonymous
    standing.n_effective = effective_number(np.array(cell.weights))
    standing.spread_ln = spread_of(cell.log_figures)
    standing.needs_runs = needs_runs(n_uploaders=cell.n_uploaders, n_machines=cell.n_machines)
    if standing.needs_runs:
        standing.points = sorted((each.figure for each in cell.uploaders), reverse=True)


def _set_interval(
    standing: Standing, cell: Estimate, points: Sequence[CellPoint], *, is_measured: bool
) -> None:
    """Set the interval over the largest independent units that there are, and which they are."""
    rates = [each.figure for each in cell.uploaders]
    interval = median_interval(rates, estimate=cell.figure) if is_measured else None
    if interval is not None:
        standing.rate_per_s_low, standing.rate_per_s_high = interval.low, interval.high
        standing.interval_is, standing.coverage = "uploaders", interval.coverage
        return
    is_mixed = len(_filesystems(points)) > 1
    for values, name in (
        (rates, "uploaders"),
        ([each.figure for each in cell.machines], "machines"),
        ([point.rate_per_s for point in points], "filesystems" if is_mixed else "repeats"),
    ):
        if len(values) > 1:
            standing.rate_per_s_low, standing.rate_per_s_high = min(values), max(values)
            standing.interval_is = name
            return
    low, high = points[0].rate_per_s_low, points[0].rate_per_s_high
    if low is not None and high is not None:
        standing.rate_per_s_low, standing.rate_per_s_high = low, high
        standing.interval_is = "samples"


def _set_p99_interval(standing: Standing, points: Sequence[CellPoint]) -> None:
    """Set the interval of p99: that of the median of the uploaders' own, as of the rate.

    Only where every uploader has a p99, so that it has the coverage of the rate.
    """
    cell = _latency_of(points, standing.latency_side, lambda latency: latency.p99_ns)
    if cell is None or cell.n_uploaders != standing.n_uploaders:
        return
    values = [each.figure for each in cell.uploaders]
    interval = median_interval(values, estimate=cell.figure)
    if interval is not None:
        standing.p99_low_ns, standing.p99_high_ns = round(interval.low), round(interval.high)


def _far_uploaders(cell: Estimate) -> dict[str, float]:
    """Return the modified z-score of each uploader that lies far from the others."""
    values = cell.log_figures
    scores = modified_z(values).tolist()
    return {
        each.name: score
        for each, score, is_far in zip(cell.uploaders, scores, outliers(values), strict=True)
        if is_far
    }


def _voices(
    cell: Estimate, points: Sequence[CellPoint], *, homes: dict[str, str], side: str
) -> tuple[UploaderWeight, ...]:
    """Return the histograms of the runs that the rate rests on, by uploader."""
    latencies: dict[str, list[int]] = defaultdict(list)
    sided = [point for point in points if side in point.sides]
    for day in counted_places([point.as_run_point() for point in sided]):
        for place in day[:HISTOGRAMS_A_DAY_MAX]:
            point = sided[place]
            latencies[homes[point.key]].append(point.sides[side].latency_id)
    return tuple(
        UploaderWeight(weight, tuple(latencies[each.name]))
        for each, weight in zip(cell.uploaders, cell.weights, strict=True)
        if latencies[each.name]
    )


def _side_of(points: Sequence[CellPoint]) -> str:
    """Return the most telling side with a percentile, or an empty string."""
    known = {
        name for point in points for name, side in point.sides.items() if side.p50_ns or side.p99_ns
    }
    return next((side for side in STANDING_SIDES if side in known), "")


def _percentile(
    points: Sequence[CellPoint], side: str, of: Callable[[SideLatency], int | None]
) -> int | None:
    """Return a latency of the cell in nanoseconds, that of its middle uploader."""
    cell = _latency_of(points, side, of)
    return None if cell is None else round(cell.figure)


def _latency_of(
    points: Sequence[CellPoint], side: str, of: Callable[[SideLatency], int | None]
) -> Estimate | None:
    """Return a latency of the cell: machine, uploader, weighted median, as for the rate.

    Its figure is nanoseconds. None unless every run with this side has it: short runs have no
    p99.99, and one of the long runs alone could lie below the p99 of all.
    """
    sided = [point for point in points if side in point.sides]
    values = [point.as_run_point(value) for point in sided if (value := of(point.sides[side]))]
    return estimate(values) if values and len(values) == len(sided) else None


def _most_typical(points: Sequence[CellPoint], *, rate_per_s: float, side: str) -> CellPoint | None:
    """Return the run nearest to the cell's rate by factor; of equals the newest."""
    drawn = sorted((point for point in points if side in point.sides), key=lambda p: p.age_key)
    return min(
        reversed(drawn),
        key=lambda point: abs(math.log(point.rate_per_s / rate_per_s)),
        default=None,
    )


def _drive_names(points: Sequence[CellPoint]) -> str:
    """Return the drives seen, most frequent first, as many as fit whole."""
    counts = Counter(point.drive_name for point in points if point.drive_name)
    names = ""
    for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        longer = f"{names}, {name}" if names else name
        if len(longer) > DRIVE_NAMES_CHARACTERS_MAX:
            break
        names = longer
    return names


def _filesystems(points: Sequence[CellPoint]) -> list[str]:
    """Return the filesystems that the runs name."""
    return sorted({point.filesystem for point in points if point.filesystem})


def _only(values: set[T], *, otherwise: T) -> T:
    return next(iter(values)) if len(values) == 1 else otherwise
