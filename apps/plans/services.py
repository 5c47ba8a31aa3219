"""Finds the plan of a run: the one that firmware or metadata name, else the one that was claimed.

A machine that no listed plan matches gets an unlisted plan, named after what is known of it. The
network of the upload comes last and can only give the provider, because the owner of a network need
not rent out the machine.
"""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from apps.memory import remembered
from apps.plans.aliases import plan_behind
from apps.plans.held import UNSEEN_NAME, held_plan_name, held_slug
from apps.plans.look_alikes import looks_like
from apps.plans.models import HOME_PROVIDER, UNLISTED_PROVIDER, Plan, PlanRuling, Provider
from apps.plans.naming import distinct_slug_of, provider_slug_of, slug_of
from apps.plans.networks import current_networks
from apps.plans.placement import (
    PLATFORMS,
    VOLUME,
    Basis,
    Conflict,
    DeviceName,
    MachineFacts,
    MachineReport,
    Placement,
    PlacementClaim,
    ReportSource,
    as_shown,
    conflicts_of,
    fits_memory,
    machine_words,
    names_same,
    network_conflict_of,
    unlisted_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

NAME_CHARACTERS_MAX: Final = 96  # of the column; a claim has two parts of at most 64
NAMELESS: Final = "unnamed machine"
_STAND_INS: Final = {HOME_PROVIDER: "Home", UNLISTED_PROVIDER: "Unlisted"}
CHOSEN_SIZE: Final = "-flex"  # suffix of Oracle's types with a free choice of size


def place_run(
    *, seen: MachineReport, claim: PlacementClaim, device: DeviceName, day: date, network: str = ""
) -> Placement:
    """Return the plan on which a run stands, what decided, and every contradiction.

    The instance type decides, by the firmware, else by the cloud's metadata. But a volume of the
    same provider can only be claimed. A claim never overrules a provider that the machine names.
    Otherwise the claim decides, as in `place_claim`. `network` is the slug of the provider from
    whose network the upload came, which is used if nothing else names a provider. `day` is when the
    upload arrived, since names of plans change.
    """
    facts = _machine_facts(seen, day=day)
    claimed = _listed_plan(
        provider=_tidy(claim.provider) or facts.provider, plan=_tidy(claim.plan), day=day
    )
    is_silent = not (facts.provider or _tidy(claim.provider) or claimed)
    by_network = network if is_silent else ""
    if by_network:
        claimed = _listed_plan(provider=by_network, plan=_tidy(claim.plan), day=day)
    agreed = claimed if _agrees(claimed, claim, provider=facts.provider) else None
    plan, basis = _decided(facts, claim, agreed)
    if plan is None and (facts.provider or by_network):
        provider = facts.provider or by_network
        plan, basis = _seen_plan(seen, claim, facts=facts, provider=provider), facts.basis
    elif plan is None:
        type_or_claim = facts.type or claim.plan
        plan = place_claim(
            provider=claim.provider, plan=type_or_claim, device_name=device.text, day=day,
            is_known_device=device.is_known,
        )  # fmt: skip
        basis = _basis_of(facts, claim)
    shown = shown_claim(claim, plan=plan, day=day)
    return Placement(
        plan=plan,
        basis=Basis.NETWORK if by_network else basis,
        conflicts=(
            *(as_shown(each, shown) for each in conflicts_of(
                seen=seen, claim=claim, plan=plan, facts=facts, claimed=claimed
            )),
            *_look_alikes(claim),
        ),
        unlisted=unlisted_of(seen, plan),
        elsewhere=network_conflict_of(
            facts=facts, claim=claim, claimed=claimed, network=network,
            clouds=current_networks().providers,
        ),
    )  # fmt: skip


def place_claim(
    *,
    provider: str | None,
    plan: str | None,
    device_name: str,
    day: date | None = None,
    is_known_device: bool = False,
) -> Plan:
    """Return the plan of a run by its claim alone.

    It is a listed plan if the claim has names, slugs or aliases of the catalogue, in any case.
    Otherwise it is an unlisted plan, made on first use, of the provider Home if that was claimed,
    else of Unlisted. Its name is the claim or, without a claimed plan, the device. Until a
    moderator has accepted it, only a name of the catalogue is shown.
    """
    provider, plan = _tidy(provider), _tidy(plan)
    listed = _listed_plan(provider=provider, plan=plan, day=day or datetime.now(tz=UTC).date())
    if listed is not None:
        return listed
    is_home = provider_slug_of(provider) == HOME_PROVIDER
    stand_in = HOME_PROVIDER if is_home else UNLISTED_PROVIDER
    machine = plan or _tidy(device_name)
    claimed = machine if is_home or not provider else f"{provider} {machine}"
    company = None if is_home else _company(provider_slug_of(provider))
    is_known = is_known_device and not plan and (is_home or not provider or company is not None)
    return _unlisted_plan(
        stand_in=stand_in, name=claimed, company=company.name if company else "", is_known=is_known
    )


def listed_plan_of(claim: PlacementClaim, *, day: date) -> Plan | None:
    """Return the listed plan that a claim names, or None; creates no plan."""
    return _listed_plan(provider=_tidy(claim.provider), plan=_tidy(claim.plan), day=day)


def shown_claim(claim: PlacementClaim, *, plan: Plan, day: date) -> PlacementClaim:
    """Return a claim as it may be repeated: names that nobody has read are marks.

    `plan` is where the run stands; a moderator who accepted it has read the names in it.
    """
    provider, name = _tidy(claim.provider), _tidy(claim.plan)
    read = plan.sent_name if plan.is_seen else ""
    is_known = not provider or provider in read or _company(provider_slug_of(provider)) is not None
    is_plan_known = not name or name in read or listed_plan_of(claim, day=day) is not None
    return PlacementClaim(
        provider=claim.provider if is_known else UNSEEN_NAME,
        plan=claim.plan if is_plan_known else UNSEEN_NAME,
    )


def _look_alikes(claim: PlacementClaim) -> Iterator[Conflict]:
    """Yield the provider that the claimed one looks like and is not."""
    name = _tidy(claim.provider)
    if not name or _company(provider_slug_of(name)) is not None:
        return
    if known := looks_like(name, Provider.objects.values_list("name", flat=True)):
        yield {"case": "look-alike", "known": known}


@remembered
def _company(slug: str) -> Provider | None:
    """Return a provider of the catalogue, the stand-in for machines at home among them."""
    return Provider.objects.filter(pk=slug).exclude(pk=UNLISTED_PROVIDER).first() if slug else None


def _machine_facts(seen: MachineReport, *, day: date) -> MachineFacts:
    """Return provider and type by the firmware, else by metadata that does not contradict it."""
    firmware = provider_slug_of(seen.provider or "")
    metadata = provider_slug_of(seen.metadata_provider or "")
    if seen.instance_type:
        plan = _typed_plan((firmware,), seen.instance_type, seen, day=day)
        return MachineFacts(provider=firmware, type=seen.instance_type, plan=plan)
    is_platform = metadata in PLATFORMS
    if not metadata or (firmware and not is_platform and metadata != firmware):
        return MachineFacts(provider=firmware)
    clouds = PLATFORMS[metadata] if is_platform and not firmware else (firmware or metadata,)
    plan = _typed_plan(clouds, seen.metadata_type or "", seen, day=day)
    provider = "" if is_platform else metadata
    return MachineFacts(
        provider=firmware or provider or (plan.provider_id if plan else ""),
        provider_by=ReportSource.FIRMWARE if firmware else ReportSource.METADATA,
        type=seen.metadata_type or "",
        type_by=ReportSource.METADATA,
        plan=plan,
    )


def _typed_plan(
    clouds: tuple[str, ...], name: str, seen: MachineReport, *, day: date
) -> Plan | None:
    """Return the listed plan of a type, if exactly one of these providers has it."""
    plans = [
        plan
        for cloud in clouds
        if (plan := _listed_plan(provider=cloud, plan=name, day=day)
            or _sized_plan(provider=cloud, name=name, seen=seen)) is not None
    ]  # fmt: skip
    return plans[0] if len(plans) == 1 else None


@remembered
def _sized_plan(*, provider: str, name: str, seen: MachineReport) -> Plan | None:
    """Return the plan of a type with a free choice of size: the one with the machine's size."""
    if not provider or not slug_of(name).endswith(CHOSEN_SIZE):
        return None
    sizes = Plan.objects.filter(
        is_listed=True,
        provider_id=provider,
        slug__startswith=f"{provider}-{slug_of(name)}-",
        vcpus=seen.cpu_count,
    ).select_related("provider")
    fitting = [
        plan for plan in sizes if plan.ram_gb and fits_memory(seen.ram_bytes, ram_gb=plan.ram_gb)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _decided(
    facts: MachineFacts, claim: PlacementClaim, agreed: Plan | None
) -> tuple[Plan | None, Basis]:
    """Return the listed plan, if any, and what decided.

    `agreed` is the plan of a claim that names no other provider than the machine does. It counts if
    it is a volume, or if the machine names no type or the same one.
    """
    if agreed is not None and agreed.kind == VOLUME:
        return agreed, Basis.CLAIM
    if facts.plan is not None:
        return facts.plan, facts.basis
    if agreed is not None and (not facts.type or names_same(claim.plan or "", facts.type)):
        return agreed, Basis.CLAIM
    return None, Basis.CLAIM


def _basis_of(facts: MachineFacts, claim: PlacementClaim) -> Basis:
    """Return what decided if only the claim names a provider."""
    if facts.type:
        return facts.basis
    return Basis.CLAIM if claim.provider or claim.plan else Basis.DEVICE


def _agrees(claimed: Plan | None, claim: PlacementClaim, *, provider: str) -> bool:
    """Whether a claim names the machine's provider or none, or the machine names none."""
    claimed_provider = claimed.provider_id if claimed else provider_slug_of(_tidy(claim.provider))
    return not provider or claimed_provider in ("", provider)


def _listed_plan(*, provider: str, plan: str, day: date) -> Plan | None:
    """Return the listed plan of a name; the slug of a plan needs no provider."""
    if not plan:
        return None
    plan_slug, provider_slug = slug_of(plan), provider_slug_of(provider)
    if not provider:
        return _first_listed(plan_slug)
    listed_plan = _first_listed(f"{provider_slug}-{plan_slug}", plan_slug, provider=provider_slug)
    if listed_plan is not None:
        return listed_plan
    alias = plan_behind(provider=provider_slug, name=plan, day=day)
    return _first_listed(alias) if alias else None


@remembered
def _first_listed(*slugs: str, provider: str = "") -> Plan | None:
    plans = Plan.objects.filter(is_listed=True, slug__in=slugs)
    if provider:
        plans = plans.filter(provider_id=provider)
    return plans.select_related("provider").first()


def _seen_plan(
    seen: MachineReport, claim: PlacementClaim, *, facts: MachineFacts, provider: str
) -> Plan:
    """Return the unlisted plan of a machine whose provider is listed, but not its listed plan.

    Its name is the type, else the claimed plan if the claim agrees with the machine, else product
    and size of the machine.
    """
    listed = Provider.objects.filter(pk=provider).first()
    name = listed.name if listed else provider
    is_agreed = _agrees(None, claim, provider=facts.provider)
    machine = facts.type or (_tidy(claim.plan) if is_agreed else "") or machine_words(seen)
    return _unlisted_plan(
        stand_in=UNLISTED_PROVIDER, name=f"{name} {machine}", company=listed.name if listed else ""
    )


@remembered
def _unlisted_plan(*, stand_in: str, name: str, company: str, is_known: bool = False) -> Plan:
    """Return the unlisted plan of a name, or the plan that a moderator says it is.

    `company` is its provider by the catalogue. Unless the whole name is known, neither its name nor
    its address says what was sent.
    """
    name = name[:NAME_CHARACTERS_MAX].strip()
    slug = distinct_slug_of(name)
    if not slug:
        name, slug, is_known = NAMELESS, slug_of(NAMELESS), True
    digits = held_slug(slug)
    slug = f"{stand_in}-{slug if is_known else digits}"
    ruling = PlanRuling.objects.select_related("into__provider").filter(pk=slug).first()
    if ruling is not None and ruling.into is not None:
        return ruling.into
    Provider.objects.get_or_create(slug=stand_in, defaults={"name": _STAND_INS[stand_in]})
    plan, _ = Plan.objects.get_or_create(
        slug=slug,
        defaults={
            "provider_id": stand_in,
            "name": (ruling.name if ruling else "")
            or (name if is_known else held_plan_name(name, digits, provider=company)),
            "sent_name": name,
            "is_listed": False,
            "is_seen": is_known or ruling is not None,
        },
    )
    return plan


def _tidy(text: str | None) -> str:
    """Return a claim as one line: compatibility forms resolved, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFKC", text or "").split())
