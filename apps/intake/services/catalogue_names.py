"""What a sender says of the machine, completed and checked by the catalogue.

A name that the catalogue does not have is asked about once, and kept as typed if it comes again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q, Value

from apps.drives.models import DriveFamily
from apps.plans.models import NOT_FOR_RENT, UNLISTED_PROVIDER, Plan, Provider
from apps.plans.naming import provider_slug_of
from apps.plans.placement import PlacementClaim
from apps.plans.services import listed_plan_of
from apps.runs.imported.judgement import family_of_claim

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from django.db.models import QuerySet

    from apps.intake.services.imports import ImportClaim

NAMES_MAX: Final = 20  # what a list below a field shows without scrolling far
NEAREST_MAX: Final = 3
LIKENESS_MIN: Final = 0.4  # of difflib, 0 to 1: "AX1O2" is 0.8 like "AX102"


@dataclass(frozen=True, slots=True)
class CatalogueName:
    """A name that completes a field, and what tells it from others of that name."""

    name: str
    under: str = ""


@dataclass(frozen=True, slots=True)
class UnlistedName:
    """A name that the catalogue does not have, and the nearest that it has."""

    field: str
    name: str
    nearest: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckedClaim:
    """A claim, its provider filled in where its plan tells, and what is not in the catalogue."""

    claim: ImportClaim
    unlisted: tuple[UnlistedName, ...]


def names_like(field: str, claim: ImportClaim) -> list[CatalogueName]:
    """Return names for a field of the claim that hold every word typed there: one query.

    Plans are those of the claimed provider, if there is one.
    """
    rows: QuerySet[Any, tuple[str, str]]
    if field == "provider":
        rows = _providers().filter(_holds(claim.provider)).values_list("name", Value(""))
    elif field == "plan":
        plans = _plans(claim.provider).filter(_holds(claim.plan)).order_by("name")
        rows = plans.values_list("name", "provider__name")
    else:
        families = _families().filter(_holds(claim.drive)).order_by("name")
        rows = families.values_list("name", "vendor")
    return [CatalogueName(name, under) for name, under in rows[:NAMES_MAX]]


def check_claim(claim: ImportClaim, *, as_typed: Collection[str] = ()) -> CheckedClaim:
    """Return the claim with what the catalogue lacks of it, but for names in `as_typed`.

    A plan without a provider gets that of the only plan of its name. Machines of one's own have
    names that no catalogue knows.
    """
    if claim.plan and not claim.provider:
        owners = set(_plans("").filter(name__iexact=claim.plan).values_list("provider__name"))
        if len(owners) == 1:
            claim = replace(claim, provider=owners.pop()[0])
    unlisted = [
        UnlistedName(field, name, _nearest(name, known))
        for field, name, known in _unknown(claim)
        if name not in as_typed
    ]
    return CheckedClaim(claim, tuple(unlisted))


def _unknown(claim: ImportClaim) -> Iterable[tuple[str, str, Iterable[str]]]:
    """Yield field, name and the names that it could be meant for, of what is not listed."""
    provider = provider_slug_of(claim.provider)
    is_rented = provider not in NOT_FOR_RENT
    if provider and is_rented and not Provider.objects.filter(pk=provider).exists():
        yield "provider", claim.provider, _providers().values_list("name", flat=True)
    placement = PlacementClaim(provider=claim.provider, plan=claim.plan)
    if claim.plan and is_rented and listed_plan_of(placement, day=datetime.now(UTC).date()) is None:
        yield "plan", claim.plan, _plans(claim.provider).values_list("name", flat=True)
    if claim.drive and family_of_claim(claim.drive) is None:
        yield "drive", claim.drive, _families().values_list("name", flat=True)


def _nearest(name: str, known: Iterable[str]) -> tuple[str, ...]:
    by_letters = {each.lower(): each for each in known}
    close = get_close_matches(name.lower(), by_letters, n=NEAREST_MAX, cutoff=LIKENESS_MIN)
    return tuple(by_letters[each] for each in close)


def _providers() -> QuerySet[Provider]:
    return Provider.objects.exclude(pk=UNLISTED_PROVIDER).order_by("name")


def _plans(provider: str) -> QuerySet[Plan]:
    plans = Plan.objects.rentable()
    return plans.filter(provider=provider_slug_of(provider)) if provider else plans


def _families() -> QuerySet[DriveFamily]:
    return DriveFamily.objects.exclude(kind="virtual")


def _holds(text: str) -> Q:
    """The condition that a name holds every word of a text."""
    return reduce(and_, (Q(name__icontains=word) for word in text.split()), Q())
