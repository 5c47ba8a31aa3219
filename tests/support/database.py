"""The database of a worker of xdist, or of the only process there is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest import mock

import pytest
from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.db import connection
from django.test.utils import setup_databases, teardown_databases
from psycopg.errors import DeadlockDetected as Deadlock
from pytest_django import DjangoDbBlocker

from apps.embedded.process import wait_until

CLOSED_SECONDS_MAX = 60  # milliseconds on a quiet machine
FLUSHES_MAX = 5


@pytest.fixture(scope="session", autouse=True)
def patient_flush() -> Iterator[None]:
    """Empty tables again where a process of the live site was just reading two of them.

    Each waits for what the other holds, and PostgreSQL ends the one or the other.
    """
    handle = flush.Command.handle

    def handle_until_done(command: flush.Command, **options: Any) -> None:
        for left in reversed(range(FLUSHES_MAX)):
            try:
                handle(command, **options)
            except CommandError as error:
                is_deadlock = isinstance(error.__cause__ and error.__cause__.__cause__, Deadlock)
                if not (is_deadlock and left):
                    raise
            else:
                return

    with mock.patch.object(flush.Command, "handle", handle_until_done):
        yield


@pytest.fixture(scope="session")
def django_db_setup(
    django_test_environment: None,
    django_db_modify_db_settings: None,
    django_db_blocker: DjangoDbBlocker,
) -> Iterator[None]:
    """pytest-django's, but for tests of a scene too, which ask for no `db`."""
    with django_db_blocker.unblock():
        before = setup_databases(verbosity=0, interactive=False)
    yield
    with django_db_blocker.unblock():
        # a process that has ended may have a session still, and a database in use is not dropped
        wait_until(_is_alone, what="other sessions are closed", seconds=CLOSED_SECONDS_MAX)
        teardown_databases(before, verbosity=0)


def _is_alone() -> bool:
    """Whether the database has no session but this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        found: tuple[int] = cursor.fetchone()
    return found == (0,)
