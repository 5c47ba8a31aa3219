"""Rate limits of the upload API: what a key, an account and a network may send in an hour.

A key costs nothing, so that new ones share what their network may send; a key that sent a run a day
ago is none that a neighbour made for this, and has a part of its own.

Rows are counted without a lock, so simultaneous requests may exceed a limit by their number.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, Min, OuterRef

from apps.accounts.attempts import AttemptLimit, TooManyAttemptsError, count_attempt
from apps.accounts.models import Attempt
from apps.intake.models import Challenge, OutputReading
from apps.runs.models import Upload
from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.accounts.models import AgentKey
    from apps.intake.networks import NetworkHashes

RATE_LIMIT_PERIOD = timedelta(hours=1)
PER_KEY = 60  # a period: one machine measuring without a pause for an hour
PER_ACCOUNT = 600  # a period: ten such machines of one person or company
NEW_KEYS_PER_NETWORK = 240  # a period: four such machines behind one /24 or /64
# Beside those: a neighbour who makes keys takes nothing of theirs.
KNOWN_KEYS_PER_NETWORK = 600
# A hoster may give each customer a /64 of one /48: forty of them that measure without a pause.
NEW_KEYS_PER_SITE = 2400
HISTORY_AGE = timedelta(days=1)  # a key has history that sent a run before it
IMPORTS_PER_NETWORK = 60  # a period: a folder of outputs, given in one after the other
# A period: two for each of those imports, for preview and saving, and as many that fail. A reading
# takes up to a second of a processor, so a network gets 4 minutes of each hour.
READINGS_PER_NETWORK = 240


def check_challenge_limits(key: AgentKey, *, network: str, now: datetime) -> None:
    """Raise Refusal if no challenge is left for a key, its account or its part of a network."""
    _check_key(Challenge.objects.all(), key, dated_by="issued_at", now=now)
    with_history = Exists(runs_before(OuterRef("key_id"), now=now))
    is_known = has_history(key.pk, now=now)
    near = Challenge.objects.filter(with_history if is_known else ~with_history, network=network)
    whose, most = (
        ("network's keys with history", KNOWN_KEYS_PER_NETWORK)
        if is_known
        else ("network's new keys", NEW_KEYS_PER_NETWORK)
    )
    _check_share(near, whose=whose, most=most, dated_by="issued_at", now=now)


def check_upload_limits(key: AgentKey, *, now: datetime) -> None:
    """Raise Refusal if a key or its account sent what they may in the last period."""
    _check_key(Upload.objects.all(), key, dated_by="received_at", now=now)


def count_upload(*, networks: NetworkHashes, is_known: bool, now: datetime) -> list[int]:
    """Count an upload for its networks, and return what `forget_attempt` takes. Raises Refusal.

    `is_known`: its key has history.
    A stored run knows its /48 and not its /64, so each upload is an attempt of them.
    """
    if is_known:
        limits = {f"known:{networks.quota}": KNOWN_KEYS_PER_NETWORK}
    else:
        limits = {f"new:{networks.quota}": NEW_KEYS_PER_NETWORK}
        limits[f"site:{networks.uploader}"] = NEW_KEYS_PER_SITE
    try:
        return count_attempt(
            Attempt.Kind.UPLOAD,
            {by: AttemptLimit(most, RATE_LIMIT_PERIOD) for by, most in limits.items()},
            now=now,
        )
    except TooManyAttemptsError as error:
        most = limits[error.by]
        raise Refusal(
            problems.TOO_MANY_REQUESTS,
            f"This network had {most} uploads within an hour.",
            retry_after_s=error.retry_after_s,
        ) from error


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


def _check_key(things: QuerySet[Any], key: AgentKey, *, dated_by: str, now: datetime) -> None:
    mine = things.filter(key=key)
    _check_share(mine, whose="key", most=PER_KEY, dated_by=dated_by, now=now)
    if key.owner_id is not None:
        of_owner = things.filter(key__owner=key.owner_id)
        _check_share(of_owner, whose="account", most=PER_ACCOUNT, dated_by=dated_by, now=now)


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
