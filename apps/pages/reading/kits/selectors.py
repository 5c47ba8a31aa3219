"""Reads the plan of a kit, with what it costs to measure it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.pages.reading.kits.clients import CLIENTS
from apps.plans.models import Plan
from apps.plans.prices.renting import measurement_price, usual_region
from apps.plans.regions import NOWHERE, Offered, has_region, offered_in, place_of
from apps.plans.selectors import newest_prices

if TYPE_CHECKING:
    from apps.plans.prices.renting import MeasurementPrice

VOLUME: Final = "volume"  # the kind of a plan that is a disk without a machine
ANYWHERE: Final = "any"  # in an address: where the region is not known here
_REGION: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_REGION_CHARACTERS_MAX: Final = 32


@dataclass(frozen=True, slots=True)
class PlanToMeasure:
    """A plan, what a measurement of it costs, and where it would be rented."""

    plan: Plan
    cost: MeasurementPrice | None  # none: nobody can rent it for so short a time
    region: str | None  # empty: not known here; none: not offered where it was asked for

    @property
    def is_volume(self) -> bool:
        """Whether it is a disk, which a machine or a cluster has to hold."""
        return self.plan.kind == VOLUME


def plan_to_measure(slug: str, region: str = "") -> PlanToMeasure | None:
    """Return a listed plan as it is rented in a region, or in the usual one: 2 queries."""
    plans = Plan.objects.filter(is_listed=True, is_component=False, slug=slug)
    plan = plans.select_related("provider").prefetch_related(newest_prices()).first()
    if plan is None:
        return None
    place = place_of(region, provider=plan.provider_id) if region else NOWHERE
    cost = measurement_price(plan, getattr(plan, "list_prices", []), region=place)
    where = usual_region(plan, cost.price) if cost else None
    if region and not (region == ANYWHERE and where == ""):
        where = region if cost and _is_offered(plan, region) else None
    return PlanToMeasure(plan, cost, where)


def _is_offered(plan: Plan, region: str) -> bool:
    place = place_of(region, provider=plan.provider_id)
    return (
        len(region) <= _REGION_CHARACTERS_MAX
        and _REGION.fullmatch(region) is not None
        and _is_named(region, provider=plan.provider_id)
        and offered_in(plan.regions, region=place, provider=plan.provider_id) != Offered.NO
    )


def _is_named(region: str, *, provider: str) -> bool:
    """Whether a provider's own program takes that name."""
    client = CLIENTS.get(provider)
    found = re.fullmatch(f"(.+?){client.zones if client else ''}", region)
    return found is not None and has_region(found[1], provider=provider)
