"""Units, currencies and dates of the pages; the digits themselves come from apps.stats.figures."""

import datetime as dt
from decimal import ROUND_HALF_UP, Context, Decimal

from django.utils.translation import gettext_noop

from apps.pages.show.phrases import translate
from apps.plans.prices import amounts
from apps.plans.prices.currencies import decimals_of
from apps.stats.figures import (
    NARROW_SPACE,
    duration_parts,
    duration_text,
    significant,
)

PERIODS = {"hour": gettext_noop("/h"), "month": gettext_noop("/mo")}
PRICE_DIGITS = 4  # of a list price an hour; no provider's prices differ beyond them
BYTE_UNITS = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))
money, is_stale = amounts.money, amounts.is_stale


def as_stated(value: float | Decimal) -> str:
    """A quantity that somebody stated: what is whole stays whole, 8 GB is not 8.00 GB."""
    exact = Decimal(str(value))
    return f"{exact:,.0f}" if exact == exact.to_integral_value() else significant(exact)


def latency(nanoseconds: float) -> str:
    """A duration in plain text, for titles, sentences and drawings."""
    return duration_text(nanoseconds)


def latency_range(low_ns: float, high_ns: float) -> str:
    """A stated range of durations, naming the unit once where both ends share it."""
    low, low_unit = stated_duration(low_ns)
    high, high_unit = stated_duration(high_ns)
    if low_ns == high_ns:
        return f"≈ {low}{NARROW_SPACE}{low_unit}"
    first = low if low_unit == high_unit else f"{low}{NARROW_SPACE}{low_unit}"
    return f"{first}\u2013{high}{NARROW_SPACE}{high_unit}"


def stated_duration(nanoseconds: float) -> tuple[str, str]:
    """A duration as figure and unit where whole figures are meant as they stand: 3 ms."""
    figure, unit = duration_parts(nanoseconds)
    return as_stated(Decimal(figure.replace(",", ""))), unit


def list_price(amount: Decimal, currency: str, period: str) -> str:
    """A list price with its period."""
    return with_period(list_amount(amount, currency), period)


def with_period(amount: str, period: str) -> str:
    """An amount of money with the period that it pays for."""
    return f"{amount} {translate(PERIODS.get(period, period))}"


def list_amount(amount: Decimal, currency: str) -> str:
    """The amount of a list price: with its cents, a small one with four significant digits."""
    if amount.copy_abs() >= amounts.WHOLE_AMOUNT_MIN:
        decimals = 0 if amount == amount.to_integral_value() else decimals_of(currency)
    else:
        exact = Context(prec=PRICE_DIGITS, rounding=ROUND_HALF_UP).plus(amount).normalize()
        decimals = max(decimals_of(currency), -int(exact.as_tuple().exponent))
    return amounts.with_currency(amounts.rounded(amount, decimals), currency)


def size_parts(count: float) -> tuple[str, str]:
    """Bytes as figure and binary unit."""
    for size, unit in BYTE_UNITS:
        if count >= size:
            return as_stated(Decimal(str(count)) / size), unit
    return "0", "B"


def size(count: float) -> str:
    """Bytes in plain text."""
    figure, unit = size_parts(count)
    return f"{figure}{NARROW_SPACE}{unit}"


def day(moment: dt.date | dt.datetime) -> str:
    """A date, ISO 8601."""
    return moment.strftime("%Y-%m-%d")


def moment(value: dt.datetime) -> str:
    """A date and time of day, UTC; midnight sharp means that only the day is known."""
    is_day = value.hour == value.minute == value.second == value.microsecond == 0
    return day(value) if is_day else value.strftime("%Y-%m-%d %H:%M UTC")
