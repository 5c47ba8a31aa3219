"""Figures as people read them, the same on a page and on a badge: three digits and a unit."""

from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

NARROW_SPACE: Final = "\u202f"
SIGNIFICANT_DIGITS = 3
TWO_DIGITS_MIN = 10
TIME_UNITS = ((1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "µs"), (1, "ns"))


def significant(value: float | Decimal, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return a number with so many significant digits, thousands with a comma, halves up.

    Digits before the decimal point are never replaced by zeros: 10318 stays 10,318. A whole number
    of two digits or more gets no decimals, because its source may have been a whole number.

    Raises:
        ValueError: the value is infinite or not a number.

    """
    exact = Decimal(str(value))
    if not exact.is_finite():
        raise ValueError(f"not a finite number: {value}")
    magnitude = exact.copy_abs()
    is_whole = exact == exact.to_integral_value()
    has_two_digits = magnitude >= TWO_DIGITS_MIN
    if magnitude >= 10 ** (digits - 1) or (has_two_digits and is_whole):
        return f"{exact.quantize(Decimal(1), ROUND_HALF_UP):,}"
    if magnitude == 0:
        return "0"
    rounded = Context(prec=digits, rounding=ROUND_HALF_UP).plus(exact)
    decimals = max(0, digits - 1 - rounded.adjusted())
    return f"{rounded.quantize(Decimal(1).scaleb(-decimals)):,f}"


def duration_parts(nanoseconds: float) -> tuple[str, str]:
    """Return a duration as figure and unit: 89000 is ("89", "µs")."""
    for unit_ns, unit in TIME_UNITS[:-1]:
        if nanoseconds >= unit_ns * 0.9995:  # 999.6 µs rounds to 1,000 µs: that is 1 ms
            return significant(Decimal(str(nanoseconds)) / unit_ns), unit
    return significant(nanoseconds), TIME_UNITS[-1][1]


def duration_text(nanoseconds: float) -> str:
    """Return a duration in plain text, with a narrow no-break space before the unit."""
    figure, unit = duration_parts(nanoseconds)
    return f"{figure}{NARROW_SPACE}{unit}"
