"""Stores the bank's exchange rates, and tells those that hold now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import Subquery

from apps.plans.catalogue import DATA
from apps.plans.currencies import Rate, RateTable, read_rates
from apps.plans.models import ExchangeRate

if TYPE_CHECKING:
    from collections.abc import Iterable

RATES_FILE: Final = DATA / "eurofxref-hist.csv"  # one dated copy, so that it works offline


def store_rates(rates: Iterable[Rate]) -> int:
    """Add the rates of days that are not there yet; what the bank corrected is replaced.

    Returns how many rates are stored now.
    """
    rows = [
        ExchangeRate(day=rate.day, currency=rate.currency, per_euro=rate.per_euro) for rate in rates
    ]
    ExchangeRate.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["day", "currency"],
        update_fields=["per_euro"],
        batch_size=2_000,
    )
    return ExchangeRate.objects.count()


def shipped_rates() -> list[Rate]:
    """Return the rates of the copy that ships with the product."""
    return read_rates(RATES_FILE.read_bytes())


def current_rates() -> RateTable:
    """Return the rates of the newest day, by one query."""
    newest = ExchangeRate.objects.order_by("-day").values("day")[:1]
    rows = ExchangeRate.objects.filter(day=Subquery(newest))
    return RateTable(Rate(row.day, row.currency, row.per_euro) for row in rows)
