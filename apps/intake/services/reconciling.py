"""Looks at results again, a batch at a time, between which the sweeper does its other work.

Once a day it compares stored bytes with results: each upload that is done has its run, and its own
SHA-256. A round that ends with its process is not taken up again: the next day looks at all of
them.

New runs get a second look when all that came before them are there. A worker judges a run by those
that have rows by then; one that came earlier may wait for its next attempt, or be worked on at the
same time, and whoever sent a copy together with its original would be judged as if there were none.
"""

from __future__ import annotations

import hashlib
import time
import zlib
from datetime import timedelta
from typing import TYPE_CHECKING, Final
from uuid import UUID

import structlog
from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Exists, Min, OuterRef, Q
from psycopg.errors import QueryCanceled

from apps.accounts.clock import database_now
from apps.intake.services.work import PROCESS_SECONDS_MAX, WAITING, at_most
from apps.runs.models import LISTED, Run, Upload
from apps.runs.rules.hindsight import judged_too_early
from apps.runs.stale_runs import requeue

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet

BATCH: Final = 1000  # uploads, some 5 MB of bytes of quick runs: a fifth of a second
CHUNK: Final = 50  # held at once: a payload may have 4 MB
SEEN_AT_ONCE: Final = 10  # runs of the second look: each is compared with 20, of 1 MB at most
LOOK_S: Final = 2.0  # of each round of the sweeper
# A request has its time before it is stored: after so long it is there, or was never answered.
STORED_WITHIN: Final = timedelta(minutes=1)
# Where nobody has looked yet: how long the sweeper may have been away.
FIRST_LOOK: Final = timedelta(days=1)
DAMAGED: Final = "The stored payload has another SHA-256 than when it came: see Backups."

_HAS_RUN: Final = Exists(Run.objects.filter(upload_id=OuterRef("pk")))

log = structlog.get_logger(__name__)


def reconcile() -> Iterator[None]:
    """Look at every upload that is done, a batch for each step.

    One without a run goes back into the queue. One whose bytes are not those that came becomes
    poison, which staff see: no other attempt would help. Of a rebuild only its end is seen.
    """
    done = Upload.objects.filter(state=Upload.State.DONE).order_by("pk")
    batch = list(done.values_list("pk", flat=True)[:BATCH])
    while batch:
        _reconcile(batch)
        yield
        batch = list(done.filter(pk__gt=batch[-1]).values_list("pk", flat=True)[:BATCH])


def _reconcile(batch: list[UUID]) -> None:
    done = Upload.objects.filter(state=Upload.State.DONE, pk__range=(batch[0], batch[-1]))
    for run_id in _damaged(done):
        if done.filter(pk=run_id).update(state=Upload.State.POISON, last_error=DAMAGED):
            log.error("stored payload is damaged", run_id=str(run_id))
    for run_id in list(done.exclude(_HAS_RUN).values_list("pk", flat=True)):
        back = {"state": Upload.State.RETRY, "attempts": 0, "next_attempt_at": database_now()}
        if done.filter(~_HAS_RUN, pk=run_id).update(**back):
            log.error("upload had no run, and waits again", run_id=str(run_id))


def _damaged(uploads: QuerySet[Upload]) -> list[UUID]:
    """Return which of these uploads have other bytes than when they came."""
    rows = uploads.only("packed_payload", "payload_sha256").iterator(chunk_size=CHUNK)
    return [each.pk for each in rows if not _is_whole(each)]


def _is_whole(upload: Upload) -> bool:
    try:
        digest = hashlib.sha256(upload.payload).digest()
    except zlib.error:
        return False
    return digest == bytes(upload.payload_sha256)


class SecondLook:
    """Where the second look is, in the order in which runs came in."""

    def __init__(self) -> None:
        self._seen: tuple[datetime, UUID] | None = None

    def step(self) -> int:
        """Look at the next runs for a while; those judged too early are worked on again.

        Returns how many were looked at. Runs that cannot be compared are left as they are. A run
        that comes after all, when staff let its upload out of poison, changes nothing about the
        later ones until a rebuild. Raises only if the database is not available.
        """
        ends, looked_at = time.monotonic() + LOOK_S, 0
        while time.monotonic() < ends and (seen := self._next()):
            try:
                with at_most(PROCESS_SECONDS_MAX):
                    _look_at([pk for _, pk in seen])
            except Exception as error:
                if _is_away(error):
                    raise
                log.exception("runs not compared", run_ids=[str(pk) for _, pk in seen])
            self._seen = seen[-1]
            looked_at += len(seen)
        return looked_at

    def _next(self) -> list[tuple[datetime, UUID]]:
        begin, after = self._seen or (database_now() - FIRST_LOOK, UUID(int=0))
        runs = Run.objects.filter(
            LISTED,
            Q(listed_at=begin, pk__gt=after) | Q(listed_at__gt=begin),
            listed_at__gte=begin,
            listed_at__lt=_settled_until(begin),
            upload__isnull=False,
        ).order_by("listed_at", "pk")
        return list(runs.values_list("listed_at", "pk")[:SEEN_AT_ONCE])


def _is_away(error: Exception) -> bool:
    """Whether the database is not available; a comparison that took too long says nothing of it."""
    is_of_database = isinstance(error, OperationalError | InterfaceError)
    return is_of_database and not isinstance(error.__cause__, QueryCanceled)


def _settled_until(begin: datetime) -> datetime:
    """Return the moment before which every upload since `begin` that counts has its run."""
    waiting = Upload.objects.filter(~_HAS_RUN, state__in=WAITING, received_at__gte=begin)
    oldest: datetime | None = waiting.aggregate(oldest=Min("received_at"))["oldest"]
    stored: datetime = database_now() - STORED_WITHIN
    return min(stored, oldest or stored)


@transaction.atomic
def _look_at(run_ids: list[UUID]) -> None:
    early = judged_too_early(run_ids)
    if early and requeue(Upload.objects.filter(pk__in=early, state=Upload.State.DONE)):
        log.info("judged too early, waiting again", run_ids=[str(each) for each in early])
