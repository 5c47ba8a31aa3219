"""Amounts of money as people read them, the same on a page and on a badge; how old a price is."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING, Final

from apps.plans.prices.currencies import CURRENCY_SIGNS, decimals_of
from apps.stats.figures import NARROW_SPACE, SIGNIFICANT_DIGITS, significant

if TYPE_CHECKING:
    import datetime as dt

WHOLE_AMOUNT_MIN: Final = 100  # from three digits up nobody needs the cents
PRICE_FRESH_DAYS: Final = (
    90  # an older list price is shown greyed: providers change them that often
)


def money(amount: Decimal | float, currency: str, digits: int = SIGNIFICANT_DIGITS) -> str:
    """Return a computed amount in its own currency: three significant digits, cents from one up."""
    exact = Decimal(str(amount))
    magnitude = exact.copy_abs()
    if 1 <= magnitude < WHOLE_AMOUNT_MIN:
        figure = rounded(exact, decimals_of(currency))
    else:
        figure = significant(exact, digits)
    return with_currency(figure, currency)


def rounded(amount: Decimal, decimals: int) -> str:
    """Return an amount with so many decimals, thousands with a comma, halves up."""
    return f"{amount.quantize(Decimal(1).scaleb(-decimals), ROUND_HALF_UP):,f}"


def with_currency(figure: str, currency: str) -> str:
    """Return a figure with its currency's sign before it, or its code after it."""
    sign = CURRENCY_SIGNS.get(currency)
    return f"{sign}{figure}" if sign else f"{figure}{NARROW_SPACE}{currency}"


def is_stale(valid_from: dt.date, today: dt.date) -> bool:
    """Whether a list price is so old that it may have changed."""
    return (today - valid_from).days > PRICE_FRESH_DAYS
