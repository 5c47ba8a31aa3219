"""Reads the newest changes, with what they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from django.db.models import F

from apps.plans.models import Price
from apps.rankings.models import Evidence, RankChange, Standing

if TYPE_CHECKING:
    from django.db.models import QuerySet

ENTRIES: Final = 50  # of a feed: readers ask more often than fifty things change


def rank_changes() -> QuerySet[RankChange]:
    """Return the newest changes of tiers: one query. What was noted first is no change."""
    rows = RankChange.objects.exclude(evidence=Evidence.EXAMPLE).exclude(tier_before=F("tier"))
    return rows.select_related("plan__provider", "drive_family").order_by("-pk")[:ENTRIES]


def change_points() -> QuerySet[Standing]:
    """Return the standings whose rate changed for good, the newest change first: one query."""
    rows = Standing.objects.filter(changed_since__isnull=False)
    return (
        rows.exclude(evidence=Evidence.EXAMPLE)
        .select_related("plan__provider", "drive_family")
        .order_by("-changed_since", "-pk")[:ENTRIES]
    )


def new_prices() -> QuerySet[Price]:
    """Return the prices that were stated last: one query."""
    rows = Price.objects.filter(is_disputed=False).select_related("plan__provider")
    return rows.order_by("-valid_from", "-pk")[:ENTRIES]
