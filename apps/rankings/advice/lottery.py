"""The drive lottery: which drive families people really got with a plan, and what each did.

It counts as standings do: by uploader, each with the median of its machines, of the runs that are
recent enough. Names of machines are compared within one uploader only.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.db.models import Max, Min, Q, Subquery
from django.db.models.functions import TruncDay

from apps.rankings.advice.evidence import LotteryDrive
from apps.rankings.models import StandingsDay
from apps.rankings.selectors import MedianOf
from apps.rankings.standings.cells import NOT_DATED
from apps.rankings.standings.points import COUNTS
from apps.runs.models import Level, Measurement
from apps.stats.standings.estimate import RunPoint, uploader_of_keys
from apps.stats.standings.lottery import LotteryOutcome, lottery_outcomes
from apps.stats.standings.window import counts_from

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date, datetime

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
    today: date | None  # of all standings, the same in each row


def drive_lottery(plans: Iterable[str]) -> dict[str, tuple[LotteryDrive, ...]]:
    """Return for each plan the drive families that were seen, that of the most uploaders first.

    The rates are those of durable commits of one writer. One query.
    """
    days: dict[str, list[_Day]] = defaultdict(list)
    for day in _days(plans):
        days[day.plan].append(day)
    return {plan: _families_of(_counted(plan_days)) for plan, plan_days in sorted(days.items())}


def _days(plans: Iterable[str]) -> Iterable[_Day]:
    rows = (
        Measurement.objects.filter(
            COUNTS,
            ~Q(run__level=Level.LAB),
            run__is_example=False,
            run__plan__in=list(plans),
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
            today=Subquery(StandingsDay.objects.values("day")[:1]),
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
            today=row["today"],
        )


def _counted(days: Sequence[_Day]) -> list[_Day]:
    """Return the days that count by the rule of standings, and published ones."""
    measured = [each.point for each in days if not each.is_published]
    newest = max((point.at for point in measured), default=NOT_DATED).date()
    begin = counts_from(measured, day=days[0].today or newest)
    return [each for each in days if each.is_published or each.point.at >= begin]


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
