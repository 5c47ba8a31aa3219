"""What else could be compared: things under the same work, and relatives of the unmeasured."""

from __future__ import annotations

from collections import defaultdict
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
from apps.rankings.selectors import EVIDENCE_PLACE, FOR_RENT

SUGGESTED_MAX = 12  # what a reader looks through
SUGGESTED_READ_MAX = 60  # a plan has a row in each region
RELATIVES_READ_MAX = 400  # plans of two to six providers
START_CHARACTERS_MIN = 2  # of names that begin alike; fewer are shared by any two series


def suggestions(shape: Shape | None, things: tuple[Thing, ...]) -> tuple[NamedThing, ...]:
    """The best documented plans and drives, under the workload of what is there: one query.

    Where that has none, durable commits that nobody made up; machines of somebody's own never.
    """
    standings = Standing.objects.filter(FOR_RENT, variant__lte=1)
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
        offers.setdefault(ref, NamedThing(ref, name, under, row.n_runs, rate_per_s=row.rate_per_s))
    compared = {thing.ref.thing for thing in things}
    return tuple(each for ref, each in offers.items() if ref not in compared)[:SUGGESTED_MAX]


def nearest(things: tuple[Thing, ...]) -> dict[Ref, Standing]:
    """What stands for each plan that has no figure of its own, where all of them have kin: 1 query.

    Of its provider the plan with the most similar name, under the work of those that have figures,
    else all under the same work, else each by the figure that it leads with. No figure that is made
    up, or illustrative by its own source, is offered in place of a real one, and nothing in place
    of things with made-up figures alone.
    """
    lacking = tuple(thing for thing in things if thing.figures is None)
    plans = [thing.plan for thing in lacking if thing.plan is not None]
    if len(plans) != len(lacking) or all(is_made_up_alone(thing) for thing in things):
        return {}
    rows = (
        with_sources(
            Standing.objects.filter(
                plan__provider__in={plan.provider_id for plan in plans},
                is_durable_single_writer=True,
            )
            .exclude(Q(evidence=Evidence.EXAMPLE) | Q(is_illustrative=True))
            .exclude(plan__in=[thing.ref.slug for thing in things])
        )
        .select_related("plan__provider", "price", "ladder_class")
        .defer("curve")
        .order_by(EVIDENCE_PLACE, "variant", "pk")
    )[:RELATIVES_READ_MAX]
    wanted = {thing.figures.shape for thing in things if thing.figures}
    by_shape: dict[Shape, dict[str, Standing]] = defaultdict(dict)
    by_plan: dict[str, list[Standing]] = defaultdict(list)
    for row in rows:
        shape = Shape(row.evidence, row.workload, row.version)
        by_shape[shape].setdefault(plan_of(row).slug, row)
        by_plan[plan_of(row).slug].append(row)
    found = [
        kin
        for shape, standings in by_shape.items()
        if (not wanted or shape in wanted) and (kin := take_nearest(lacking, standings))
    ]
    if found:
        return max(found, key=lambda kin: likeness(lacking, kin))
    leads = {slug: headline(of_plan) for slug, of_plan in by_plan.items()}
    return take_nearest(lacking, {slug: row for slug, row in leads.items() if row})


def is_made_up_alone(thing: Thing) -> bool:
    """Whether a thing has figures, all of them examples that nobody measured."""
    return bool(thing.shapes) and all(shape.is_made_up for shape in thing.shapes)


def plan_of(row: Standing) -> Plan:
    """The plan that a row is of."""
    if row.plan is None:
        raise AssertionError("only standings of plans are relatives")
    return row.plan


def take_nearest(things: tuple[Thing, ...], standings: dict[str, Standing]) -> dict[Ref, Standing]:
    """For each thing the plan of its provider whose name is most alike; nothing where one has none.

    Each plan stands for one thing only.
    """
    kin: dict[Ref, Standing] = {}
    for thing in things:
        provider = thing.plan.provider_id if thing.plan else ""
        free = [
            row
            for row in standings.values()
            if plan_of(row).provider_id == provider
            and row not in kin.values()
            and shared_start(thing.name, plan_of(row).name) >= START_CHARACTERS_MIN
        ]
        if not free:
            return {}
        kin[thing.ref] = max(free, key=lambda row: (alike(thing.name, plan_of(row).name), row.pk))
    return kin


def shared_start(one: str, other: str) -> int:
    """How many characters two names begin with alike."""
    return next(
        (place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b),
        min(len(one), len(other)),
    )


def alike(one: str, other: str) -> float:
    """How similar two names are, 0..1: a shared beginning counts most."""
    return shared_start(one, other) / len(one) + SequenceMatcher(None, one, other).ratio() / 10


def likeness(things: tuple[Thing, ...], kin: dict[Ref, Standing]) -> float:
    """How near kin come to what was asked for."""
    return sum(alike(thing.name, plan_of(kin[thing.ref]).name) for thing in things)
