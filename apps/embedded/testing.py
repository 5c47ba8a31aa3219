"""The pytest plugin that starts one PostgreSQL and one Valkey before any setting is read.

xdist's workers inherit the addresses through the environment and start nothing; each has a
database (pytest-django makes it) and a queue of its own.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import Final

import pytest

from apps.embedded.servers import servers_for_tests

ROOT: Final = Path(__file__).resolve().parents[2]
STATE: Final = Path(os.environ.get("FSYNCMARK_VAR", ROOT / "var"))
_running = contextlib.ExitStack()


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Runs before pytest-django reads the settings, which need the addresses."""
    os.environ.setdefault("SECRET_KEY", secrets.token_urlsafe(48))
    os.environ.setdefault("SITE_URL", "http://testserver")
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    os.environ["CELERY_QUEUE"] = f"tests-{worker or 'alone'}-{os.getpid()}"
    # Playwright's synchronous interface runs a loop in the test's own thread
    os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    if worker or _running_already():
        return
    addresses = _running.enter_context(servers_for_tests(STATE, environment=os.environ))
    os.environ["DATABASE_URL"] = addresses.database_url
    os.environ["REDIS_URL"] = addresses.redis_url


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    _running.close()


def _running_already() -> bool:
    return bool(os.environ.get("DATABASE_URL")) and bool(os.environ.get("REDIS_URL"))
