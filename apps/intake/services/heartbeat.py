"""A file that is touched as long as a process goes round; apps.config.alive looks at its age."""

from __future__ import annotations

from django.conf import settings


def beat() -> None:
    """Say that this process goes round, where somebody looks."""
    if settings.HEARTBEAT_FILE is not None:
        settings.HEARTBEAT_FILE.touch()
