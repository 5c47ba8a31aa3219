"""The board of providers: each by its best plan, and those of whom nothing is known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.pages.filters import REGION_WORDS, BoardQuery, Sort
from apps.pages.rows import DOT, Row, row_of_standing
from apps.pages.selectors.boards import (
    ROWS_A_PAGE,
    Board,
    common_bounds,
    common_values,
    groups_of,
    waiting_page,
)
from apps.pages.selectors.choices import read_filters
from apps.pages.selectors.facets import Facets, Surveyed, distinct, read_facets
from apps.pages.selectors.orders import GROUP, newest_run, sort_order
from apps.pages.selectors.paging import paging
from apps.pages.selectors.wanted import of_workload, standing_filter, stated
from apps.pages.tiers import with_rank_line
from apps.plans.models import Plan, Provider
from apps.rankings.models import Evidence, ProviderStanding, Standing

if TYPE_CHECKING:
    from django.db.models import QuerySet

PROVIDER_FILTERS = ("storage", "plp", "evidence", "media", "p99_ms", "uploaders", "machines")


def name_of(standing: Standing) -> str:
    """A plan with where it was measured, in one line."""
    region = str(REGION_WORDS.get(standing.region_group, ""))
    parts = (standing.plan.name if standing.plan else "", region)
    return DOT.join(part for part in parts if part)


def provider_row(standing: ProviderStanding, *, is_drawn: bool = True) -> Row:
    """A provider with its fastest plan, and the one whose commits cost least."""
    best, cheapest = standing.best, standing.cheapest
    row = row_of_standing(best, is_drawn=is_drawn)
    facts = row.facts
    version = f"-v{standing.version}" if standing.version > 1 else ""
    return replace(
        row,
        key=f"{standing.provider_id}-{standing.workload}{version}-{standing.evidence}",
        name=standing.provider.name,
        region="",
        url=reverse("pages:provider", args=[standing.provider_id]),
        under=_("fastest: %(plan)s") % {"plan": name_of(best)},
        on_name=name_of(best),
        facts=facts and replace(facts, measured_on=getattr(standing, "measured_on", None)),
        note=plans_note(standing.n_plans, standing.evidence),
        cost=cheapest.cost_per_billion if cheapest else None,
        currency=cheapest.currency if cheapest else "",
        price=cheapest.price if cheapest else None,
        cost_note=name_of(cheapest) if cheapest else "",
    )


def plans_note(n_plans: int, evidence: str) -> str:
    """How many plans of a provider have figures of this kind."""
    if evidence == Evidence.PUBLISHED:
        text = ngettext("%(n)s plan published", "%(n)s plans published", n_plans)
    elif evidence == Evidence.MEASURED:
        text = ngettext("%(n)s plan measured", "%(n)s plans measured", n_plans)
    else:
        text = ngettext("%(n)s plan made up", "%(n)s plans made up", n_plans)
    return text % {"n": n_plans}


def wanted_providers(query: BoardQuery) -> tuple[QuerySet[ProviderStanding], Facets]:
    """The providers of a board, and what else it could show: 1 query."""
    every, wanted = ProviderStanding.objects.all(), provider_filter(query)
    surveyed = Surveyed(
        prefix="best__",
        values={
            **common_values("best__"),
            "storage": distinct("best__plan__storage_kind"),
        },
        most=common_bounds("best__"),
    )
    facets = read_facets(every, query, wanted=wanted, surveyed=surveyed)
    return every.filter(wanted, of_workload(facets.workload, "best__")), facets


def providers_in_order(
    rows: QuerySet[ProviderStanding], query: BoardQuery, *, is_dated: bool = False
) -> QuerySet[ProviderStanding]:
    """Providers in the order of the board with what a row needs."""
    of_cheapest = query.column in (Sort.COST, Sort.PRICE)
    prefix = "cheapest__" if of_cheapest else "best__"
    if is_dated or Sort.MEASURED in query.cols.split(","):
        rows = rows.annotate(measured_on=newest_run("best__"))
    return rows.select_related(
        "provider",
        "best__plan__provider",
        "best__ladder_class",
        "best__price",
        "cheapest__plan",
        "cheapest__price",
    ).order_by(*GROUP, *sort_order(query.sort, prefix), "pk")


def providers_board(query: BoardQuery) -> Board:
    """Providers by their best plan, and those of whom nothing is known: 4 queries."""
    rows, facets = wanted_providers(query)
    pages, cut = paging(total=facets.total, page=query.page, size=ROWS_A_PAGE)
    ordered = providers_in_order(rows, query)[cut]
    needs, needs_pages = waiting_page(providers_without_figures(query), query)
    groups = groups_of(ordered, title=lambda each: each.best.workload_title, row=provider_row)
    return Board(
        groups=tuple(replace(each, rows=with_rank_line(each.rows)) for each in groups),
        pages=pages,
        facets=facets,
        filters=read_filters(query, facets, PROVIDER_FILTERS),
        needs=needs,
        needs_pages=needs_pages,
    )


def provider_filter(query: BoardQuery) -> Q:
    """What a reader asked of providers: what is asked of a plan is asked of the best one."""
    wanted = standing_filter(query, "best__")
    if query.storage:
        wanted &= stated(query.storage, "best__plan__storage_kind")
    for word in query.q.split():
        wanted &= Q(provider__name__icontains=word)
    return wanted


def providers_without_figures(query: BoardQuery) -> QuerySet[Provider]:
    """Providers with listed plans of which none was measured."""
    listed = Plan.objects.filter(provider=OuterRef("pk"), is_listed=True)
    standing = ProviderStanding.objects.filter(
        provider=OuterRef("pk"), best__is_durable_single_writer=True
    )
    waiting = (
        Provider.objects.filter(Exists(listed), ~Exists(standing))
        .annotate(n_listed=Count("plans", filter=Q(plans__is_listed=True)))
        .order_by("name")
    )
    if query.storage:
        return waiting.none()
    for word in query.q.split():
        waiting = waiting.filter(name__icontains=word)
    return waiting
