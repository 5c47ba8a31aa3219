"""What a network volume costs as it is ordered: capacity, and IOPS and MiB/s beyond the free ones.

Clouds state unit prices, and the price a month is their sum over the order. gp3 with 1,000 GiB,
16,000 IOPS and 1,000 MiB/s costs 80 + 65 + 35 dollars.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache
from typing import TYPE_CHECKING, Final

from apps.plans.catalogue import DATA
from apps.plans.models import Price, PriceUnit

if TYPE_CHECKING:
    from collections.abc import Mapping

VOLUMES_FILE: Final = DATA / "volumes.csv"
# How many units of capacity are in one GiB.
_A_GIB: Final = {PriceUnit.GIB: Decimal(1), PriceUnit.GB: Decimal(1 << 30) / 10**9}
_CENT: Final = Decimal("0.01")


class VolumeProblem(StrEnum):
    """Why a volume has no price; the error has the plan or part."""

    EMPTY = "empty"  # the order has less than 1 GiB
    CURRENCIES = "currencies"  # its parts have prices in several currencies
    NO_CAPACITY_PRICE = "no-capacity-price"  # there is no price per gigabyte and month
    NOT_SOLD = "not-sold"  # `part` cannot be ordered for it
    TOO_MUCH = "too-much"  # more than `most` of `part` has no price
    NO_UNIT_PRICE = "no-unit-price"


class VolumeError(ValueError):
    """The volume cannot be ordered like that, or its price is not known."""

    def __init__(
        self, problem: VolumeProblem, *, plan: str = "", part: str = "", most: int = 0
    ) -> None:
        """Keep why, and the plan or the part of the order that it is about."""
        self.problem, self.plan, self.part, self.most = problem, plan, part, most
        super().__init__(problem)


@dataclass(frozen=True, slots=True)
class VolumeOrder:
    """A volume as it is ordered: its size, and IOPS and throughput; 0 means what is included."""

    gib: int
    iops: int = 0
    throughput_mib_s: int = 0


@dataclass(frozen=True, slots=True)
class BillLine:
    """One line of the bill: what, how many of it, at which price."""

    name: str
    quantity: Decimal
    price: Price

    @property
    def amount(self) -> Decimal:
        """What it costs a month."""
        return self.quantity * self.price.amount


@dataclass(frozen=True, slots=True)
class Bill:
    """What a volume costs a month, line by line, in one currency."""

    parts: tuple[BillLine, ...]

    @property
    def currency(self) -> str:
        """The currency of every part."""
        return self.parts[0].price.currency

    @property
    def month(self) -> Decimal:
        """The sum of the parts."""
        return sum((part.amount for part in self.parts), Decimal(0)).quantize(_CENT)


@dataclass(frozen=True, slots=True)
class Extra:
    """What can be ordered beyond what is included, and the plan that has its price."""

    plan: str
    included: int
    most: int


@dataclass(frozen=True, slots=True)
class Terms:
    """The extras that can be ordered for a volume; None for none."""

    iops: Extra | None = None
    throughput: Extra | None = None


@cache
def terms() -> Mapping[str, Terms]:
    """Return the terms of every volume that has extras, by the plan's address."""
    with VOLUMES_FILE.open(newline="", encoding="utf-8") as file:
        return {
            row["plan"]: Terms(_extra(row, "iops"), _extra(row, "throughput"))
            for row in csv.DictReader(file, strict=True)
        }


def extra_plans(plan: str) -> set[str]:
    """Return the plans that have the prices of a volume's extras."""
    extras = terms().get(plan, Terms())
    return {extra.plan for extra in (extras.iops, extras.throughput) if extra}


def bill(plan: str, order: VolumeOrder, prices: Mapping[str, Price]) -> Bill:
    """Return the bill of an order; `prices` has the unit prices of the volume and its extras.

    Raises VolumeError if it cannot be ordered like that or a price is missing.
    """
    if order.gib <= 0:
        raise VolumeError(VolumeProblem.EMPTY)
    extras = terms().get(plan, Terms())
    extra_lines = (
        _extra_part("IOPS", order.iops, extras.iops, prices),
        _extra_part("MiB/s", order.throughput_mib_s, extras.throughput, prices),
    )
    parts = (_capacity(order.gib, _price_of(plan, prices)), *filter(None, extra_lines))
    if len({part.price.currency for part in parts}) > 1:
        raise VolumeError(VolumeProblem.CURRENCIES, plan=plan)
    return Bill(parts)


def _capacity(gib: int, price: Price) -> BillLine:
    if price.unit not in _A_GIB or price.period != Price.Period.MONTH:
        raise VolumeError(VolumeProblem.NO_CAPACITY_PRICE, plan=price.plan_id)
    unit = PriceUnit(price.unit)
    return BillLine(unit, gib * _A_GIB[unit], price)


def _extra_part(
    name: str, ordered: int, extra: Extra | None, prices: Mapping[str, Price]
) -> BillLine | None:
    if not ordered:
        return None
    if extra is None:
        raise VolumeError(VolumeProblem.NOT_SOLD, part=name)
    if ordered > extra.most:
        raise VolumeError(VolumeProblem.TOO_MUCH, part=name, most=extra.most)
    beyond = ordered - extra.included
    return BillLine(name, Decimal(beyond), _price_of(extra.plan, prices)) if beyond > 0 else None


def _price_of(plan: str, prices: Mapping[str, Price]) -> Price:
    try:
        return prices[plan]
    except KeyError:
        raise VolumeError(VolumeProblem.NO_UNIT_PRICE, plan=plan) from None


def _extra(row: dict[str, str], name: str) -> Extra | None:
    plan = row[f"{name}_plan"]
    if not plan:
        return None
    return Extra(plan, included=int(row[f"{name}_included"]), most=int(row[f"{name}_max"]))
