"""Counts what people, keys and networks try, so that nobody tries without end.

An attempt is stored before it is looked at: of many at once no more pass than the limit says.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db import connection
from django.db.models import Count

from apps.accounts.clock import database_now
from apps.accounts.models import LOGIN_LIFE, Attempt

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

KEPT: Final = timedelta(hours=1)  # the longest period below
_STORE: Final = """
    WITH old AS (DELETE FROM accounts_attempt WHERE at <= %(old)s)
    INSERT INTO accounts_attempt (kind, by, at)
    SELECT %(kind)s, one, %(now)s FROM unnest(%(by)s::text[]) AS one RETURNING id
"""


@dataclass(frozen=True, slots=True)
class AttemptLimit:
    """How many attempts one of a kind of senders has in a period."""

    most: int
    period: timedelta


CODES: Final = AttemptLimit(5, LOGIN_LIFE)  # RFC 8628, 5.1: of 20^8 codes nobody finds one so
CLAIMS: Final = AttemptLimit(20, LOGIN_LIFE)  # a link is copied badly a few times at most
LOGINS: Final = AttemptLimit(30, KEPT)  # of a network, and of a key with history
STATEMENTS_OF_KEY: Final = AttemptLimit(60, KEPT)  # as many as a key may send runs
STATEMENTS_OF_NETWORK: Final = AttemptLimit(240, KEPT)


class TooManyAttemptsError(Exception):
    """A limit is reached; `retry_after_s` says when the next attempt is looked at."""

    def __init__(self, by: str, limit: AttemptLimit, *, retry_after_s: int) -> None:
        super().__init__(f"{by} had {limit.most} attempts")
        self.by = by
        self.retry_after_s = retry_after_s


def count_attempt(
    kind: str, limits: Mapping[str, AttemptLimit], *, now: datetime | None = None
) -> list[int]:
    """Store an attempt of each of these senders, and return its ids for `forget_attempt`.

    Call it outside of a transaction. Raises TooManyAttemptsError.
    """
    now = database_now() if now is None else now
    stored = _stored(kind, limits, now=now)
    since = now - max(limit.period for limit in limits.values())
    recent = Attempt.objects.filter(kind=kind, by__in=limits, at__gt=since)
    counted = dict(recent.values_list("by").annotate(n=Count("pk")))
    for by, limit in limits.items():
        if counted.get(by, 0) <= limit.most:
            continue
        times = Attempt.objects.filter(kind=kind, by=by, at__gt=now - limit.period)
        newest_first = times.order_by("-at", "-pk").values_list("at", flat=True)
        if last := newest_first[limit.most : limit.most + 1].first():
            forget_attempt(stored)  # one that is not looked at costs nothing
            wait = last + limit.period - now
            raise TooManyAttemptsError(
                by, limit, retry_after_s=max(1, math.ceil(wait.total_seconds()))
            )
    return stored


def _stored(kind: str, limits: Mapping[str, AttemptLimit], *, now: datetime) -> list[int]:
    """Store an attempt of each, and delete old ones: one statement, which commits by itself."""
    with connection.cursor() as cursor:
        cursor.execute(_STORE, {"kind": kind, "by": [*limits], "now": now, "old": now - KEPT})
        return [pk for (pk,) in cursor.fetchall()]


def forget_attempt(attempts: list[int]) -> None:
    """Forget an attempt that was right: only wrong ones count."""
    Attempt.objects.filter(pk__in=attempts).delete()
