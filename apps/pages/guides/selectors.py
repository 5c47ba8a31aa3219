"""What a guide reads from the database: its standings, the drives of its plans, and what lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import (
    Case,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Value,
    When,
)

from apps.drives.models import DriveFamily
from apps.plans.models import Plan
from apps.rankings.advice.lottery import drive_lottery
from apps.rankings.advice.selectors import with_sources
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import BY_RATE, EVIDENCE_PLACE

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apps.pages.guides.guide import Guide
    from apps.rankings.advice.evidence import LotteryDrive

    Lottery = Mapping[str, tuple[LotteryDrive, ...]]  # what people got, by plan

STANDINGS_MAX = 3_000  # judged on one page; more plans than there are, in all their regions
VIRTUAL = "virtual"  # a name that any host puts on any disk: nothing to judge
TEXT_MAX = 100  # characters of a search
REAL = ~Q(evidence=Evidence.EXAMPLE) & Q(is_illustrative=False)  # gets a verdict


@dataclass(frozen=True, slots=True)
class GuideRows:
    """The standings that one guide can judge, and how much no workload of it was run on."""

    standings: Sequence[Standing]
    drives: Lottery
    unmeasured_plans: int
    unmeasured_drives: int


def read_guide(guide: Guide, text: str = "") -> GuideRows:
    """One guide: 3 queries, 4 where protection is asked for.

    `text` leaves what has these words in its name.
    """
    standings = guide_standings(guide, text)
    return GuideRows(
        standings=standings,
        drives=drives_of(guide, standings),
        unmeasured_plans=unmeasured(Plan.objects.rentable(), "plan", guide),
        unmeasured_drives=unmeasured(
            DriveFamily.objects.exclude(kind=VIRTUAL), "drive_family", guide
        ),
    )


def unmeasured(things: QuerySet[Plan] | QuerySet[DriveFamily], column: str, guide: Guide) -> int:
    """How many plans or drive families no workload of the guide was run on: one query.

    Made-up runs measure nothing, nor do figures that their article calls illustrative.
    """
    standings = Standing.objects.filter(
        REAL,
        **{column: OuterRef("pk")},
        workload__in=list(guide.by_workload),
    )
    return things.filter(~Exists(standings)).count()


def name_filter(text: str) -> Q:
    """What has every word of a search in its names."""
    condition = Q()
    for word in text[:TEXT_MAX].split():
        condition &= (
            Q(plan__name__icontains=word)
            | Q(plan__provider__name__icontains=word)
            | Q(drive_family__name__icontains=word)
            | Q(drive_family__vendor__icontains=word)
            | Q(drive_names__icontains=word)
        )
    return condition


def guide_standings(guide: Guide, text: str) -> list[Standing]:
    """Every standing that the guide can judge, in the order of its groups: one query."""
    place = Case(
        *(When(workload=name, then=Value(n)) for n, name in enumerate(guide.by_workload)),
        default=Value(len(guide.stand_ins)),
        output_field=IntegerField(),
    )
    is_made_up = Case(
        When(evidence=Evidence.EXAMPLE, then=Value(1)),
        default=Value(0),
        output_field=IntegerField(),
    )
    order = BY_RATE if guide.is_of_rate else (F("p99_ns").asc(nulls_last=True),)
    return list(
        with_sources(
            Standing.objects.filter(name_filter(text), workload__in=list(guide.by_workload))
        )
        .exclude(drive_family__kind=VIRTUAL)
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .order_by(is_made_up, place, EVIDENCE_PLACE, *order, "pk")[:STANDINGS_MAX]
    )


def drives_of(guide: Guide, standings: Iterable[Standing]) -> Lottery:
    """The drives that people got with each plan, where the guide asks for protection: one query."""
    if not guide.rule.needs_plp:
        return {}
    return drive_lottery({each.plan_id for each in standings if each.plan_id})


@dataclass(frozen=True, slots=True)
class GuidesRows:
    """The standings that any of several guides can judge."""

    standings: Sequence[Standing]
    drives: Lottery


def read_guides(guides: Sequence[Guide]) -> GuidesRows:
    """What the list of guides counts verdicts of: two queries for all of them."""
    workloads = {stand_in.workload for guide in guides for stand_in in guide.stand_ins}
    standings = list(
        Standing.objects.filter(REAL, workload__in=workloads)
        .exclude(drive_family__kind=VIRTUAL)
        .select_related("plan", "drive_family")
        .defer("curve", "points")
        .order_by("pk")[: STANDINGS_MAX * len(guides)]
    )
    drives = drive_lottery({each.plan_id for each in standings if each.plan_id})
    return GuidesRows(standings, drives)
