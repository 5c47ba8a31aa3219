"""What a plan costs a month with the storage that is needed: as listed, or with a volume ordered.

Pure: no database, no clock. Everything that is assumed on the way is said.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.plans.currencies import RatesError
from apps.plans.models import StorageKind
from apps.plans.price_kinds import kind_of, worst_of
from apps.plans.volumes import Order, VolumeError, VolumeProblem, bill, extra_plans, terms
from apps.rankings.cost import monthly, pick_price

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from apps.plans.currencies import RateTable
    from apps.plans.models import Plan, Price, PriceKind
    from apps.plans.volumes import Bill
    from apps.rankings.advice.needs import Need

VOLUME: Final = "volume"  # the kind of plan that is rented beside a server
DEFAULT_CAPACITY_GB: Final = 100  # a database that nobody said the size of; said in the answer
NO_PRICE: Final = gettext_lazy("No price is known.")
SERVER_NOT_PRICED: Final = gettext_lazy("The server that it is attached to is not in the price.")
CHEAPEST_VOLUME: Final = gettext_lazy(
    "Of this provider's volumes the cheapest is taken; on which one the server was measured is not "
    "recorded."
)
_GIB: Final = 1 << 30
_GB: Final = 10**9


@dataclass(frozen=True, slots=True)
class Offer:
    """What can be rented, in the currency of the need; a price is None where it is not known."""

    price_month: Decimal | None = None
    price_day: date | None = None  # of the older price, where there are two
    price_kind: PriceKind | None = None  # the worst of its prices, where one is not of today
    listed_month: Decimal | None = None  # before it was converted
    listed_currency: str = ""
    exchange_rate: Decimal | None = None  # of one unit of that currency; None: not converted
    capacity_gb: Decimal | None = None
    ordered_gib: int | None = None  # of the volume that is ordered
    is_ordered: bool = False  # a volume as large as is needed
    is_part: bool = False  # a volume without a server
    assumptions: tuple[str, ...] = ()
    # Why there is no price; of its own language, for a default would be of that of the start.
    problem: str = field(default_factory=lambda: str(NO_PRICE))


@dataclass(frozen=True, slots=True)
class Market:
    """What offers are made of: all prices by plan, the volumes of each provider, and rates."""

    rates: RateTable
    prices: Mapping[str, Sequence[Price]] = field(default_factory=dict)
    volumes: Mapping[str, Sequence[Plan]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Ordered:
    """A volume as it is ordered, with its bill."""

    name: str
    order: Order
    bill: Bill
    day: date
    kind: PriceKind | None


def is_orderable(plan: Plan) -> bool:
    """Whether a plan is a volume that comes in any size."""
    return plan.kind == VOLUME and plan.drive_gb is None


def offer_for(need: Need, plan: Plan, market: Market) -> Offer:
    """Return what a plan costs with the storage that is needed, and every assumption of it.

    A volume is ordered as large as is needed. A server whose storage is a volume costs itself and
    a volume, unless enough comes with it. Everything else is as it is listed.
    """
    listed = pick_price(market.prices.get(plan.slug, ()), region=need.region)
    if is_orderable(plan) and listed is None:
        return _volume_alone(need, plan, market)
    included = plan.drive_gb * (plan.drive_count or 1) if plan.drive_gb else None
    is_attached = plan.storage_kind == StorageKind.NETWORK and plan.kind != VOLUME
    if is_attached and (included is None or included < need.capacity_gb):
        return _with_volume(need, plan, listed, market)
    is_part = plan.kind == VOLUME
    offer = Offer(
        capacity_gb=included,
        is_part=is_part,
        assumptions=(str(SERVER_NOT_PRICED),) if is_part else (),
    )
    if listed is None:
        return offer
    priced = replace(
        offer, listed_month=monthly(listed), listed_currency=listed.currency,
        price_day=listed.valid_from, price_kind=kind_of(listed),
        assumptions=(*offer.assumptions, *_fee_words(listed)),
    )  # fmt: skip
    return _converted(priced, need, market.rates)


def _volume_alone(need: Need, plan: Plan, market: Market) -> Offer:
    try:
        ordered = _order(need, plan, market)
    except VolumeError as error:
        return Offer(is_part=True, is_ordered=True, problem=_volume_words(error))
    offer = Offer(
        is_part=True, is_ordered=True, listed_month=ordered.bill.month,
        listed_currency=ordered.bill.currency, price_day=ordered.day,
        price_kind=ordered.kind, ordered_gib=ordered.order.gib,
        assumptions=(
            *_size_words(need), _order_words(need, ordered, is_added=False),
            str(SERVER_NOT_PRICED),
        ),
    )  # fmt: skip
    return _converted(offer, need, market.rates)


def _volume_words(error: VolumeError) -> str:
    """Why a volume has no price, as a sentence."""
    texts = {
        VolumeProblem.EMPTY: _("A volume has at least 1 GiB."),
        VolumeProblem.CURRENCIES: _("The prices of %(plan)s are in several currencies."),
        VolumeProblem.NO_CAPACITY_PRICE: _("%(plan)s has no price per gigabyte and month."),
        VolumeProblem.NOT_SOLD: _("%(what)s cannot be ordered for this volume."),
        VolumeProblem.TOO_MUCH: _("At most %(most)s %(what)s can be priced here."),
        VolumeProblem.NO_UNIT_PRICE: _("No unit price is known for %(plan)s."),
    }
    values = {"plan": error.plan, "what": error.part, "most": f"{error.most:,}"}
    return texts[error.problem] % values


def _with_volume(need: Need, plan: Plan, listed: Price | None, market: Market) -> Offer:
    """Return the server with the cheapest volume of its provider in the same currency."""
    if listed is None:
        return Offer(is_ordered=True)
    orders = [
        _order_or_none(need, each, market) for each in market.volumes.get(plan.provider_id, ())
    ]
    fitting = [each for each in orders if each and each.bill.currency == listed.currency]
    if not fitting:
        return Offer(is_ordered=True, problem=_("No price is known of a volume for it."))
    ordered = min(fitting, key=lambda each: (each.bill.month, each.name))
    offer = Offer(
        is_ordered=True, listed_month=monthly(listed) + ordered.bill.month,
        listed_currency=listed.currency, price_day=min(listed.valid_from, ordered.day),
        price_kind=worst_of((kind_of(listed), ordered.kind)), ordered_gib=ordered.order.gib,
        assumptions=(
            *_size_words(need), _order_words(need, ordered, is_added=True),
            str(CHEAPEST_VOLUME), *_unused_words(plan), *_fee_words(listed),
        ),
    )  # fmt: skip
    return _converted(offer, need, market.rates)


def _order_or_none(need: Need, plan: Plan, market: Market) -> _Ordered | None:
    try:
        return _order(need, plan, market)
    except VolumeError:
        return None


def _order(need: Need, plan: Plan, market: Market) -> _Ordered:
    """Order a volume of the size and, where IOPS are sold, of the rate that is needed.

    Raises VolumeError where it cannot be had so, or has no price.
    """
    units: dict[str, Price] = {}
    for slug in (plan.slug, *sorted(extra_plans(plan.slug))):
        unit = pick_price(market.prices.get(slug, ()), region=need.region, is_unit=True)
        if unit is not None:
            units[slug] = unit
    size_gb = need.capacity_gb or DEFAULT_CAPACITY_GB
    sells_iops = plan.slug in terms() and terms()[plan.slug].iops is not None
    order = Order(math.ceil(size_gb * _GB / _GIB), need.syncs_per_s if sells_iops else 0)
    billed = bill(plan.slug, order, units)
    prices = [part.price for part in billed.parts]
    day, kind = min(each.valid_from for each in prices), worst_of(map(kind_of, prices))
    return _Ordered(plan.name, order, billed, day, kind)


def _size_words(need: Need) -> tuple[str, ...]:
    if need.capacity_gb:
        return ()
    return (_("No capacity was asked for: %(gb)s GB are priced.") % {"gb": DEFAULT_CAPACITY_GB},)


def _order_words(need: Need, ordered: _Ordered, *, is_added: bool) -> str:
    values = {
        "name": ordered.name,
        "gib": f"{ordered.order.gib:,}",
        "amount": f"{ordered.bill.month:,f}",
        "currency": ordered.bill.currency,
        "iops": f"{need.syncs_per_s:,}",
    }
    if ordered.order.iops:
        text = _iops_added() if is_added else _iops_alone()
    elif is_added:
        text = _("Added to the server is %(name)s of %(gib)s GiB, %(amount)s %(currency)s a month.")
    else:
        text = _("It is priced as %(name)s of %(gib)s GiB, %(amount)s %(currency)s a month.")
    return text % values


def _iops_added() -> str:
    return _(
        "Added to the server is %(name)s of %(gib)s GiB with %(iops)s IOPS, %(amount)s "
        "%(currency)s a month: one IOPS for each operation a second, and no less than comes with "
        "it."
    )


def _iops_alone() -> str:
    return _(
        "It is priced as %(name)s of %(gib)s GiB with %(iops)s IOPS, %(amount)s %(currency)s a "
        "month: one IOPS for each operation a second, and no less than comes with it."
    )


def _unused_words(plan: Plan) -> tuple[str, ...]:
    if not plan.drive_gb:
        return ()
    return (_("The %(gb)s GB that come with it are not used.") % {"gb": f"{plan.drive_gb:,.0f}"},)


def _fee_words(price: Price) -> tuple[str, ...]:
    if not price.setup_fee:
        return ()
    return (
        _("A setup fee of %(amount)s %(currency)s is paid once and not counted.")
        % {"amount": f"{price.setup_fee:,f}", "currency": price.currency},
    )


def _converted(offer: Offer, need: Need, rates: RateTable) -> Offer:
    """Return an offer with its price in the currency of the need, and at which rate it was made.

    Without a rate there is no price: amounts in other currencies do not compare.
    """
    month, currency = offer.listed_month or Decimal(0), offer.listed_currency
    if currency == need.currency:
        return replace(offer, price_month=month, problem="")
    try:
        rate = rates.convert(Decimal(1), source=currency, target=need.currency)
    except RatesError:
        problem = _("There is no exchange rate for %(currency)s.") % {"currency": currency}
        return replace(offer, problem=problem)
    said = _(
        "%(amount)s %(currency)s are converted at 1 %(currency)s = %(rate)s %(wanted)s, the "
        "reference rate of the European Central Bank of %(day)s."
    ) % {
        "amount": f"{month:,.2f}",
        "currency": currency,
        "rate": f"{rate:.4f}",
        "wanted": need.currency,
        "day": rates.day,
    }
    return replace(
        offer, price_month=rates.convert(month, source=currency, target=need.currency),
        exchange_rate=rate, problem="", assumptions=(*offer.assumptions, said),
    )  # fmt: skip
