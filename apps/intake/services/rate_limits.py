"""Rate limits of the upload API: what one key and one network may send in an hour.

Rows are counted without a lock, so simultaneous requests may exceed a limit by their number.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, Min, OuterRef

from apps.intake.models import OutputReading
from apps.runs.models import Upload
from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from django.db.models import QuerySet

RATE_LIMIT_PERIOD = timedelta(hours=1)
PER_KEY = 60  # a period: one machine measuring without a pause for an hour
PER_NETWORK = 240  # a period: four such machines behind one address
NEW_KEYS_PER_NETWORK = 180  # of them: the rest is for keys with history
HISTORY_AGE = timedelta(days=1)  # a key has history that sent a run before it
IMPORTS_PER_NETWORK = 60  # a period: a folder of outputs, given in one after the other
# A period: two for each of those imports, for preview and saving, and as many that fail. A reading
# takes up to a second of a processor, so a network gets 4 minutes of each hour.
READINGS_PER_NETWORK = 240


def check_rate_limits(
    things: QuerySet[Any], *, key_id: str, network: str, dated_by: str, now: datetime
) -> None:
    """Raise Refusal if the key or its network has reached its limit in the last period.

    `dated_by` is the field with the time of the rows.
    """
    mine = things.filter(key_id=key_id)
    _check_share(mine, whose="key", most=PER_KEY, dated_by=dated_by, now=now)
    near = things.filter(network=network)
    _check_share(near, whose="network", most=PER_NETWORK, dated_by=dated_by, now=now)


def check_new_keys_share(
    challenges: QuerySet[Any], *, key_id: str, network: str, now: datetime
) -> None:
    """Raise Refusal where new keys have used their part of a network's challenges.

    A key costs nothing: without this, one machine that makes keys takes all of its /24.
    """
    if has_history(key_id, now=now):
        return
    by_new = challenges.filter(~Exists(runs_before(OuterRef("key_id"), now=now)), network=network)
    _check_share(
        by_new, whose="network's new keys", most=NEW_KEYS_PER_NETWORK, dated_by="issued_at", now=now
    )


def has_history(key_id: str, *, now: datetime) -> bool:
    """Return whether a key sent a run long enough ago to be no throw-away."""
    return runs_before(key_id, now=now).exists()


def runs_before(key_id: Any, *, now: datetime) -> QuerySet[Upload]:
    """Return the uploads of a key, or of the key of an outer query, that make its history."""
    return Upload.objects.filter(key_id=key_id, received_at__lt=now - HISTORY_AGE)


def check_imports_rate_limit(things: QuerySet[Any], *, network: str, now: datetime) -> None:
    """Raise Refusal if a network has reached the limit of imports in the last period."""
    near = things.filter(network=network)
    _check_share(near, whose="network", most=IMPORTS_PER_NETWORK, dated_by="received_at", now=now)


def count_reading(*, network: str, now: datetime) -> None:
    """Count the reading of an output, whatever becomes of it. Raises Refusal at the limit.

    Readings older than the period are deleted here.
    """
    OutputReading.objects.filter(read_at__lte=now - RATE_LIMIT_PERIOD).delete()
    near = OutputReading.objects.filter(network=network)
    _check_share(near, whose="network", most=READINGS_PER_NETWORK, dated_by="read_at", now=now)
    OutputReading.objects.create(network=network, read_at=now)


def _check_share(
    things: QuerySet[Any], *, whose: str, most: int, dated_by: str, now: datetime
) -> None:
    recent = things.filter(**{f"{dated_by}__gt": now - RATE_LIMIT_PERIOD})
    totals = recent.aggregate(count=Count("pk"), oldest=Min(dated_by))
    if totals["count"] >= most:
        wait = totals["oldest"] + RATE_LIMIT_PERIOD - now
        what = things.model._meta.verbose_name_plural
        raise Refusal(
            problems.TOO_MANY_REQUESTS,
            f"This {whose} had {most} {what} within an hour.",
            retry_after_s=max(1, math.ceil(wait.total_seconds())),
        )
