"""Which runs are recent enough to count: those of half a year, older ones where those are few.

Beside older runs of three claimed accounts only recent ones of three accounts are enough: nobody is
outvoted by waiting until they have not measured for half a year.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING, Final

from apps.stats.standings.estimate import uploader_of_keys
from apps.stats.standings.gates import RANKED_CLAIMED_MIN, is_enough

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
    accounts = {uploader_of_key[point.key] for point in points if point.is_claimed}
    machines = {(uploader_of_key[point.key], point.machine) for point in points}
    return is_enough(
        n_uploaders=len(set(uploader_of_key.values())),
        n_claimed=len(accounts),
        n_machines=sum(uploader in accounts for uploader, _ in machines),
    )


def _accounts(points: Sequence[RunPoint]) -> set[str]:
    uploader_of_key = uploader_of_keys(points)
    return {uploader_of_key[point.key] for point in points if point.is_claimed}


def counts_from(points: Sequence[RunPoint], *, day: date) -> datetime:
    """Return from when on runs of a cell count in the standing of a day."""
    return days_before(day, WINDOW if is_current(points, day=day) else KEPT)


def is_current(points: Sequence[RunPoint], *, day: date) -> bool:
    """Whether the recent ones of these points are enough to be ranked by themselves."""
    recent = recent_of(points, day=day)
    kept = [point for point in points if point.at >= days_before(day, KEPT)]
    is_outvoted = len(_accounts(recent)) < RANKED_CLAIMED_MIN <= len(_accounts(kept))
    return has_enough(recent) and not is_outvoted


def may_be_outvoted(recent: Sequence[RunPoint]) -> bool:
    """Whether it hangs on older runs of claimed accounts if these recent points are current."""
    return has_enough(recent) and len(_accounts(recent)) < RANKED_CLAIMED_MIN
