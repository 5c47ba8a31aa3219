"""List prices of a plan over time, and what commits cost by them: a step where one changes.

A billion commits cost the price of the time that they take at the rate of today's standing. The
same rate is used for all days, so that the line shows what the provider did to the price alone.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.show import units
from apps.pages.show.phrases import translate
from apps.rankings.cost import cost_per_billion, cost_range, hourly, monthly

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from apps.plans.models import Price

HEIGHT: Final = 140  # pixels
_TOP, _BOTTOM = 26, 92  # of the highest price and of nothing
_VIEW: Final = 1000  # units across, stretched to the width
_WORDS_PERCENT: Final = 24.0  # that a date and a cost take on a phone
_FLIP_AT_PERCENT: Final = 70.0  # further right, a label would leave the field of a phone


@dataclass(frozen=True, slots=True)
class PriceStep:
    """A price from its day on; `x` is in percent of the width, `y` in pixels."""

    day: date
    amount: str
    x: float
    y: float
    cost: str = ""  # of a billion commits, by the rate of the standing
    cost_range: str = ""  # at both ends of its interval
    has_room: bool = True  # for its words: the next step is not too near

    @property
    def is_left(self) -> bool:
        """Whether its label stands left of it."""
        return self.x > _FLIP_AT_PERCENT


@dataclass(frozen=True, slots=True)
class PriceHistory:
    """The prices of one region in one currency."""

    region: str
    currency: str
    steps: tuple[PriceStep, ...]
    path: str
    base_y: int = _BOTTOM
    height: int = HEIGHT
    view: int = _VIEW

    @property
    def has_cost(self) -> bool:
        """Whether a rate is known by which commits have a cost."""
        return any(step.cost for step in self.steps)

    @property
    def sentence(self) -> str:
        """The sentence for those who do not see it."""
        sentences = _(", then ").join(
            _("%(amount)s from %(day)s") % {"amount": step.amount, "day": units.day(step.day)}
            for step in self.steps
        )
        if self.region:
            return _("List price in %(region)s: %(known)s") % {
                "region": translate(self.region),
                "known": sentences,
            }
        return _("List price: %(known)s") % {"known": sentences}


@dataclass(frozen=True, slots=True)
class AtRate:
    """The rate by which commits are costed: durable commits a second, with its interval."""

    rate_per_s: float
    low: float | None = None
    high: float | None = None


def price_histories(
    prices: Iterable[Price], *, today: date, at_rate: AtRate | None = None
) -> tuple[PriceHistory, ...]:
    """Return a picture for each region and currency whose whole-server price has changed."""
    series: dict[tuple[str, str], dict[date, Price]] = defaultdict(dict)
    for price in sorted(prices, key=lambda each: (each.valid_from, -hourly(each))):
        if not price.is_unit_price and not price.has_term:
            series[price.region, price.currency][price.valid_from] = price  # a day's lowest
    return tuple(
        _history(where, list(by_day.values()), today=today, at_rate=at_rate)
        for where, by_day in sorted(series.items())
        if len({hourly(price) for price in by_day.values()}) > 1
    )


def _history(
    where: tuple[str, str], prices: Sequence[Price], *, today: date, at_rate: AtRate | None
) -> PriceHistory:
    first = prices[0].valid_from
    days = max((today - first).days, 1)
    highest = max(map(monthly, prices))
    steps = tuple(
        PriceStep(
            day=price.valid_from,
            amount=units.money(monthly(price), price.currency),
            x=round((price.valid_from - first).days / days * 100, 2),
            y=round(_BOTTOM - float(monthly(price) / highest) * (_BOTTOM - _TOP), 1),
            cost=cost_words(price, at_rate),
            cost_range=cost_range_words(price, at_rate),
        )
        for price in prices
    )
    steps = tuple(
        replace(step, has_room=later is None or later.x - step.x >= _WORDS_PERCENT)
        for step, later in zip_longest(steps, steps[1:])
    )
    region, currency = where
    return PriceHistory(region, currency, steps, _path(steps))


def cost_words(price: Price, at_rate: AtRate | None) -> str:
    """What a billion commits cost at a price; nothing where no rate is known."""
    if at_rate is None or price.is_unit_price:
        return ""
    return units.money(cost_per_billion(price, rate_per_s=at_rate.rate_per_s), price.currency)


def cost_range_words(price: Price, at_rate: AtRate | None) -> str:
    """What a billion commits cost at both ends of the interval of the rate."""
    if at_rate is None or not at_rate.low or not at_rate.high or price.is_unit_price:
        return ""
    low, high = cost_range(price, rate_low_per_s=at_rate.low, rate_high_per_s=at_rate.high)
    return f"{units.money(low, price.currency)}\u2013{units.money(high, price.currency)}"


def _path(steps: Sequence[PriceStep]) -> str:
    """Level until the next price, then straight up or down, and level until today."""
    path = [f"M0 {steps[0].y}"]
    path += [f"H{later.x * _VIEW / 100:.1f}V{later.y}" for _, later in pairwise(steps)]
    return "".join([*path, f"H{_VIEW}"])


@dataclass(frozen=True, slots=True)
class PriceLine:
    """A list price with what a billion commits cost by it, at the rate of the standing."""

    price: Price
    cost: str
    cost_range: str


def price_lines(prices: Iterable[Price], *, at_rate: AtRate | None) -> tuple[PriceLine, ...]:
    """The list prices as lines, in their order."""
    return tuple(
        PriceLine(price, cost_words(price, at_rate), cost_range_words(price, at_rate))
        for price in prices
    )
