"""Reads what the badge of somebody shows who chose a public name: in two queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Max, Q

from apps.accounts.models import PublicName
from apps.badges.badge_facts import MeasurerFacts
from apps.badges.standings import NOT_FOUND, is_slug
from apps.runs.trust.ownership import runs_of_account

if TYPE_CHECKING:
    from apps.badges.badge_facts import Shown


def measurer_facts(*, slug: str) -> Shown:
    """Return how much somebody measured of what counts, whatever its level."""
    used = PublicName.objects.filter(held_until=None, user__is_active=True)
    named = is_slug(slug) and used.filter(name=slug).first()
    if not named or named.user_id is None:
        return NOT_FOUND
    counting = runs_of_account(named.user_id).filter(
        is_kept_out=False, is_example=False, is_listed=True
    )
    totals = counting.aggregate(
        runs=Count("pk"),
        plans=Count("plan", distinct=True, filter=Q(plan__is_listed=True, plan_in_doubt=False)),
        newest=Max("measured_at"),
    )
    return MeasurerFacts(
        name=named.name, runs=totals["runs"], plans=totals["plans"], measured_at=totals["newest"]
    )
