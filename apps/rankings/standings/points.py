"""Reads the measurements that count in standings, cell by cell."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Exists, F, OuterRef, Q
from django.db.models.functions import Lower

from apps.drives.models import VIRTUAL
from apps.plans.models import Plan
from apps.plans.regions import Place, names_elsewhere, place_of
from apps.rankings.models import Evidence, Standing
from apps.rankings.standings.cells import (
    NOT_DATED,
    CellKey,
    CellPoint,
    CellSubject,
    SideLatency,
)
from apps.rankings.standings.drafts import PLP_UNKNOWN
from apps.runs.models import KeepsOut, Label, Latency, Level, Measurement
from apps.runs.sides import (
    BEFORE_THE_SYNC,
    COMPLETION,
    STANDING_SIDES,
    SUBMISSION,
    SYNC,
    WRITE,
)
from apps.stats.analysis.two_sides import p99_bound_ns as bound_by_sides
from apps.stats.standings.estimate import uploader_of_keys
from apps.stats.standings.window import KEPT, WINDOW, days_before, is_current, may_be_outvoted
from apps.wire.suites import find_workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from datetime import date, datetime
    from uuid import UUID

    from django.db.models import QuerySet

_PUBLISHED: Final = Q(run__level=Level.PUBLISHED)
# Published runs and uploads count where nothing keeps them out.
COUNTS: Final = Q(run__level=Level.PUBLISHED, run__is_kept_out=False) | Q(
    run__in_standings=True, is_ranked=True
)
# As `_evidence` tells a row.
OF_EVIDENCE: Final = {
    Evidence.PUBLISHED: _PUBLISHED,
    Evidence.EXAMPLE: ~_PUBLISHED & Q(run__is_example=True),
    Evidence.LAB: Q(run__level=Level.LAB, run__is_example=False),
    Evidence.MEASURED: ~Q(run__level__in=(Level.PUBLISHED, Level.LAB)) & Q(run__is_example=False),
}
_DOUBTED: Final = Exists(Label.objects.filter(run=OuterRef("run"), keeps_out=KeepsOut.WEIGHT))
NS_PER_S: Final = 1_000_000_000
WHOLE_SHARE_MIN: Final = 0.8  # a buffered write beside its sync takes a few per cent
_CHUNK: Final = 2_000  # rows held by the driver at once
# The columns that decide in which cells a measurement counts.
_KEY_FIELDS: Final = (
    "workload", "version", "run__level", "run__plan", "run__plan__provider", "run__region",
    "run__drive_family", "run__drive_family__kind", "run__is_single_drive", "run__is_example",
    "run__plan_in_doubt",
)  # fmt: skip
CELL_FIELDS: Final = (
    "plan", "drive_family", "evidence", "workload", "version", "region_group",
)  # fmt: skip
# The columns of a point. Reading 10,000 runs took 2 s as tuples and 6 s as model instances.
_POINT_FIELDS: Final = (
    *_KEY_FIELDS, "pk", "run_id", "title", "is_durable_single_writer", "rate_per_s",
    "rate_per_s_low", "rate_per_s_high", "slowest_part_per_s", "fastest_part_per_s", "run__slug",
    "run__measured_at", "run__machine", "run__is_claimed",
    "run__uploader", "run__drive_reported", "run__expected_class",
    "run__filesystem", "run__upload__key", "run__drive_family__name", "run__drive_family__plp",
    "run__citation__warning", "run__citation__is_illustrative", "is_doubted",
)  # fmt: skip
MeasurementRow = Any  # a named tuple of these fields


def keys_of_runs(run_ids: Iterable[UUID]) -> set[CellKey]:
    """Return the cells of these runs, whether or not the runs count there.

    Cells in which a run counted before it was normalised again to another plan or drive are among
    them.
    """
    ids = list(run_ids)
    counted_in = Standing.objects.filter(counted__run_id__in=ids).only(*CELL_FIELDS)
    return _keys_of(Measurement.objects.filter(run_id__in=ids)) | set(map(key_of, counted_in))


def all_keys() -> set[CellKey]:
    """Return every cell that has a run that counts, or a standing."""
    counting = Measurement.objects.filter(COUNTS, rate_per_s__gt=0)
    return _keys_of(counting) | set(map(key_of, Standing.objects.only(*CELL_FIELDS)))


def key_of(standing: Standing) -> CellKey:
    """Return the cell of a standing."""
    subject = CellSubject.PLAN if standing.plan_id else CellSubject.DRIVE
    slug = standing.plan_id or standing.drive_family_id or ""
    return CellKey(
        subject=subject,
        slug=slug,
        evidence=standing.evidence,
        workload=standing.workload,
        version=standing.version,
        region_group=standing.region_group,
    )


# A part of a durable commit is no latency of it: what ends before the sync, and a sync that takes
# less than WHOLE_SHARE_MIN of the time of a single writer, whose commits fill all of it.
IS_A_PART: Final = Q(measurement__is_durable_single_writer=True) & (
    Q(side__in=BEFORE_THE_SYNC)
    | Q(
        side=SYNC,
        mean_ns__lt=WHOLE_SHARE_MIN * NS_PER_S / F("measurement__rate_per_s"),
    )
)


def points_of(keys: set[CellKey], *, day: date) -> dict[CellKey, list[CellPoint]]:
    """Return the points of each of these cells that may count on a day, the oldest first.

    Where those of the WINDOW are enough, most older ones are not read: of claimed accounts they
    are, where they could outvote it.
    """
    begin = days_before(day, WINDOW)
    older = ~_PUBLISHED & Q(run__listed_at__gte=days_before(day, KEPT), run__listed_at__lt=begin)
    points = _read(keys, _PUBLISHED | Q(run__listed_at__gte=begin))
    runs = {
        key: [point.run_point for point in points[key]]
        for key in keys
        if Evidence.is_judged(key.evidence)
    }
    asking = {key for key in runs if may_be_outvoted(runs[key])}
    claimed = _read(asking, older & Q(run__is_claimed=True))
    short = {
        key
        for key in runs
        if not is_current([*runs[key], *(each.run_point for each in claimed[key])], day=day)
    }
    rest = _read(short, older)
    found = {key: [*points[key], *(rest if key in short else claimed)[key]] for key in keys}
    return {
        key: of_one_uploader_a_key(sorted(of_cell, key=lambda point: point.age_key))
        for key, of_cell in found.items()
        if of_cell
    }


def of_one_uploader_a_key(points: Sequence[CellPoint]) -> list[CellPoint]:
    """Return the points of a cell, all of a key those of the uploader of its newest run.

    So the name of a key says nothing more, and a dump can leave it out.
    """
    uploader_of_key = uploader_of_keys([point.run_point for point in points])
    return [
        point
        if point.uploader == (uploader := uploader_of_key[point.key])
        else replace(point, uploader=uploader)
        for point in points
    ]


def _read(keys: set[CellKey], which: Q) -> dict[CellKey, list[CellPoint]]:
    points: dict[CellKey, list[CellPoint]] = defaultdict(list)
    if not keys:
        return points
    found = _measurements(keys).filter(which).annotate(is_doubted=_DOUBTED)
    rows = [
        (row, of_row)
        for row in sorted(found.values_list(*_POINT_FIELDS, named=True), key=_age)
        if (of_row := keys.intersection(_keys(row)))
    ]
    sides = _sides(row.pk for row, _ in rows)
    bounds = p99_bounds(row.pk for row, _ in rows if _may_be_bounded(row))
    for row, of_row in rows:
        point = _point(row, sides[row.pk], p99_bound_ns=bounds.get(row.pk))
        for key in of_row:
            points[key].append(point)
    return points


def _age(row: MeasurementRow) -> tuple[datetime, str]:
    """Return what rows are sorted by, so that a standing is the same in whichever order they came.

    The numbers of rows say who stored them first, which of several workers differs each time.
    """
    return row.run__measured_at or NOT_DATED, row.run__slug


def _sides(measurements: Iterable[int]) -> dict[int, dict[str, SideLatency]]:
    """Return the latencies of these measurements that standings show, by side."""
    sides: dict[int, dict[str, SideLatency]] = defaultdict(dict)
    columns = ("measurement_id", "side", "pk", "p50_ns", "p99_ns", "p999_ns", "p9999_ns")
    for latencies in _latencies(measurements):
        shown = latencies.filter(side__in=STANDING_SIDES).exclude(IS_A_PART)
        for measurement_id, side, *figures in shown.values_list(*columns):
            sides[measurement_id][side] = SideLatency(*figures)
    return sides


def _latencies(measurements: Iterable[int]) -> Iterator[QuerySet[Latency]]:
    """Yield the latencies of these measurements in parts.

    By their numbers: joined to what chose the measurements, a table whose statistics are old is
    read again for each of them.
    """
    left = iter(measurements)
    while some := list(islice(left, _CHUNK)):
        yield Latency.objects.filter(measurement__in=some)


def _may_be_bounded(row: MeasurementRow) -> bool:
    return row.run__level == Level.PUBLISHED and bool(row.is_durable_single_writer)


def p99_bounds(measurements: Iterable[int]) -> dict[int, int]:
    """Return what bounds the p99 of a commit of published runs that time both of its sides.

    fio's completion is the whole write where it states no submission beside it.
    """
    curves: dict[int, dict[str, list[list[float]]]] = defaultdict(dict)
    for latencies in _latencies(measurements):
        timed = latencies.filter(side__in=(SYNC, *BEFORE_THE_SYNC))
        printed = timed.values_list("measurement_id", "side", "printed_curve")
        for measurement_id, side, curve in printed:
            curves[measurement_id][side] = curve
    bounds = {}
    for measurement_id, of_sides in curves.items():
        whole = (WRITE,) if SUBMISSION in of_sides else (WRITE, COMPLETION)
        writes = [point for side in whole for point in of_sides.get(side, ())]
        bound = bound_by_sides(writes, of_sides.get(SYNC, ()))
        if bound is not None:
            bounds[measurement_id] = bound
    return bounds


def _measurements(keys: set[CellKey]) -> QuerySet[Measurement]:
    """Return the measurements of these cells, among others of their plans and drives."""
    drives = {key.slug for key in keys if key.subject is CellSubject.DRIVE}
    subjects = _of_plans([key for key in keys if key.subject is CellSubject.PLAN])
    if drives:
        subjects |= Q(run__drive_family_id__in=drives)
    kinds = Q()
    for evidence in sorted({key.evidence for key in keys}):
        kinds |= OF_EVIDENCE[Evidence(evidence)]
    workloads = {key.workload for key in keys}
    return (
        Measurement.objects.alias(region_named=Lower("run__region"))
        .filter(COUNTS, subjects, kinds, rate_per_s__gt=0, workload__in=workloads)
        .order_by()
    )


def _of_plans(keys: Sequence[CellKey]) -> Q:
    """Return the runs of the plans of these cells, without what surely lies in other regions.

    Of a plan that is rented everywhere most runs are in another group than the cell.
    """
    plans = Plan.objects.filter(slug__in={key.slug for key in keys})
    providers = dict(plans.values_list("slug", "provider_id"))
    by_provider: dict[str, list[CellKey]] = defaultdict(list)
    for key in keys:
        by_provider[providers.get(key.slug, "")].append(key)
    found = Q()
    for provider, of_provider in sorted(by_provider.items()):
        groups = frozenset(each.region_group for each in of_provider)
        elsewhere = names_elsewhere(groups, provider=provider)
        slugs = sorted({each.slug for each in of_provider})
        found |= Q(run__plan_id__in=slugs) & ~Q(region_named__in=elsewhere)
    return found


def _keys_of(measurements: QuerySet[Measurement]) -> set[CellKey]:
    rows = measurements.order_by().values_list(*_KEY_FIELDS, named=True).distinct()
    return {key for row in rows.iterator(chunk_size=_CHUNK) for key in _keys(row)}


def _keys(row: MeasurementRow) -> Iterator[CellKey]:
    """Yield the cells of a measurement.

    A measured workload that is in no suite of ours has no cell, because its name is whatever the
    sender wrote. A virtual disk has no cell of a drive, because the same name means different
    hardware on every cloud.
    """
    evidence = _evidence(row)
    is_ours = find_workload(row.workload, version=row.version) is not None
    if Evidence.is_judged(evidence) and not is_ours:
        return
    if row.run__plan and not row.run__plan_in_doubt:
        group = _place(row).group
        yield CellKey(CellSubject.PLAN, row.run__plan, evidence, row.workload, row.version, group)
    is_virtual = row.run__drive_family__kind == VIRTUAL
    if row.run__drive_family and row.run__is_single_drive and not is_virtual:
        yield CellKey(CellSubject.DRIVE, row.run__drive_family, evidence, row.workload, row.version)


def _evidence(row: MeasurementRow) -> Evidence:
    if row.run__level == Level.PUBLISHED:
        return Evidence.PUBLISHED
    if row.run__is_example:
        return Evidence.EXAMPLE
    return Evidence.LAB if row.run__level == Level.LAB else Evidence.MEASURED


def _place(row: MeasurementRow) -> Place:
    return place_of(row.run__region, provider=row.run__plan__provider or "")


def _point(
    row: MeasurementRow, sides: dict[str, SideLatency], *, p99_bound_ns: int | None
) -> CellPoint:
    return CellPoint(
        run_id=row.run_id,
        run_slug=row.run__slug,
        at=row.run__measured_at,
        key=row.run__upload__key or row.run__uploader or row.run__slug,
        machine=row.run__machine or row.run__slug,
        uploader=row.run__uploader or row.run__slug,
        is_claimed=row.run__is_claimed,
        place=_place(row),
        rate_per_s=float(row.rate_per_s or 0),
        rate_per_s_low=row.rate_per_s_low,
        rate_per_s_high=row.rate_per_s_high,
        slowest_part_per_s=row.slowest_part_per_s,
        fastest_part_per_s=row.fastest_part_per_s,
        title=row.title,
        is_durable_single_writer=row.is_durable_single_writer,
        drive_name=row.run__drive_family__name or row.run__drive_reported,
        plp=row.run__drive_family__plp or PLP_UNKNOWN,
        ladder_class=row.run__expected_class,
        filesystem=row.run__filesystem,
        warning=row.run__citation__warning or "",
        is_illustrative=bool(row.run__citation__is_illustrative),
        is_doubted=row.is_doubted,
        sides=sides,
        p99_bound_ns=p99_bound_ns,
        plan=row.run__plan or "",
        drive=row.run__drive_family or "",
    )
