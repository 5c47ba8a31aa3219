"""The daily dump as a task of a worker, which may run twice: the row of the dump takes the turn."""

from __future__ import annotations

import time
from typing import Final

import structlog
from celery import shared_task
from django.conf import settings

from apps.accounts.clock import database_now
from apps.rankings.dumps.store import DUMP_SECONDS_MAX, dump_if_due, is_due

ASK_SECONDS: Final = 300.0  # between two doorbells: a worker may be away, or at it
log = structlog.get_logger(__name__)
_asked_at: list[float] = []


@shared_task(
    name="rankings.dump",
    ignore_result=True,
    soft_time_limit=DUMP_SECONDS_MAX,
    time_limit=DUMP_SECONDS_MAX + 60,
)
def dump() -> None:
    """Write the dump of the day if it is due."""
    made = dump_if_due()
    if made is not None:
        log.info("dump written", name=made.name, files=len(made.files))


def ask_for_dump() -> None:
    """Ring for a worker if a dump is due: the sweeper has uploads to look for."""
    now = time.monotonic()
    if not settings.DUMPS or (_asked_at and now < _asked_at[-1] + ASK_SECONDS):
        return
    _asked_at[:] = [now]
    if not is_due(database_now()):
        return
    try:
        dump.apply_async(retry=False)
    except Exception as error:  # noqa: BLE001 -- a broker that is away holds up no upload
        log.warning("nobody asked for a dump", error=f"{type(error).__name__}: {error}")
