"""Shares of an hour: how much one key and one network may ask of the door.

Counted, not locked: requests at the same instant may overshoot by their number.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Min

from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from django.db.models import QuerySet

QUOTA_PERIOD = timedelta(hours=1)
PER_KEY = 60  # a period: one machine measuring without a pause for an hour
PER_NETWORK = 240  # a period: four such machines behind one address


def check_quotas(
    things: QuerySet[Any], *, key_id: str, network: str, dated_by: str, now: datetime
) -> None:
    """Refuse when the key or its network had its share of the last period.

    `dated_by` is the field of these things that says when they came.
    """
    recent = things.filter(**{f"{dated_by}__gt": now - QUOTA_PERIOD})
    for whose, mine, most in (
        ("key", recent.filter(key_id=key_id), PER_KEY),
        ("network", recent.filter(network=network), PER_NETWORK),
    ):
        counted = mine.aggregate(count=Count("pk"), oldest=Min(dated_by))
        if counted["count"] >= most:
            wait = counted["oldest"] + QUOTA_PERIOD - now
            what = things.model._meta.verbose_name_plural
            raise Refusal(
                problems.TOO_MANY_REQUESTS,
                f"This {whose} had {most} {what} within an hour.",
                retry_after_s=max(1, math.ceil(wait.total_seconds())),
            )
