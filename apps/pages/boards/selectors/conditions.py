"""What a reader asked of a board, as conditions on standings, plans, drives and providers."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, Value
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual

from apps.pages.boards.selectors.orders import MONEY, price_month_in_euro, row_key
from apps.pages.show.table.query import ALL_WORKLOADS, NOT_STATED
from apps.plans.models import HOME, Price
from apps.plans.rates import per_euro
from apps.rankings.models import Standing
from apps.rankings.selectors import FOR_RENT, NOT_FOR_RENT

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.db.models.expressions import Combinable

    from apps.pages.show.table.query import BoardQuery
    from apps.plans.models import Plan

NS_A_MS = 1_000_000
Row = TypeVar("Row", bound=Model)


def value_or_none(value: str, column: str) -> Q:
    """The filter for a value of a column, where "not stated" is a value too."""
    return Q(**{column: "" if value == NOT_STATED else value})


def plan_filter(query: BoardQuery, prefix: str = "") -> Q:
    """What a reader asked of plans, on a table that reaches them through `prefix`."""
    wanted = Q()
    if query.provider:
        wanted &= Q(**{f"{prefix}provider_id": query.provider})
    if query.kind:
        wanted &= value_or_none(query.kind, f"{prefix}kind")
    if query.storage:
        wanted &= value_or_none(query.storage, f"{prefix}storage_kind")
    if query.arch:
        wanted &= value_or_none(query.arch, f"{prefix}arch")
    if query.cores:
        wanted &= Q(**{f"{prefix}vcpus__gte": query.cores})
    if query.ram:
        wanted &= Q(**{f"{prefix}ram_gb__gte": query.ram})
    for word in query.q.split():
        wanted &= (
            Q(**{f"{prefix}name__icontains": word})
            | Q(**{f"{prefix}provider__name__icontains": word})
            | Q(**{f"{prefix}drive_family_hint__icontains": word})
        )
    return wanted


def drive_filter(query: BoardQuery, prefix: str = "") -> Q:
    """What a reader asked of drive families."""
    wanted = Q()
    if query.storage:
        wanted &= value_or_none(query.storage, f"{prefix}interface")
    if query.plp:
        wanted &= Q(**{f"{prefix}plp": query.plp})
    for word in query.q.split():
        wanted &= Q(**{f"{prefix}name__icontains": word}) | Q(
            **{f"{prefix}vendor__icontains": word}
        )
    return wanted


def standing_filter(query: BoardQuery) -> Q:
    """What a reader asked of the standings themselves, but for their workload."""
    wanted = Q()
    if query.evidence:
        wanted &= Q(evidence=query.evidence)
    if query.plp == "unknown":
        wanted &= Q(plp__in=("", "unknown"))
    elif query.plp:
        wanted &= Q(plp=query.plp)
    if query.region:
        wanted &= value_or_none(query.region, "region_group")
    if query.media:
        wanted &= Q(ladder_class=query.media)
    if query.p99_ms:
        wanted &= Q(p99_ns__lte=int(Decimal(query.p99_ms) * NS_A_MS))
    if query.uploaders:
        wanted &= Q(n_uploaders__gte=query.uploaders)
    if query.machines:
        wanted &= Q(n_machines__gte=query.machines)
    return wanted


def price_filter(query: BoardQuery, monthly_euros: Combinable) -> Q:
    """The bounds of the price a month, converted to euros by the newest rates.

    The queryset needs the annotation of `with_currency`. What has no price is left out.
    """
    wanted = Q()
    worth = per_euro("asked_currency")
    if query.price_min:
        wanted &= Q(GreaterThanOrEqual(monthly_euros, _euros(query.price_min, worth)))
    if query.price_max:
        wanted &= Q(LessThanOrEqual(monthly_euros, _euros(query.price_max, worth)))
    return wanted


def _euros(amount: str, worth: Combinable) -> Combinable:
    return Value(Decimal(amount), output_field=MONEY) / worth


def with_currency(rows: QuerySet[Row], query: BoardQuery) -> QuerySet[Row]:
    """The rows with the currency that was asked for, so that its rate can be looked up."""
    return rows.annotate(asked_currency=Value(query.currency)) if query.has_price else rows


def plan_conditions(
    query: BoardQuery, standings: QuerySet[Standing]
) -> tuple[QuerySet[Standing], Q]:
    """The standings of plans with what their filter needs, and the filter."""
    wanted = standing_filter(query) & plan_filter(query, "plan__")
    return (
        with_currency(standings, query),
        wanted & price_filter(query, price_month_in_euro("price__")),
    )


def plans_for_rent(query: BoardQuery) -> Q:
    """The condition for standings of plans that a board shows by itself: those for rent.

    Other plans stand on it where the address asks for them: by their stand-in for a provider, by
    their kind, or by the row of one.
    """
    if query.provider in NOT_FOR_RENT or query.kind == HOME:
        return Q()
    if not query.row:
        return FOR_RENT
    named = Standing.objects.annotate(own_key=row_key()).filter(own_key=query.row)
    return FOR_RENT | Q(Exists(named.filter(plan__provider__in=NOT_FOR_RENT)))


def plans_within(query: BoardQuery, plans: QuerySet[Plan]) -> QuerySet[Plan]:
    """The plans of which some whole-server price lies within the bounds."""
    if not query.has_price:
        return plans
    prices = with_currency(Price.objects.filter(plan=OuterRef("pk"), unit=""), query)
    return plans.filter(Exists(prices.filter(price_filter(query, price_month_in_euro("")))))


def of_workload(workload: str, prefix: str = "") -> Q:
    """The condition for one workload; for all: those that time durable commits of one writer."""
    if workload in ("", ALL_WORKLOADS):
        return Q(**{f"{prefix}is_durable_single_writer": True})
    return Q(workload=workload)
