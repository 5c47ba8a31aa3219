"""A list price as every page says it: of a month first, and of an hour where that was listed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils import timezone
from django.utils.translation import gettext as _

from apps.pages import units
from apps.plans.models import Price
from apps.rankings.cost import monthly

if TYPE_CHECKING:
    import datetime as dt


class ListPrice(NamedTuple):
    """A list price in words."""

    month: str
    hour: str  # empty where the price was listed by the month


def list_price(price: Price) -> ListPrice:
    """The price of a month, and that of an hour where the month is computed from it.

    A computed month is rounded: 730 hours are no month that anybody bills.
    """
    if price.period == Price.Period.MONTH:
        return ListPrice(units.list_price(price.amount, price.currency, price.period), "")
    month = _("%(amount)s /mo") % {"amount": units.money(monthly(price), price.currency)}
    return ListPrice(month, units.list_price(price.amount, price.currency, price.period))


def price_day(valid_from: dt.date) -> str:
    """The day of a list price, with its year, and in words that it is old where it is."""
    day = units.day(valid_from)
    if units.is_stale(valid_from, timezone.now().date()):
        return _("%(day)s old") % {"day": day}
    return day
