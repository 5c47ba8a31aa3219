"""List prices of a plan over time, and what commits cost by them: a step where one changes.

A billion commits cost the price of the time that they take at the rate of today's standing. The
same rate is used for all days, so that the line shows what the provider did to the price alone.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from itertools import pairwise, product, zip_longest
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.show import units
from apps.pages.show.phrases import in_brackets, join_facts, with_name
from apps.plans.regions import place_of
from apps.rankings.cost import cost_per_billion, cost_range, hourly, month_cap, monthly
from apps.words.facts import note_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date

    from apps.plans.models import Price

HEIGHT: Final = 154  # pixels
_TOP, _BOTTOM = 26, 92  # of the highest price and of nothing
_VIEW: Final = 1000  # units across, stretched to the width
_WORDS_PERCENT: Final = 24.0  # that a date and a cost take on a phone
_AMOUNT_PERCENT: Final = 13.0  # that an amount takes there
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
    room: float = 100.0  # until the next step, in percent
    includes: str = ""  # what it holds or lacks, where the step before is another in that

    @property
    def has_room(self) -> bool:
        """Whether there is room for its day and its cost."""
        return self.room >= _WORDS_PERCENT

    @property
    def is_cramped(self) -> bool:
        """Whether its day stands lower, below the words of its neighbours."""
        return self.has_room_for_amount and not self.has_room

    @property
    def has_room_for_amount(self) -> bool:
        """Whether there is room for its amount."""
        return self.room >= _AMOUNT_PERCENT

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
    def includes(self) -> str:
        """From which days on a price holds something else: there its line has a gap."""
        return join_facts(
            with_name(units.day(step.day), step.includes) for step in self.steps if step.includes
        )

    @property
    def sentence(self) -> str:
        """The sentence for those who do not see it."""
        place = in_brackets(note_in_words(self.region)) if self.region else ""
        prices = (with_name(units.day(step.day), step.amount) for step in self.steps)
        return with_name(_("List price") + place, join_facts(prices))


@dataclass(frozen=True, slots=True)
class AtRate:
    """The rate by which commits are costed: durable commits a second, with its interval."""

    rate_per_s: float
    low: float | None = None
    high: float | None = None


def price_histories(
    prices: Iterable[Price], *, today: date, at_rate: AtRate | None = None
) -> tuple[PriceHistory, ...]:
    """Return a picture for each place and currency whose whole-server price has changed.

    Regions that hold each other are one place ("DE" and "DE; FI"), else a list that names its
    regions anew would cut the line. Hours whose month is capped add nothing.
    """
    usable = [each for each in prices if not each.is_unit_price and not each.has_term]
    listed = [each for each in usable if month_cap(each, usable) is None]
    where = _places_of(listed)
    series: dict[tuple[str, str], dict[date, Price]] = defaultdict(dict)
    for price in sorted(listed, key=lambda each: (each.valid_from, -hourly(each))):
        place = where[price.region], price.currency
        series[place][price.valid_from] = price  # a day's lowest
    return tuple(
        _history(place, list(by_day.values()), today=today, at_rate=at_rate)
        for place, by_day in sorted(series.items())
        if len({hourly(price) for price in by_day.values()}) > 1
    )


def _places_of(prices: Iterable[Price]) -> dict[str, str]:
    """The region as the newest list calls it, by each region of a price that shares ground."""
    names = [each.region for each in sorted(prices, key=lambda each: each.valid_from)]
    places: dict[str, str] = {}
    for name in reversed(names):  # the newest list first
        same = (other for other in places.values() if _overlap(name, other))
        places.setdefault(name, next(same, name))
    return places


def _overlap(region: str, other: str) -> bool:
    """Whether two regions of prices have one part that holds a part of the other."""
    if not region or not other:
        return region == other
    pairs = product(region.split(";"), other.split(";"))
    places = ((place_of(one), place_of(two)) for one, two in pairs)
    return any(one.covers(two) or two.covers(one) for one, two in places)


def _history(
    where: tuple[str, str], prices: Sequence[Price], *, today: date, at_rate: AtRate | None
) -> PriceHistory:
    first_price = prices[0]
    first = first_price.valid_from
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
            includes=_changed_address(before, price),
        )
        for before, price in pairwise([first_price, *prices])
    )
    steps = tuple(
        replace(step, room=100.0 if later is None else later.x - step.x)
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
    """Level until the next price, then straight up or down, and level until today.

    To a price that holds something else no line leads.
    """
    path = [f"M0 {steps[0].y}"]
    for step in steps[1:]:
        x = f"{step.x * _VIEW / 100:.1f}"
        path.append(f"H{x}M{x} {step.y}" if step.includes else f"H{x}V{step.y}")
    return "".join([*path, f"H{_VIEW}"])


def _changed_address(before: Price, price: Price) -> str:
    """Whether a price holds an IPv4 address, in words, where the one before was another in that."""
    one, other = _address_of(before), _address_of(price)
    return note_in_words(other) if one and other and one != other else ""


def _address_of(price: Price) -> str:
    parts = (part.strip() for part in price.includes.split(";"))
    return next((part for part in parts if part.endswith("primary IPv4")), "")


@dataclass(frozen=True, slots=True)
class PriceLine:
    """A list price with what a billion commits cost by it, at the rate of the standing."""

    price: Price
    cost: str
    cost_range: str
    is_capped: bool = False  # 730 hours come to more than the month: the month counts

    @property
    def note(self) -> str:
        """What stands below the cost: by what it is, else its interval."""
        return _("by the month") if self.is_capped else self.cost_range


def price_lines(prices: Iterable[Price], *, at_rate: AtRate | None) -> tuple[PriceLine, ...]:
    """The list prices as lines, in their order; hours cost what their month is capped at."""
    every = tuple(prices)
    return tuple(_line(price, month_cap(price, every), at_rate) for price in every)


def _line(price: Price, cap: Price | None, at_rate: AtRate | None) -> PriceLine:
    counted = cap or price
    return PriceLine(
        price, cost_words(counted, at_rate), cost_range_words(counted, at_rate), is_capped=bool(cap)
    )
