"""Reads of clusters, for whoever decides about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.runs.provenance import UploaderCluster

if TYPE_CHECKING:
    from django.db.models import QuerySet


def clusters_waiting() -> QuerySet[UploaderCluster]:
    """Return the clusters that nobody has looked at, the oldest first."""
    waiting = UploaderCluster.objects.filter(state=UploaderCluster.State.WAITING)
    return waiting.order_by("found_at", "pk")
