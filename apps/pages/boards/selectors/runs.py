"""The list of runs: filtered, newest first, a page at a time, with what it can be narrowed to.

Runs of one day, level and thing are one row: a source may have dozens of one drive.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

from django.db.models import Case, Count, Exists, OuterRef, Q, Subquery, Sum, When
from django.db.models.functions import Coalesce

from apps.pages.boards.query import WORK_CLASSES
from apps.pages.boards.runs_query import UNDATED, Cursor, RunListQuery, RunShape
from apps.pages.show.table.paging import AT_LEAST, Bounded
from apps.rankings.selectors import read_runs
from apps.runs.lists.days import NOT_DATED
from apps.runs.lists.tallies import RunTally
from apps.runs.models import EXAMPLE, LISTED, NOT_EXAMPLE, Run
from apps.runs.published.comparable import workloads_of
from apps.runs.selectors import COMMITS, NEWEST_FIRST

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

RUNS_A_PAGE = 18  # four screens of a phone
_KIND = (
    "level", "is_example", "has_commit", "provider", "plan", "drive_family", "provider__name",
    "drive_family__name",
)  # fmt: skip
COUNTED_MAX = 1_000  # of a day or a work, which no tally knows: nobody reads as many


@dataclass(frozen=True, slots=True)
class RunList:
    """One page of the list of runs, and what the list can be narrowed to."""

    runs: tuple[Run, ...]
    total: Bounded  # a row may stand for several
    next_address: str  # of the page of older ones; empty on the last
    levels: frozenset[str]  # that some run has
    providers: tuple[tuple[str, str], ...]  # slug and name, by name
    drives: tuple[tuple[str, str], ...]  # the same of families
    examples: Bounded  # made-up runs that the list leaves out


def run_filter(query: RunListQuery) -> Q:
    """What a reader asked of runs. Examples are in no list that does not ask for them."""
    return run_conditions(query) & (Q(is_example=True) if query.level == EXAMPLE else NOT_EXAMPLE)


def run_conditions(query: RunListQuery) -> Q:
    """The runs that an address asks for, made up or not."""
    condition = Q()
    if query.shape != RunShape.ALL:
        condition &= Q(has_commit=True)
    if query.level not in ("", EXAMPLE):
        condition &= Q(level=query.level)
    if query.provider:
        condition &= Q(provider=query.provider)
    if query.plan:
        condition &= Q(plan=query.plan)
    if query.drive:
        condition &= Q(drive_family=query.drive)
    if query.day:
        condition &= _of_day(query.day)
    if query.work:
        workloads = workloads_of(WORK_CLASSES[query.work])
        condition &= Q(Exists(COMMITS.filter(workload__in=workloads)))
    return condition


def _of_day(text: str) -> Q:
    """The runs of a day, or of none; the moments are for the index."""
    if text == UNDATED:
        return Q(listed_day=None, listed_at=NOT_DATED)
    day = date.fromisoformat(text)
    moments = (datetime.combine(day, each, UTC) for each in (time.min, time.max))
    return Q(listed_day=day, listed_at__range=tuple(moments))


def runs_in_order(query: RunListQuery) -> QuerySet[Run]:
    """The runs that were asked for, newest first, from where the page begins."""
    runs = Run.objects.filter(LISTED, run_filter(query)).order_by(*NEWEST_FIRST)
    if not query.before:
        return runs
    begin = Cursor.read(query.before)
    before = Q(listed_at__lt=begin.at) | Q(listed_at=begin.at, id__lt=begin.run_id)
    return runs.filter(before, listed_at__lte=begin.at)  # the last one is for the index


def newest_of_alike(runs: QuerySet[Run], query: RunListQuery) -> QuerySet[Run]:
    """The newest of the runs of one day, level and thing, with `n_alike`: how many they are.

    What has neither plan nor drive family is like no other. Each run looks for its like by an
    index, so that a page costs what it shows.
    """
    alike = Run.objects.filter(
        LISTED, run_filter(replace(query, before="")), thing=OuterRef("thing"),
        level=OuterRef("level"),
    ).order_by()  # fmt: skip
    of_day = alike.filter(listed_day=OuterRef("listed_day"))
    undated = alike.filter(listed_day=None)  # equals nothing in SQL
    is_newer = Q(listed_at__gt=OuterRef("listed_at")) | Q(
        listed_at=OuterRef("listed_at"), id__gt=OuterRef("id")
    )
    dated = Q(listed_day__isnull=False)
    return runs.filter(
        Q(dated, ~Exists(of_day.filter(is_newer))) | Q(~dated, ~Exists(undated.filter(is_newer)))
    ).annotate(n_alike=Coalesce(Case(When(dated, then=_count(of_day)), default=_count(undated)), 1))


def _count(runs: QuerySet[Run]) -> Subquery:
    return Subquery(runs.values("level").annotate(n=Count("pk")).values("n"))


def list_runs(query: RunListQuery) -> RunList:
    """A page of runs with what they can be narrowed to: 4 queries, or 5 of a day or a work."""
    kinds = _kinds()
    runs = runs_in_order(query)
    if not query.has_thing:
        runs = newest_of_alike(runs, query)
    found = read_runs(runs[: RUNS_A_PAGE + 1])
    shown, is_more = found[:RUNS_A_PAGE], len(found) > RUNS_A_PAGE
    examples = Bounded(0) if query.level else _total(replace(query, level=EXAMPLE), kinds)
    return RunList(
        runs=tuple(shown),
        total=_total(query, kinds),
        next_address=query.after(shown[-1]) if is_more else "",
        levels=frozenset(EXAMPLE if each.is_example else each.level for each in kinds),
        providers=_by_name({(each.provider, each.provider__name) for each in kinds}),
        drives=_by_name({(each.drive_family, each.drive_family__name) for each in kinds}),
        examples=examples,
    )


def _kinds() -> list[Any]:
    """How many runs there are of each kind, with the names of providers and drive families."""
    kinds = RunTally.objects.values(*_KIND).annotate(runs=Sum("n")).filter(runs__gt=0)
    return list(kinds.order_by().values_list(*_KIND, "runs", named=True))


def _is_asked_for(kind: Any, query: RunListQuery) -> bool:
    """Whether a list of this kind of runs was asked for, made up or not."""
    return (
        (kind.has_commit or query.shape == RunShape.ALL)
        and query.level in ("", EXAMPLE, kind.level)
        and query.provider in ("", kind.provider)
        and query.plan in ("", kind.plan)
        and query.drive in ("", kind.drive_family)
    )


def count_runs(query: RunListQuery) -> int:
    """How many runs there are, of a day or a work up to a limit."""
    return _total(query, _kinds()).n


def _total(query: RunListQuery, kinds: Iterable[Any]) -> Bounded:
    """How many runs there are, of a day and a work up to a limit."""
    is_example = query.level == EXAMPLE
    asked = (each for each in kinds if _is_asked_for(each, query))
    most = sum(each.runs for each in asked if each.is_example == is_example)
    if not most or not (query.day or query.work):
        return Bounded(most)
    runs = runs_in_order(replace(query, before=""))
    found = runs[: COUNTED_MAX + 1].count()
    return Bounded(min(found, COUNTED_MAX), AT_LEAST if found > COUNTED_MAX else "")


def _by_name(found: Iterable[tuple[str | None, str | None]]) -> tuple[tuple[str, str], ...]:
    pairs = sorted((name.casefold(), name, slug) for slug, name in found if slug and name)
    return tuple((slug, name) for _, name, slug in pairs)
