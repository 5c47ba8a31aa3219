"""What waits to be done, as doctor, metrics and the page of the state tell it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Sum

from apps.accounts.clock import database_now
from apps.rankings.models import CellMark
from apps.runs.models import Upload

_WAITING = (Upload.State.RECEIVED, Upload.State.LEASED, Upload.State.RETRY)


@dataclass(frozen=True, slots=True)
class Queue:
    """How many uploads wait, for how long, how often they were tried; and what else is left."""

    waiting: int
    oldest_at: datetime | None
    oldest_seconds: float
    attempts: int  # of those that wait
    marks: int  # of boards that are to be computed
    oldest_mark_at: datetime | None
    oldest_mark_seconds: float


def queue_now() -> Queue:
    """Return what waits now, by the indexes of what waits: three short queries."""
    waiting = Upload.objects.filter(state__in=_WAITING).aggregate(
        n=Count("pk"), oldest=Min("received_at"), attempts=Sum("attempts")
    )
    marks = CellMark.objects.aggregate(n=Count("pk"), oldest=Min("marked_at"))
    now = database_now()
    return Queue(
        waiting=waiting["n"],
        oldest_at=waiting["oldest"],
        oldest_seconds=_age(waiting["oldest"], now),
        attempts=waiting["attempts"] or 0,
        marks=marks["n"],
        oldest_mark_at=marks["oldest"],
        oldest_mark_seconds=_age(marks["oldest"], now),
    )


def poison_now() -> int:
    """Return how many uploads staff must look at."""
    return Upload.objects.filter(state=Upload.State.POISON).count()


def _age(since: datetime | None, now: datetime) -> float:
    return (now - since).total_seconds() if since else 0.0
