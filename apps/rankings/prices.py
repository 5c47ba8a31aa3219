"""Adds list prices to the stored ones. None is replaced, so that the history stays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.plans.catalogue import price_key
from apps.plans.models import Price
from apps.rankings.services import refresh_plans

if TYPE_CHECKING:
    from collections.abc import Sequence


@transaction.atomic
def add_prices(prices: Sequence[Price]) -> list[Price]:
    """Store the prices that are new, and compute the costs of their plans again.

    Returns the new ones, saved.
    """
    by_key = {price_key(price): price for price in prices}
    plans = {price.plan_id for price in prices}
    stored_keys = {price_key(price) for price in Price.objects.filter(plan_id__in=plans)}
    new = [price for key, price in by_key.items() if key not in stored_keys]
    Price.objects.bulk_create(new)
    refresh_plans({price.plan_id for price in new})
    return new
