"""How each figure is read of a thing: its value with an interval, its words, its place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal

from django.utils.translation import gettext as _

from apps.pages.compare.differences import Operand
from apps.pages.compare.things import Thing, ThingFigures
from apps.pages.draw.axis import AxisPlace, place_of_ns, place_of_rate
from apps.pages.draw.trace import Span
from apps.pages.show import phrases, units, words
from apps.pages.show.list_prices import price_day, price_day_lines, volume_lines, volume_size
from apps.plans.models import Price
from apps.rankings.cost import monthly
from apps.stats.figures import NARROW_SPACE, significant


@dataclass(frozen=True, slots=True)
class Readout:
    """What a line reads of the figures of a thing: the figure with its words."""

    value: Operand
    text: str
    unit: str = ""
    small: str = ""
    at: AxisPlace | None = None
    bracket: Span | None = None


Reader = Callable[[Thing], "Readout | str"]  # a text says why there is none


def not_measured() -> str:
    return _("not measured")


def not_stated() -> str:
    return _("not stated")


def rate_reading(figures: ThingFigures | None) -> Readout | str:
    """A rate with its interval, drawn at its reciprocal."""
    if figures is None:
        return not_measured()
    bracket, small = None, _("no interval")
    if figures.low and figures.high:
        bracket = Span(place_of_rate(figures.high), place_of_rate(figures.low))
        small = f"{significant(figures.low)}\u2013{significant(figures.high)}"
    return Readout(
        value=rate_operand(figures),
        text=significant(figures.rate_per_s),
        small=small,
        at=place_of_rate(figures.rate_per_s),
        bracket=bracket,
    )


def rate_operand(figures: ThingFigures) -> Operand:
    """A rate with what tells it from another one."""
    return Operand(
        figures.rate_per_s,
        figures.low,
        figures.high,
        range_test=figures.range_test,
        is_of_few=figures.is_of_few,
    )


def latency_reader(name: str, base: Thing) -> Reader:
    """A reader of one percentile, of the side that the baseline has: others are not comparable."""
    side = base.figures.side if base.figures else ""

    def read(thing: Thing) -> Readout | str:
        figures = thing.figures
        if figures is None:
            return not_measured()
        latency_ns = figures.latency_ns(name)
        if latency_ns is None:
            return not_stated()
        if side and figures.side != side:
            return words.SIDES.get(figures.side, figures.side)
        figure, unit = units.latency(latency_ns).split(NARROW_SPACE)
        low, high = figures.p99_interval if name == "p99" else (None, None)
        return Readout(
            value=Operand(latency_ns, low, high, is_of_few=figures.is_of_few),
            text=figure,
            unit=unit,
            small=units.latency_range(low, high) if low and high else "",
            at=place_of_ns(latency_ns),
            bracket=Span(place_of_ns(low), place_of_ns(high)) if low and high else None,
        )

    return read


def comparable_amount(
    amount: Decimal, thing: Thing, *, low: Decimal | None = None, high: Decimal | None = None
) -> Operand:
    """An amount in euro; in its own currency where that has no rate, and so no euro compares."""
    per_euro = thing.per_euro or Decimal(1)
    return Operand(
        float(amount / per_euro),
        None if low is None else float(low / per_euro),
        None if high is None else float(high / per_euro),
        currency="" if thing.per_euro else thing.currency,
    )


def cost_reading(thing: Thing) -> Readout | str:
    """What a billion commits cost."""
    figures = thing.figures
    if figures is None:
        return not_measured()
    if figures.cost is None:
        return _("without a server") if thing.volume else no_price()
    low, high = figures.cost_range or (None, None)
    small = ""
    if low is not None and high is not None:
        ends = (units.money(low, thing.currency), units.money(high, thing.currency))
        small = "\u2013".join(ends)
    value = replace(
        comparable_amount(figures.cost, thing, low=low, high=high),
        range_test=figures.range_test,  # the price is certain, so ln(cost) is as sure as ln(rate)
        is_of_few=figures.is_of_few,
    )
    return Readout(value, units.money(figures.cost, thing.currency), small=small)


def no_price() -> str:
    return _("no list price")


def month_price(thing: Thing) -> Decimal | None:
    """The list price of a month; of a volume that of its default size."""
    if thing.volume:
        return thing.volume.bill.month
    return monthly(thing.price) if thing.price else None


def price_reading(thing: Thing) -> Readout | str:
    """The list price of a month."""
    amount = month_price(thing)
    if amount is None:
        return no_price()
    if thing.volume:
        small = volume_size(thing.volume.order.gib)
    else:
        small = price_day_lines(thing.price)[0] if thing.price else ""
    value = comparable_amount(amount, thing)
    return Readout(value, units.money(amount, thing.currency), small=small)


def price_note(thing: Thing) -> str:
    """How and when the price of a thing was stated, and for which plan; empty without a price."""
    price = thing.price
    if thing.volume:
        return phrases.join_facts(volume_lines(thing.volume))
    if price is None:
        return ""
    is_computed = price.period != Price.Period.MONTH
    listed = units.list_price(price.amount, price.currency, price.period) if is_computed else ""
    plan = thing.rented_plan.name if thing.rented_plan else ""
    return phrases.join_facts((plan, listed, price_day(price)))


def month_reading(thing: Thing) -> Readout | str:
    """What 1,000 useful IOPS cost a month."""
    figures = thing.figures
    if figures is None:
        return not_measured()
    if figures.month_per_1000 is None:
        return no_price()
    amount = figures.month_per_1000
    return Readout(comparable_amount(amount, thing), units.money(amount, thing.currency))


def rate_title(figures: ThingFigures | None) -> str:
    """What the chief rate counts."""
    if figures and figures.p99_limit_ns:
        return _("Useful IOPS")
    is_commit = figures is not None and figures.is_commit and not figures.is_out
    return _("durable commits/s") if is_commit else _("operations/s")


def rate_reader(figures_of: Callable[[Thing], ThingFigures | None]) -> Reader:
    """Reads a rate."""

    def read(thing: Thing) -> Readout | str:
        return rate_reading(figures_of(thing))

    return read
