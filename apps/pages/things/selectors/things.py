"""Plans, drives and providers, each with its standings, prices and runs."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Exists, OuterRef, Prefetch, QuerySet

from apps.drives.expected_class import possible_classes
from apps.drives.models import DriveFamily, FamilySource, LadderClass
from apps.interest.kinds import PLAN
from apps.interest.selectors import times_looked_for
from apps.moderation.models import Subject
from apps.moderation.selectors.standing import moderated
from apps.pages.draw.quantiles import quantiles_of
from apps.pages.show.table.paging import NEEDS_A_PAGE, Pages, paging
from apps.pages.things.selectors.kin import Kin, kin_of_drive, kin_of_plan
from apps.pages.things.selectors.months import Month, months_of
from apps.pages.things.selectors.runs import (
    PlanOrDrive,
    RunEntries,
    RunEntriesQuery,
    Tally,
    run_entries,
    tally_column,
)
from apps.pages.things.selectors.spread import MachineSpread, machine_spread
from apps.plans.models import Plan, Price, Provider
from apps.plans.prices.currencies import EURO, RatesError, RateTable
from apps.plans.prices.rates import current_rates
from apps.plans.selectors import newest_prices
from apps.rankings.advice.selectors import with_sources
from apps.rankings.advice.stand_ins import COMMITS
from apps.rankings.choice import choice_order, evidence_place, headline, may_lead
from apps.rankings.cost import monthly, pick_price
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import (
    COMMIT_STANDINGS,
    GROUP,
    REAL_COMMITS,
    ROW,
    with_volume_prices,
)
from apps.runs.clouds.selectors import SENDERS_OF_PLAN, Challenges, challenges_of_senders
from apps.runs.published.comparable import comparable_class
from apps.runs.sides import COMMIT_SIDES

PRICES_SHOWN_MAX = 40  # a plan in every region; the export has the rest
FIGURES_MIN = 4  # of a thing without a curve; fewer leave its picture empty
PLAN_ROWS_MAX = 10  # of a provider, what a screen holds; the board of plans has the rest


def lead_of(standings: Sequence[Standing]) -> Standing | None:
    """The standing that a page leads with: the first of the first group, where it is of commits."""
    return headline(standings)


def cell_of(lead: Standing, standings: Iterable[Standing]) -> list[Standing]:
    """The rows of a standing's cell: itself, and the other kinds of storage in the same place."""
    columns = ("evidence", "workload", "version", "region_group")
    return [
        each
        for each in standings
        if all(getattr(each, name) == getattr(lead, name) for name in columns)
    ]


def newest_of(standings: Iterable[Standing]) -> datetime | None:
    """When the newest run of these was made; None where no source states a day."""
    days = (getattr(each, "measured_at", None) for each in standings)
    return max((day for day in days if day is not None), default=None)


def of_first_evidence(standings: Sequence[Standing]) -> list[Standing]:
    """Those with the kind of evidence that goes first: examples make nothing look fresh."""
    first = min(map(evidence_place, standings), default=0)
    return [each for each in standings if evidence_place(each) == first]


def has_curve(lead: Standing) -> bool:
    """Whether its percentiles are drawn: a latency that leaves the sync out is none of a commit."""
    return lead.latency_side in COMMIT_SIDES and quantiles_of(lead).has_shape


@dataclass(frozen=True, slots=True)
class ThingSummary:
    """What all runs of a plan or a drive come to, and what that rests on."""

    standings: tuple[Standing, ...]
    lead: Standing | None  # what the page leads with; None where nobody measured commits
    spread: MachineSpread
    months: tuple[Month, ...]
    newest: datetime | None  # of all its workloads, by the evidence that the page leads with
    lead_newest: datetime | None
    runs: RunEntries

    @property
    def needs_kin(self) -> bool:
        """Whether the picture is of kin too: nothing of it, or few published figures, is known."""
        if self.lead is None or self.lead.evidence != Evidence.PUBLISHED:
            return self.lead is None
        n_comparable = sum(may_lead(each) for each in self.standings)
        return n_comparable < FIGURES_MIN and not has_curve(self.lead)

    @property
    def is_of_many(self) -> bool:
        """Whether all of its runs are of several drives together, which count for no drive."""
        runs = (*self.runs.agent_runs, *self.runs.published, *self.runs.imported)
        return bool(runs) and not any(each.run.is_single_drive for each in runs)


