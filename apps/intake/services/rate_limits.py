"""Rate limits of the API: how much one key and one network may ask of the door in an hour.

Counted, not locked: requests at the same instant may overshoot by their number.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Min

from apps.intake.models import OutputReading
from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from django.db.models import QuerySet

RATE_LIMIT_PERIOD = timedelta(hours=1)
PER_KEY = 60  # a period: one machine measuring without a pause for an hour
PER_NETWORK = 240  # a period: four such machines behind one address
IMPORTS_PER_NETWORK = 60  # a period: a folder of outputs, given in one after the other
# A period: each of those shown and then saved, and as many that are not understood. A reading
# takes up to a second of a processor, so a network has 4 minutes of an hour.
READINGS_PER_NETWORK = 240


def check_rate_limits(
    things: QuerySet[Any], *, key_id: str, network: str, dated_by: str, now: datetime
) -> None:
    """Refuse when the key or its network had its share of the last period.

    `dated_by` is the field of these things that says when they came.
    """
    mine = things.filter(key_id=key_id)
    _check_share(mine, whose="key", most=PER_KEY, dated_by=dated_by, now=now)
    near = things.filter(network=network)
    _check_share(near, whose="network", most=PER_NETWORK, dated_by=dated_by, now=now)


def check_imports_rate_limit(things: QuerySet[Any], *, network: str, now: datetime) -> None:
    """Refuse when a network, all that is known of who imports, had its share of the period."""
    near = things.filter(network=network)
    _check_share(near, whose="network", most=IMPORTS_PER_NETWORK, dated_by="received_at", now=now)


def count_reading(*, network: str, now: datetime) -> None:
    """Count an output that is about to be read, shown or stored or neither. Raises Refusal.

    What is older than the period is forgotten here: nobody needs to know it any longer.
    """
    OutputReading.objects.filter(read_at__lte=now - RATE_LIMIT_PERIOD).delete()
    near = OutputReading.objects.filter(network=network)
    _check_share(near, whose="network", most=READINGS_PER_NETWORK, dated_by="read_at", now=now)
    OutputReading.objects.create(network=network, read_at=now)


def _check_share(
    things: QuerySet[Any], *, whose: str, most: int, dated_by: str, now: datetime
) -> None:
    recent = things.filter(**{f"{dated_by}__gt": now - RATE_LIMIT_PERIOD})
    counted = recent.aggregate(count=Count("pk"), oldest=Min(dated_by))
    if counted["count"] >= most:
        wait = counted["oldest"] + RATE_LIMIT_PERIOD - now
        what = things.model._meta.verbose_name_plural
        raise Refusal(
            problems.TOO_MANY_REQUESTS,
            f"This {whose} had {most} {what} within an hour.",
            retry_after_s=max(1, math.ceil(wait.total_seconds())),
        )
