"""The rate of a plan or a drive month by month, and which drive most people had.

The database makes one rate of each uploader and month, so memory grows with uploaders, not with
runs.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from django.db.models import Count, Q
from django.db.models.functions import Ln, TruncMonth

from apps.plans.regions import place_of
from apps.rankings.models import Evidence
from apps.rankings.selectors import MedianOf
from apps.rankings.standings.points import COUNTS
from apps.runs.models import Level, Measurement
from apps.stats.standings.estimate import median_log
from apps.stats.standings.interval import MISS_MAX, bounds_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from apps.pages.things.selectors.runs import PlanOrDrive
    from apps.rankings.models import Standing

MONTHS_MAX: Final = 24  # drawn; older hardware is mostly gone
MONTHS_A_YEAR: Final = 12
BAND_UPLOADERS_MIN: Final = 5  # a quarter of fewer is less than one uploader
_VOICE: Final = (
    "month", "run__region", "run__plan__provider", "run__uploader", "run__drive_family__name",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Month:
    """One month: rates a second over uploaders, each at its median."""

    first_day: date
    rate_per_s: float
    low_per_s: float | None  # a quarter of the uploaders lies below, a quarter above; None of few
    high_per_s: float | None
    bounds_per_s: tuple[float, float] | None  # of the median; all months hold theirs in 95 %
    n_uploaders: int
    n_machines: int
    n_runs: int
    drive: str  # the family that most uploaders had; empty where no drive was named


@dataclass(frozen=True, slots=True)
class DriveChange:
    """A month from which on most uploaders had another drive."""

    first_day: date
    before: str
    after: str


@dataclass(slots=True)
class _MonthTotals:
    """The rates and drives of one month, by uploader."""

    rates: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    drives: Counter[str] = field(default_factory=Counter)
    n_machines: int = 0
    n_runs: int = 0


def months_of(lead: Standing, thing: PlanOrDrive, *, newest: datetime | None) -> tuple[Month, ...]:
    """The months of a standing's workload up to its newest run, all of its plan's region: a query.

    Runs before the window of the standing count here: the page shows how the rate has changed.
    """
    if newest is None:
        return ()
    month_totals: dict[date, _MonthTotals] = defaultdict(_MonthTotals)
    for row in _rows_by_month(lead, thing, since=months_before(newest.date(), MONTHS_MAX - 1)):
        month = month_totals[row.month.date()]
        month.rates[row.run__uploader].append(math.exp(row.ln_rate))
        month.drives[row.run__drive_family__name or ""] += 1
        month.n_machines += row.n_machines
        month.n_runs += row.n_runs
    return tuple(
        _month(day, month_totals[day], n_months=len(month_totals)) for day in sorted(month_totals)
    )


def months_before(day: date, count: int) -> date:
    """The first day of the month that lies so many months before that of a day."""
    months = day.year * MONTHS_A_YEAR + day.month - 1 - count
    return date(months // MONTHS_A_YEAR, months % MONTHS_A_YEAR + 1, 1)


def are_apart(low: Month, high: Month) -> bool:
    """Whether the medians of two months can be told apart, any two of the months being chosen."""
    if low.bounds_per_s is None or high.bounds_per_s is None:
        return False
    return low.bounds_per_s[1] < high.bounds_per_s[0]


def changes_of(months: Iterable[Month]) -> tuple[DriveChange, ...]:
    """Where the drive that most uploaders had became another one."""
    changes: list[DriveChange] = []
    before = ""
    for month in months:
        if before and month.drive and month.drive != before:
            changes.append(DriveChange(month.first_day, before, month.drive))
        before = month.drive or before
    return tuple(changes)


def _rows_by_month(lead: Standing, thing: PlanOrDrive, *, since: date) -> Iterator[Any]:
    """Yield a row for each month and uploader, region and drive.

    They are read at once: several processes of the database make them, which they do for no cursor.
    """
    rows = (
        Measurement.objects.filter(
            COUNTS,
            thing.on_runs("run__"),
            _evidence_is(lead.evidence),
            workload=lead.workload,
            version=lead.version,
            rate_per_s__gt=0,
            run__measured_at__date__gte=since,
        )
        .annotate(month=TruncMonth("run__measured_at"))
        .order_by()
        .values(*_VOICE)
        .annotate(
            ln_rate=MedianOf(Ln("rate_per_s")),
            n_machines=Count("run__machine", distinct=True),
            n_runs=Count("pk"),
        )
        .order_by(*_VOICE)
        .values_list(*_VOICE, "ln_rate", "n_machines", "n_runs", named=True)
    )
    if lead.plan_id is None:
        yield from rows
        return
    groups: dict[tuple[str, str], str] = {}
    for row in rows:
        where = row.run__region, row.run__plan__provider or ""
        if where not in groups:
            groups[where] = place_of(where[0], provider=where[1]).group
        if groups[where] == lead.region_group:
            yield row


def _evidence_is(evidence: str) -> Q:
    if evidence == Evidence.PUBLISHED:
        return Q(run__level=Level.PUBLISHED)
    if evidence == Evidence.LAB:
        return Q(run__level=Level.LAB)
    elsewhere = (Level.PUBLISHED, Level.LAB)
    return ~Q(run__level__in=elsewhere) & Q(run__is_example=evidence == Evidence.EXAMPLE)


def _month(first_day: date, totals: _MonthTotals, *, n_months: int) -> Month:
    rates = [median_log(each) for each in totals.rates.values()]
    low = high = None
    if len(rates) >= BAND_UPLOADERS_MIN:
        low, high = np.exp(np.quantile(np.log(rates), (0.25, 0.75))).tolist()
    families = {name: count for name, count in totals.drives.items() if name}
    return Month(
        first_day=first_day,
        rate_per_s=median_log(rates),
        low_per_s=low,
        high_per_s=high,
        bounds_per_s=bounds_of(rates, miss_max=MISS_MAX / n_months),
        n_uploaders=len(rates),
        n_machines=totals.n_machines,
        n_runs=totals.n_runs,
        drive=min(families, key=lambda name: (-families[name], name), default=""),
    )
