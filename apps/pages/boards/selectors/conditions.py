"""What a reader asked of a board, as conditions on standings, plans, drives and providers."""

from __future__ import annotations

from decimal import Decimal
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Final, TypeVar

from django.db.models import Exists, Model, OuterRef, Q, Subquery, Value
from django.db.models.lookups import GreaterThanOrEqual, LessThanOrEqual

from apps.pages.boards.query import WORK_CLASSES
from apps.pages.boards.selectors.orders import MONEY, price_month_in_euro, row_key
from apps.pages.show.table.columns import DRIVES
from apps.plans.models import HOME_KIND, NOT_FOR_RENT, Price
from apps.plans.prices.rates import per_euro
from apps.rankings.models import Standing
from apps.rankings.selectors import FOR_RENT, MAY_LEAD
from apps.runs.published.comparable import workloads_of

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.db.models.expressions import Combinable

    from apps.pages.boards.query import BoardQuery
    from apps.plans.models import Plan

AnyModel = TypeVar("AnyModel", bound=Model)
# Where the words of a reader are looked for.
SEARCHED: Final = {
    "plan__": ("name", "provider__name", "drive_family_hint"),
    "drive_family__": ("name", "vendor"),
}
# What `pick_price` picks of a plan's prices where no region is asked for.
SHOWN_PRICE: Final = Subquery(
    Price.objects.filter(plan=OuterRef("pk"), unit="", is_disputed=False)
    .exclude(term_months__gt=1)
    .annotate(is_monthly=Q(period=Price.Period.MONTH))
    .order_by("-valid_from", "-is_monthly", "amount", "region", "includes")
    .values("pk")[:1]
)


def standing_filter(query: BoardQuery) -> Q:
    """What a reader asked of standings, and of their plan or drive family, but for the workload."""
    thing = "drive_family__" if query.board == DRIVES else "plan__"
    of_class = Q(workload__in=workloads_of(WORK_CLASSES[query.work])) if query.work else Q()
    return of_class & _conditions(query, "") & _search(query, thing, thing)


def plan_filter(query: BoardQuery) -> Q:
    """What a reader asked of plans themselves."""
    kept = Q(is_ephemeral=False) if query.keeps_data else Q()
    return _conditions(query, "plan__") & _search(query, "plan__", "") & kept


def drive_filter(query: BoardQuery) -> Q:
    """What a reader asked of drive families themselves."""
    return _conditions(query, "drive_family__") & _search(query, "drive_family__", "")


def _conditions(query: BoardQuery, below: str) -> Q:
    """The filters that are on and whose columns lie below a prefix, on the table it leads to."""
    condition = Q()
    for each, value in query.filters_on():
        if each.column and each.column.path.startswith(below):
            condition &= each.condition(value, each.column.below(below))
    return condition


def _search(query: BoardQuery, thing: str, prefix: str) -> Q:
    """Every word of the search in one of the names of a thing."""
    condition = Q()
    for word in query.q.split():
        names = (Q(**{f"{prefix}{name}__icontains": word}) for name in SEARCHED[thing])
        condition &= reduce(or_, names)
    return condition


def price_filter(query: BoardQuery, monthly_euros: Combinable) -> Q:
    """The budget and the bounds of the price a month, in euros by the newest rates.

    The queryset needs the annotation of `with_currency`. What has no price is left out.
    """
    worth = per_euro("asked_currency")
    typed = query.value("price_min"), query.value("price_max")
    asked = (_money(each) / worth if each else None for each in typed)
    budget = (_money(each) if each else None for each in query.budget_euros)
    return _between(monthly_euros, *asked) & _between(monthly_euros, *budget)


def _between(amount: Combinable, low: Combinable | None, high: Combinable | None) -> Q:
    condition = Q()
    if low is not None:
        condition &= Q(GreaterThanOrEqual(amount, low))
    if high is not None:
        condition &= Q(LessThanOrEqual(amount, high))
    return condition


def _money(amount: str) -> Value:
    return Value(Decimal(amount), output_field=MONEY)


def with_currency(rows: QuerySet[AnyModel], query: BoardQuery) -> QuerySet[AnyModel]:
    """The rows with the currency that was asked for, so that its rate can be looked up."""
    return rows.annotate(asked_currency=Value(query.currency)) if query.has_price else rows


def plan_conditions(
    query: BoardQuery, standings: QuerySet[Standing]
) -> tuple[QuerySet[Standing], Q]:
    """The standings of plans with what their filter needs, and the filter."""
    within = price_filter(query, price_month_in_euro("price__"))
    kept = Q(plan__is_ephemeral=False) if query.keeps_data else Q()
    return with_currency(standings, query), standing_filter(query) & within & kept


def plans_for_rent(query: BoardQuery) -> Q:
    """The condition for standings of plans that a board shows by itself: those for rent.

    Other plans stand on it where the address asks for them: by their stand-in for a provider, by
    their kind, or by the row of one.
    """
    if query.value("provider") in NOT_FOR_RENT or query.value("kind") == HOME_KIND:
        return Q()
    if not query.row:
        return FOR_RENT
    rows_of_address = Standing.objects.annotate(own_key=row_key()).filter(own_key=query.row)
    return FOR_RENT | Q(Exists(rows_of_address.filter(plan__provider__in=NOT_FOR_RENT)))


def plans_within(query: BoardQuery, plans: QuerySet[Plan]) -> QuerySet[Plan]:
    """The plans of which the price that their row shows lies within the bounds."""
    if not query.has_price and not any(query.budget_euros):
        return plans
    prices = Price.objects.filter(pk=OuterRef("shown_price"))
    within = with_currency(prices, query).filter(price_filter(query, price_month_in_euro("")))
    return plans.annotate(shown_price=SHOWN_PRICE).filter(Exists(within))


def of_workload(workload: str) -> Q:
    """The condition for one workload; without one for comparable work."""
    return Q(workload=workload) if workload else MAY_LEAD
