"""What a plan costs a month with the storage that is needed: as listed, or with a volume ordered.

Pure: no database, no clock. An offer names every assumption.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from apps.plans.models import StorageKind
from apps.plans.prices.currencies import RatesError
from apps.plans.prices.kinds import kind_of, worst_of
from apps.plans.prices.volumes import VolumeError, VolumeProblem
from apps.plans.regions import Place
from apps.rankings.advice.remarks import Remark, RemarkKind, remark
from apps.rankings.cost import (
    DEFAULT_CAPACITY_GB,
    VOLUME,
    PricedVolume,
    is_orderable,
    monthly,
    pick_price,
    price_volume,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from apps.plans.models import Plan, Price, PriceKind
    from apps.plans.prices.currencies import RateTable
    from apps.rankings.advice.needs import Need

NO_PRICE: Final = remark(RemarkKind.NO_PRICE)
SERVER_NOT_PRICED: Final = remark(RemarkKind.SERVER_NOT_PRICED)


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be rented, in the currency of the need; a price is None where it is not known."""

    price_month: Decimal | None = None
    price_day: date | None = None  # of the older price, where there are two
    price_kind: PriceKind | None = None  # the worst kind among its prices
    listed_month: Decimal | None = None  # before it was converted
    listed_currency: str = ""
    exchange_rate: Decimal | None = None  # of one unit of that currency; None: not converted
    capacity_gb: Decimal | None = None  # that is included
    ordered_gib: int | None = None  # of the volume that is ordered
    is_ordered: bool = False  # a volume as large as is needed
    is_part: bool = False  # a volume without a server
    assumptions: tuple[Remark, ...] = ()
    problem: Remark | None = NO_PRICE  # why there is no price; None where there is one


@dataclass(frozen=True, slots=True)
class Market:
    """What offers are made of: all prices by plan, the volumes of each provider, and rates."""

    rates: RateTable
    prices: Mapping[str, Sequence[Price]] = field(default_factory=dict)
    volumes: Mapping[str, Sequence[Plan]] = field(default_factory=dict)


def offer_for(need: Need, plan: Plan, market: Market, *, measured_in: str = "") -> Offer:
    """Return what a plan costs with the storage that is needed, and every assumption of it.

    It is the price of the region asked for, else of the group of regions where it was measured.
    A volume is ordered in the size that is needed. A server whose storage is a volume costs its own
    price and that of a volume, unless enough is included. Everything else costs its list price.
    """
    place = need.region or Place(group=measured_in)
    listed = pick_price(market.prices.get(plan.slug, ()), region=place)
    if is_orderable(plan) and listed is None:
        return _volume_alone(need, plan, market, place)
    included = plan.drive_gb * (plan.drive_count or 1) if plan.drive_gb else None
    is_attached = plan.storage_kind == StorageKind.NETWORK and plan.kind != VOLUME
    if is_attached and (included is None or included < need.capacity_gb):
        return _with_volume(need, plan, listed, market, place)
    is_part = plan.kind == VOLUME
    offer = Offer(
        capacity_gb=included,
        is_part=is_part,
        assumptions=(SERVER_NOT_PRICED,) if is_part else (),
    )
    if listed is None:
        return offer
    priced = replace(
        offer, listed_month=monthly(listed), listed_currency=listed.currency,
        price_day=listed.valid_from, price_kind=kind_of(listed),
        assumptions=(*offer.assumptions, *_setup_fee(listed)),
    )  # fmt: skip
    return _converted(priced, need, market.rates)


def _volume_alone(need: Need, plan: Plan, market: Market, place: Place | str) -> Offer:
    try:
        ordered = _order(need, plan, market, place)
    except VolumeError as error:
        return Offer(is_part=True, is_ordered=True, problem=_volume_problem(error))
    offer = Offer(
        is_part=True, is_ordered=True, listed_month=ordered.bill.month,
        listed_currency=ordered.bill.currency, price_day=ordered.day,
        price_kind=ordered.kind, ordered_gib=ordered.order.gib,
        assumptions=(
            _order_remark(ordered),
            SERVER_NOT_PRICED,
        ),
    )  # fmt: skip
    return _converted(offer, need, market.rates)


