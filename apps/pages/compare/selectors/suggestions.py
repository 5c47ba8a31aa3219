"""What else could be compared: well documented things, and relatives of what nobody measured."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from difflib import SequenceMatcher

from django.db.models import Q

from apps.pages.compare.selectors.names import NamedThing
from apps.pages.compare.things import Shape, Thing
from apps.pages.show.address.references import (
    Ref,
    RefKind,
)
from apps.plans.models import Plan
from apps.rankings.advice.selectors import with_sources
from apps.rankings.choice import headline
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import EVIDENCE_PLACE

SUGGESTED_MAX = 12  # what a reader looks through
SUGGESTED_READ_MAX = 60  # a plan has a row in each region
RELATIVES_READ_MAX = 400  # plans of two to six providers


@dataclass(frozen=True, slots=True)
class NearestComparison:
    """Plans of the same providers that can be compared, in the places of those that cannot."""

    rows: tuple[Standing, ...]  # with their plan, day and source

    @property
    def refs(self) -> tuple[Ref, ...]:
        """What the address of the comparison names."""
        return tuple(Ref(RefKind.PLAN, row.plan_id or "") for row in self.rows)

    @property
    def names(self) -> tuple[str, ...]:
        """The plans by name."""
        return tuple(plan_of(row).name for row in self.rows)


def suggestions(shape: Shape | None, things: tuple[Thing, ...]) -> tuple[NamedThing, ...]:
    """The best documented plans and drives, under the workload of what is there: one query.

    Where nothing is compared yet, things with made-up figures alone are left out.
    """
    standings = Standing.objects.filter(variant__lte=1)
    if shape is None:
        standings = standings.filter(is_durable_single_writer=True).exclude(
            evidence=Evidence.EXAMPLE
        )
    else:
        standings = standings.filter(
            evidence=shape.evidence, workload=shape.workload, version=shape.version
        )
    kinds = {thing.ref.kind for thing in things} & {RefKind.PLAN, RefKind.DRIVE}
    if len(kinds) == 1:
        standings = standings.filter(plan__isnull=RefKind.DRIVE in kinds)
    rows = standings.select_related("plan__provider", "drive_family").order_by(
        EVIDENCE_PLACE, "-n_uploaders", "-n_runs", "-rate_per_s", "pk"
    )
    offers: dict[Ref, NamedThing] = {}
    for row in rows.defer("curve")[:SUGGESTED_READ_MAX]:
        if row.plan is not None:
            ref, name, under = (
                Ref(RefKind.PLAN, row.plan.slug),
                row.plan.name,
                row.plan.provider.name,
            )
        elif row.drive_family is not None:
            family = row.drive_family
            ref, name, under = Ref(RefKind.DRIVE, family.slug), family.name, family.vendor
        else:
            continue
        offers.setdefault(ref, NamedThing(ref, name, under, row.n_runs))
    return tuple(offers.values())[:SUGGESTED_MAX]


def nearest(things: tuple[Thing, ...]) -> NearestComparison | None:
    """The comparison that comes nearest to one of plans with nothing in common: one query.

    Of each provider the plan with the most similar name, all under the same durable workload. No
    figure that is made up, or illustrative by its own source, is offered in place of a real one,
    and nothing in place of things with made-up figures alone.
    """
    plans = [thing.plan for thing in things if thing.plan is not None]
    if len(plans) != len(things) or all(is_made_up_alone(thing) for thing in things):
        return None
    rows = (
        with_sources(
            Standing.objects.filter(
                plan__provider__in={plan.provider_id for plan in plans},
                is_durable_single_writer=True,
            ).exclude(Q(evidence=Evidence.EXAMPLE) | Q(is_illustrative=True))
        )
        .select_related("plan__provider", "price", "ladder_class")
        .defer("curve")
        .order_by(EVIDENCE_PLACE, "variant", "pk")
    )
    rows = rows[:RELATIVES_READ_MAX]
    by_shape: dict[Shape, dict[str, Standing]] = defaultdict(dict)
    for row in rows:
        shape = Shape(row.evidence, row.workload, row.version)
        by_shape[shape].setdefault(plan_of(row).slug, row)
    candidates = [
        candidate
        for standings in by_shape.values()
        if (candidate := take_nearest(things, standings))
    ]
    if not candidates:  # nothing in common: each plan by the figure that it leads with
        by_plan: dict[str, list[Standing]] = defaultdict(list)
        for row in rows:
            by_plan[plan_of(row).slug].append(row)
        leads = {slug: headline(of_plan) for slug, of_plan in by_plan.items()}
        return take_nearest(things, {slug: row for slug, row in leads.items() if row})
    return max(candidates, key=lambda each: likeness(things, each))


def is_made_up_alone(thing: Thing) -> bool:
    """Whether a thing has figures, all of them examples that nobody measured."""
    return bool(thing.shapes) and all(shape.is_made_up for shape in thing.shapes)


def plan_of(row: Standing) -> Plan:
    """The plan that a row is of."""
    if row.plan is None:
        raise AssertionError("only standings of plans are relatives")
    return row.plan


def take_nearest(
    things: tuple[Thing, ...], standings: dict[str, Standing]
) -> NearestComparison | None:
    """For each thing the plan of its provider with the most similar name; each plan once."""
    slugs: list[str] = []
    for thing in things:
        provider = thing.plan.provider_id if thing.plan else ""
        free = [
            slug
            for slug, row in standings.items()
            if plan_of(row).provider_id == provider and slug not in slugs
        ]
        if not free:
            return None
        slugs.append(
            max(free, key=lambda slug: (alike(thing.name, plan_of(standings[slug]).name), slug))
        )
    return NearestComparison(tuple(standings[slug] for slug in slugs))


def alike(one: str, other: str) -> float:
    """How similar two names are, 0..1: a shared beginning counts most."""
    shared = next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )
    return shared / len(one) + SequenceMatcher(None, one, other).ratio() / 10


def likeness(things: tuple[Thing, ...], comparison: NearestComparison) -> float:
    """How near a comparison comes to what was asked for."""
    return sum(
        alike(thing.name, name) for thing, name in zip(things, comparison.names, strict=True)
    )
