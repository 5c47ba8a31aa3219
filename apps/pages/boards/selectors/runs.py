"""The list of runs: filtered, newest first, a page at a time, with what it can be narrowed to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Exists, Q
from django.db.models.functions import JSONObject

from apps.pages.boards.runs_query import (
    RunListQuery,
    RunShape,
)
from apps.pages.show.table.paging import Pages, paging
from apps.rankings.selectors import read_runs
from apps.runs.models import EXAMPLE, LISTED, NOT_EXAMPLE, SHOWN_LEVEL, Run
from apps.runs.selectors import (
    COMMITS,
    NEWEST_FIRST,
)

if TYPE_CHECKING:
    from django.db.models import QuerySet


RUNS_A_PAGE = 18  # four screens of a phone


@dataclass(frozen=True, slots=True)
class RunList:
    """One page of the list of runs, and what the list can be narrowed to."""

    runs: tuple[Run, ...]
    pages: Pages
    levels: frozenset[str]  # that some run has
    providers: tuple[tuple[str, str], ...]  # slug and name, by name
    n_examples: int = 0  # made-up runs that the list leaves out


def run_filter(query: RunListQuery) -> Q:
    """What a reader asked of runs. Examples are in no list that does not ask for them."""
    return run_conditions(query) & (Q(is_example=True) if query.level == EXAMPLE else NOT_EXAMPLE)


def run_conditions(query: RunListQuery) -> Q:
    """The runs that an address asks for, made up or not."""
    condition = Q()
    if query.shape != RunShape.ALL:
        condition &= Q(Exists(COMMITS))
    if query.level not in ("", EXAMPLE):
        condition &= Q(level=query.level)
    if query.provider:
        condition &= Q(provider=query.provider)
    if query.plan:
        condition &= Q(plan=query.plan)
    if query.drive:
        condition &= Q(drive_family=query.drive)
    return condition


def runs_in_order(query: RunListQuery) -> QuerySet[Run]:
    """The runs that were asked for, newest first."""
    return Run.objects.filter(LISTED, run_filter(query)).order_by(*NEWEST_FIRST)


def list_runs(query: RunListQuery) -> RunList:
    """A page of runs with what they can be narrowed to: 4 queries."""
    totals: dict[str, Any] = Run.objects.filter(LISTED).aggregate(
        total=Count("pk", filter=run_filter(query)),
        examples=Count("pk", filter=run_conditions(query) & Q(is_example=True)),
        levels=ArrayAgg(SHOWN_LEVEL, distinct=True, default=[]),
        providers=ArrayAgg(
            JSONObject(value="provider__slug", label="provider__name"),
            distinct=True,
            filter=Q(provider__isnull=False),
            default=[],
        ),
    )
    pages, cut = paging(total=totals["total"], page=query.page, size=RUNS_A_PAGE)
    owners = sorted({(each["label"], each["value"]) for each in totals["providers"]})
    return RunList(
        runs=tuple(read_runs(runs_in_order(query)[cut])),
        pages=pages,
        levels=frozenset(totals["levels"]),
        providers=tuple((slug, name) for name, slug in owners),
        n_examples=0 if query.level else totals["examples"],
    )
