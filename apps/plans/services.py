"""Places a run: on the plan that its firmware names, else on the one that was claimed.

What nobody lists gets a plan made from its own words, below a stand-in provider. The network from
which a run was sent is not asked: only a keyed hash of it is kept, and an address names a network's
owner, who need not be who rents the machine out.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from apps.plans.aliases import plan_behind
from apps.plans.models import HOME, UNLISTED, Plan, Provider
from apps.plans.naming import provider_slug_of, slug_of
from apps.plans.placement import Basis, Claim, Placement, Seen, conflicts_of, machine_words

if TYPE_CHECKING:
    from datetime import date

NAME_CHARACTERS_MAX: Final = 96  # the column; a claim has two parts of at most 64
NAMELESS: Final = "unnamed machine"
_STAND_INS: Final = {HOME: "Home", UNLISTED: "Unlisted"}
VOLUME: Final = "volume"  # a kind of plan: rented beside a machine, whose type says nothing of it


def place_run(*, seen: Seen, claim: Claim, device_name: str, day: date) -> Placement:
    """Return the plan on which a run stands, what decided, and every contradiction.

    The instance type of the firmware decides, except that a volume of the same provider can only
    be claimed. A provider that the firmware names is never overruled by a claim. Else the claim
    decides, as `place_claim` has it. `day` is when the run came in: names of plans change.
    """
    provider = provider_slug_of(seen.provider or "")
    typed = _listed_plan(provider=provider, plan=seen.instance_type or "", day=day)
    claimed = _listed_plan(
        provider=_tidy(claim.provider) or provider, plan=_tidy(claim.plan), day=day
    )
    plan, basis = _decided(
        typed=typed, claimed=claimed if _agrees(claimed, claim, provider=provider) else None
    )
    if plan is None and provider:
        plan, basis = _seen_plan(seen, claim, provider=provider), Basis.FIRMWARE
    elif plan is None:
        plan = place_claim(
            provider=claim.provider, plan=claim.plan, device_name=device_name, day=day
        )
        basis = Basis.CLAIM if claim.provider or claim.plan else Basis.DEVICE
    found = conflicts_of(seen=seen, claim=claim, plan=plan, typed=typed, claimed=claimed)
    return Placement(plan=plan, basis=basis, conflicts=found)


def place_claim(
    *, provider: str | None, plan: str | None, device_name: str, day: date | None = None
) -> Plan:
    """Return the plan on which a run stands by its claim alone.

    A listed plan, where provider and plan are named as the catalogue names, addresses or aliases
    them, in any case. Otherwise an unlisted one, made on first use: below Home where the claim
    says so, else below Unlisted, called what was claimed or, where no plan was claimed, after the
    device.
    """
    provider, plan = _tidy(provider), _tidy(plan)
    listed = _listed_plan(provider=provider, plan=plan, day=day or datetime.now(tz=UTC).date())
    if listed is not None:
        return listed
    is_home = provider_slug_of(provider) == HOME
    stand_in = HOME if is_home else UNLISTED
    machine = plan or _tidy(device_name)
    claimed = machine if is_home or not provider else f"{provider} {machine}"
    return _unlisted_plan(stand_in=stand_in, name=claimed)


def _decided(*, typed: Plan | None, claimed: Plan | None) -> tuple[Plan | None, Basis]:
    """Return the listed plan, if any: a machine's type, or a volume that was claimed beside it."""
    if claimed is not None and (typed is None or claimed.kind == VOLUME):
        return claimed, Basis.CLAIM
    return typed, Basis.INSTANCE_TYPE


def _agrees(claimed: Plan | None, claim: Claim, *, provider: str) -> bool:
    """Whether a claim names the provider of the firmware, or leaves it open, or there is none."""
    said = claimed.provider_id if claimed else provider_slug_of(_tidy(claim.provider))
    return not provider or said in ("", provider)


def _listed_plan(*, provider: str, plan: str, day: date) -> Plan | None:
    """Return the listed plan that was named; a plan's full address needs no provider."""
    if not plan:
        return None
    plan_slug, provider_slug = slug_of(plan), provider_slug_of(provider)
    wanted = [f"{provider_slug}-{plan_slug}", plan_slug] if provider else [plan_slug]
    found = Plan.objects.filter(is_listed=True, slug__in=wanted)
    if provider:
        found = found.filter(provider_id=provider_slug)
    named = found.select_related("provider").first()
    if named is not None or not provider:
        return named
    alias = plan_behind(provider=provider_slug, name=plan, day=day)
    listed = Plan.objects.filter(is_listed=True, pk=alias).select_related("provider")
    return listed.first() if alias else None


def _seen_plan(seen: Seen, claim: Claim, *, provider: str) -> Plan:
    """Return the unlisted plan of a provider that the firmware names, and of nothing listed.

    Where the claim agrees with the firmware its words are used, else the machine's own.
    """
    known = Provider.objects.filter(pk=provider).first()
    name = known.name if known else provider
    is_agreed = _agrees(None, claim, provider=provider)
    machine = (_tidy(claim.plan) if is_agreed else "") or machine_words(seen)
    return _unlisted_plan(stand_in=UNLISTED, name=f"{name} {machine}")


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
