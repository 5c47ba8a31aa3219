"""Template filters for figures: the digits bright, the unit dim, missing facts said."""

import datetime as dt
from collections.abc import Sequence
from decimal import Decimal

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from apps.pages.draw.ladder import LadderRow
from apps.pages.show import dates, figures, list_prices, phrases, units, words
from apps.pages.show.list_prices import list_price
from apps.plans.models import Price
from apps.rankings.cost import pick_price
from apps.runs.models import Run
from apps.stats.figures import significant
from apps.words.catalogue import INTERFACES
from apps.words.workloads import call_of

register = template.Library()
for markup in (figures.latency, figures.rate, figures.number, figures.bounded, figures.stale):
    register.filter(markup)


@register.filter
def call(workload: str) -> str:
    """By which call a workload makes its writes durable."""
    return call_of(workload)


@register.filter
def latency_text(nanoseconds: float | None) -> str:
    """A latency without mark-up, for attributes and drawings."""
    return gettext("not known") if nanoseconds is None else units.latency(nanoseconds)


@register.filter
def times(ratio: float) -> str:
    """A ratio: two digits below ten, whole from there."""
    return significant(ratio, 2)


@register.filter
def money(amount: Decimal | float | None, currency: str) -> str:
    """A computed amount in its own currency."""
    return "\u2013" if amount is None else units.money(amount, currency)


@register.filter
def price(price: Price) -> str:
    """A list price of a month, and in brackets that of an hour where that is what was listed."""
    month, hour = list_price(price)
    return f"{month}{phrases.in_brackets(hour)}" if hour else month


@register.filter
def price_month(price: Price) -> str:
    """A list price of a month."""
    return list_price(price).month


@register.filter
def price_stated(price: Price) -> str:
    """A list price with the period, and where it is of one GiB the unit, that it was stated for."""
    return list_prices.as_listed(price)


@register.filter
def pick_of_prices(prices: Sequence[Price]) -> Price | None:
    """Of the list prices of a plan the one that its cost would be computed from."""
    return pick_price(prices)


@register.filter
def price_day(price: Price) -> str:
    """The day of a price, and what it is: old, superseded, derived, a "from" price."""
    return list_prices.price_day(price)


@register.filter
def price_day_lines(price: Price) -> Sequence[str]:
    """The day of a price in the lines of a narrow cell."""
    return list_prices.price_day_lines(price)


@register.filter
def price_standing(price: Price) -> str:
    """What a price is, without its day; nothing of a list price of these days."""
    return list_prices.price_standing(price)


@register.filter
def size(count: float | None) -> SafeString | str:
    """Bytes with the binary unit that fits."""
    return gettext("not stated") if count is None else figures.with_unit(*units.size_parts(count))


@register.filter
def size_text(count: float) -> str:
    """Bytes without mark-up."""
    return units.size(count)


@register.filter
def day(moment: dt.date | None) -> str:
    """An ISO date."""
    return gettext("date not stated") if moment is None else units.day(moment)


@register.filter
def moment(value: dt.datetime | None) -> str:
    """A date and time of day, UTC; midnight sharp means that only the day is known."""
    return gettext("date not stated") if value is None else units.moment(value)


@register.filter
def figure_day(moment: dt.date | None, run_slug: str = "") -> str:
    """The day of a measurement with its age, else when its article was published."""
    return dates.figure_day(moment, run_slug)


@register.filter
def run_moment(run: Run) -> str:
    """The day of a run with its age, to the minute where that is known."""
    return dates.run_moment(run)


@register.filter
def latency_range(low_ns: float, high_ns: float) -> str:
    """A range of latencies in plain text."""
    return units.latency_range(low_ns, high_ns)


@register.filter
def class_range(rung: LadderRow) -> str:
    """The range of a class and what of it is claimed; empty where nobody states a range."""
    if rung.low_ns is None or rung.high_ns is None:
        return ""
    return f"{units.latency_range(rung.low_ns, rung.high_ns)} {rung.claim}".rstrip()


@register.filter
def interface(name: str) -> str:
    """An interface of drives as people write it."""
    return str(INTERFACES.get(name, name))


@register.filter
def protection(plp: str) -> str:
    """Power-loss protection in words."""
    return words.plp_words(plp)


@register.filter
def or_not_stated(value: object) -> object:
    """The value, or in words that it is missing."""
    if value in (None, ""):
        return format_html('<span class="dim">{}</span>', gettext("not stated"))
    return value


@register.filter
def counted(n: int, noun: str) -> str:
    """A count with its noun."""
    return words.count(n, noun)
