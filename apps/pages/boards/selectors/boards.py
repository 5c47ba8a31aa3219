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
from apps.interest.kinds import DRIVE, PLAN
from apps.interest.selectors import times_looked_for
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
    with_offered,
)
from apps.pages.boards.selectors.orders import (
    ROW_NAME,
    row_key,
    sort_order,
    without_figure_last,
)
from apps.pages.show.table.columns import DRIVES, PLANS, Sort
from apps.pages.show.table.paging import NEEDS_A_PAGE, Pages, paging
from apps.plans.models import Plan, Provider
from apps.rankings.advice.selectors import with_sources
from apps.rankings.choice import choice_order
from apps.rankings.comparable.order import headline_places
from apps.rankings.models import Evidence, ProviderStanding, Standing
from apps.rankings.selectors import (
    COMPARABLE_PLACE,
    FOR_RENT,
    GROUP,
    REAL_COMMITS,
    ROW,
    best_of_each,
    one_of,
    with_volume_prices,
)

if TYPE_CHECKING:
    from django.db.models import Expression

    from apps.pages.boards.query import BoardQuery


WANTED_FIRST = F("wanted").desc()  # of what waits for a first run
ROWS_A_PAGE = 18  # four screens of a phone
# What a row of a standing shows beside it; none of the board of drives has a plan or a price.
RELATED = {
    PLANS: ("plan__provider", "price", "ladder_class"),
    DRIVES: ("drive_family", "ladder_class"),
}
# What may stand below a row: work that is comparable, and durable.
UNFOLDED = Q(one_of(headline_places()), is_durable_single_writer=True)


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
    """Order, number and cut: one query."""
    pages, cut = paging(total=facets.total, page=facets.row_page or query.page, size=ROWS_A_PAGE)
    return tuple(in_order(standings, query, facets)[cut]), pages


def shown_of(
    every: QuerySet[Standing],
    query: BoardQuery,
    *,
    condition: Q,
    facet_columns: FacetColumns,
    thing: str,
) -> tuple[QuerySet[Standing], Facets]:
    """The rows of a board that pass its filters, and what else it could show: 2 queries.

    The rows are of one workload, or each thing once. A row that the address names is looked for:
    one query. Where it represents nothing it leads to its own workload, and is looked for there.
    """
    facets = read_facets(every, query, condition=condition, facet_columns=facet_columns)
    matching = every.filter(condition, facet_columns.eligible)
    rows = matching.filter(facets.is_wanted)
    if not facets.workload:
        rows = best_of_each(rows, thing)
    if facets.row_workload:
        page = page_of(rows, query, facets)
        if page is None and not facets.workload:
            facets = replace(facets, workload=facets.row_workload)
            rows = matching.filter(facets.is_wanted)
            page = page_of(rows, query, facets)
        facets = replace(facets, row_page=page)
    return rows, with_offered(
        facets, every, query, condition=condition, facet_columns=facet_columns
    )


def group_order(
    query: BoardQuery, facets: Facets, *, name: Coalesce | F = ROW_NAME
) -> tuple[Expression | F, ...]:
    """The order of the groups of a board and of the rows in each."""
    if facets.workload:
        return (*GROUP, *sort_order(query.sort, name=name))
    by_class = () if query.is_by_money else (
        *without_figure_last(query.sort), COMPARABLE_PLACE.asc(),
    )  # fmt: skip
    return (*by_class, *sort_order(query.sort, name=name, is_mixed=True))


def n_others() -> Coalesce:
    """How many further figures of comparable work its thing has, as `figures_of` lists them."""
    others = Standing.objects.filter(
        UNFOLDED,
        Q(plan=OuterRef("plan")) | Q(drive_family=OuterRef("drive_family")),
        ~Q(evidence=Evidence.EXAMPLE) | Q(evidence=OuterRef("evidence")),
    ).exclude(pk=OuterRef("pk"))
    return _counted(others)


def _counted(rows: QuerySet[Standing]) -> Coalesce:
    """How many rows, for use in a query."""
    in_one_group = rows.order_by().annotate(one=Value(1)).values("one").annotate(n=Count("pk"))
    return Coalesce(Subquery(in_one_group.values("n")), 0)


def in_order(
    standings: QuerySet[Standing], query: BoardQuery, facets: Facets
) -> QuerySet[Standing]:
    """Standings in the order of the board with what a row needs. Only rates give a place."""
    place = Window(
        RowNumber(),
        partition_by=[F("evidence"), F("workload"), F("version")],
        order_by=[*sort_order(Sort.RATE), *ROW],
    )
    is_by_rate = query.column == Sort.RATE
    if not facets.workload:
        standings = standings.annotate(n_others=n_others())
    with_parts: QuerySet[Standing] = with_sources(standings)
    return (
        with_parts.annotate(
            number=place if is_by_rate else Value(None, output_field=IntegerField())
        )
        .select_related(*RELATED[query.board])
        .order_by(*group_order(query, facets), *ROW)
    )


