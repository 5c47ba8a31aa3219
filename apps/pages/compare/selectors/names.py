"""Plans and drives by the names that an address or a reader gives them, with their list prices."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Case, IntegerField, Max, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce, JSONObject

from apps.drives.models import DriveFamily
from apps.pages.compare.query import (
    THINGS_MAX,
    CompareQuery,
)
from apps.pages.show.address.references import (
    Ref,
    RefKind,
)
from apps.plans.models import Plan, Price
from apps.plans.prices.rates import per_euro
from apps.plans.prices.volumes import VolumeError
from apps.rankings.cost import PricedVolume, is_orderable, pick_price, price_volume
from apps.rankings.models import Standing
from apps.runs.models import Run
from apps.words.workloads import workload_short

FOUND_MAX = 8  # of plans, and of drives: what fits below the field
WORDS_MAX = 6  # of what is looked for
PRICES_READ_MAX = 60  # of a plan, newest first: one in every region

# The list prices of a plan ride on its row, each with what one euro is worth in its currency.
PRICES = (
    Price.objects.filter(plan=OuterRef("pk"), is_disputed=False)
    .annotate(euro=per_euro("currency"))
    .order_by("-valid_from", "amount")
    .values(
        price=JSONObject(
            id="id", region="region", currency="currency", amount="amount", period="period",
            valid_from="valid_from", includes="includes", source="source", kind="kind",
            term_months="term_months", unit="unit", euro="euro",
        )
    )[:PRICES_READ_MAX]
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class EuroPrice:
    """A list price, and what one euro is worth in its currency."""

    price: Price | None = None
    per_euro: Decimal | None = None


@dataclass(frozen=True, slots=True)
class NamedThing:
    """A plan or a drive that is compared, or that a reader may mean."""

    ref: Ref
    name: str
    under: str
    n_runs: int
    plan: Plan | None = None
    drive: DriveFamily | None = None
    price: Price | None = None
    per_euro: Decimal | None = None
    list_prices: tuple[EuroPrice, ...] = ()  # of a plan
    volume: PricedVolume | None = None  # of any size: as it is ordered
    rate_per_s: float | None = None  # of what is offered by its figure
    work: str = ""  # that this was measured with

    def price_in(self, region: str) -> EuroPrice:
        """The list price that a cost in this region is computed from."""
        price = pick_price((each.price for each in self.list_prices if each.price), region=region)
        return next((each for each in self.list_prices if each.price is price), EuroPrice())

    @property
    def text(self) -> str:
        """What a reader would type to mean it."""
        return f"{self.under} {self.name}".strip()


def slugs(refs: Iterable[Ref], kind: RefKind) -> list[str]:
    """The slugs of one kind."""
    return [ref.slug for ref in refs if ref.kind == kind]


@dataclass(frozen=True, slots=True)
class Things:
    """What the names of an address and of a reader stand for."""

    names: dict[Ref, NamedThing]  # the plans and drives that are asked for
    rented_plans: dict[str, NamedThing]  # the plans of the runs that are asked for, by slug
    offers: tuple[NamedThing, ...]  # what is looked for


def find_things(query: CompareQuery) -> Things:
    """The plans and drives that are asked for, and those that are looked for: two queries.

    The plans of the runs that are asked for are among them: a run costs what its plan does.
    """
    matches_words = plan_words(query.add)
    of_runs = Run.objects.filter(slug__in=slugs(query.on, RefKind.RUN), plan__isnull=False)
    is_rented = Q(slug__in=of_runs.values("plan"))
    plans = Plan.objects.select_related("provider").annotate(
        list_prices=ArraySubquery(PRICES),
        is_rented=Case(When(is_rented, then=True), default=False),
        is_meant=Case(When(matches_words, then=True), default=False)
        if matches_words
        else Value(value=False),
    )
    of_plans = list(named_or_matching(plans, query, RefKind.PLAN, matches_words, also=is_rented))
    of_drives = named_or_matching(
        DriveFamily.objects.select_related("ladder_class"),
        query,
        RefKind.DRIVE,
        drive_words(query.add),
    )
    by_plan = {plan: plan_candidate(plan) for plan in of_plans}
    rows = [*by_plan.values(), *(drive_candidate(each) for each in of_drives)]
    slugs_of_query = {ref.thing for ref in query.on}
    names = {matches.ref: matches for matches in rows if matches.ref in slugs_of_query}
    unasked = {matches.ref for plan, matches in by_plan.items() if not plan.is_meant}
    matches = [each for each in rows if each.ref not in names and each.ref not in unasked]
    return Things(
        names=names,
        rented_plans={plan.slug: matches for plan, matches in by_plan.items() if plan.is_rented},
        offers=tuple(
            sorted(
                matches, key=lambda each: (not is_named(each, query.add), -each.n_runs, each.name)
            )
        ),
    )


def named_or_matching(
    things: QuerySet[Any], query: CompareQuery, kind: RefKind, words: Q, *, also: Q | None = None
) -> QuerySet[Any]:
    """Those that are asked for by their slug, then those that hold the words, most runs first."""
    is_asked = Q(slug__in=slugs(query.on, kind))
    is_asked = is_asked if also is None else is_asked | also
    place = Case(When(is_asked, then=Value(0)), default=Value(1), output_field=IntegerField())
    rows: QuerySet[Any] = (
        things.filter(is_asked | words if query.add else is_asked)
        .annotate(place=place, most_runs=Coalesce(Max("standings__n_runs"), 0))
        .order_by("place", "-most_runs", "name")[: 2 * THINGS_MAX + FOUND_MAX]
    )
    return rows


def plan_candidate(plan: Plan) -> NamedThing:
    """A plan with the price that its cost would be computed from."""
    rows: list[Mapping[str, Any]] = getattr(plan, "list_prices", [])
    every = [
        EuroPrice(price_of(row), None if row["euro"] is None else Decimal(str(row["euro"])))
        for row in rows
    ]
    prices = tuple(each for each in every if each.price and not each.price.unit)
    thing = NamedThing(
        ref=Ref(RefKind.PLAN, plan.slug),
        name=plan.name,
        under=plan.provider.name,
        n_runs=getattr(plan, "most_runs", 0),
        plan=plan,
        list_prices=prices,
    )
    price = thing.price_in("")
    if price.price is None and every and is_orderable(plan):
        # not every list of a cloud could be read
        with suppress(VolumeError):
            volume = price_volume(plan, {plan.slug: [each.price for each in every if each.price]})
            euro = next(
                each.per_euro
                for each in every
                if each.price and each.price.currency == volume.bill.currency
            )
            return replace(thing, volume=volume, per_euro=euro)
    return replace(thing, price=price.price, per_euro=price.per_euro)


def price_of(row: Mapping[str, Any]) -> Price:
    """A price as the database aggregated it."""
    return Price(
        id=row["id"],
        region=row["region"],
        currency=row["currency"],
        amount=Decimal(str(row["amount"])),
        period=row["period"],
        valid_from=dt.date.fromisoformat(row["valid_from"]),
        includes=row["includes"],
        source=row["source"],
        kind=row["kind"],
        term_months=row["term_months"],
        unit=row["unit"],
    )


def drive_candidate(drive: DriveFamily) -> NamedThing:
    """A drive family; nobody knows what it costs."""
    return NamedThing(
        ref=Ref(RefKind.DRIVE, drive.slug),
        name=drive.name,
        under=drive.vendor,
        n_runs=getattr(drive, "most_runs", 0),
        drive=drive,
    )


def named_of(row: Standing) -> NamedThing:
    """The plan or drive of a standing, with its rate and the work of that."""
    if row.plan is not None:
        ref, name, under = Ref(RefKind.PLAN, row.plan.slug), row.plan.name, row.plan.provider.name
    elif row.drive_family is not None:
        family = row.drive_family
        ref, name, under = Ref(RefKind.DRIVE, family.slug), family.name, family.vendor
    else:
        raise AssertionError("a standing is of a plan or of a drive")
    work = workload_short(row.workload, row.workload_title)
    return NamedThing(ref, name, under, row.n_runs, rate_per_s=row.rate_per_s, work=work)


def is_named(thing: NamedThing, text: str) -> bool:
    """Whether somebody typed exactly its name, with or without the provider or maker."""
    words = " ".join(text.casefold().split())
    return words in (thing.name.casefold(), thing.text.casefold())


def plan_words(text: str) -> Q:
    """Plans whose name or provider holds every word."""
    condition = Q()
    for word in text.split()[:WORDS_MAX]:
        condition &= Q(name__icontains=word) | Q(provider__name__icontains=word)
    return condition


def drive_words(text: str) -> Q:
    """Drive families whose name or maker holds every word."""
    condition = Q()
    for word in text.split()[:WORDS_MAX]:
        condition &= Q(name__icontains=word) | Q(vendor__icontains=word)
    return condition
