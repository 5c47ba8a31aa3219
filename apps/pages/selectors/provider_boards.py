"""The board of providers: each by its best plan, and those of whom nothing is known."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models import Count, Exists, OuterRef, Q
from django.urls import reverse

from apps.pages import words
from apps.pages.filters import BoardQuery, Sort
from apps.pages.rows import DOT, Row, row_of_standing
from apps.pages.selectors.boards import (
    GROUP,
    NEEDS_A_PAGE,
    ROWS_A_PAGE,
    Board,
    groups_of,
    sort_order,
    storage_is,
    workload_is,
)
from apps.pages.selectors.choices import workload_choices
from apps.pages.selectors.paging import paging
from apps.plans.models import Plan, Provider
from apps.rankings.models import ProviderStanding, Standing

if TYPE_CHECKING:
    from django.db.models import QuerySet


def name_of(standing: Standing) -> str:
    """A plan with where it was measured, in one line."""
    parts = (standing.plan.name if standing.plan else "", words.region(standing.region_group))
    return DOT.join(part for part in parts if part)


def provider_row(standing: ProviderStanding) -> Row:
    """A provider with its fastest plan, and the one whose commits cost least."""
    best, cheapest = standing.best, standing.cheapest
    row = row_of_standing(best)
    return replace(
        row,
        key=f"{standing.provider_id}-{standing.workload}-{standing.evidence}",
        name=standing.provider.name,
        region="",
        url=reverse("pages:provider", args=[standing.provider_id]),
        under=f"fastest: {name_of(best)}",
        note=f"{words.count(standing.n_plans, 'plan')} {standing.evidence}",
        cost=cheapest.cost_per_billion if cheapest else None,
        currency=cheapest.currency if cheapest else "",
        price=cheapest.price if cheapest else None,
        cost_note=name_of(cheapest) if cheapest else "",
    )


def providers_board(query: BoardQuery) -> Board:
    """Providers by their best plan, and those of whom nothing is known: 5 queries."""
    wanted = ProviderStanding.objects.filter(provider_filter(query))
    pages, cut = paging(total=wanted.count(), page=query.page, size=ROWS_A_PAGE)
    prefix = "cheapest__" if query.sort == Sort.COST else "best__"
    ordered = wanted.select_related(
        "provider",
        "best__plan__provider",
        "best__ladder_class",
        "best__price",
        "cheapest__plan",
        "cheapest__price",
    ).order_by(*GROUP, *sort_order(query.sort, prefix), "pk")[cut]
    known = set(ProviderStanding.objects.values_list("workload", "best__workload_title").distinct())
    waiting = providers_without_figures(query)
    needs_pages, needs_cut = paging(total=waiting.count(), page=query.needs, size=NEEDS_A_PAGE)
    return Board(
        groups=groups_of(ordered, title=lambda each: each.best.workload_title, row=provider_row),
        pages=pages,
        workloads=workload_choices(known),
        providers=(),
        regions=(),
        needs=tuple(waiting[needs_cut]),
        needs_pages=needs_pages,
    )


def provider_filter(query: BoardQuery) -> Q:
    """What a reader asked of providers: storage and protection are those of the best plan."""
    wanted = workload_is(query, "best__")
    if query.evidence:
        wanted &= Q(evidence=query.evidence)
    if query.storage:
        wanted &= storage_is(query.storage, "best__plan__storage_kind")
    if query.plp:
        wanted &= Q(best__plp__in=("", "unknown") if query.plp == "unknown" else (query.plp,))
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
    if query.plp or query.workload or query.evidence or query.storage:
        return waiting.none()
    for word in query.q.split():
        waiting = waiting.filter(name__icontains=word)
    return waiting
