"""Which runs are recent enough to count: those of half a year, older ones where those are few."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from apps.stats.standings.estimate import machine_values, uploader_of_keys
from apps.stats.standings.gates import is_enough

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.stats.standings.estimate import RunPoint

WINDOW: Final = timedelta(days=180)  # drives age and clouds renew hosts, so older runs say little
# How long a run counts where newer ones are too few to rank. One upload must not erase what twelve
# people measured half a year ago; after three years most warranties of drives have ended.
KEPT: Final = timedelta(days=3 * 365)


def days_before(day: date, days: timedelta) -> datetime:
    """Return the moment so many days before the end of a UTC day."""
    return datetime.combine(day, time.max, UTC) - days


def recent_of(points: Sequence[RunPoint], *, day: date) -> list[RunPoint]:
    """Return the points within the WINDOW that ends with `day`."""
    return [point for point in points if point.at >= days_before(day, WINDOW)]


def has_enough(points: Sequence[RunPoint]) -> bool:
    """Whether these points are of enough uploaders to be ranked."""
    uploader_of_key = uploader_of_keys(points)
    return is_enough(
        n_uploaders=len(set(uploader_of_key.values())),
        n_claimed=len({uploader_of_key[point.key] for point in points if point.is_claimed}),
        n_machines=len(machine_values(points)),
    )


def counts_from(points: Sequence[RunPoint], *, day: date) -> datetime:
    """Return from when on runs of a cell count in the standing of a day."""
    days = WINDOW if has_enough(recent_of(points, day=day)) else KEPT
    return days_before(day, days)
