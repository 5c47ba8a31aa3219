"""Compares stored bytes with results: each upload that is done has its run, and its own SHA-256.

One round a day, a batch at a time, between which the sweeper does its other work. A round that
ends with its process is not taken up again: the next day looks at all of them.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING, Final

import structlog
from django.db.models import Exists, OuterRef

from apps.accounts.clock import database_now
from apps.runs.models import Run, Upload

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

    from django.db.models import QuerySet

BATCH: Final = 1000  # uploads, some 5 MB of bytes of quick runs: a fifth of a second
CHUNK: Final = 50  # held at once: a payload may have 4 MB
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
