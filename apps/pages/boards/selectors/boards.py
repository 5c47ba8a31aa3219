"""Boards: standings filtered, ordered, numbered and paged in the database."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.db.models import (
    Case,
    Count,
    Exists,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
    Window,
)
from django.db.models.functions import Coalesce, RowNumber

from apps.drives.models import DriveFamily
from apps.pages.boards.selectors.conditions import (
    drive_filter,
    plan_conditions,
    plan_filter,
    plans_for_rent,
    plans_within,
    standing_filter,
)
from apps.pages.boards.selectors.facets import (
    FacetColumns,
    Facets,
    bounds_of,
    read_facets,
    values_of,
)
from apps.pages.boards.selectors.orders import (
    ROW_NAME,
    row_key,
    sort_order,
)
from apps.pages.show.table.columns import DRIVES, PLANS, Sort
from apps.pages.show.table.paging import NEEDS_A_PAGE, Pages, paging
from apps.plans.models import Plan, Provider
from apps.plans.selectors import newest_prices
from apps.rankings.advice.selectors import with_sources
from apps.rankings.choice import choice_order
from apps.rankings.models import Evidence, ProviderStanding, Standing
from apps.rankings.selectors import (
    COMPARABLE_PLACE,
    FOR_RENT,
    GROUP,
    REAL_COMMITS,
    ROW,
    best_of_each,
    newest_run,
)

if TYPE_CHECKING:
    from django.db.models import Expression

    from apps.pages.boards.query import BoardQuery


ROWS_A_PAGE = 50  # what a reader scans before giving up


@dataclass(frozen=True, slots=True)
class BoardRows:
    """The rows on one page of a board, what else it could show, and what nobody measured."""

    standings: tuple[Standing | ProviderStanding, ...]
    pages: Pages
    facets: Facets
    needs: tuple[Plan | DriveFamily | Provider, ...]
    needs_pages: Pages


def page_of(standings: QuerySet[Standing], query: BoardQuery, facets: Facets) -> int | None:
    """The page on which the row that the address names stands: one query."""
    place = Window(RowNumber(), order_by=[*group_order(query, facets), *ROW])
    row_number = (
        standings.annotate(own_key=row_key())
        # The place of all rows, of which the condition then keeps one.
        .annotate(place=Case(When(own_key=query.row, then=place), output_field=IntegerField()))
        .filter(place__isnull=False)
        .values_list("place", flat=True)
        .order_by()
        .first()
    )
    return None if row_number is None else -(-row_number // ROWS_A_PAGE)


def one_page(
    standings: QuerySet[Standing], query: BoardQuery, facets: Facets
) -> tuple[tuple[Standing, ...], Pages]:
    """Order, number and cut: one query, and one more where a row is asked for."""
    page_of_row = page_of(standings, query, facets) if query.row else None
    pages, cut = paging(total=facets.total, page=page_of_row or query.page, size=ROWS_A_PAGE)
    return tuple(in_order(standings, query, facets)[cut]), pages


def shown_of(
    matching: QuerySet[Standing], query: BoardQuery, facets: Facets, thing: str
) -> tuple[QuerySet[Standing], Facets]:
    """The rows of a board, of those that pass its filters: of one workload, or each thing once.

    A row that the address names and that represents nothing leads to its own workload.
    """
    rows = matching.filter(facets.is_wanted)
    if facets.workload:
        return rows, facets
    best = best_of_each(rows, thing)
    if not facets.row_workload or best.annotate(own_key=row_key()).filter(own_key=query.row):
        return best, facets
    facets = replace(facets, workload=facets.row_workload)
    return matching.filter(facets.is_wanted), facets


def group_order(
    query: BoardQuery, facets: Facets, *, name: Coalesce | F = ROW_NAME
) -> tuple[Expression | F, ...]:
    """The order of the groups of a board and of the rows in each."""
    if facets.workload:
        return (*GROUP, *sort_order(query.sort, name=name))
    by_class = () if query.is_by_money else (COMPARABLE_PLACE.asc(),)
    return (*by_class, *sort_order(query.sort, name=name, is_mixed=True))


def n_others() -> Coalesce:
    """How many further figures of its thing and of its kind of evidence a standing has."""
    same = Standing.objects.filter(
        Q(plan=OuterRef("plan")) | Q(drive_family=OuterRef("drive_family"))
    ).exclude(evidence=Evidence.EXAMPLE)
    counted = same.order_by().annotate(one=Value(1)).values("one").annotate(n=Count("pk"))
    return Coalesce(Subquery(counted.values("n")), 1) - 1


def in_order(
    standings: QuerySet[Standing], query: BoardQuery, facets: Facets, *, is_dated: bool = False
) -> QuerySet[Standing]:
    """Standings in the order of the board with what a row needs. Only rates give a place.

    The day of the newest run is looked up where a column shows it, or where it is asked for;
    with its source where the order answers a question in words.
    """
    place = Window(
        RowNumber(),
        partition_by=[F("evidence"), F("workload"), F("version")],
        order_by=[*sort_order(Sort.RATE), *ROW],
    )
    is_by_rate = query.column == Sort.RATE
    if not facets.workload:
        standings = standings.annotate(n_others=n_others())
    if is_dated or Sort.MEASURED in query.cols.split(","):
        standings = standings.annotate(measured_on=newest_run())
    if query.sort == Sort.COST:
        standings = with_sources(standings)
    return (
        standings.annotate(number=place if is_by_rate else Value(None, output_field=IntegerField()))
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .order_by(*group_order(query, facets), *ROW)
    )


def plan_standings(query: BoardQuery) -> tuple[QuerySet[Standing], Facets]:
    """The standings of a board of plans, and what else it could show: 1 query."""
    every, condition = plan_conditions(query, Standing.objects.filter(plan__isnull=False))
    facet_columns = FacetColumns(
        key=row_key(),
        values=values_of(PLANS),
        most=bounds_of(PLANS),
        eligible=plans_for_rent(query),
        usual=FOR_RENT,
    )
    facets = read_facets(every, query, condition=condition, facet_columns=facet_columns)
    return shown_of(every.filter(condition, facet_columns.eligible), query, facets, "plan")


def plans_board(query: BoardQuery) -> BoardRows:
    """Plans with a standing, and below them the listed plans that nobody measured: 6 queries."""
    rows, facets = plan_standings(query)
    standings, pages = one_page(rows, query, facets)
    waiting = (
        plans_within(query, Plan.objects.rentable().filter(plan_filter(query)))
        .filter(~Exists(REAL_COMMITS.filter(plan=OuterRef("pk"))))
        .select_related("provider")
        .prefetch_related(newest_prices())
        .order_by("provider__name", "name")
    )
    needs, needs_pages = waiting_page(waiting, query)
    return BoardRows(
        standings=standings,
        pages=pages,
        facets=facets,
        needs=needs,
        needs_pages=needs_pages,
    )


def figures_of(**thing: str) -> list[Standing]:
    """The standings of a plan or a drive family, what may lead it first: 1 query.

    Made-up ones stand last, and only where nothing else does.
    """
    standings = (
        Standing.objects.filter(**thing)
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .order_by(*GROUP, *choice_order())
    )
    real = [each for each in standings if each.evidence != Evidence.EXAMPLE]
    return real or list(standings)


def waiting_page(waiting: QuerySet[Any], query: BoardQuery) -> tuple[tuple[Any, ...], Pages]:
    """A page of what nobody measured; nothing where something is asked for that only runs show."""
    if query.asks_of_figures:
        return (), paging(total=0, page=1, size=NEEDS_A_PAGE)[0]
    pages, cut = paging(total=waiting.count(), page=query.needs, size=NEEDS_A_PAGE)
    return tuple(waiting[cut]), pages


def drive_standings(query: BoardQuery) -> tuple[QuerySet[Standing], Facets]:
    """The standings of a board of drive families, and what else it could show: 1 query."""
    condition = standing_filter(query)
    every = Standing.objects.filter(drive_family__isnull=False)
    facet_columns = FacetColumns(
        key=row_key(),
        values=values_of(DRIVES),
        most=bounds_of(DRIVES),
        thing="drive_family",
    )
    facets = read_facets(every, query, condition=condition, facet_columns=facet_columns)
    return shown_of(every.filter(condition), query, facets, "drive_family")


def drives_board(query: BoardQuery) -> BoardRows:
    """Drive families with a standing, and those without: 5 queries."""
    rows, facets = drive_standings(query)
    standings, pages = one_page(rows, query, facets)
    waiting = (
        DriveFamily.objects.filter(drive_filter(query))
        .exclude(kind="virtual")
        .filter(~Exists(REAL_COMMITS.filter(drive_family=OuterRef("pk"))))
        .order_by("vendor", "name")
    )
    needs, needs_pages = waiting_page(waiting, query)
    return BoardRows(
        standings=standings,
        pages=pages,
        facets=facets,
        needs=needs,
        needs_pages=needs_pages,
    )
