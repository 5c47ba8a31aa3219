"""What else could be compared: things under the same work, and relatives of the unmeasured."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db.models import Q

from apps.pages.compare.selectors.names import NamedThing
from apps.pages.compare.things import Shape, Thing, shape_of_standing
from apps.pages.show.address.references import (
    Ref,
    RefKind,
)
from apps.pages.show.nearest import Kinship, kinship, nearest_first, plan_of
from apps.rankings.advice.selectors import with_sources
from apps.rankings.choice import headline
from apps.rankings.models import Evidence, Standing
from apps.rankings.selectors import EVIDENCE_PLACE, FOR_RENT

if TYPE_CHECKING:
    from collections.abc import Iterable

SUGGESTED_MAX = 12  # what a reader looks through
SUGGESTED_READ_MAX = 60  # a plan has a row in each region
RELATIVES_READ_MAX = 400  # plans of two to six providers


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

    The nearest by `show.nearest`: a variant or a plan of the same family, under one work that all
    have, else each by the figure that it leads with. No figure that is made up, or illustrative by
    its own source, is offered in place of a real one, and nothing in place of things with made-up
    figures alone.
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
    by_plan: dict[str, list[Standing]] = defaultdict(list)
    for row in rows:
        by_plan[plan_of(row).slug].append(row)
    leads = [lead for of_plan in by_plan.values() if (lead := headline(of_plan))]
    kin = take_nearest(lacking, leads)
    wanted = [{thing.figures.shape} for thing in things if thing.figures]
    found = [set(map(shape_of_standing, by_plan[plan_of(lead).slug])) for lead in kin.values()]
    common = set.intersection(*wanted, *found) if kin else set()
    return {
        ref: headline(
            row for row in by_plan[plan_of(lead).slug] if shape_of_standing(row) in common
        )
        or lead
        for ref, lead in kin.items()
    }


def is_made_up_alone(thing: Thing) -> bool:
    """Whether a thing has figures, all of them examples that nobody measured."""
    return bool(thing.shapes) and all(shape.is_made_up for shape in thing.shapes)


def take_nearest(things: Iterable[Thing], leads: Iterable[Standing]) -> dict[Ref, Standing]:
    """For each thing its nearest variant or plan of its family; nothing where one has none.

    Each plan stands for one thing only.
    """
    kin: dict[Ref, Standing] = {}
    for thing in things:
        plan = thing.plan
        free = [
            row
            for row in leads
            if plan and row not in kin.values() and kinship(plan, plan_of(row)) <= Kinship.FAMILY
        ]
        if plan is None or not free:
            return {}
        kin[thing.ref] = nearest_first(plan, free)[0]
    return kin
