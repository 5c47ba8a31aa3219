"""What a reader who names nothing can start from: questions that people ask, and things to tick.

The things of a question are chosen by rule from what somebody measured or published.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from apps.drives.models import VIRTUAL, PowerLossProtection
from apps.pages.compare.query import THINGS_MIN, CompareQuery
from apps.pages.compare.selectors.names import NamedThing, named_of
from apps.pages.compare.selectors.rows import (
    ThingRows,
    choose,
    compared,
    leave_out_made_up,
    read_standings,
)
from apps.pages.show.address.references import Ref, RefKind
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import FOR_RENT, RATE, ROW, best_of_each
from apps.runs.published.comparable import comparable_class

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from apps.wire.suites import ComparableClass

FIRST_MAX: Final = 6  # plans, and drives, to tick: a short list
PROVIDERS_MAX: Final = 3  # that are set against each other


@dataclass(frozen=True, slots=True)
class Leads:
    """The standing that stands for each plan for rent, and for each drive; the fastest first."""

    plans: Sequence[Any]
    drives: Sequence[Any]


def read_leads() -> Leads:
    """What somebody measured or published: two queries."""
    rows = Standing.objects.exclude(evidence=Evidence.EXAMPLE).exclude(is_illustrative=True)
    of_plans = rows.filter(FOR_RENT, plan__isnull=False)
    of_drives = rows.filter(~Q(drive_family__kind=VIRTUAL), drive_family__isnull=False)
    plans, drives = (
        best_of_each(each, thing)
        .select_related("plan__provider", "drive_family")
        .defer("curve", "points")
        .order_by(RATE.desc(), *ROW)
        for thing, each in (("plan", of_plans), ("drive_family", of_drives))
    )
    return Leads(list(plans), list(drives))


class Asks(Enum):
    """What a question is about."""

    TWO_PLANS = auto()  # of one provider
    PROVIDERS = auto()
    PROTECTION = auto()


@dataclass(frozen=True, slots=True)
class ReadyQuestion:
    """A question, and the things whose comparison answers it."""

    asks: Asks
    on: tuple[Ref, ...]
    providers: tuple[str, ...]  # of its plans, by name


def first_things(leads: Sequence[Any]) -> dict[ComparableClass, list[NamedThing]]:
    """The fastest plans or drives with their rates, by class of comparable work."""
    first: dict[ComparableClass, list[NamedThing]] = {}
    by_class = sorted(leads[:FIRST_MAX], key=lambda lead: comparable_class(lead.workload))
    for lead in by_class:
        first.setdefault(comparable_class(lead.workload), []).append(named_of(lead))
    return first


def ready_questions(leads: Leads) -> list[ReadyQuestion]:
    """Those questions that the figures can answer."""
    asked = (_two_plans(leads.plans), _providers(leads.plans), _protection(leads.drives))
    return [each for question in asked for each in question]


def answers_to(questions: Sequence[ReadyQuestion]) -> list[list[Standing]]:
    """Of each question the rows that its comparison sets against each other: one query for all."""
    everything = ThingRows()
    read_standings(CompareQuery(on=tuple(ref for each in questions for ref in each.on)), everything)
    return [_answer_to(each, everything) for each in questions]


def _answer_to(question: ReadyQuestion, everything: ThingRows) -> list[Standing]:
    query = CompareQuery(on=question.on)
    things = ThingRows(
        standings={ref: everything.standings.get(ref, {}) for ref in question.on},
        durable=everything.durable,
    )
    leave_out_made_up(query, things)
    standings, _of_runs = compared(query, things, *choose(query, things))
    return [standings[ref] for ref in question.on if ref in standings]


def _two_plans(plans: Sequence[Any]) -> Iterator[ReadyQuestion]:
    """The two plans of one provider and one kind of storage that are furthest apart."""
    pairs = [
        (fast, slow)
        for fast in plans
        for slow in plans
        if _sold_as(fast) == _sold_as(slow) and fast.rate_per_s > slow.rate_per_s
    ]
    if pairs:
        fast, slow = max(pairs, key=lambda pair: pair[0].rate_per_s / pair[1].rate_per_s)
        yield _question(Asks.TWO_PLANS, (fast, slow))


def _sold_as(lead: Any) -> tuple[object, ...]:
    """What a buyer can see of a plan; and the work, without which nothing is compared."""
    plan = lead.plan
    return plan.provider_id, plan.kind, plan.storage_kind, lead.workload, lead.evidence


def _providers(plans: Sequence[Any]) -> Iterator[ReadyQuestion]:
    """The fastest plan of each provider, of one kind and one work: that which the most have."""
    alike: dict[tuple[object, ...], dict[str, Any]] = defaultdict(dict)
    for each in plans:  # the fastest first
        _provider, *like = _sold_as(each)
        alike[tuple(like)].setdefault(each.plan.provider_id, each)
    most = max(alike.values(), key=len, default={})
    if len(most) >= THINGS_MIN:
        yield _question(Asks.PROVIDERS, list(most.values())[:PROVIDERS_MAX])


def _protection(drives: Sequence[Any]) -> Iterator[ReadyQuestion]:
    """The most often measured drive with power-loss protection, and the one without."""
    both = [
        max(of_kind, key=lambda lead: (lead.n_runs, lead.rate_per_s))
        for plp in (PowerLossProtection.FULL, PowerLossProtection.NONE)
        if (of_kind := [lead for lead in drives if lead.drive_family.plp == plp])
    ]
    if len(both) >= THINGS_MIN:
        yield _question(Asks.PROTECTION, both)


def _question(asks: Asks, leads: Sequence[Any]) -> ReadyQuestion:
    names = (lead.plan.provider.name for lead in leads if lead.plan)
    return ReadyQuestion(asks, tuple(map(_ref, leads)), tuple(dict.fromkeys(names)))


def _ref(lead: Any) -> Ref:
    if lead.plan_id:
        return Ref(RefKind.PLAN, lead.plan_id)
    return Ref(RefKind.DRIVE, lead.drive_family_id)
