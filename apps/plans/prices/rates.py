"""Stores the exchange rates of the bank, and reads the newest."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from django.db.models import Case, DecimalField, OuterRef, Subquery, Value, When

from apps.plans.catalogue import DATA
from apps.plans.models import ExchangeRate
from apps.plans.prices.currencies import EURO, Rate, RateTable, read_rates

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

RATES_FILE: Final = DATA / "eurofxref-hist.csv"  # a copy, so that a new installation works offline


def store_rates(rates: Iterable[Rate]) -> int:
    """Store rates, replacing those that the bank has corrected; return how many are stored now."""
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
    rows = _of_newest_day()
    return RateTable(Rate(row.day, row.currency, row.per_euro) for row in rows)


def per_euro(currency: str) -> Case:
    """Return what one euro is worth in the currency of a column, for use inside a query.

    Null where the currency has no rate.
    """
    rate = _of_newest_day().filter(currency=OuterRef(currency)).values("per_euro")[:1]
    return Case(
        When(**{currency: EURO}, then=Value(Decimal(1))),
        default=Subquery(rate),
        output_field=DecimalField(max_digits=18, decimal_places=6),
    )


def _of_newest_day() -> QuerySet[ExchangeRate]:
    newest = ExchangeRate.objects.order_by("-day").values("day")[:1]
    return ExchangeRate.objects.filter(day=Subquery(newest))