def _volume_problem(error: VolumeError) -> Remark:
    """Return the remark on why a volume has no price."""
    if error.problem is VolumeProblem.TOO_MUCH:
        return remark(RemarkKind.VOLUME_TOO_MUCH, what=error.part, most=error.most)
    return remark(RemarkKind.VOLUME_NOT_PRICED)


def _with_volume(
    need: Need, plan: Plan, listed: Price | None, market: Market, place: Place | str
) -> Offer:
    """Return the server with the cheapest volume of its provider in the same currency."""
    if listed is None:
        return Offer(is_ordered=True)
    orders = [
        _order_or_none(need, each, market, place)
        for each in market.volumes.get(plan.provider_id, ())
    ]
    fitting = [each for each in orders if each and each.bill.currency == listed.currency]
    if not fitting:
        return Offer(is_ordered=True, problem=NO_PRICE)
    ordered = min(fitting, key=lambda each: (each.bill.month, each.name))
    offer = Offer(
        is_ordered=True, listed_month=monthly(listed) + ordered.bill.month,
        listed_currency=listed.currency, price_day=min(listed.valid_from, ordered.day),
        price_kind=worst_of((kind_of(listed), ordered.kind)), ordered_gib=ordered.order.gib,
        assumptions=(
            _order_remark(ordered),
            *_setup_fee(listed),
        ),
    )  # fmt: skip
    return _converted(offer, need, market.rates)


def _order_or_none(
    need: Need, plan: Plan, market: Market, place: Place | str
) -> PricedVolume | None:
    try:
        return _order(need, plan, market, place)
    except VolumeError:
        return None


def _order(need: Need, plan: Plan, market: Market, place: Place | str) -> PricedVolume:
    """Order a volume as it is needed; raises VolumeError where that cannot be."""
    return price_volume(
        plan,
        market.prices,
        region=place,
        size_gb=need.capacity_gb or DEFAULT_CAPACITY_GB,
        syncs_per_s=need.syncs_per_s,
    )


def _order_remark(ordered: PricedVolume) -> Remark:
    """Return the remark on what is ordered and what it costs."""
    iops = f" + {ordered.order.iops:,} IOPS" if ordered.order.iops else ""
    return remark(
        RemarkKind.VOLUME_PRICED,
        name=ordered.name, ordered=f"{ordered.order.gib:,} GiB{iops}",
        amount=ordered.bill.month, currency=ordered.bill.currency,
    )  # fmt: skip


def _setup_fee(price: Price) -> tuple[Remark, ...]:
    if not price.setup_fee:
        return ()
    return (remark(RemarkKind.SETUP_FEE, amount=price.setup_fee, currency=price.currency),)


def _converted(offer: Offer, need: Need, rates: RateTable) -> Offer:
    """Return an offer with its price in the currency of the need, and the exchange rate.

    Without a rate there is no price, because amounts in different currencies do not compare.
    """
    month, currency = offer.listed_month or Decimal(0), offer.listed_currency
    if currency == need.currency:
        return replace(offer, price_month=month, problem=None)
    try:
        rate = rates.convert(Decimal(1), source=currency, target=need.currency)
    except RatesError:
        return replace(offer, problem=remark(RemarkKind.NO_EXCHANGE_RATE, currency=currency))
    conversion = remark(
        RemarkKind.CONVERTED,
        amount=month, currency=currency, rate=rate, wanted=need.currency, day=rates.day,
    )  # fmt: skip
    return replace(
        offer, price_month=rates.convert(month, source=currency, target=need.currency),
        exchange_rate=rate, problem=None, assumptions=(*offer.assumptions, conversion),
    )  # fmt: skip
