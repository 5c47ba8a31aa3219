"""What a guide reads from the database: its standings, the drives of its plans, and what lacks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet, Value

from apps.drives.models import DriveFamily
from apps.plans.models import NOT_FOR_RENT, Plan
from apps.rankings.advice.lottery import drive_lottery
from apps.rankings.advice.selectors import with_sources
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import EVIDENCE_PLACE, FOR_RENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from apps.pages.guides.guide import Guide
    from apps.rankings.advice.evidence import LotteryDrive

    Lottery = Mapping[str, tuple[LotteryDrive, ...]]  # what people got, by plan

STANDINGS_MAX = 3_000  # judged on one page; more plans than there are, in all their regions
VIRTUAL = "virtual"  # a name that any host puts on any disk: nothing to judge
TEXT_MAX = 100  # characters of a search
REAL = ~Q(evidence=Evidence.EXAMPLE) & Q(is_illustrative=False)  # gets a verdict


class KnownName(NamedTuple):
    """A plan or drive of the catalogue, as a search can call it."""

    name: str
    owner: str  # its provider, or who makes it
    segment: str  # of a drive

    def has(self, word: str) -> bool:
        """Whether a word of a search is of it, as `name_filter` has it of standings."""
        text = word.lower()
        is_named = text in self.name.lower() or text in self.owner.lower()
        return is_named or text == self.segment


@dataclass(frozen=True, slots=True)
class GuideRows:
    """The standings that one guide can judge, and how much no workload of it was run on."""

    standings: Sequence[Standing]
    called: frozenset[int]  # keys of those that have the words that were searched for
    drives: Lottery
    names: Sequence[KnownName]  # of the catalogue, where nothing judged has the words
    unmeasured_plans: int
    unmeasured_drives: int


def read_guide(guide: Guide, text: str = "") -> GuideRows:
    """One guide: 3 queries, one more for a guide that asks for protection, up to 2 for a search.

    A machine of somebody's own is judged where it is asked for, and is the best of nothing.
    """
    standings = guide_standings(guide)
    if not text:
        standings = [each for each in standings if not is_of_ones_own(each)]
    matching = Standing.objects.filter(name_filter(text), pk__in=[each.pk for each in standings])
    called = frozenset(matching.values_list("pk", flat=True)) if text else frozenset()
    is_found = any(each.pk in called and is_real(each) for each in standings)
    return GuideRows(
        standings=standings,
        called=called,
        drives=drives_of(guide, standings),
        names=_names() if text and not is_found else (),
        unmeasured_plans=unmeasured(Plan.objects.rentable(), "plan", guide),
        unmeasured_drives=unmeasured(
            DriveFamily.objects.exclude(kind=VIRTUAL), "drive_family", guide
        ),
    )


def _names() -> list[KnownName]:
    """What plans and drives are called: one query."""
    plans = Plan.objects.filter(is_listed=True).values_list("name", "provider__name", Value(""))
    drives = DriveFamily.objects.exclude(kind=VIRTUAL).values_list("name", "vendor", "segment")
    return [KnownName(*each) for each in plans.union(drives)]


def is_real(standing: Standing) -> bool:
    """Whether a standing gets a verdict, as `REAL` says it to the database."""
    return standing.evidence != Evidence.EXAMPLE and not standing.is_illustrative


def is_of_ones_own(standing: Standing) -> bool:
    """Whether a standing is of a machine that nobody can rent."""
    return standing.plan is not None and standing.plan.provider_id in NOT_FOR_RENT


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
    """What has every word of a search in its names, or is a drive of that segment."""
    condition = Q()
    for word in text[:TEXT_MAX].split():
        condition &= (
            Q(plan__name__icontains=word)
            | Q(plan__provider__name__icontains=word)
            | Q(drive_family__name__icontains=word)
            | Q(drive_family__vendor__icontains=word)
            | Q(drive_names__icontains=word)
            | Q(drive_family__segment__iexact=word)
        )
    return condition


def guide_standings(guide: Guide, *conditions: Q) -> list[Standing]:
    """Every standing of some conditions that the guide can judge: one query."""
    return list(
        with_sources(Standing.objects.filter(*conditions, workload__in=list(guide.by_workload)))
        .exclude(drive_family__kind=VIRTUAL)
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .defer("points")
        .order_by(EVIDENCE_PLACE, "pk")[:STANDINGS_MAX]
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
    """What the list of guides takes the best of: two queries for all of them."""
    workloads = {stand_in.workload for guide in guides for stand_in in guide.stand_ins}
    standings = list(
        Standing.objects.filter(REAL, FOR_RENT, workload__in=workloads)
        .exclude(drive_family__kind=VIRTUAL)
        .select_related("plan__provider", "drive_family")
        .defer("curve", "points")
        .order_by("pk")[: STANDINGS_MAX * len(guides)]
    )
    drives = drive_lottery({each.plan_id for each in standings if each.plan_id})
    return GuidesRows(standings, drives)
