"""The Celery application. Its messages only wake a worker; the rows are the queue."""

from __future__ import annotations

from typing import Any

from celery import Celery
from celery.signals import heartbeat_sent

from apps.intake.services.heartbeat import beat

app = Celery("fsyncmark")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.autodiscover_tasks(["apps.rankings.dumps"])


@heartbeat_sent.connect
def beat_of_the_worker(**_: Any) -> None:
    """Its main loop turns, and the broker took its event: without either it hears no bell."""
    beat()
