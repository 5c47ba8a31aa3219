"""Reads the measurements that count in standings, cell by cell."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from django.db.models import Q

from apps.rankings.cells import PLP_UNKNOWN, SIDES_BY_WORTH, CellKey, Point, Side, Subject
from apps.rankings.models import Evidence
from apps.runs.models import Latency, Level, Measurement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from uuid import UUID

    from django.db.models import QuerySet

# Published runs stand by being published; of uploads only those that the rules admit.
COUNTS: Final = Q(run__level=Level.PUBLISHED) | Q(run__in_standings=True)
_CHUNK: Final = 2_000  # rows held by the driver at once


def keys_of_runs(run_ids: Iterable[UUID]) -> set[CellKey]:
    """Return the cells that these runs touch, whether or not the runs count there (any more)."""
    rows = Measurement.objects.filter(run_id__in=list(run_ids)).select_related("run")
    return {key for row in rows for key in _keys(row)}


def all_keys() -> set[CellKey]:
    """Return every cell that has a run."""
    rows = Measurement.objects.filter(COUNTS, rate_per_s__gt=0).select_related("run")
    return {key for row in rows.iterator(chunk_size=_CHUNK) for key in _keys(row)}


def points_of(keys: set[CellKey]) -> dict[CellKey, list[Point]]:
    """Return the points of each of these cells; a cell without any is left out."""
    measurements = {row.pk: row for row in _measurements(keys).iterator(chunk_size=_CHUNK)}
    sides: dict[int, dict[str, Side]] = defaultdict(dict)
    latencies = Latency.objects.filter(
        measurement_id__in=list(measurements), side__in=SIDES_BY_WORTH
    )
    columns = ("measurement_id", "side", "pk", "p50_ns", "p99_ns", "p9999_ns")
    for measurement_id, side, *figures in latencies.values_list(*columns):
        sides[measurement_id][side] = Side(*figures)
    points: dict[CellKey, list[Point]] = defaultdict(list)
    for pk, row in measurements.items():
        for key in keys.intersection(_keys(row)):
            points[key].append(_point(row, sides[pk]))
    return points


def curves_of(latency_ids: Iterable[int]) -> dict[int, list[list[float]]]:
    """Return the percentile curves of these latencies."""
    rows = Latency.objects.filter(pk__in=list(latency_ids))
    return dict(rows.values_list("pk", "curve"))


def _measurements(keys: set[CellKey]) -> QuerySet[Measurement]:
    plans = {key.slug for key in keys if key.subject is Subject.PLAN}
    drives = {key.slug for key in keys if key.subject is Subject.DRIVE}
    subjects = Q(run__plan_id__in=plans) | Q(run__drive_family_id__in=drives)
    return (
        Measurement.objects.filter(
            COUNTS, subjects, rate_per_s__gt=0, workload__in={key.workload for key in keys}
        )
        .select_related("run", "run__drive_family", "run__citation")
        .defer("passes", "extra", "run__environment")
        .order_by("pk")
    )


def _keys(row: Measurement) -> Iterator[CellKey]:
    run = row.run
    evidence = Evidence.PUBLISHED if run.level == Level.PUBLISHED else Evidence.MEASURED
    if run.plan_id:
        yield CellKey(Subject.PLAN, run.plan_id, evidence, row.workload, row.version)
    if run.drive_family_id and run.is_single_drive:
        yield CellKey(Subject.DRIVE, run.drive_family_id, evidence, row.workload, row.version)


def _point(row: Measurement, sides: dict[str, Side]) -> Point:
    run, family = row.run, row.run.drive_family
    citation = getattr(run, "citation", None)
    return Point(
        run_slug=run.slug,
        at=run.measured_at,
        machine=run.machine or run.slug,
        uploader=run.uploader or run.slug,
        region=run.claimed_region,
        rate_per_s=float(row.rate_per_s or 0),
        rate_per_s_low=row.rate_per_s_low,
        rate_per_s_high=row.rate_per_s_high,
        title=row.title,
        is_durable_single_writer=row.is_durable_single_writer,
        drive_name=family.name if family else run.drive_reported,
        plp=family.plp if family else PLP_UNKNOWN,
        ladder_class=run.expected_class_id,
        filesystem=run.filesystem,
        warning=citation.warning if citation else "",
        sides=sides,
    )
