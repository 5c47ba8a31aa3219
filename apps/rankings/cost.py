"""What durable commits and useful IOPS cost: which dated price counts, and the figures made of it.

With R the durable commits per second of one writer and a month of 730 hours:

- cost per billion = P_hour * 1e9 / (3600 * R)
- price a month of 1,000/s = P_month * 1000 / R

For a workload that searches for its highest rate under a limit of p99, R is that rate, the useful
IOPS. It has the second figure only. Nothing is converted.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Protocol

from apps.plans.models import Price, PriceKind
from apps.plans.prices.kinds import kind_of, worst_of
from apps.plans.prices.volumes import VolumeOrder, bill, extra_plans, terms
from apps.plans.regions import Fit, Place, place_of, region_fit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import date

    from apps.plans.models import Plan
    from apps.plans.prices.volumes import Bill

HOURS_A_MONTH: Final = 730  # 365 * 24 / 12
SECONDS_AN_HOUR: Final = 3600
FIGURE_STEP: Final = Decimal("0.0001")  # the columns keep four decimals
VOLUME: Final = "volume"  # the kind of plan that is rented beside a server
DEFAULT_CAPACITY_GB: Final = 100  # where nobody states a size; who shows a price says the size
_GIB: Final = 1 << 30
_GB: Final = 10**9


def pick_price(
    prices: Iterable[Price], *, region: Place | str = "", is_unit: bool = False
) -> Price | None:
    """Return the price of a plan from which its cost is computed, or None.

    Prices with a term or in dispute are left out, and so are unit prices unless `is_unit`. The
    region decides first: a price for the region itself, then for its country, its group, or no
    region. Then come prices that are not superseded, of those the newest price, a monthly one
    before an hourly one (clouds cap the month), and the lowest. An hourly price whose month is
    capped is that month's.
    """
    place = place_of(region) if isinstance(region, str) else region
    candidates = [
        price
        for price in prices
        if price.is_unit_price == is_unit and not (price.has_term or price.is_disputed)
    ]
    chosen = min(candidates, key=lambda price: _preference(price, place), default=None)
    return chosen and (month_cap(chosen, candidates) or chosen)


def month_cap(price: Price, prices: Iterable[Price]) -> Price | None:
    """Return the monthly price above which no hours of a month go, or None.

    Clouds list an hourly and a monthly price, and 730 hours come to more than the month: then the
    month is the limit. It is one of the same plan, day, kind and currency whose region holds that
    of the hourly price, or which states none. `prices` are those of the plan.
    """
    if price.period != Price.Period.HOUR:
        return None
    caps = [
        other
        for other in prices
        if other.period == Price.Period.MONTH
        and (other.currency, other.valid_from, other.kind, other.unit)
        == (price.currency, price.valid_from, price.kind, price.unit)
        and not other.has_term
        and other.amount < monthly(price)
        and holds(other.region, price.region)
    ]
    return min(caps, key=monthly, default=None)


def holds(region: str, other: str) -> bool:
    """Whether a price of one region counts in another, too; one without a region does."""
    if not region or region == other:
        return True
    return region_fit(price_region=region, region=place_of(other)) is Fit.HERE


class CostFunction(Protocol):
    """A function of this module that makes a cost of a price and a rate."""

    def __call__(self, price: Price, *, rate_per_s: float) -> Decimal:
        """Return the cost in the price's currency; the rate is above 0."""
        ...


def hourly(price: Price) -> Decimal:
    """Return the price of an hour in the price's currency."""
    if price.period == Price.Period.HOUR:
        return price.amount
    return price.amount / HOURS_A_MONTH


def monthly(price: Price) -> Decimal:
    """Return the price of a month in the price's currency: as listed, or of 730 hours."""
    if price.period == Price.Period.MONTH:
        return price.amount
    return price.amount * HOURS_A_MONTH


def cost_per_billion(price: Price, *, rate_per_s: float) -> Decimal:
    """Return what a billion commits cost at a rate, in the price's currency."""
    commits_an_hour = Decimal(rate_per_s) * SECONDS_AN_HOUR
    return (hourly(price) * 1_000_000_000 / commits_an_hour).quantize(FIGURE_STEP)


def price_month_per_1000(price: Price, *, rate_per_s: float) -> Decimal:
    """Return what 1,000 commits or useful IOPS cost a month, in the price's currency."""
    return (monthly(price) * 1000 / Decimal(rate_per_s)).quantize(FIGURE_STEP)


def _preference(price: Price, place: Place) -> tuple[int, bool, int, bool, Decimal, str, str]:
    return (
        -region_fit(price_region=price.region, region=place),
        price.kind == PriceKind.SUPERSEDED,
        -price.valid_from.toordinal(),
        price.period != Price.Period.MONTH,
        hourly(price),
        price.region,
        price.includes,
    )


def cost_range(
    price: Price,
    *,
    rate_low_per_s: float,
    rate_high_per_s: float,
    cost: CostFunction = cost_per_billion,
) -> tuple[Decimal, Decimal]:
    """Return a cost at both ends of a rate's interval, the lower cost first.

    Only the rate is uncertain: the price counts as exact.
    """
    return cost(price, rate_per_s=rate_high_per_s), cost(price, rate_per_s=rate_low_per_s)


def price_month_per_tb(price: Price, *, drive_count: int | None, drive_gb: Decimal) -> Decimal:
    """Return what a terabyte (10^12 bytes) of a plan's drives costs a month.

    All drives count: RAID is not subtracted, since plans are sold with and without it. Raises
    ValueError where there is no capacity.
    """
    terabytes = drive_gb * (drive_count or 1) / 1000
    if terabytes <= 0:
        raise ValueError("a plan without capacity has no price per terabyte")
    return (monthly(price) / terabytes).quantize(FIGURE_STEP)


@dataclass(frozen=True, slots=True)
class PricedVolume:
    """A volume as it is ordered, with its bill, and the day and kind of its worst price."""

    name: str
    order: VolumeOrder
    bill: Bill
    day: date
    kind: PriceKind | None


def is_orderable(plan: Plan) -> bool:
    """Whether a plan is a volume that comes in any size."""
    return plan.kind == VOLUME and plan.drive_gb is None


def priced_slugs(plan: Plan) -> set[str]:
    """Return the plans whose prices `price_volume` needs: the volume and what is sold with it."""
    return {plan.slug, *extra_plans(plan.slug)}


def price_volume(
    plan: Plan,
    prices: Mapping[str, Sequence[Price]],
    *,
    region: Place | str = "",
    size_gb: float = DEFAULT_CAPACITY_GB,
    syncs_per_s: int = 0,
) -> PricedVolume:
    """Order a volume of a size in gigabytes and, where IOPS are sold, of a rate.

    `prices` are all prices by plan. Raises VolumeError where it cannot be ordered like that, or
    has no price.
    """
    picked = {
        slug: pick_price(prices.get(slug, ()), region=region, is_unit=True)
        for slug in sorted(priced_slugs(plan))
    }
    units = {slug: price for slug, price in picked.items() if price is not None}
    sells_iops = plan.slug in terms() and terms()[plan.slug].iops is not None
    order = VolumeOrder(math.ceil(size_gb * _GB / _GIB), syncs_per_s if sells_iops else 0)
    billed = bill(plan.slug, order, units)
    parts = [part.price for part in billed.parts]
    day, kind = min(each.valid_from for each in parts), worst_of(map(kind_of, parts))
    return PricedVolume(plan.name, order, billed, day, kind)
