"""What waits to be done, as doctor, metrics and the page of the state tell it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Aggregate, Count, DurationField, ExpressionWrapper, Min, Sum
from django.db.models.expressions import Combinable
from django.db.models.functions import Now

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
    marks: int  # of boards that are to be computed now
    oldest_mark_at: datetime | None
    oldest_mark_seconds: float


def queue_now() -> Queue:
    """Return what waits now, by the indexes of what waits: two short queries."""
    waiting = Upload.objects.filter(state__in=_WAITING).aggregate(
        n=Count("pk"), attempts=Sum("attempts"), **_oldest("received_at")
    )
    due = CellMark.objects.filter(due_at__lte=Now())
    marks = due.aggregate(n=Count("pk"), **_oldest("due_at"))
    return Queue(
        waiting=waiting["n"],
        oldest_at=waiting["oldest"],
        oldest_seconds=_seconds(waiting["age"]),
        attempts=waiting["attempts"] or 0,
        marks=marks["n"],
        oldest_mark_at=marks["oldest"],
        oldest_mark_seconds=_seconds(marks["age"]),
    )


def poison_now() -> int:
    """Return how many uploads staff must look at."""
    return Upload.objects.filter(state=Upload.State.POISON).count()


def _oldest(column: str) -> dict[str, Aggregate | Combinable]:
    """Return the oldest moment of a column and its age, by the clock of the database."""
    age = ExpressionWrapper(Now() - Min(column), output_field=DurationField())
    return {"oldest": Min(column), "age": age}


def _seconds(age: timedelta | None) -> float:
    return age.total_seconds() if age else 0.0
