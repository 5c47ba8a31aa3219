"""What else could be compared: things under the same work, and relatives of the unmeasured."""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Q

from apps.pages.compare.selectors.names import NamedThing, named_of
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
    from collections.abc import Callable, Collection, Iterable, Sequence

    from apps.plans.models import Plan

SUGGESTED_MAX = 12  # what a reader looks through
NEAR_MAX = 4  # of things with other work
RELATIVES_READ_MAX = 400  # plans of two to six providers


class Suggestions(NamedTuple):
    """What one thing could be compared with."""

    offers: tuple[NamedThing, ...]
    are_of_its_work: bool  # else they are near to it, and measured with durable commits


def suggestions(shape: Shape | None, thing: Thing) -> Suggestions:
    """The best documented plans or drives, under the workload of what is there: one query.

    Where nothing else has that, a few with durable commits that nobody made up, of a plan the
    nearest; machines of somebody's own never.
    """
    is_same = Q(pk__in=())
    if shape is not None:
        is_same = Q(evidence=shape.evidence, workload=shape.workload, version=shape.version)
    is_real = ~Q(evidence=Evidence.EXAMPLE) & Q(is_illustrative=False)
    standings = Standing.objects.filter(
        FOR_RENT, is_same | (Q(is_durable_single_writer=True) & is_real), variant__lte=1
    )
    if thing.ref.kind is not RefKind.RUN:
        standings = standings.filter(plan__isnull=thing.ref.kind is RefKind.DRIVE)
    rows = list(
        standings.select_related("plan__provider", "drive_family")
        .defer("curve", "points")
        .order_by(EVIDENCE_PLACE, "-n_uploaders", "-n_runs", "-rate_per_s", "pk")[
            :RELATIVES_READ_MAX
        ]
    )
    same = _each_once((row for row in rows if shape_of_standing(row) == shape), thing)
    if same:
        return Suggestions(same[:SUGGESTED_MAX], are_of_its_work=True)
    near = nearest_first(thing.plan, rows) if thing.plan else rows
    return Suggestions(_each_once(near, thing)[:NEAR_MAX], are_of_its_work=False)


def _each_once(rows: Iterable[Standing], thing: Thing) -> tuple[NamedThing, ...]:
    """Each plan and drive of these by its first row, but for the thing itself."""
    offers: dict[Ref, NamedThing] = {}
    for row in rows:
        offer = named_of(row)
        offers.setdefault(offer.ref, offer)
    return tuple(each for ref, each in offers.items() if ref != thing.ref.thing)


def nearest(things: tuple[Thing, ...]) -> dict[Ref, Standing]:
    """What stands for each plan that has no figure of its own, where all of them have kin: 1 query.

    The nearest by `show.nearest`: variants or plans of the same family that did one work with what
    they are set against, else those next in kin, each by the figure that it leads with. No figure
    that is made up, or illustrative by its own source, is offered in place of a real one, and
    nothing in place of things with made-up figures alone.
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
    shapes = {slug: set(map(shape_of_standing, of_plan)) for slug, of_plan in by_plan.items()}
    wanted = [{thing.figures.shape} for thing in things if thing.figures]

    def common_to(kin: Iterable[Standing]) -> set[Shape]:
        return set.intersection(*wanted, *(shapes[plan_of(each).slug] for each in kin))

    kin = take_nearest(lacking, leads, common_to)
    common = common_to(kin.values()) if kin else set()
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


def take_nearest(
    things: Sequence[Thing],
    leads: Sequence[Standing],
    common_to: Callable[[Iterable[Standing]], Collection[Shape]],
) -> dict[Ref, Standing]:
    """For each thing a variant or plan of its family; nothing where one has none.

    Those with work in common before others, and of these the nearest. Each plan stands for one
    thing only.
    """
    near = [_near_to(thing.plan, leads) for thing in things if thing.plan]
    choices = (kin for kin in product(*near) if len({row.pk for _place, row in kin}) == len(kin))

    def order(kin: tuple[tuple[int, Standing], ...]) -> tuple[bool, int]:
        return not common_to(row for _place, row in kin), sum(place for place, _row in kin)

    chosen = min(choices, key=order, default=())
    return {thing.ref: row for thing, (_place, row) in zip(things, chosen, strict=False)}


def _near_to(plan: Plan, leads: Sequence[Standing]) -> list[tuple[int, Standing]]:
    """The nearest variants and plans of its family, each with its place."""
    kin = [row for row in leads if kinship(plan, plan_of(row)) <= Kinship.FAMILY]
    return list(enumerate(nearest_first(plan, kin)[:NEAR_MAX]))
