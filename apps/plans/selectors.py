"""Reads of prices that several pages share."""

from __future__ import annotations

from django.db.models import (
    Prefetch,
    QuerySet,
)

from apps.plans.models import Price


def newest_prices() -> Prefetch[str, QuerySet[Price], str]:
    """Return a prefetch of the whole-server prices of plans, the newest first."""
    return Prefetch(
        "prices",
        queryset=Price.objects.filter(unit="").order_by("-valid_from", "amount"),
        to_attr="list_prices",
    )
