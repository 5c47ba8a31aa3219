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
import msgspec
from django.apps import apps

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "apps.config.settings")
if not apps.ready:
    django.setup()

from apps.config.celery import app
from apps.config.edge.server import application
from apps.intake.services import accept, work
from apps.runs.models import Upload

__all__ = ["app", "application"]

LATER_SECONDS: Final = 5.0  # between a reply that was too early and its COMMIT
store = accept._store
lease_next = work.lease_next


def store_later(*, opened: Any, run: Any, networks: Any) -> accept.AcceptedUpload:
    """Answer first and store then, as a queue in memory would."""

    def later() -> None:
        time.sleep(LATER_SECONDS)
        store(opened=opened, run=run, networks=networks)

    threading.Thread(target=later, daemon=True).start()
    return accept.AcceptedUpload(Upload(run_id=run.run_id, key=opened.key), is_new=True)


def store_again(*, opened: Any, run: Any, networks: Any) -> accept.AcceptedUpload:
    """Store what comes a second time a second time."""
    found = store(opened=opened, run=run, networks=networks)
    if not found.is_new:
        other = msgspec.structs.replace(run, run_id=uuid.uuid4())
        store(opened=opened, run=other, networks=networks)
    return found


def store_changed(*, opened: Any, run: Any, networks: Any) -> accept.AcceptedUpload:
    """Keep the document and not its bytes."""
    changed = replace(opened, payload=opened.payload + b" ")
    return store(opened=changed, run=run, networks=networks)


def lease_as_done() -> work.Lease | None:
    """Take an upload off the queue before the work is done, as a broker that acknowledges early."""
    lease = lease_next()
    if lease is not None:
        Upload.objects.filter(pk=lease.run_id).update(state=Upload.State.DONE)
    return lease


PROMISES: Final[dict[str, tuple[Any, str, Any]]] = {
    "stored before the reply": (accept, "_store", store_later),
    "one run an id": (accept, "_store", store_again),
    "bytes as they came": (accept, "_store", store_changed),
    "done after the work": (work, "lease_next", lease_as_done),
}

setattr(*PROMISES[os.environ["BROKEN"]])
