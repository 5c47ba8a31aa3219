"""The doorbell: a Celery task that makes a worker look at the queue; a lost one loses nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass

import structlog
from celery import shared_task
from django.conf import settings

from apps.intake.services.work import drain

log = structlog.get_logger(__name__)


@shared_task(name="intake.work", ignore_result=True)
def work() -> None:
    """Work on the upload that has waited longest. Each upload sends one such task."""
    drain(most=1)


@dataclass
class Rest:
    """How long a broker that failed is left alone: each try holds a thread of the web server."""

    ends: float = 0.0

    def begin(self) -> None:
        """Leave it alone until the sweeper has looked by itself."""
        self.ends = time.monotonic() + settings.SWEEP_SECONDS


rest = Rest()


def ring_doorbell() -> None:
    """Send one task, without waiting for a broker that is away: the sweeper finds the upload."""
    if time.monotonic() < rest.ends:
        return
    try:
        work.apply_async(retry=False)
    except Exception as error:  # noqa: BLE001 -- the upload is stored: no broker may break the response
        rest.begin()
        log.warning("doorbell not rung", error=f"{type(error).__name__}: {error}")
