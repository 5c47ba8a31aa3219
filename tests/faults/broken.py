"""The design broken on purpose, by the variable BROKEN: what the faults must notice.

`application` is the web server's, `app` the Celery worker's, each with one promise less.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from dataclasses import replace
from typing import Any, Final

import django
from django.apps import apps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
if not apps.ready:
    django.setup()

from apps.config.celery import app
from apps.config.edge.server import application
from apps.intake.services import accept, work
from apps.runs.models import ChallengeUse, Upload, new_short_code

__all__ = ["app", "application"]

LATER_SECONDS: Final = 5.0  # between a reply that was too early and its COMMIT
store = accept._store
lease_next = work.lease_next


def store_later(*, opened: Any, run: Any, sender: Any) -> accept.AcceptedUpload:
    """Answer first and store then, as a queue in memory would."""

    def later() -> None:
        time.sleep(LATER_SECONDS)
        store(opened=opened, run=run, sender=sender)

    threading.Thread(target=later, daemon=True).start()
    return accept.AcceptedUpload(Upload(run_id=run.run_id, key=opened.key), is_new=True)


def store_again(stored: Upload, *, opened: Any) -> accept.AcceptedUpload:
    """Store what comes a second time a second time, under an id of its own."""
    twin = Upload.objects.get(pk=stored.pk)
    twin.run_id, twin.short_code, twin.challenge_id = uuid.uuid4(), new_short_code(), None
    twin.challenge_use, twin.key = ChallengeUse.NONE, opened.key
    twin.save(force_insert=True)
    return accept.AcceptedUpload(stored, is_new=False)


def store_changed(*, opened: Any, run: Any, sender: Any) -> accept.AcceptedUpload:
    """Keep the document and not its bytes."""
    changed = replace(opened, payload=opened.payload + b" ")
    return store(opened=changed, run=run, sender=sender)


def lease_as_done() -> work.Lease | None:
    """Take an upload off the queue before the work is done, as a broker that acknowledges early."""
    lease = lease_next()
    if lease is not None:
        Upload.objects.filter(pk=lease.run_id).update(state=Upload.State.DONE)
    return lease


PROMISES: Final[dict[str, tuple[Any, str, Any]]] = {
    "stored before the reply": (accept, "_store", store_later),
    "one run an id": (accept, "_same_bytes", store_again),
    "bytes as they came": (accept, "_store", store_changed),
    "done after the work": (work, "lease_next", lease_as_done),
}

setattr(*PROMISES[os.environ["BROKEN"]])
