"""Counts what is looked for, at most once an hour for a network, and forgets old days.

Without a limit one client could put any plan at the head of what waits for a run. To know that a
network was counted, a keyed hash of network and thing stands in Valkey for an hour. It is so short
that many networks share it, so that not even a copy of Valkey's log says who looked for what; what
is stored is a total of a day.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from apps.interest.models import DailyInterest

COUNTED_ONCE_IN: Final = timedelta(hours=1)
KEPT: Final = timedelta(days=365)  # what people want to rent changes with the years
# 20 bits of an HMAC: of the 16.7 million /24 networks 16 share each for one thing, and among 1,000
# that were counted in an hour one in a thousand new ones is missed.
HASH_CHARACTERS: Final = 5


def count_interest(*, kind: str, slug: str, network: str, today: date) -> bool:
    """Add one to the total of a thing, and return whether that was done.

    It is not where the network was counted for it within the hour, or where Valkey does not answer:
    a total without a limit is worth less than one that misses some.
    """
    if not _is_first_in_an_hour(kind, slug, network):
        return False
    row = DailyInterest.objects.filter(day=today, kind=kind, slug=slug)
    if row.update(n=F("n") + 1):
        return True
    try:
        with transaction.atomic():
            DailyInterest.objects.create(day=today, kind=kind, slug=slug, n=1)
    except IntegrityError:  # another request began the day of this thing
        row.update(n=F("n") + 1)
    return True


def _is_first_in_an_hour(kind: str, slug: str, network: str) -> bool:
    text = f"{network} {kind} {slug}"
    digest = salted_hmac("fsyncmark.interest", text, algorithm="sha256").hexdigest()
    key = f"interest:{digest[:HASH_CHARACTERS]}"
    try:
        return cache.add(key, 1, timeout=int(COUNTED_ONCE_IN.total_seconds()))
    except RedisError:
        return False


def forget_old_days(today: date) -> None:
    """Delete totals that are over a year old."""
    DailyInterest.objects.filter(day__lt=today - KEPT).delete()
