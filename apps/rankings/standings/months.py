"""Cells month by month, as the page of a plan or drive draws them.

Triggers of the database mark the months of a plan or drive in which runs changed. Those are read
again and stored, so that no page reads runs, and no upload has other months read.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from django.db import connection
from django.db.models import Case, CharField, Count, F, Max, Q, Value, When
from django.db.models.functions import Ln, TruncMonth

from apps.drives.models import VIRTUAL
from apps.plans.regions import place_of
from apps.rankings.comparable.order import headline_places
from apps.rankings.models import CellMonth, MonthMark
from apps.rankings.selectors import MedianOf
from apps.rankings.standings.cells import CellKey, CellSubject
from apps.rankings.standings.points import COUNTS, OF_EVIDENCE
from apps.rankings.standings.turns import month_marks_of_turn
from apps.runs.models import Measurement
from apps.stats.standings.estimate import (
    RunPoint,
    machine_values,
    median_log,
    uploader_of_keys,
    uploader_values,
)
from apps.stats.standings.interval import MISS_MAX, bounds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MONTHS_MAX: Final = 24  # drawn; older hardware is mostly gone
MONTHS_A_YEAR: Final = 12
BAND_UPLOADERS_MIN: Final = 5  # a quarter of fewer is less than one uploader
_BATCH: Final = 500  # rows a statement: below a megabyte of SQL
# Which runs are of a cell of a plan and of a drive, as `points` says it.
_IN_A_CELL: Final = {
    CellSubject.PLAN: Q(run__plan_in_doubt=False),
    CellSubject.DRIVE: Q(run__is_single_drive=True) & ~Q(run__drive_family__kind=VIRTUAL),
}
_COLUMN: Final = {CellSubject.PLAN: "run__plan", CellSubject.DRIVE: "run__drive_family"}
_EVIDENCE: Final = Case(
    *(When(is_it, then=Value(evidence.value)) for evidence, is_it in OF_EVIDENCE.items()),
    output_field=CharField(),
)
_MARK_ALL: Final = """
    INSERT INTO rankings_monthmark (subject, slug, first_day)
    SELECT DISTINCT subject, named.slug, date_trunc('month', measured_at AT TIME ZONE 'UTC')::date
    FROM runs_run CROSS JOIN LATERAL
        (VALUES ('plan', plan_id), ('drive', drive_family_id)) AS named (subject, slug)
    WHERE named.slug IS NOT NULL AND measured_at IS NOT NULL
    UNION SELECT subject, slug, first_day FROM rankings_cellmonth
    ORDER BY 1, 2, 3
