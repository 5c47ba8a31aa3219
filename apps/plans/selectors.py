"""Reads of prices that several pages share."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db.models import (
    Max,
    Prefetch,
    QuerySet,
)

from apps.plans.models import Plan, Price
from apps.plans.prices.amounts import PRICE_FRESH_DAYS

if TYPE_CHECKING:
    from datetime import date


def newest_prices() -> Prefetch[str, QuerySet[Price], str]:
    """Return a prefetch of the whole-server prices of plans, the newest first."""
    return Prefetch(
        "prices",
        queryset=Price.objects.filter(unit="").order_by("-valid_from", "amount"),
        to_attr="list_prices",
    )


def plans_with_old_prices(today: date) -> QuerySet[Plan]:
    """Return the plans for rent whose newest price may have changed since, the oldest first.

    `priced_on` is the day of that price.
    """
    plans = Plan.objects.rentable().filter(is_retired=False).select_related("provider")
    dated = plans.annotate(priced_on=Max("prices__valid_from"))
    oldest_fresh = today - timedelta(days=PRICE_FRESH_DAYS)
    return dated.filter(priced_on__lt=oldest_fresh).order_by("priced_on", "slug")
