"""Compares stored bytes with results: each upload that is done has its run, and its own SHA-256.

One round a day, a batch at a time, between which the sweeper does its other work. A round that
ends with its process is not taken up again: the next day looks at all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import structlog
from django.db.models import BinaryField, Exists, F, Func, OuterRef, Q

from apps.accounts.clock import database_now
from apps.runs.models import Run, Upload

if TYPE_CHECKING:
    from collections.abc import Iterator
    from uuid import UUID

BATCH: Final = 1000  # uploads, some 50 MB of bytes: a fraction of a second of the database
DAMAGED: Final = "The stored payload has another SHA-256 than when it came: see Backups."

_HAS_RUN: Final = Exists(Run.objects.filter(upload_id=OuterRef("pk")))
_IS_WHOLE: Final = Q(
    payload_sha256=Func(F("payload"), function="sha256", output_field=BinaryField())
)

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
    for run_id in list(done.exclude(_IS_WHOLE).values_list("pk", flat=True)):
        if done.filter(pk=run_id).update(state=Upload.State.POISON, last_error=DAMAGED):
            log.error("stored payload is damaged", run_id=str(run_id))
    for run_id in list(done.exclude(_HAS_RUN).values_list("pk", flat=True)):
        back = {"state": Upload.State.RETRY, "attempts": 0, "next_attempt_at": database_now()}
        if done.filter(~_HAS_RUN, pk=run_id).update(**back):
            log.error("upload had no run, and waits again", run_id=str(run_id))
