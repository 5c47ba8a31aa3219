"""What a board by cost cannot show: rent that buys more commits, timed with another workload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q, Subquery

from apps.pages.boards.selectors.boards import in_order
from apps.pages.boards.selectors.conditions import of_workload, plan_conditions, plans_for_rent
from apps.pages.boards.selectors.facets import IS_EXAMPLE
from apps.pages.boards.selectors.orders import (
    figure,
    sort_order,
)
from apps.pages.show.table.columns import Sort
from apps.plans.models import PriceKind
from apps.rankings.models import Standing
from apps.rankings.selectors import ROW

if TYPE_CHECKING:
    from apps.pages.boards.query import BoardQuery
    from apps.pages.boards.selectors.facets import Facets


def cheaper_elsewhere(query: BoardQuery, facets: Facets) -> Standing | None:
    """The cheapest commits of one writer under another workload, where they cost less: 1 query.

    Less than those of the first row of the board by cost; all in euros. Made-up rows never answer.
    """
    every, condition = plan_conditions(query, Standing.objects.filter(plan__isnull=False))
    by_cost = (*sort_order(Sort.COST), *ROW)
    priced = every.filter(condition, plans_for_rent(query)).annotate(cost_in_euro=figure(Sort.COST))
    first = priced.filter(facets.is_wanted).order_by(*by_cost).values("cost_in_euro")[:1]
    others = priced.filter(
        ~of_workload(facets.workload),
        ~IS_EXAMPLE,
        ~Q(price__kind=PriceKind.SUPERSEDED),
        is_durable_single_writer=True,
        cost_in_euro__lt=Subquery(first),
    )
    return in_order(others, query, is_dated=True).order_by(*by_cost).first()