def summary_of(
    thing: PlanOrDrive, rows: Sequence[Standing], *, tally: Tally, query: RunEntriesQuery
) -> ThingSummary:
    """What stands of a thing with its runs: 3 queries, 1 where nobody measured its commits."""
    lead = lead_of(rows)
    lead_newest = newest_of([lead]) if lead else None
    return ThingSummary(
        standings=tuple(rows),
        lead=lead,
        spread=machine_spread(lead, cell_of(lead, rows)) if lead else MachineSpread(),
        months=months_of(lead, newest=lead_newest) if lead else (),
        newest=newest_of(of_first_evidence(rows)),
        lead_newest=lead_newest,
        runs=run_entries(thing, tally, query),
    )


def tally_of(thing: Plan | DriveFamily) -> Tally:
    """How many runs of each kind were counted beside a plan or a drive."""
    return Tally(**(getattr(thing, "tally", None) or {}))


@dataclass(frozen=True, slots=True)
class PlanDetails:
    """Everything about one plan."""

    plan: Plan
    summary: ThingSummary
    prices: tuple[Price, ...]
    kin: tuple[Kin, ...]  # of a plan of which little is known
    challenges: Challenges  # of who sent runs of it


def find_plan(slug: str, query: RunEntriesQuery) -> PlanDetails | None:
    """One plan: 6 queries; one more for the kin of one of which little is known."""
    newest_first = Price.objects.order_by("-valid_from", "region", "amount")
    plans = (
        Plan.objects.select_related("provider")
        .prefetch_related(Prefetch("prices", newest_first, to_attr="list_prices"))
        .annotate(tally=tally_column("plan"), senders=SENDERS_OF_PLAN, **moderated(Subject.PLAN))
    )
    plan = plans.filter(slug=slug).first()
    if plan is None:
        return None
    prices = tuple(getattr(plan, "list_prices", ()))
    standings = list(
        with_sources(Standing.objects.filter(plan=plan))
        .select_related("price", "ladder_class")
        .order_by(*GROUP, *choice_order())
    )
    for each in standings:
        each.plan = plan  # with its prices
    summary = summary_of(
        PlanOrDrive("plan", slug), with_volume_prices(standings), tally=tally_of(plan), query=query
    )
    kin = kin_of_plan(plan) if summary.needs_kin else ()
    senders = challenges_of_senders(getattr(plan, "senders", ()))
    return PlanDetails(plan, summary, prices[:PRICES_SHOWN_MAX], kin, senders)


@dataclass(frozen=True, slots=True)
class DriveDetails:
    """Everything about one drive family."""

    drive: DriveFamily
    summary: ThingSummary
    nearest: Standing | None  # nearest to a commit of a database, by the table of the verdicts
    sources: tuple[FamilySource, ...]  # which document states which fact
    possible: tuple[LadderClass, ...]  # the classes that its facts allow, the quickest first
    kin: tuple[Kin, ...]  # of a drive of which little is known


def nearest_to_commits(standings: Iterable[Standing]) -> Standing | None:
    """The standing whose workload stands first for a commit, by the best kind of evidence.

    What is made up answers no question about a drive.
    """
    places = {stand_in.workload: place for place, stand_in in enumerate(COMMITS)}
    with_rates = [
        each
        for each in standings
        if each.workload in places
        and each.evidence != Evidence.EXAMPLE
        and not each.is_illustrative
    ]
    return min(
        with_rates, key=lambda each: (evidence_place(each), places[each.workload]), default=None
    )


def find_drive(slug: str, query: RunEntriesQuery) -> DriveDetails | None:
    """One drive family: 6 queries; one more where its class is not certain, and for kin."""
    families = DriveFamily.objects.select_related("ladder_class")
    drives = families.annotate(**moderated(Subject.DRIVE))
    drive = drives.annotate(tally=tally_column("drive_family")).filter(slug=slug).first()
    if drive is None:
        return None
    standings = list(
        with_sources(Standing.objects.filter(drive_family=drive))
        .select_related("drive_family", "price", "ladder_class")
        .order_by(*GROUP, *choice_order())
    )
    summary = summary_of(
        PlanOrDrive("drive_family", slug), standings, tally=tally_of(drive), query=query
    )
    kin = kin_of_drive(drive) if summary.needs_kin else ()
    return DriveDetails(
        drive,
        summary,
        nearest_to_commits(standings),
        sources=tuple(drive.sources.all()),
        possible=classes_of(drive),
        kin=kin,
    )


