"""Places the claim of a run: on the plan that it names, or on one made from its own words."""

from __future__ import annotations

import unicodedata
from typing import Final

from apps.plans.models import HOME, UNLISTED, Plan, Provider
from apps.plans.naming import provider_slug_of, slug_of

NAME_CHARACTERS_MAX: Final = 96  # the column; a claim has two parts of at most 64
NAMELESS: Final = "unnamed machine"
_STAND_INS: Final = {HOME: "Home", UNLISTED: "Unlisted"}


def place_claim(*, provider: str | None, plan: str | None, device_name: str) -> Plan:
    """Return the plan on which a run stands.

    A listed plan, where provider and plan are named as the catalogue names or addresses them, in
    any case. Otherwise an unlisted one, made on first use: below Home where the claim says so,
    else below Unlisted, called what was claimed or, where no plan was claimed, after the device.
    """
    provider, plan = _tidy(provider), _tidy(plan)
    listed = _listed_plan(provider=provider, plan=plan)
    if listed is not None:
        return listed
    is_home = provider_slug_of(provider) == HOME
    stand_in = HOME if is_home else UNLISTED
    machine = plan or _tidy(device_name)
    claimed = machine if is_home or not provider else f"{provider} {machine}"
    return _unlisted_plan(stand_in=stand_in, name=claimed)


def _listed_plan(*, provider: str, plan: str) -> Plan | None:
    """Return the listed plan that was claimed; a plan's full address needs no provider."""
    if not plan:
        return None
    plan_slug, provider_slug = slug_of(plan), provider_slug_of(provider)
    wanted = [f"{provider_slug}-{plan_slug}", plan_slug] if provider else [plan_slug]
    found = Plan.objects.filter(is_listed=True, slug__in=wanted)
    if provider:
        found = found.filter(provider_id=provider_slug)
    return found.first()


def _unlisted_plan(*, stand_in: str, name: str) -> Plan:
    name = name[:NAME_CHARACTERS_MAX].strip()
    slug = slug_of(name)
    if not slug:
        name, slug = NAMELESS, slug_of(NAMELESS)
    Provider.objects.get_or_create(slug=stand_in, defaults={"name": _STAND_INS[stand_in]})
    plan, _ = Plan.objects.get_or_create(
        slug=f"{stand_in}-{slug}",
        defaults={"provider_id": stand_in, "name": name, "is_listed": False},
    )
    return plan


def _tidy(text: str | None) -> str:
    """Return a claim as one line: compatibility forms resolved, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text or "").split())