def plan_standings(query: BoardQuery) -> tuple[QuerySet[Standing], Facets]:
    """The standings of a board of plans, and what else it could show: 2 queries."""
    every, condition = plan_conditions(query, Standing.objects.filter(plan__isnull=False))
    facet_columns = FacetColumns(
        key=row_key(),
        values=values_of(PLANS),
        most=bounds_of(PLANS),
        eligible=plans_for_rent(query),
        usual=FOR_RENT,
    )
    return shown_of(every, query, condition=condition, facet_columns=facet_columns, thing="plan")


def plans_board(query: BoardQuery) -> BoardRows:
    """Plans with a standing, and below them the listed plans that nobody measured: 5 queries."""
    rows, facets = plan_standings(query)
    standings, pages = one_page(rows, query, facets)
    waiting = (
        plans_within(query, Plan.objects.rentable().filter(plan_filter(query)))
        .filter(~Exists(REAL_COMMITS.filter(plan=OuterRef("pk"))))
        .select_related("provider")
        .annotate(wanted=times_looked_for(PLAN))
        .order_by(WANTED_FIRST, "provider__name", "name")
    )
    needs, needs_pages = waiting_page(waiting, query)
    return BoardRows(
        standings=tuple(with_volume_prices(standings, also=needs)),
        pages=pages,
        facets=facets,
        needs=needs,
        needs_pages=needs_pages,
    )


def figures_of(row: str, **thing: str) -> list[Standing]:
    """The comparable work of a plan or a drive family, what may lead it first: 1 query.

    A second one for volumes. Made-up figures stand last, and only below a made-up row. `row`: the
    key of the row above them. Each knows how many figures of other work there are
    besides that row, `n_apart`.
    """
    apart = (
        Standing.objects.filter(~UNFOLDED, ~Q(evidence=Evidence.EXAMPLE), **thing)
        .annotate(own_key=row_key())
        .exclude(own_key=row)
    )
    standings = (
        with_sources(Standing.objects.filter(UNFOLDED, **thing))
        .annotate(own_key=row_key(), n_apart=_counted(apart))
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .order_by(*GROUP, *choice_order())
    )
    standings = with_volume_prices(standings)
    real = [each for each in standings if each.evidence != Evidence.EXAMPLE]
    made_up = [each for each in standings if each.evidence == Evidence.EXAMPLE]
    is_below_made_up = not real or any(each.own_key == row for each in made_up)
    return [*real, *made_up] if is_below_made_up else real


def waiting_page(
    waiting: QuerySet[Any] | list[Any], query: BoardQuery
) -> tuple[tuple[Any, ...], Pages]:
    """A page of what nobody measured; nothing where something is asked for that only runs show."""
    if query.asks_of_figures:
        return (), paging(total=0, page=1, size=NEEDS_A_PAGE)[0]
    if isinstance(waiting, list):
        pages, cut = paging(total=len(waiting), page=query.needs, size=NEEDS_A_PAGE)
        return tuple(waiting[cut]), pages
    begin = (query.needs - 1) * NEEDS_A_PAGE
    rows = waiting.annotate(n_waiting=Window(Count("pk")))[begin : begin + NEEDS_A_PAGE]
    found = tuple(rows)
    total = found[0].n_waiting if found else waiting.count() if begin else 0
    pages, cut = paging(total=total, page=query.needs, size=NEEDS_A_PAGE)
    return found or tuple(waiting[cut] if total else ()), pages


def drive_standings(query: BoardQuery) -> tuple[QuerySet[Standing], Facets]:
    """The standings of a board of drive families, and what else it could show: 2 queries."""
    condition = standing_filter(query)
    every = Standing.objects.filter(drive_family__isnull=False)
    facet_columns = FacetColumns(
        key=row_key(),
        values=values_of(DRIVES),
        most=bounds_of(DRIVES),
        thing="drive_family",
    )
    return shown_of(
        every, query, condition=condition, facet_columns=facet_columns, thing="drive_family"
    )


def drives_board(query: BoardQuery) -> BoardRows:
    """Drive families with a standing, and those without: 4 queries."""
    rows, facets = drive_standings(query)
    standings, pages = one_page(rows, query, facets)
    waiting = (
        DriveFamily.objects.filter(drive_filter(query))
        .exclude(kind="virtual")
        .filter(~Exists(REAL_COMMITS.filter(drive_family=OuterRef("pk"))))
        .annotate(wanted=times_looked_for(DRIVE))
        .order_by(WANTED_FIRST, "vendor", "name")
    )
    needs, needs_pages = waiting_page(waiting, query)
    return BoardRows(
        standings=standings,
        pages=pages,
        facets=facets,
        needs=needs,
        needs_pages=needs_pages,
    )
