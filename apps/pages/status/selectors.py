"""Reads how the site is doing: what waits, and what came in last."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from django.db.models import Max

from apps.plans.models import Price
from apps.rankings.dumps.store import dump_state
from apps.rankings.models import StandingsDay
from apps.rankings.queue import Queue, queue_now
from apps.runs.models import Upload

if TYPE_CHECKING:
    from datetime import date, datetime

# An upload is worked on within seconds; one whose worker died is given to another after a minute.
UPLOAD_SECONDS_MAX: Final = 120
MARK_SECONDS_MAX: Final = 300  # boards wait while uploads do


class SiteState(StrEnum):
    """How the site is doing."""

    WELL = "well"
    LATE = "late"  # uploads wait longer than they should
    BEHIND = "behind"  # ranks do


@dataclass(frozen=True, slots=True)
class SiteStatus:
    """What waits, what came in last, and of which day standings and dump are."""

    queue: Queue
    newest_upload: datetime | None
    newest_price: date | None
    standings_day: date | None
    newest_dump: datetime | None
    dump_has_failed: bool

    @property
    def state(self) -> SiteState:
        """How that is, the worst first."""
        if self.queue.oldest_seconds > UPLOAD_SECONDS_MAX:
            return SiteState.LATE
        if self.queue.oldest_mark_seconds > MARK_SECONDS_MAX:
            return SiteState.BEHIND
        return SiteState.WELL


def site_status() -> SiteStatus:
    """Return how the site is doing now: six queries."""
    uploads = Upload.objects.filter(is_example=False)
    dumps = dump_state()
    return SiteStatus(
        queue=queue_now(),
        newest_upload=uploads.aggregate(newest=Max("received_at"))["newest"],
        newest_price=Price.objects.aggregate(newest=Max("valid_from"))["newest"],
        standings_day=StandingsDay.objects.values_list("day", flat=True).first(),
        newest_dump=dumps.newest_at,
        dump_has_failed=dumps.has_failed,
    )
