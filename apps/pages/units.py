"""Figures as people read them: three significant digits, a unit, nothing that was not known."""

import datetime as dt
import math
from decimal import ROUND_HALF_UP, Decimal

NARROW_SPACE = "\u202f"
SIGNIFICANT = 3
CURRENCY_SIGNS = {"EUR": "€", "USD": "$", "GBP": "£"}
PERIODS = {"hour": "/h", "month": "/mo"}
TIME_UNITS = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"), (1, "ns"))
BYTE_UNITS = ((1 << 40, "TiB"), (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"), (1, "B"))
PRICE_FRESH_DAYS = 90  # an older list price is shown greyed: providers change them that often


def significant(value: float | Decimal, digits: int = SIGNIFICANT) -> str:
    """A number with so many significant digits, thousands with a comma, halves away from zero.

    Digits before the decimal point are never replaced by zeros: 10318 stays 10,318. A whole
    number stays whole, because its source may have been: 6 µs is not 6.00 µs.
    """
    exact = Decimal(str(value))
    if not exact.is_finite():
        raise ValueError(f"not a finite number: {value}")
    magnitude = exact.copy_abs()
    if magnitude >= 10 ** (digits - 1) or exact == exact.to_integral():
        return f"{exact.quantize(Decimal(1), ROUND_HALF_UP):,}"
    exponent = math.floor(math.log10(magnitude))
    decimals = digits - 1 - exponent
    rounded = exact.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP)
    if rounded.copy_abs() >= Decimal(10) ** (exponent + 1):  # 0.9996 became 1.000
        rounded = rounded.quantize(Decimal(1).scaleb(1 - decimals))
    return f"{rounded:,f}"


def latency_parts(nanoseconds: float) -> tuple[str, str]:
    """A duration as figure and unit: 89000 is ("89", "µs")."""
    for size, unit in TIME_UNITS:
        # 999.6 µs rounds to 1,000 µs: that is 1 ms.
        if nanoseconds >= size * (1 if size == 1 else 0.9995):
            exact = Decimal(str(nanoseconds)) / size
            return significant(exact), unit
    return significant(nanoseconds), "ns"


def latency(nanoseconds: float) -> str:
    """A duration in plain text, for titles, sentences and drawings."""
    figure, unit = latency_parts(nanoseconds)
    return f"{figure}{NARROW_SPACE}{unit}"


def latency_range(low_ns: float, high_ns: float) -> str:
    """A range of durations, naming the unit once where both ends share it."""
    low, low_unit = latency_parts(low_ns)
    high, high_unit = latency_parts(high_ns)
    if low_ns == high_ns:
        return f"about {low}{NARROW_SPACE}{low_unit}"
    first = low if low_unit == high_unit else f"{low}{NARROW_SPACE}{low_unit}"
    return f"{first}\u2013{high}{NARROW_SPACE}{high_unit}"


def rate(per_s: float) -> str:
    """Operations per second without a unit."""
    return significant(per_s)


def money(amount: Decimal | float, currency: str, digits: int = SIGNIFICANT) -> str:
    """An amount in its own currency, computed: three significant digits, cents from one up."""
    exact = Decimal(str(amount))
    magnitude = exact.copy_abs()
    if 1 <= magnitude < 100:  # noqa: PLR2004 - amounts of one and two digits show cents
        figure = f"{exact.quantize(Decimal('0.01'), ROUND_HALF_UP):,}"
    else:
        figure = significant(exact, digits)
    return with_currency(figure, currency)


def list_price(amount: Decimal, currency: str, period: str) -> str:
    """A list price exactly as it was stated, with its period."""
    exact = amount.normalize()
    exponent = exact.as_tuple().exponent
    decimals = max(-exponent, 0) if isinstance(exponent, int) else 0
    if decimals == 1 or (decimals == 0 and exact < 100):  # noqa: PLR2004 - small sums show cents
        decimals = 2
    return f"{with_currency(f'{exact:,.{decimals}f}', currency)} {PERIODS.get(period, period)}"


def with_currency(figure: str, currency: str) -> str:
    """A figure with its currency's sign before it, or its code after it."""
    sign = CURRENCY_SIGNS.get(currency)
    return f"{sign}{figure}" if sign else f"{figure}{NARROW_SPACE}{currency}"


def size_parts(count: float) -> tuple[str, str]:
    """Bytes as figure and binary unit."""
    for size, unit in BYTE_UNITS:
        if count >= size:
            return significant(Decimal(str(count)) / size), unit
    return "0", "B"


def size(count: float) -> str:
    """Bytes in plain text."""
    figure, unit = size_parts(count)
    return f"{figure}{NARROW_SPACE}{unit}"


def day(moment: dt.date | dt.datetime) -> str:
    """A date, ISO 8601."""
    return moment.strftime("%Y-%m-%d")


def is_stale(valid_from: dt.date, today: dt.date) -> bool:
    """Whether a list price is so old that it may have changed."""
    return (today - valid_from).days > PRICE_FRESH_DAYS
