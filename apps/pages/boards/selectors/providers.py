"""The board of providers: each by the best of its plans that fit what is asked for.

A provider is listed where one plan of it satisfies every filter at once. Its row shows the fastest
such plan, and of such plans the one whose commits cost least. Providers of whom nothing is known
stand below.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import (
    BooleanField,
    CharField,
    Count,
    Exists,
    ExpressionWrapper,
    F,
    OrderBy,
    OuterRef,
    Q,
    Value,
    Window,
)
from django.db.models.functions import Cast, Concat, DenseRank, FirstValue, RowNumber

from apps.interest.kinds import PROVIDER
from apps.interest.selectors import times_looked_for
from apps.pages.boards.selectors.boards import (
    ROWS_A_PAGE,
    WANTED_FIRST,
    BoardRows,
    group_order,
    shown_of,
    waiting_page,
)
from apps.pages.boards.selectors.conditions import (
    plan_conditions,
    plan_filter,
    plans_for_rent,
    plans_within,
)
from apps.pages.boards.selectors.facets import (
    FacetColumns,
    Facets,
    bounds_of,
    values_of,
)
from apps.pages.boards.selectors.orders import (
    MONEY,
    SUPERSEDED_LAST,
    sort_order,
)
from apps.pages.show.table.columns import PROVIDERS, Sort
from apps.pages.show.table.paging import paging
from apps.plans.models import Plan, Provider
from apps.plans.prices.rates import per_euro
from apps.rankings.models import ProviderStanding, Standing
from apps.rankings.selectors import (
    COMPARABLE_PLACE,
    FOR_RENT,
    REAL_COMMITS,
    ROW,
    newest_run,
    with_volume_prices,
)

if TYPE_CHECKING:
    from django.db.models import Expression, QuerySet

    from apps.pages.boards.query import BoardQuery

# One row of the board of a workload: a provider with one kind of evidence under one version.
ONE_ROW: Final = ("plan__provider", "evidence", "workload", "version")


def provider_standings(query: BoardQuery) -> tuple[QuerySet[Standing], Facets]:
    """The standings of plans that fit, and what else the board could show: 2 queries."""
    every, condition = plan_conditions(query, Standing.objects.filter(plan__isnull=False))
    parts = ("plan__provider_id", Value(" "), "evidence", Value(" "), Cast("version", CharField()))
    facet_columns = FacetColumns(
        values=values_of(PROVIDERS),
        most=bounds_of(PROVIDERS),
        row_id=Concat(*parts, output_field=CharField()),
        eligible=plans_for_rent(query),
        usual=FOR_RENT,
        thing="plan__provider",
    )
    return shown_of(every, query, condition=condition, facet_columns=facet_columns, thing="plan")


def providers_in_order(
    rows: QuerySet[Standing],
    query: BoardQuery,
    facets: Facets,
    cut: slice,
    *,
    is_dated: bool = False,
) -> list[ProviderStanding]:
    """A part of the board in its order, each with its best plan and its cheapest: 2 queries.

    A third one reads the prices of volumes.

    The first reads of each provider the plan that the order is by, the second the other one.
    """
    is_by_cost = query.is_by_money
    best, cheapest = _best(facets), _cheapest(facets)
    leading, others = (cheapest, best) if is_by_cost else (best, cheapest)
    partition = [F(name) for name in (ONE_ROW if facets.workload else ("plan__provider",))]
    if is_dated or Sort.MEASURED in query.cols.split(","):
        rows = rows.annotate(measured_on=newest_run())
    page_of_rows = (
        _with_parts(rows)
        .annotate(
            place=Window(RowNumber(), partition_by=partition, order_by=leading),
            other_pk=Window(FirstValue("pk"), partition_by=partition, order_by=others),
            # How many plans: no window counts distinct values, but the ranks from both ends do.
            rank_up=Window(DenseRank(), partition_by=partition, order_by=F("plan").asc()),
            rank_down=Window(DenseRank(), partition_by=partition, order_by=F("plan").desc()),
        )
        .filter(place=1)
        .order_by(*group_order(query, facets, name=F("plan__provider__name")), "pk")[cut]
    )
    leaders = list(page_of_rows)
    other = _with_parts(rows).in_bulk([each.other_pk for each in leaders])
    with_volume_prices([*leaders, *other.values()])
    return [
        _as_row(each, other[each.other_pk], is_by_cost=is_by_cost, n_plans=_n_plans(each))
        for each in leaders
    ]


def _with_parts(rows: QuerySet[Standing]) -> QuerySet[Standing, Any]:
    return rows.select_related("plan__provider", "ladder_class", "price")


def _n_plans(row: Any) -> int:
    return int(row.rank_up + row.rank_down - 1)


def _as_row(
    leader: Standing, other: Standing, *, is_by_cost: bool, n_plans: int
) -> ProviderStanding:
    """What the board shows of a provider, as its stored standing has it; never saved."""
    best, cheapest = (other, leader) if is_by_cost else (leader, other)
    if best.plan is None:
        raise AssertionError("the board of providers is one of plans")
    return ProviderStanding(
        provider=best.plan.provider,
        evidence=best.evidence,
        workload=best.workload,
        version=best.version,
        best=best,
        cheapest=None if cheapest.cost_per_billion is None else cheapest,
        n_plans=n_plans,
    )


def _best(facets: Facets) -> list[Expression | F | OrderBy]:
    """As `standings.providers.best_of`: ranked before others, then by rate, then by name.

    Of several workloads comparable work comes class by class.
    """
    if facets.workload:
        return [*sort_order(Sort.RATE), *ROW]
    return [COMPARABLE_PLACE.asc(), *sort_order(Sort.RATE, is_mixed=True), *ROW]


def _cheapest(facets: Facets) -> list[Expression | F | OrderBy]:
    """As `standings.providers.cheapest_of`: at prices of today, ranked before others, in euro."""
    euros = ExpressionWrapper(F("cost_per_billion") / per_euro("currency"), output_field=MONEY)
    return [
        _without("cost_per_billion"),
        SUPERSEDED_LAST,
        *([_without("tier")] if facets.workload else [COMPARABLE_PLACE.asc()]),
        OrderBy(euros, nulls_last=True),
        *ROW,
    ]


def _without(column: str) -> OrderBy:
    is_missing = ExpressionWrapper(Q(**{f"{column}__isnull": True}), output_field=BooleanField())
    return OrderBy(is_missing)


def providers_board(query: BoardQuery) -> BoardRows:
    """Providers by their best plan that fits, and those of whom nothing is known: 5 queries."""
    rows, facets = provider_standings(query)
    pages, cut = paging(total=facets.total, page=query.page, size=ROWS_A_PAGE)
    ordered = providers_in_order(rows, query, facets, cut)
    waiting = list(providers_without_figures(query))  # few: one query counts and reads them
    needs, needs_pages = waiting_page(waiting, query)
    return BoardRows(
        standings=tuple(ordered),
        pages=pages,
        facets=facets,
        needs=needs,
        needs_pages=needs_pages,
    )


def providers_without_figures(query: BoardQuery) -> QuerySet[Provider]:
    """Providers with a listed plan that fits, of which none was measured."""
    fitting = Plan.objects.rentable().filter(plan_filter(query))
    fitting_plans = plans_within(query, fitting).filter(provider=OuterRef("pk"))
    standing = REAL_COMMITS.filter(plan__provider=OuterRef("pk"))
    return (
        Provider.objects.filter(Exists(fitting_plans), ~Exists(standing))
        .annotate(
            n_listed=Count("plans", filter=Q(plans__in=Plan.objects.rentable())),
            wanted=times_looked_for(PROVIDER),
        )
        .order_by(WANTED_FIRST, "name")
    )
