"""The list of runs: filtered, newest first, a page at a time, with what it can be narrowed to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.aggregates import ArrayAgg
from django.db.models import Count, Exists, Q
from django.db.models.functions import JSONObject
from django.utils.translation import gettext as _

from apps.pages.boards.runs_query import (
    LEVEL_CHOICES,
    RunShape,
    RunsQuery,
)
from apps.pages.show.table.choices import Choice, Pick, Token
from apps.pages.show.table.paging import Pages, paging
from apps.pages.show.table.rows import rows_of_runs
from apps.runs.models import EXAMPLE, NOT_EXAMPLE, SHOWN_LEVEL, Run
from apps.runs.selectors import (
    COMMITS,
    NEWEST_FIRST,
)

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.pages.show.table.rows import Row

RUNS_A_PAGE = 40


@dataclass(frozen=True, slots=True)
class RunList:
    """One page of the list of runs."""

    rows: tuple[Row, ...]
    pages: Pages
    picks: tuple[Pick, ...]
    tokens: tuple[Token, ...]
    examples: int = 0  # made-up runs that the list leaves out
    examples_address: str = ""  # and its state that shows them


def run_filter(query: RunsQuery) -> Q:
    """What a reader asked of runs. Examples are in no list that does not ask for them."""
    return run_conditions(query) & (Q(is_example=True) if query.level == EXAMPLE else NOT_EXAMPLE)


def run_conditions(query: RunsQuery) -> Q:
    """The runs that an address asks for, made up or not."""
    wanted = Q()
    if query.shape != RunShape.ALL:
        wanted &= Q(Exists(COMMITS))
    if query.level not in ("", EXAMPLE):
        wanted &= Q(level=query.level)
    if query.provider:
        wanted &= Q(provider=query.provider)
    if query.plan:
        wanted &= Q(plan=query.plan)
    if query.drive:
        wanted &= Q(drive_family=query.drive)
    return wanted


def runs_in_order(query: RunsQuery) -> QuerySet[Run]:
    """The runs that were asked for, newest first."""
    return Run.objects.filter(run_filter(query)).order_by(*NEWEST_FIRST)


def list_runs(query: RunsQuery) -> RunList:
    """A page of runs with what they can be narrowed to: 4 queries."""
    known: dict[str, Any] = Run.objects.aggregate(
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
    pages, cut = paging(total=known["total"], page=query.page, size=RUNS_A_PAGE)
    picks = run_picks(query, known)
    return RunList(
        rows=rows_of_runs(runs_in_order(query)[cut]),
        pages=pages,
        picks=picks,
        tokens=run_tokens(query, picks),
        examples=0 if query.level else known["examples"],
        examples_address=replace(query, level=EXAMPLE, page=1).address,
    )


def run_picks(query: RunsQuery, known: dict[str, Any]) -> tuple[Pick, ...]:
    """The filters of the list: values that some run has."""
    levels = {*known["levels"], query.level}
    owners = sorted({(each["label"], each["value"]) for each in known["providers"]})
    return (
        Pick(
            "level",
            _("Level"),
            tuple(Choice(*each) for each in LEVEL_CHOICES if each[0] in levels),
            query.level,
            _("any"),
        ),
        Pick(
            "provider",
            _("Provider"),
            tuple(Choice(slug, name) for name, slug in owners),
            query.provider,
            _("any"),
        ),
    )


def run_tokens(query: RunsQuery, picks: tuple[Pick, ...]) -> tuple[Token, ...]:
    """What is on, and the address of the list without it."""
    on = [(pick.name, pick.label, pick.words) for pick in picks if pick.is_on]
    if query.plan:
        on.append(("plan", _("Plan"), query.plan))
    if query.drive:
        on.append(("drive", _("Drive"), query.drive))
    return tuple(Token(label, words, query.without(name)) for name, label, words in on)
