"""What a standing rests on: its machines, its uploaders, and what each of them got.

The database makes machine-days, which are reduced by the functions that make the standing.
"""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from datetime import date, datetime
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Count, F, Max, Min, OuterRef, Subquery
from django.db.models.functions import Ln, TruncDay

from apps.rankings.models import Standing, StandingRun
from apps.rankings.selectors import MedianOf
from apps.rankings.standings.cells import NOT_DATED
from apps.runs.models import Measurement
from apps.stats.standings.estimate import (
    RunPoint,
    VoiceValue,
    machine_values,
    median_log,
    uploader_of_keys,
)
from apps.stats.standings.lottery import LotteryOutcome, lottery_outcomes

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

LOTTERY_ROWS_MAX: Final = 12  # kinds of drives (or plans) listed; the others are counted
_CHUNK: Final = 2_000  # rows held by the driver at once
# Whose day it was; a published run has neither uploader nor machine and is its own.
_DAY: Final = (
    "run__uploader", "run__machine", "run__upload__key", "standing", "is_far", "day", "got",
    "got_name", "got_more",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Day:
    """What one machine did on one day."""

    point: RunPoint
    run_slug: str  # one of its runs
    item: LotteryItem
    standing: int
    is_far: bool
    n_runs: int
    first: datetime | None
    last: datetime | None


@dataclass(frozen=True, slots=True)
class LotteryItem:
    """A thing to get: a drive family with a plan, or a plan around a drive."""

    slug: str  # empty: nobody named it
    name: str
    more: str  # PLP of a drive, provider of a plan


@dataclass(frozen=True, slots=True)
class Uploader:
    """One uploader, by number only: the page never says who it is."""

    number: int
    rate_per_s: float
    machines: tuple[float, ...]  # rates a second, the lowest first
    is_far: bool  # lies far from the others, and counts
    is_other_kind: bool  # got another kind of storage than the standing is of


@dataclass(frozen=True, slots=True)
class OutcomeSummary:
    """One kind of drive or plan that people got: how many, when, and its rates a second."""

    item: LotteryItem
    n_uploaders: int
    n_machines: int
    n_runs: int
    share: Fraction  # of the uploaders, each split evenly over what it got
    first: date | None  # None where its source states no day
    last: date | None
    rate_per_s: float  # median over uploaders
    low_per_s: float  # of the lowest and the highest uploader
    high_per_s: float
    run_slug: str = ""  # one of its runs


@dataclass(frozen=True, slots=True)
class MachineSpread:
    """The machines of a standing, and what was got with them."""

    uploaders: tuple[Uploader, ...] = ()
    lottery: tuple[OutcomeSummary, ...] = ()
    n_unlisted: int = 0  # kinds that the lottery leaves out

    @property
    def n_machines(self) -> int:
        """How many machines there are."""
        return sum(len(each.machines) for each in self.uploaders)

    @property
    def has_other_kind(self) -> bool:
        """Whether some uploaders got another kind of storage."""
        return any(each.is_other_kind for each in self.uploaders)

    @property
    def has_far(self) -> bool:
        """Whether some uploaders lie far from the others."""
        return any(each.is_far for each in self.uploaders)


def machine_spread(lead: Standing, cell: Sequence[Standing]) -> MachineSpread:
    """What a standing rests on, beside the other kinds of storage of its cell: one query."""
    days = list(_days(lead, [each.pk for each in cell]))
    if not days:
        return MachineSpread()
    uploader_of_key = uploader_of_keys(day.point for day in days)
    own = [day for day in days if day.standing == lead.pk]
    outcomes = _lottery(own or days, uploader_of_key)
    return MachineSpread(
        uploaders=_uploaders(days, uploader_of_key, lead.pk),
        lottery=outcomes[:LOTTERY_ROWS_MAX],
        n_unlisted=max(0, len(outcomes) - LOTTERY_ROWS_MAX),
    )


def _days(lead: Standing, standings: Sequence[int]) -> Iterator[Day]:
    noted = StandingRun.objects.filter(standing__in=standings)
    own = noted.filter(run_id=OuterRef("run_id"))
    got = (
        (F("run__drive_family"), F("run__drive_family__name"), F("run__drive_family__plp"))
        if lead.plan_id
        else (F("run__plan"), F("run__plan__name"), F("run__plan__provider__name"))
    )
    rows = (
        Measurement.objects.filter(
            workload=lead.workload,
            version=lead.version,
            rate_per_s__gt=0,
            run_id__in=noted.values("run_id"),
        )
        .annotate(
            day=TruncDay("run__measured_at"),
            standing=Subquery(own.values("standing")[:1]),
            is_far=Subquery(own.values("is_flagged")[:1]),
            got=got[0],
            got_name=got[1],
            got_more=got[2],
        )
        .order_by()
        .values(*_DAY)
        .annotate(
            slug=Min("run__slug"),
            first=Min("run__measured_at"),
            last=Max("run__measured_at"),
            n_runs=Count("pk"),
            ln_rate=MedianOf(Ln("rate_per_s")),
        )
        .order_by("run__uploader", "run__machine", "day", "slug")
    )
    yield from map(_day, rows.iterator(chunk_size=_CHUNK))


def _day(row: Mapping[str, Any]) -> Day:
    uploader = row["run__uploader"] or row["slug"]
    return Day(
        point=RunPoint(
            key=row["run__upload__key"] or uploader,
            uploader=uploader,
            machine=row["run__machine"] or row["slug"],
            at=row["last"] or NOT_DATED,
            figure=math.exp(row["ln_rate"]),
        ),
        run_slug=row["slug"],
        item=LotteryItem(row["got"] or "", row["got_name"] or "", row["got_more"] or ""),
        standing=row["standing"],
        is_far=bool(row["is_far"]),
        n_runs=row["n_runs"],
        first=row["first"],
        last=row["last"],
    )


def _uploaders(
    days: Iterable[Day], uploader_of_key: Mapping[str, str], lead: int
) -> tuple[Uploader, ...]:
    """Return the uploaders with their machines, the fastest first."""
    own: dict[str, list[Day]] = defaultdict(list)
    for day in days:
        own[uploader_of_key[day.point.key]].append(day)
    machines: dict[str, list[VoiceValue]] = {
        name: machine_values([day.point for day in own_days]) for name, own_days in own.items()
    }
    rates = {
        name: median_log([each.figure for each in values]) for name, values in machines.items()
    }
    return tuple(
        Uploader(
            number=number,
            rate_per_s=rates[name],
            machines=tuple(sorted(each.figure for each in machines[name])),
            is_far=any(day.is_far for day in own[name]),
            is_other_kind=all(day.standing != lead for day in own[name]),
        )
        for number, name in enumerate(sorted(rates, key=lambda n: (-rates[n], n)), start=1)
    )


def _lottery(days: Sequence[Day], uploader_of_key: Mapping[str, str]) -> tuple[OutcomeSummary, ...]:
    """Return what was got, what the most uploaders got first."""
    outcomes = [
        _summary(each)
        for each in lottery_outcomes(
            days, item=lambda day: day.item, uploader_of_key=uploader_of_key
        )
    ]
    return tuple(sorted(outcomes, key=lambda each: (-each.share, each.item.name)))


def _summary(outcome: LotteryOutcome[LotteryItem, Day]) -> OutcomeSummary:
    return OutcomeSummary(
        item=outcome.item,
        n_uploaders=len(outcome.rates),
        n_machines=outcome.n_machines,
        n_runs=sum(day.n_runs for day in outcome.days),
        share=outcome.share,
        first=outcome.first_day,
        last=outcome.last_day,
        rate_per_s=median_log(outcome.rates),
        low_per_s=min(outcome.rates),
        high_per_s=max(outcome.rates),
        run_slug=min(day.run_slug for day in outcome.days),
    )
