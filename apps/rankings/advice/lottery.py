"""The drive lottery: which drive families people really got with a plan, and what each did.

It counts as standings do: by uploader, each with the median of its machines, of the runs that are
recent enough. Names of machines are compared within one uploader only.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Max, Min, Q
from django.db.models.functions import TruncDay

from apps.rankings.advice.evidence import LotteryDrive
from apps.rankings.models import PlanDrives
from apps.rankings.selectors import MedianOf
from apps.rankings.standings.cells import NOT_DATED
from apps.rankings.standings.day import standings_day
from apps.rankings.standings.points import COUNTS
from apps.runs.models import Level, Measurement
from apps.stats.standings.estimate import RunPoint, uploader_of_keys
from apps.stats.standings.lottery import LotteryOutcome, lottery_outcomes
from apps.stats.standings.window import KEPT, WINDOW, days_before, is_current

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from datetime import datetime

_CHUNK: Final = 2_000  # rows held by the driver at once
# The columns that make a day of one machine. A published run has no uploader and no machine, so it
# counts as its own.
_DAY: Final = (
    "run__plan", "run__drive_family__name", "run__drive_family__plp", "run__level",
    "run__uploader", "run__machine", "run__upload__key", "day",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Day:
    """What one machine did on one day with one family of drives."""

    plan: str
    family: tuple[str, str]  # its name and PLP
    is_published: bool
    point: RunPoint
    first: datetime | None
    last: datetime | None


def drive_lottery(plans: Iterable[str]) -> dict[str, tuple[LotteryDrive, ...]]:
    """Return for each plan the drive families that were seen, that of the most uploaders first.

    The rates are those of durable commits of one writer. One query.
    """
    rows = PlanDrives.objects.filter(plan__in=list(plans)).values_list("plan", "drives")
    return {plan: tuple(map(_stored, drives)) for plan, drives in sorted(rows)}


def store_lotteries(plans: Iterable[str]) -> None:
    """Draw the lotteries of these plans anew, of the runs that count now."""
    slugs = set(plans)
    drawn = draw(slugs)
    PlanDrives.objects.filter(plan__in=slugs - drawn.keys()).delete()
    PlanDrives.objects.bulk_create(
        (
            PlanDrives(plan_id=plan, drives=[_as_json(drive) for drive in drives])
            for plan, drives in drawn.items()
        ),
        update_conflicts=True,
        unique_fields=("plan",),
        update_fields=("drives",),
    )


def draw(plans: Iterable[str]) -> dict[str, tuple[LotteryDrive, ...]]:
    """Return the lotteries of these plans from their runs."""
    day = standings_day()
    days = _days_of(set(plans), since=days_before(day, WINDOW))
    short = {plan for plan in plans if not is_current(_measured(days[plan]), day=day)}
    days |= _days_of(short, since=days_before(day, KEPT))
    return {plan: _families_of(of_plan) for plan, of_plan in sorted(days.items()) if of_plan}


def _as_json(drive: LotteryDrive) -> dict[str, Any]:
    days = {
        name: day and day.isoformat()
        for name, day in (("first", drive.first), ("last", drive.last))
    }
    return {**asdict(drive), **days, "share": str(drive.share)}


def _stored(drive: dict[str, Any]) -> LotteryDrive:
    days = {name: drive[name] and date.fromisoformat(drive[name]) for name in ("first", "last")}
    return LotteryDrive(**{**drive, **days, "share": Fraction(drive["share"])})


def _days_of(plans: Collection[str], *, since: datetime) -> dict[str, list[_Day]]:
    """Return the days of each plan from a moment on, and what was published whenever."""
    days: dict[str, list[_Day]] = defaultdict(list)
    if plans:
        for day in _days(plans, since):
            days[day.plan].append(day)
    return days


def _days(plans: Collection[str], since: datetime) -> Iterator[_Day]:
    rows = (
        Measurement.objects.filter(
            COUNTS,
            ~Q(run__level=Level.LAB),
            Q(run__level=Level.PUBLISHED) | Q(run__listed_at__gte=since),
            run__is_example=False,
            run__plan__in=plans,
            run__drive_family__isnull=False,
            is_durable_single_writer=True,
            rate_per_s__gt=0,
        )
        .annotate(day=TruncDay("run__measured_at"))
        .values(*_DAY)
        .annotate(
            slug=Min("run__slug"),
            first=Min("run__measured_at"),
            last=Max("run__measured_at"),
            rate=MedianOf("rate_per_s"),
        )
        .order_by(*_DAY)
    )
    for row in rows.iterator(chunk_size=_CHUNK):
        uploader = row["run__uploader"] or row["slug"]
        yield _Day(
            plan=row["run__plan"],
            family=(row["run__drive_family__name"], row["run__drive_family__plp"]),
            is_published=row["run__level"] == Level.PUBLISHED,
            point=RunPoint(
                key=row["run__upload__key"] or uploader,
                uploader=uploader,
                machine=row["run__machine"] or row["slug"],
                at=row["last"] or NOT_DATED,
                figure=row["rate"],
            ),
            first=row["first"],
            last=row["last"],
        )


def _measured(days: Iterable[_Day]) -> list[RunPoint]:
    return [each.point for each in days if not each.is_published]


def _families_of(days: Sequence[_Day]) -> tuple[LotteryDrive, ...]:
    """Return the families of one plan, that of the most uploaders first."""
    uploader_of_key = uploader_of_keys(day.point for day in days)
    drives = [
        _drive(each)
        for each in lottery_outcomes(
            days, item=lambda day: day.family, uploader_of_key=uploader_of_key
        )
    ]
    return tuple(sorted(drives, key=lambda drive: (-drive.share, drive.name)))


def _drive(outcome: LotteryOutcome[tuple[str, str], _Day]) -> LotteryDrive:
    name, plp = outcome.item
    return LotteryDrive(
        name=name,
        plp=plp,
        n_uploaders=len(outcome.rates),
        n_machines=outcome.n_machines,
        share=outcome.share,
        first=outcome.first_day,
        last=outcome.last_day,
        rate_low_per_s=min(outcome.rates),
        rate_high_per_s=max(outcome.rates),
    )
