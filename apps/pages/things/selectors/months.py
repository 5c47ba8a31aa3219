"""The rate of a plan or a drive month by month, and which drive most people had.

It is read as it was stored, so its time does not grow with runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import TYPE_CHECKING

from apps.rankings.models import CellMonth
from apps.rankings.standings.months import MONTHS_MAX, month_after
from apps.rankings.standings.points import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.rankings.models import Standing


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


def months_of(lead: Standing, *, newest: datetime | None) -> tuple[Month, ...]:
    """The months of a standing's cell up to its newest run: a query.

    Runs before the window of the standing count here: the page shows how the rate has changed.
    """
    if newest is None:
        return ()
    key = key_of(lead)
    stored = CellMonth.objects.filter(
        subject=key.subject,
        slug=key.slug,
        evidence=key.evidence,
        workload=key.workload,
        version=key.version,
        region_group=key.region_group,
        first_day__gt=month_after(newest.date(), -MONTHS_MAX),
        first_day__lte=newest.date(),
    ).order_by("first_day")
    months = list(stored)
    return tuple(_month(each, n_months=len(months)) for each in months)


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


def _month(stored: CellMonth, *, n_months: int) -> Month:
    bounds = stored.bounds[n_months - 1]
    return Month(
        first_day=stored.first_day,
        rate_per_s=stored.rate_per_s,
        low_per_s=stored.low_per_s,
        high_per_s=stored.high_per_s,
        bounds_per_s=bounds and tuple(bounds),
        n_uploaders=stored.n_uploaders,
        n_machines=stored.n_machines,
        n_runs=stored.n_runs,
        drive=stored.drive,
    )
