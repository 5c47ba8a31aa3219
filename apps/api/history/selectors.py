"""Reads labels, prices, envelopes and changes, each list in the order of an index."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from apps.api.paging import SortKey
from apps.plans.models import Price
from apps.rankings.models import PublicChange
from apps.runs.models import Label
from apps.runs.selectors import runs_with_envelopes

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.runs.models import Run

NEWEST_ROW_FIRST: Final = (SortKey("id", descending=True),)
NEWEST_PRICE_FIRST: Final = (
    SortKey("valid_from", descending=True),
    SortKey("id", descending=True),
)
IN_THEIR_ORDER: Final = (SortKey("number"),)


def labels(**lookups: Any) -> QuerySet[Label]:
    """Return the labels of runs in lists: two queries."""
    return Label.objects.filter(run__is_listed=True, **lookups).select_related("run")


def prices(**lookups: Any) -> QuerySet[Price]:
    """Return the prices that no moderator disputes, as their sources stated them."""
    return Price.objects.filter(is_disputed=False, **lookups).select_related("plan")


def envelopes() -> QuerySet[Run]:
    """Return the runs whose signed bytes everybody may have, with their uploads: one query."""
    return (
        runs_with_envelopes()
        .select_related("upload")
        .defer("environment", "upload__packed_payload", "upload__envelope_as_sent")
    )


def changes() -> QuerySet[PublicChange]:
    """Return what changed, of which each thing is there once."""
    return PublicChange.objects.filter(number__isnull=False)
