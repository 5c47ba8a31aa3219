"""Registers the deploy checks and bounds how long a migration may wait for a lock."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.db import connections
from django.db.models.signals import post_migrate, pre_migrate

from apps.config.operation.reporting import report_errors

MIGRATION_LOCK_TIMEOUT = (
    "5s"  # a migration that waits longer makes every request behind it wait too
)


class ConfigConfig(AppConfig):
    name = "apps.config"
    label = "config"

    def ready(self) -> None:
        from apps.config.celery import app as celery_app  # noqa: PLC0415  they need the apps that are being loaded
        from apps.config.checks import check_database, check_deployment  # noqa: PLC0415  they need the apps that are being loaded

        if settings.SENTRY_DSN:
            report_errors(settings.SENTRY_DSN)
        celery_app.set_default()  # else the web publishes to Celery's default, a local AMQP broker

        checks.register(check_deployment, checks.Tags.security, deploy=True)
        checks.register(check_database, checks.Tags.database)
        pre_migrate.connect(bound_lock_waits, dispatch_uid="bound-lock-waits")
        post_migrate.connect(unbound_lock_waits, dispatch_uid="unbound-lock-waits")


def bound_lock_waits(*, using: str, **_: Any) -> None:
    """Give up on a lock that others hold: the migration fails whole and can be tried again."""
    with connections[using].cursor() as cursor:
        cursor.execute("SELECT set_config('lock_timeout', %s, false)", [MIGRATION_LOCK_TIMEOUT])


def unbound_lock_waits(*, using: str, **_: Any) -> None:
    with connections[using].cursor() as cursor:
        cursor.execute("RESET lock_timeout")