"""
_MonthKey = tuple[CellKey, date]


@dataclass(slots=True)
class _Totals:
    """The runs of one month of a cell: a point for each machine of a key and drive."""

    points: list[RunPoint] = field(default_factory=list)
    drives: list[str] = field(default_factory=list)  # the drive of each point
    n_runs: int = 0


def mark_all_months() -> None:
    """Mark the months of all runs, and all that are stored."""
    with connection.cursor() as cursor:
        cursor.execute(_MARK_ALL)


def compute_some_months() -> int:
    """Compute some of the marked months, the oldest mark first. Returns how many marks are done.

    Call it in a transaction, in one process at a time: what is marked meanwhile stays marked.
    """
    marks = month_marks_of_turn()
    for subject in CellSubject:
        marked = {(each.slug, each.first_day) for each in marks if each.subject == subject}
        if marked:
            _write(subject, marked, list(_months_of(subject, marked)))
    MonthMark.objects.filter(pk__in=[each.pk for each in marks]).delete()
    return len(marks)


def month_after(first_day: date, count: int = 1) -> date:
    """Return the first day of the month that comes so many months after that of a day."""
    months = first_day.year * MONTHS_A_YEAR + first_day.month - 1 + count
    return date(months // MONTHS_A_YEAR, months % MONTHS_A_YEAR + 1, 1)


def _write(
    subject: CellSubject, marked: set[tuple[str, date]], months: Sequence[CellMonth]
) -> None:
    """Replace what is stored of these months."""
    stored = CellMonth.objects.filter(
        subject=subject,
        slug__in={slug for slug, _ in marked},
        first_day__in={first_day for _, first_day in marked},
    )
    old = [
        pk
        for pk, slug, first_day in stored.values_list("pk", "slug", "first_day")
        if (slug, first_day) in marked
    ]
    CellMonth.objects.filter(pk__in=old).delete()
    CellMonth.objects.bulk_create(months, batch_size=_BATCH)


def _months_of(subject: CellSubject, marked: set[tuple[str, date]]) -> Iterator[CellMonth]:
    totals: dict[_MonthKey, _Totals] = defaultdict(_Totals)
    for row in _rows(subject, marked):
        first_day = row.month.date()
        if (row.slug, first_day) in marked:
            month = totals[_key(subject, row), first_day]
            month.points.append(_point(row))
            month.drives.append(row.run__drive_family__name or "")
            month.n_runs += row.n_runs
    for (key, first_day), month in sorted(totals.items(), key=lambda item: item[0]):
        yield _month(key, first_day, month)


def _rows(subject: CellSubject, marked: Iterable[tuple[str, date]]) -> Iterable[Any]:
    """Return a row for each cell, month, machine of a key and drive.

    They are read at once: several processes of the database make them, which they do for no cursor.
    """
    slugs, first_days = zip(*marked, strict=True)
    voice = (
        "slug", "month", "evidence", "workload", "version", "run__region", "run__plan__provider",
        "run__uploader", "run__upload__key", "run__machine", "run__drive_family__name",
    )  # fmt: skip
    return (
        Measurement.objects.filter(
            COUNTS,
            _IN_A_CELL[subject],
            workload__in=list(headline_places()),
            rate_per_s__gt=0,
            run__measured_at__isnull=False,
            run__listed_at__gte=_midnight(min(first_days)),
            run__listed_at__lt=_midnight(month_after(max(first_days))),
            **{f"{_COLUMN[subject]}__in": set(slugs)},
        )
        .annotate(
            slug=F(_COLUMN[subject]), month=TruncMonth("run__measured_at"), evidence=_EVIDENCE
        )
        .order_by()
        .values(*voice)
        .annotate(
            ln_rate=MedianOf(Ln("rate_per_s")),
            newest=Max("run__measured_at"),
            n_runs=Count("pk"),
        )
        .order_by(*voice)
        .values_list(*voice, "ln_rate", "newest", "n_runs", named=True)
    )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, UTC)


def _key(subject: CellSubject, row: Any) -> CellKey:
    is_plan = subject is CellSubject.PLAN
    where = place_of(row.run__region, provider=row.run__plan__provider or "")
    return CellKey(
        subject, row.slug, row.evidence, row.workload, row.version, where.group if is_plan else ""
    )


def _point(row: Any) -> RunPoint:
    return RunPoint(
        key=row.run__upload__key or row.run__uploader,
        uploader=row.run__uploader,
        machine=row.run__machine,
        at=row.newest,
        figure=math.exp(row.ln_rate),
    )


def _month(key: CellKey, first_day: date, totals: _Totals) -> CellMonth:
    machines = machine_values(totals.points)
    rates = [each.figure for each in uploader_values(machines)]
    low = high = None
    if len(rates) >= BAND_UPLOADERS_MIN:
        low, high = np.exp(np.quantile(np.log(rates), (0.25, 0.75))).tolist()
    families = _families(totals)
    return CellMonth(
        subject=key.subject,
        slug=key.slug,
        evidence=key.evidence,
        workload=key.workload,
        version=key.version,
        region_group=key.region_group,
        first_day=first_day,
        rate_per_s=median_log(rates),
        low_per_s=low,
        high_per_s=high,
        bounds=[bounds_of(rates, miss_max=MISS_MAX / n) for n in range(1, MONTHS_MAX + 1)],
        n_uploaders=len(rates),
        n_machines=len(machines),
        n_runs=totals.n_runs,
        drive=min(families, key=lambda name: (-families[name], name), default=""),
    )


def _families(totals: _Totals) -> Counter[str]:
    """Return on how many machines each family of drives was met."""
    uploader_of_key = uploader_of_keys(totals.points)
    met = {
        (uploader_of_key[point.key], point.machine, name)
        for point, name in zip(totals.points, totals.drives, strict=True)
        if name
    }
    return Counter(name for _, _, name in met)
