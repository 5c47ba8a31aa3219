"""The list of runs: filtered, newest first, a page at a time, with what it can be narrowed to.

Runs of one day, level and thing are one row: a source may have dozens of one drive.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import CharField, Count, Exists, F, Q, Window
from django.db.models.functions import Cast, Coalesce, JSONObject, RowNumber, TruncDate

from apps.pages.boards.query import WORK_CLASSES
from apps.pages.boards.runs_query import UNDATED, RunListQuery, RunShape
from apps.pages.show.table.paging import Pages, paging
from apps.rankings.selectors import read_runs
from apps.runs.models import EXAMPLE, LISTED, NOT_EXAMPLE, SHOWN_LEVEL, Run
from apps.runs.published.comparable import workloads_of
from apps.runs.selectors import COMMITS, NEWEST_FIRST

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.db.models import QuerySet
    from django.db.models.expressions import BaseExpression

RUNS_A_PAGE = 18  # four screens of a phone


@dataclass(frozen=True, slots=True)
class RunList:
    """One page of the list of runs, and what the list can be narrowed to."""

    runs: tuple[Run, ...]
    total: int  # of runs; a row may stand for several
    pages: Pages
    levels: frozenset[str]  # that some run has
    providers: tuple[tuple[str, str], ...]  # slug and name, by name
    drives: tuple[tuple[str, str], ...]  # the same of families
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
    if query.day:
        is_undated = query.day == UNDATED
        condition &= Q(measured_at=None) if is_undated else Q(measured_at__date=query.day)
    if query.work:
        workloads = workloads_of(WORK_CLASSES[query.work])
        condition &= Q(Exists(COMMITS.filter(workload__in=workloads)))
    return condition


def runs_in_order(query: RunListQuery) -> QuerySet[Run]:
    """The runs that were asked for, newest first."""
    return Run.objects.filter(LISTED, run_filter(query)).order_by(*NEWEST_FIRST)


def newest_of_alike(runs: QuerySet[Run]) -> QuerySet[Run]:
    """The newest of the runs of one day, level and thing, with `n_alike`: how many they are.

    What has neither plan nor drive family is like no other.
    """
    thing = Coalesce("plan", "drive_family", Cast("id", CharField()))
    alike: list[BaseExpression | F] = [TruncDate("measured_at"), F("level"), thing]
    return runs.annotate(
        n_alike=Window(Count("*"), partition_by=alike),
        turn=Window(RowNumber(), partition_by=alike, order_by=NEWEST_FIRST),
    ).filter(turn=1)


def list_runs(query: RunListQuery) -> RunList:
    """A page of runs with what they can be narrowed to: 5 queries, of one thing 4."""
    totals: dict[str, Any] = Run.objects.filter(LISTED).aggregate(
        total=Count("pk", filter=run_filter(query)),
        examples=Count("pk", filter=run_conditions(query) & Q(is_example=True)),
        levels=ArrayAgg(SHOWN_LEVEL, distinct=True, default=[]),
        providers=_names_of("provider"),
        drives=_names_of("drive_family"),
    )
    runs, total = runs_in_order(query), totals["total"]
    if not query.has_thing:
        runs = newest_of_alike(runs)
        total = runs.count()
    pages, cut = paging(total=total, page=query.page, size=RUNS_A_PAGE)
    return RunList(
        runs=tuple(read_runs(runs[cut])),
        total=totals["total"],
        pages=pages,
        levels=frozenset(totals["levels"]),
        providers=_by_name(totals["providers"]),
        drives=_by_name(totals["drives"]),
        n_examples=0 if query.level else totals["examples"],
    )


def _names_of(thing: str) -> ArrayAgg:
    return ArrayAgg(
        JSONObject(value=f"{thing}__slug", label=f"{thing}__name"),
        distinct=True,
        filter=Q(**{f"{thing}__isnull": False}),
        default=[],
    )


def _by_name(found: Iterable[Mapping[str, str]]) -> tuple[tuple[str, str], ...]:
    pairs = sorted((each["label"].casefold(), each["label"], each["value"]) for each in found)
    return tuple((slug, name) for _, name, slug in pairs)
