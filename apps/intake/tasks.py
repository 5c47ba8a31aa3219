"""The doorbell: a Celery task that makes a worker look at the queue; a lost one loses nothing."""

from __future__ import annotations

import structlog
from celery import shared_task

from apps.intake.services.work import drain

log = structlog.get_logger(__name__)


@shared_task(name="intake.work", ignore_result=True)
def work() -> None:
    """Work on the upload that has waited longest. Each upload sends one such task."""
    drain(most=1)


def ring_doorbell() -> None:
    """Send one task, without waiting for a broker that is away: the sweeper finds the upload."""
    try:
        work.apply_async(retry=False)
    except Exception as error:  # noqa: BLE001 -- the upload is stored: no broker may break the response
        log.warning("doorbell not rung", error=f"{type(error).__name__}: {error}")
