"""The day that all standings are of, from which the window of their runs counts back."""

from __future__ import annotations

from datetime import UTC, date, datetime

from django.db.models import Max

from apps.rankings.models import StandingsDay
from apps.runs.models import Level, Run


def standings_day() -> date:
    """Return the stored UTC day; before the first, that of the newest run, else today."""
    stored = StandingsDay.objects.values_list("day", flat=True).first()
    if stored is not None:
        return stored
    measured = Run.objects.exclude(level=Level.PUBLISHED).aggregate(newest=Max("measured_at"))
    newest: datetime | None = measured["newest"]
    return (newest or datetime.now(UTC)).astimezone(UTC).date()


def set_standings_day(day: date) -> None:
    """Store the day."""
    StandingsDay.objects.update_or_create(id=1, defaults={"day": day})
