"""Drafts of standings: rows that are not saved, made from the points of a cell alone."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

import numpy as np

from apps.plans.regions import Place, common_place
from apps.rankings.choice import choice_key, may_lead
from apps.rankings.models import Evidence, Standing, StandingSpread
from apps.rankings.standings.cells import (
    CellKey,
    CellPoint,
    CellSubject,
    VariantPoints,
)
from apps.rankings.standings.spread import spread_of
from apps.rankings.standings.timed import Timed, latency_of, percentile_ns
from apps.rankings.versions.method import METHOD_VERSION
from apps.runs.sides import STANDING_SIDES
from apps.stats.standings.agreement import REPRODUCED_MIN, Reach, agreeing
from apps.stats.standings.estimate import Estimate, Grouping, group
from apps.stats.standings.gates import is_enough, is_wide
from apps.stats.standings.interval import median_interval
from apps.stats.standings.outliers import SCORE_MAX, UPLOADERS_MIN, modified_z, outliers
from apps.stats.standings.shrinkage import robust_deviation
from apps.stats.standings.weights import effective_number
from apps.wire.suites import p99_limit_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from uuid import UUID

    from apps.stats.standings.estimate import VoiceValue

T = TypeVar("T")

PLP_UNKNOWN: Final = "unknown"
# Newest histograms of a machine that are read of one day: more would say nothing new.
HISTOGRAMS_A_DAY_MAX: Final = 8
DRIVE_NAMES_CHARACTERS_MAX: Final = 200  # of the column


@dataclass(frozen=True, slots=True)
class UploaderWeight:
    """The weight of one uploader, and the latencies of its runs."""

    weight: float
    latency_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """A standing that is not saved, and what its curve, price, labels and page are made from."""

    key: CellKey
    standing: Standing
    points: tuple[CellPoint, ...]
    outliers: frozenset[UUID]  # runs of uploaders that lie far from the others
    scores: dict[UUID, float]  # by run, the modified z of its uploader; 0 if it is not flagged
    voices: tuple[UploaderWeight, ...]  # for the pooled curve
    spread: StandingSpread | None  # None: no page is led by it
    typical_latency_id: int | None  # whose curve is shown where no run has a histogram


def draft_of(part: VariantPoints) -> Draft:
    """Return the draft of one kind of storage of a cell, without price, curve and rank."""
    key, points = part.key, part.points
    grouping = group([point.run_point for point in points])
    cell = grouping.estimate([point.rate_per_s for point in points])
    is_measured = Evidence.is_judged(key.evidence)
    # The passes of a search, some of them overloaded on purpose, have no common latency.
    is_search = p99_limit_of(key.workload, version=key.version) is not None
    side = "" if is_search else _side_of(points)
    far_uploaders = _far_uploaders(cell) if is_measured else {}
    uploader_of_key = grouping.uploader_of_key
    timed = Timed.of(points, side)
    standing = _with_facts(part, _standing(part, cell, timed, side=side), uploader_of_key)
    standing.n_flagged = len(far_uploaders)
    _set_interval(standing, cell, _extremes_of(points, grouping), points, is_measured=is_measured)
    if is_measured:
        _set_p99_interval(standing, timed)
        _set_gates(part, standing, cell)
        _set_change(part, standing)
    typical = _most_typical(points, rate_per_s=cell.figure, side=side)
    return Draft(
        key=key,
        standing=standing,
        points=points,
        outliers=frozenset(
            point.run_id for point in points if uploader_of_key[point.key] in far_uploaders
        ),
        scores={
            point.run_id: far_uploaders.get(uploader_of_key[point.key], 0.0) for point in points
        },
        voices=_uploader_weights(cell, timed, uploader_of_key),
        spread=spread_of(
            key.subject, points, cell, uploader_of_key=uploader_of_key, far=far_uploaders.keys()
        )
        if may_lead(standing)
        else None,
        typical_latency_id=typical.sides[side].latency_id if typical else None,
    )


def drafts_of(parts: Sequence[VariantPoints]) -> list[Draft]:
    """Return the drafts of one cell, each with what people got of all its kinds of storage."""
    drafts = [draft_of(part) for part in parts]
    if len(drafts) > 1:
        kinds = _kinds_of([draft.standing for draft in drafts])
        for draft in drafts:
            draft.standing.kinds = kinds
    return drafts


def _kinds_of(rows: Sequence[Standing]) -> list[list[int | float | str]]:
    """Return how many got each kind, its rate and its drive, where drives tell the kinds apart."""
    drives = {row.drive_names for row in rows if row.plan_id and ", " not in row.drive_names}
    are_told = len(drives) == len(rows)
    return [
        [row.n_uploaders, row.rate_per_s, row.drive_names if are_told else ""]
        for row in sorted(rows, key=choice_key)
    ]


def place_of_all(points: Sequence[CellPoint]) -> Place:
    """Return the smallest place that holds all machines of a cell, as far as is known."""
    return common_place(point.place for point in points)


def _standing(part: VariantPoints, cell: Estimate, timed: Timed | None, *, side: str) -> Standing:
    key = part.key
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
        p50_ns=percentile_ns(part, timed, lambda latency: latency.p50_ns),
        p99_ns=percentile_ns(part, timed, lambda latency: latency.p99_ns),
        p999_ns=percentile_ns(part, timed, lambda latency: latency.p999_ns),
        p9999_ns=percentile_ns(part, timed, lambda latency: latency.p9999_ns),
        latency_side=side,
        n_runs=cell.n_runs,
        n_machines=cell.n_machines,
        n_uploaders=cell.n_uploaders,
        n_cell_uploaders=part.n_cell_uploaders,
        method_version=METHOD_VERSION,
    )


def _with_facts(
    part: VariantPoints, standing: Standing, uploader_of_key: Mapping[str, str]
) -> Standing:
    """Set the facts beside the figures, and return the standing."""
    points = part.points
    newest = max(points, key=lambda point: point.age_key)
    standing.workload_title = newest.title
    standing.newest_run_slug = newest.run_slug
    standing.is_durable_single_writer = all(point.is_durable_single_writer for point in points)
    standing.warnings = list(dict.fromkeys(point.warning for point in points if point.warning))
    filesystems = _filesystems(points)
    standing.filesystems = filesystems if len(filesystems) > 1 else []
    standing.is_illustrative = any(point.is_illustrative for point in points)
    standing.drive_names = _drive_names(points, uploader_of_key)
    standing.p99_bound_ns = _p99_bound(points)
    standing.plp = _only({point.plp for point in points}, otherwise=PLP_UNKNOWN)
    standing.ladder_class_id = _only({point.ladder_class for point in points}, otherwise=None)
    return standing


def _set_gates(part: VariantPoints, standing: Standing, cell: Estimate) -> None:
    """Set how much evidence a measured standing has, and whether it is enough to be ranked."""
    standing.is_anonymous, standing.n_claimed = cell.is_anonymous, cell.n_claimed
    standing.is_reproduced = _is_reproduced(part)
    standing.n_effective = effective_number(np.array(cell.weights)[cell.decides])
    standing.spread_ln = robust_deviation(cell.log_figures[cell.decides])
    is_sure = is_enough(
        n_uploaders=cell.n_uploaders,
        n_claimed=cell.n_claimed,
        n_machines=cell.n_claimed_machines,
    ) and not is_wide(standing.rate_per_s, standing.rate_per_s_low)
    standing.needs_runs = not (is_sure and part.is_current)
    if standing.needs_runs:
        standing.points = sorted((each.figure for each in cell.uploaders), reverse=True)


def _is_reproduced(part: VariantPoints) -> bool:
    """Whether enough unrelated claimed accounts measured the same."""
    points = part.points
    reaches = [
        Reach(
            point.slowest_part_per_s or point.rate_per_s,
            point.fastest_part_per_s or point.rate_per_s,
        )
        for point in points
    ]
    return agreeing([point.run_point for point in points], reaches) >= REPRODUCED_MIN


def _set_change(part: VariantPoints, standing: Standing) -> None:
    if part.change is not None:
        standing.changed_since, standing.n_since = part.change.since, part.change.n_since
        standing.rate_before_per_s = part.change.rate_before
        standing.rate_since_per_s = part.change.rate_since


def _set_interval(
    standing: Standing,
    cell: Estimate,
    extremes: tuple[Estimate, Estimate],
    points: Sequence[CellPoint],
    *,
    is_measured: bool,
) -> None:
    """Set the interval over the largest independent units of which there are several.

    Its low end is that of the slowest parts of the runs, its high end that of the fastest: steal,
    throttling and drift belong to a plan and make its interval wider. Figures that are all equal
    are no interval: of two published ones it would say that nothing varies.
    """
    slowest, fastest = extremes
    lows = median_interval(slowest.deciding_figures, estimate=cell.figure)
    highs = median_interval(fastest.deciding_figures, estimate=cell.figure)
    if is_measured and lows is not None and highs is not None:
        standing.rate_per_s_low, standing.rate_per_s_high = lows.low, highs.high
        standing.interval_is, standing.coverage = "uploaders", lows.coverage
        return
    is_mixed = len(_filesystems(points)) > 1
    rates = [point.rate_per_s for point in points]
    for low_values, high_values, name in (
        (_figures(slowest.uploaders), _figures(fastest.uploaders), "uploaders"),
        (_figures(slowest.machines), _figures(fastest.machines), "machines"),
        (rates, rates, "filesystems" if is_mixed else "repeats"),
    ):
        if len(low_values) > 1 and min(low_values) < max(high_values):
            standing.rate_per_s_low, standing.rate_per_s_high = min(low_values), max(high_values)
            standing.interval_is = name
            return
    low, high = points[0].rate_per_s_low, points[0].rate_per_s_high
    if low is not None and high is not None:
        standing.rate_per_s_low, standing.rate_per_s_high = low, high
        standing.interval_is = "samples"


def _extremes_of(points: Sequence[CellPoint], grouping: Grouping) -> tuple[Estimate, Estimate]:
    """Return the cell by the slowest parts of its runs, and by their fastest."""
    return (
        grouping.estimate([_or_rate(point.slowest_part_per_s, point) for point in points]),
        grouping.estimate([_or_rate(point.fastest_part_per_s, point) for point in points]),
    )


def _or_rate(part_per_s: float | None, point: CellPoint) -> float:
    """Return the rate of a part of a run, else that of the run, which is of one part."""
    return point.rate_per_s if part_per_s is None else part_per_s


def _figures(voices: Sequence[VoiceValue]) -> list[float]:
    return [each.figure for each in voices]


def _set_p99_interval(standing: Standing, timed: Timed | None) -> None:
    """Set the interval of the median of the uploaders' p99.

    Only where every uploader has one, so that its coverage is that of the rate, and where its upper
    end is known.
    """
    cell = latency_of(timed, lambda latency: latency.p99_ns)
    if cell is None or cell.n_uploaders != standing.n_uploaders:
        return
    interval = median_interval(cell.deciding_figures, estimate=cell.figure)
    if interval is not None and math.isfinite(interval.high):
        standing.p99_low_ns, standing.p99_high_ns = round(interval.low), round(interval.high)


def _far_uploaders(cell: Estimate) -> dict[str, float]:
    """Return the modified z-score of each uploader that lies far from those who decide."""
    values, decides = cell.log_figures, cell.decides
    scores = modified_z(values, among=values[decides])
    is_far = np.abs(scores) > SCORE_MAX  # of who does not decide, however many
    is_far[decides] = outliers(values[decides])
    if np.count_nonzero(decides) < UPLOADERS_MIN:
        return {}
    return {
        each.name: score
        for each, score, far in zip(cell.uploaders, scores.tolist(), is_far, strict=True)
        if far
    }


def _uploader_weights(
    cell: Estimate, timed: Timed | None, uploader_of_key: Mapping[str, str]
) -> tuple[UploaderWeight, ...]:
    """Return the latencies of the runs that the rate rests on, by uploader with its weight."""
    if timed is None:
        return ()
    latencies: dict[str, list[int]] = defaultdict(list)
    for day in timed.grouping.counted_places:
        for place in day[:HISTOGRAMS_A_DAY_MAX]:
            key, latency = timed.keys[place], timed.latencies[place]
            latencies[uploader_of_key[key]].append(latency.latency_id)
    return tuple(
        UploaderWeight(weight, tuple(latencies[each.name]))
        for each, weight in zip(cell.uploaders, cell.weights, strict=True)
        if latencies[each.name]
    )


def _side_of(points: Sequence[CellPoint]) -> str:
    """Return the first of STANDING_SIDES with a percentile, or an empty string."""
    timed_sides = {
        name for point in points for name, side in point.sides.items() if side.p50_ns or side.p99_ns
    }
    return next((side for side in STANDING_SIDES if side in timed_sides), "")


def _most_typical(points: Sequence[CellPoint], *, rate_per_s: float, side: str) -> CellPoint | None:
    """Return the run whose rate is nearest to the cell's by factor; of equals the newest."""
    drawn = sorted((point for point in points if side in point.sides), key=lambda p: p.age_key)
    return min(
        reversed(drawn),
        key=lambda point: abs(math.log(point.rate_per_s / rate_per_s)),
        default=None,
    )


def _drive_names(points: Sequence[CellPoint], uploader_of_key: Mapping[str, str]) -> str:
    """Return the names of the drives, that of the most uploaders first, as many as fit."""
    got = {(uploader_of_key[point.key], point.drive_name) for point in points if point.drive_name}
    counts = Counter(name for _uploader, name in got)
    names = ""
    for name, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        longer = f"{names}, {name}" if names else name
        if len(longer) > DRIVE_NAMES_CHARACTERS_MAX:
            break
        names = longer
    return names


def _p99_bound(points: Sequence[CellPoint]) -> int | None:
    """Return the bound that holds for every run; None where one of them has none."""
    bounds = [point.p99_bound_ns for point in points if point.p99_bound_ns is not None]
    return max(bounds) if len(bounds) == len(points) else None


def _filesystems(points: Sequence[CellPoint]) -> list[str]:
    """Return the filesystems that the runs name."""
    return sorted({point.filesystem for point in points if point.filesystem})


def _only(values: set[T], *, otherwise: T) -> T:
    return next(iter(values)) if len(values) == 1 else otherwise