def classes_of(drive: DriveFamily) -> tuple[LadderClass, ...]:
    """The classes that the facts of a family allow, the quickest first."""
    if drive.ladder_class is not None:
        return (drive.ladder_class,)
    slugs = possible_classes(drive)
    rungs = LadderClass.objects.in_bulk(slugs) if slugs else {}
    return tuple(rungs[slug] for slug in slugs if slug in rungs)


@dataclass(frozen=True, slots=True)
class ProviderDetails:
    """A provider with its plans, measured and not."""

    provider: Provider
    standings: tuple[Standing, ...]  # of commits, the fastest of each group first
    plans: tuple[Standing, ...]  # of those what represents each plan, in the order of the board
    rates: RateTable
    newest: datetime | None
    needs: tuple[Plan, ...]
    needs_pages: Pages
    cheapest: Plan | None  # of all that wait, where no plan has a figure
    kin: tuple[Kin, ...]  # of that one

    @property
    def n_unshown(self) -> int:
        """How many plans the board has and this page has not."""
        return max(0, len(self.plans) - PLAN_ROWS_MAX)


def best_of_plans(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """The standing that represents each plan: by class of work, then rate, examples last."""
    by_plan: dict[str, list[Standing]] = defaultdict(list)
    for each in standings:
        by_plan[each.plan_id or ""].append(each)
    chosen = (headline(rows) for rows in by_plan.values())
    return tuple(sorted((each for each in chosen if each is not None), key=_board_place))


def _board_place(row: Standing) -> tuple[bool, int, float, str]:
    """Where a row stands: as the board of plans sorts it, with examples behind all others."""
    return (
        row.evidence == Evidence.EXAMPLE,
        comparable_class(row.workload),
        -(row.order_rate_per_s or row.rate_per_s),
        row.plan_id or "",
    )


def find_provider(slug: str, needs_page: int) -> ProviderDetails | None:
    """One provider: 6 queries at most. The cheapest wait first where none has a figure."""
    providers = Provider.objects.annotate(**moderated(Subject.PROVIDER))
    provider = providers.filter(slug=slug).first()
    if provider is None:
        return None
    standings = list(
        with_sources(COMMIT_STANDINGS.filter(plan__provider=provider))
        .select_related("plan__provider", "price", "ladder_class")
        .order_by(*GROUP, "-rate_per_s", *ROW)
    )
    waiting = (
        Plan.objects.rentable()
        .filter(~Exists(REAL_COMMITS.filter(plan=OuterRef("pk"))), provider=provider)
        .select_related("provider")
        .annotate(wanted=times_looked_for(PLAN))
        .order_by("-wanted", "name")
    )
    plans, rates = best_of_plans(standings), current_rates()
    by_month = [] if plans else cheapest_first(waiting, rates)
    total = waiting.count() if plans else len(by_month)
    pages, cut = paging(total=total, page=needs_page, size=NEEDS_A_PAGE)
    needs = list(waiting[cut]) if plans else by_month[cut]
    cheapest = by_month[0] if by_month else None
    return ProviderDetails(
        provider=provider,
        standings=tuple(standings),
        plans=tuple(with_volume_prices(plans, also=needs)),
        rates=rates,
        newest=newest_of(of_first_evidence(standings)),
        needs=tuple(needs),
        needs_pages=pages,
        cheapest=cheapest,
        kin=kin_of_plan(cheapest) if cheapest else (),
    )


def cheapest_first(plans: QuerySet[Plan], rates: RateTable) -> list[Plan]:
    """Plans by what a month costs in euro; last those without a price: 2 queries."""

    def month(plan: Plan) -> Decimal:
        price = pick_price(getattr(plan, "list_prices", ()))
        if price is None:
            return Decimal("Infinity")
        try:
            return rates.convert(monthly(price), source=price.currency, target=EURO)
        except RatesError:
            return Decimal("Infinity")

    return sorted(plans.prefetch_related(newest_prices()), key=month)
