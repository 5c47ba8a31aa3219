"""The database of a worker of xdist, or of the only process there is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, TypeAlias
from unittest import mock

import pytest
from django.core.management.base import CommandError
from django.core.management.commands import flush
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test.utils import setup_databases, teardown_databases
from psycopg.errors import DeadlockDetected as Deadlock
from pytest_django import DjangoDbBlocker

from apps.embedded.process import wait_until
from tests.support.catalogue import SHARED, one_at_a_time

MIGRATED: Final = "migrated"  # in the folder of all workers: the name of the database to copy
CLOSED_SECONDS_MAX = 60  # milliseconds on a quiet machine
FLUSHES_MAX = 5

Replaced: TypeAlias = tuple[BaseDatabaseWrapper, str, bool]


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
    """pytest-django's, but for tests of a scene too, which ask for no `db`.

    Migrations run for the first process alone; the others copy the tables that they left.
    """
    shared = Path(os.environ[SHARED])
    note = shared / MIGRATED
    with django_db_blocker.unblock(), one_at_a_time(shared / "migrated.lock"):
        is_first = not note.exists()
        before = _migrated(note) if is_first else _copied(note.read_text(encoding="utf-8"))
    yield
    with django_db_blocker.unblock():
        # a process that has ended may have a session still, and a database in use is not dropped
        wait_until(_is_alone, what="other sessions are closed", seconds=CLOSED_SECONDS_MAX)
        teardown_databases(before, verbosity=0)
        if is_first:
            with one_at_a_time(shared / "migrated.lock"):
                _of_the_cluster("DROP DATABASE {}", note.read_text(encoding="utf-8"))
                note.unlink()


def _migrated(note: Path) -> list[Replaced]:
    """Make the database by migrations, and a copy of it for all further processes."""
    before = setup_databases(verbosity=0, interactive=False)
    name = str(connection.settings_dict["NAME"])
    connection.close()  # a database in use is not copied
    _of_the_cluster("CREATE DATABASE {} TEMPLATE {}", f"{name}_{MIGRATED}", name)
    note.write_text(f"{name}_{MIGRATED}", encoding="utf-8")
    return before


def _copied(name: str) -> list[Replaced]:
    """Make the database as a copy of another."""
    settings = {"TEMPLATE": name, "MIGRATE": False}
    with mock.patch.dict(connection.settings_dict["TEST"], settings):
        return setup_databases(verbosity=0, interactive=False)


def _of_the_cluster(statement: str, *names: str) -> None:
    """Execute what no session of the database itself can."""
    quoted = map(connection.ops.quote_name, names)
    with connection._nodb_cursor() as cursor:
        cursor.execute(statement.format(*quoted))


def _is_alone() -> bool:
    """Whether the database has no session but this one."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
            " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        found: tuple[int] = cursor.fetchone()
    return found == (0,)
