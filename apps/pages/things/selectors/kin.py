"""The measured kin of what nobody measured: plans and drives that stand near it, with one figure.

A plan's kin are its variants, the drive that it is sold with, plans of its provider that are near
in price or size, and plans of other providers with the same kind of storage. A drive's kin are
plans that are sold with it, drives of its maker, and drives of its class. Figures that are made up
or illustrative by their own source are nobody's kin.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice, takewhile
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q

from apps.drives.models import DriveName
from apps.plans.naming import base_name
from apps.plans.prices.currencies import EURO, RatesError
from apps.plans.prices.rates import current_rates
from apps.rankings.advice.selectors import with_sources
from apps.rankings.choice import headline
from apps.rankings.cost import monthly, pick_price
from apps.rankings.selectors import FOR_RENT, REAL_COMMITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from decimal import Decimal

    from apps.drives.models import DriveFamily
    from apps.plans.models import Plan, Price
    from apps.plans.prices.currencies import RateTable
    from apps.rankings.models import Standing

KIN_MAX: Final = 5  # lines that a reader compares at a glance; the boards have the rest
A_TIE_MAX: Final = 2  # of one tie, so that each has a chance
ROWS_READ_MAX: Final = 600  # all plans of a large provider in a few regions
NAME_CHARACTERS_MIN: Final = 4  # a shorter beginning of model strings is shared by many makers
FAR: Final = 99.0  # of two plans of which nothing can be compared
ANOTHER_KIND: Final = 10.0  # a volume is not near a server, whatever both cost


class Tie(StrEnum):
    """What a plan or a drive has in common with its kin; the closest first."""

    VARIANT = "variant"
    DRIVE = "drive"  # a plan and the drive that it is sold with
    NAME = "name"  # drives whose model strings begin alike
    PROVIDER = "provider"
    VENDOR = "vendor"
    CLASS = "class"


@dataclass(frozen=True, slots=True)
class Kin:
    """Something measured, and what ties it to what was not."""

    tie: Tie
    standing: Standing  # with its plan or drive, day and source


@dataclass(frozen=True, slots=True)
class NameParts:
    """What an unknown drive calls itself."""

    vendor: str
    model: str


def kin_of_plan(plan: Plan, prices: Sequence[Price]) -> tuple[Kin, ...]:
    """The measured kin of a plan: two queries, the rates of currencies one of them."""
    is_kin = Q(plan__provider=plan.provider_id)
    if plan.storage_kind:
        same_storage = Q(plan__kind=plan.kind, plan__storage_kind=plan.storage_kind)
        is_kin |= same_storage & FOR_RENT
    if plan.drive_family_hint:
        is_kin |= Q(drive_family__name=plan.drive_family_hint)
    price, rates = pick_price(prices), current_rates()

    def distance(row: Standing) -> float:
        return _distance(plan, row, price=price, rates=rates)

    def tie(row: Standing) -> Tie:
        if row.plan is None:
            return Tie.DRIVE
        if row.plan.provider_id != plan.provider_id:
            return Tie.CLASS
        return Tie.VARIANT if _are_variants(plan.name, row.plan.name) else Tie.PROVIDER

    rows = _leads(_standings(is_kin & ~Q(plan=plan.slug)))
    return _nearest(rows, tie, distance)


def kin_of_drive(family: DriveFamily) -> tuple[Kin, ...]:
    """The measured kin of a drive family: one query; none of a virtual disk."""
    if family.is_virtual:
        return ()
    is_kin = Q(drive_family__vendor=family.vendor) | Q(plan__drive_family_hint=family.name)
    if family.ladder_class_id:
        is_kin |= Q(drive_family__ladder_class=family.ladder_class_id)

    def distance(row: Standing) -> float:
        return _unlikeness(family, row)

    def tie(row: Standing) -> Tie:
        if row.drive_family is None:
            return Tie.DRIVE
        return Tie.VENDOR if row.drive_family.vendor == family.vendor else Tie.CLASS

    others = ~Q(drive_family=family.slug) & ~Q(drive_family__kind="virtual")
    # NOT IN of SQL leaves out rows without a drive, so plans are asked for by name
    return _nearest(_leads(_standings(is_kin & (Q(drive_family=None) | others))), tie, distance)


def kin_of_name(name: NameParts) -> tuple[Kin, ...]:
    """Measured drives near to an unknown one by what it calls itself: two queries."""
    words = [word for word in (name.vendor, *name.model.split()[:1]) if word]
    begin = name.model[:NAME_CHARACTERS_MIN]
    alike: dict[str, int] = {}
    if len(begin) == NAME_CHARACTERS_MIN:
        known = DriveName.objects.filter(model__istartswith=begin, family__isnull=False)
        for family, model in known.values_list("family_id", "model"):
            alike[family] = max(_n_shared(model, name.model), alike.get(family, 0))
    is_kin = Q(drive_family__in=alike)
    for word in words:
        is_kin |= Q(drive_family__vendor__iexact=word)
    rows = _leads(_standings(is_kin & ~Q(drive_family__kind="virtual")))
    return _nearest(
        rows,
        lambda row: Tie.NAME if row.drive_family_id in alike else Tie.VENDOR,
        lambda row: -float(alike.get(row.drive_family_id or "", 0)),
    )


def _standings(condition: Q) -> list[Any]:
    return list(
        with_sources(REAL_COMMITS.filter(condition, is_illustrative=False))
        .select_related("plan__provider", "drive_family", "price", "ladder_class")
        .defer("points")
        .order_by("plan", "drive_family", "pk")[:ROWS_READ_MAX]
    )


def _leads(rows: Iterable[Standing]) -> list[Standing]:
    """The standing that speaks for each plan and each drive."""
    of_things: dict[tuple[str | None, str | None], list[Standing]] = {}
    for row in rows:
        of_things.setdefault((row.plan_id, row.drive_family_id), []).append(row)
    return [lead for each in of_things.values() if (lead := headline(each))]


def _nearest(
    rows: Sequence[Standing],
    tie: Callable[[Standing], Tie],
    distance: Callable[[Standing], float],
) -> tuple[Kin, ...]:
    """A few of each tie, the nearest first; the closest ties first."""
    ties = [(tie(row), row) for row in rows]

    def of_each_tie() -> Iterator[Kin]:
        for each in Tie:
            own = [row for own_tie, row in ties if own_tie is each]
            own.sort(key=lambda row: (distance(row), -row.n_uploaders, row.pk))
            yield from (Kin(each, row) for row in own[:A_TIE_MAX])

    return tuple(islice(of_each_tie(), KIN_MAX))


def _are_variants(one: str, other: str) -> bool:
    """Whether one plan is the other with something added, or both are of the same plan."""
    return (base_name(one) or one) == (base_name(other) or other)


def _distance(plan: Plan, row: Standing, *, price: Price | None, rates: RateTable) -> float:
    """How far apart two plans are: ln of the ratio of their prices, else of their sizes."""
    other = row.plan
    if other is None:
        return 0.0
    apart = 0.0 if other.kind == plan.kind else ANOTHER_KIND
    own, others = _euros(price, rates), _euros(row.price, rates)
    if own and others:
        return apart + abs(math.log(own / others))
    sizes = [
        abs(math.log(float(one) / float(two)))
        for one, two in ((plan.ram_gb, other.ram_gb), (plan.vcpus, other.vcpus))
        if one and two
    ]
    return apart + (sum(sizes) / len(sizes) if sizes else FAR)


def _euros(price: Price | None, rates: RateTable) -> Decimal | None:
    """The price of a month in euro; None where there is none, or no rate of its currency."""
    if price is None or price.is_unit_price:
        return None
    try:
        return rates.convert(monthly(price), source=price.currency, target=EURO)
    except RatesError:
        return None


def _unlikeness(family: DriveFamily, row: Standing) -> float:
    """How little two drives have in common of class, protection, interface and name; 0 is most."""
    other = row.drive_family
    if other is None:
        return 0.0
    return (
        4.0 * (other.ladder_class_id != family.ladder_class_id)
        + 2.0 * (other.plp != family.plp)
        + 1.0 * (other.interface != family.interface)
        - _n_shared(family.name, other.name) / len(family.name)
    )


def _n_shared(one: str, other: str) -> int:
    """With how many letters two names begin alike."""
    pairs = zip(one.casefold(), other.casefold(), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
