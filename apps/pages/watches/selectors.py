"""Reads what a person watches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.plans.models import Plan

if TYPE_CHECKING:
    from django.contrib.auth.models import User


def watched_by(user: User) -> list[Plan]:
    """Return the plans that a person watches, newest watch first: one query."""
    plans = Plan.objects.filter(watches__user=user).select_related("provider")
    return list(plans.order_by("-watches__began_at"))
