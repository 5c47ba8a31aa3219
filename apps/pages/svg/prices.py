"""The picture of a plan's list prices over time: a step where one is replaced by another."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from apps.pages import units
from apps.rankings.cost import HOURS_A_MONTH, has_term, hourly

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from decimal import Decimal

    from apps.plans.models import Price

HEIGHT: Final = 120  # pixels
_TOP, _BOTTOM = 26, 92  # of the highest price and of nothing
_VIEW: Final = 1000  # units across, stretched to the width
_FLIP_AT_PERCENT: Final = 70.0  # further right, a label would leave the field of a phone


@dataclass(frozen=True, slots=True)
class Step:
    """A price from its day on; `x` is in percent of the width, `y` in pixels."""

    day: date
    amount: str
    x: float
    y: float

    @property
    def is_left(self) -> bool:
        """Whether its label stands left of it."""
        return self.x > _FLIP_AT_PERCENT


@dataclass(frozen=True, slots=True)
class PriceHistory:
    """The prices of one region in one currency."""

    region: str
    steps: tuple[Step, ...]
    path: str
    base_y: int = _BOTTOM
    height: int = HEIGHT
    view: int = _VIEW

    @property
    def says(self) -> str:
        """The sentence for those who do not see it."""
        known = ", then ".join(f"{step.amount} from {units.day(step.day)}" for step in self.steps)
        return f"List price{f' in {self.region}' if self.region else ''}: {known}"


def price_histories(prices: Iterable[Price], *, today: date) -> tuple[PriceHistory, ...]:
    """Return a picture for each region and currency whose whole-server price has changed."""
    series: dict[tuple[str, str], dict[date, Price]] = defaultdict(dict)
    for price in sorted(prices, key=lambda each: (each.valid_from, -hourly(each))):
        if not price.is_unit_price and not has_term(price):
            series[price.region, price.currency][price.valid_from] = price  # a day's lowest
    return tuple(
        _history(region, list(by_day.values()), today=today)
        for (region, _), by_day in sorted(series.items())
        if len({hourly(price) for price in by_day.values()}) > 1
    )


def _history(region: str, prices: Sequence[Price], *, today: date) -> PriceHistory:
    first = prices[0].valid_from
    days = max((today - first).days, 1)
    highest = max(map(_monthly, prices))
    steps = tuple(
        Step(
            day=price.valid_from,
            amount=units.money(_monthly(price), price.currency),
            x=round((price.valid_from - first).days / days * 100, 2),
            y=round(_BOTTOM - float(_monthly(price) / highest) * (_BOTTOM - _TOP), 1),
        )
        for price in prices
    )
    return PriceHistory(region, steps, _path(steps))


def _path(steps: Sequence[Step]) -> str:
    """Level until the next price, then straight up or down, and level until today."""
    drawn = [f"M0 {steps[0].y}"]
    drawn += [f"H{later.x * _VIEW / 100:.1f}V{later.y}" for _, later in pairwise(steps)]
    return "".join([*drawn, f"H{_VIEW}"])


def _monthly(price: Price) -> Decimal:
    return hourly(price) * HOURS_A_MONTH
