"""The shipped catalogue with its standings, for tests that read it: loaded once for all workers."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model

from apps.interest.models import DailyInterest
from apps.rankings.catalogue import load_catalogue
from apps.rankings.models import CatalogueLoad, DataChange, PublicChange, StandingsDay
from apps.runs.published.services import read_published

SHARED: Final = "FSYNCMARK_TESTS_SHARED"  # names the folder that all workers of xdist know
ROWS: Final = "rows"  # one file a table, as PostgreSQL copies it out
FEW: Final = 3


def pytest_configure(config: pytest.Config) -> None:
    """The first process makes the folder; the others inherit its name."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="fsyncmark-tests-")
        config.add_cleanup(folder.cleanup)
        os.environ[SHARED] = folder.name


def store_catalogue() -> None:
    """Bring empty tables to what `load_catalogue` makes of them, by copying its rows back.

    The first call of all workers loads; each further one takes a tenth of that. A test of loading,
    or one that has rows of its own before it, calls `load_catalogue`; this one refuses them.
    """
    if CatalogueLoad.objects.exists():
        return
    ours = our_models()
    filled = [model._meta.label for model in ours if model._default_manager.exists()]
    assert not filled, f"rows are there already: {filled}. Call load_catalogue in their place."
    rows = Path(os.environ[SHARED]) / f"{ROWS}-{len(read_published())}"
    with one_at_a_time(rows.with_suffix(".lock")):
        if not rows.exists():
            load_catalogue()
            _write_rows(ours, rows)
            return
    _copy_back(rows)


@pytest.fixture
def few_published(monkeypatch: pytest.MonkeyPatch) -> None:
    """The catalogue and a rebuild have few of the published runs: all take seconds each time."""
    few = read_published()[:FEW]
    for module in ("apps.rankings.catalogue", "apps.runs.rebuilding.places", __name__):
        monkeypatch.setattr(f"{module}.read_published", lambda: few)


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Keep other workers waiting at the same file until the block ends."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def our_models() -> list[type[Model]]:
    """Return the models of our tables, without those that a sweeper or a mere reader writes."""
    ours = (model for model in apps.get_models() if model.__module__.startswith("apps."))
    written = (DataChange, PublicChange, StandingsDay, DailyInterest)
    return [model for model in ours if model not in written]


def _write_rows(models: list[type[Model]], rows: Path) -> None:
    partial = rows.with_suffix(".partial")
    partial.mkdir()
    with connection.cursor() as cursor:
        for table in (each._meta.db_table for each in models if each._default_manager.exists()):
            with cursor.copy(f'COPY "{table}" TO STDOUT (FORMAT binary)') as copy:
                (partial / table).write_bytes(b"".join(bytes(block) for block in copy))
    partial.rename(rows)


def _set_triggers(copies: list[Path], verb: str) -> None:
    with connection.cursor() as cursor:
        for each in copies:
            cursor.execute(f'ALTER TABLE "{each.name}" {verb} TRIGGER USER')


def _copy_back(rows: Path) -> None:
    copies = sorted(rows.iterdir())
    with transaction.atomic(), connection.cursor() as cursor:
        _set_triggers(copies, "DISABLE")  # what they would add is among the copies
        for each in copies:
            with cursor.copy(f'COPY "{each.name}" FROM STDIN (FORMAT binary)') as copy:
                copy.write(each.read_bytes())
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
        _set_triggers(copies, "ENABLE")
        # Or the next row of a test gets a key that is taken: a truncated table counts from 1 again.
        for statement in connection.ops.sequence_reset_sql(no_style(), our_models()):
            cursor.execute(statement)
        # Or the planner takes the tables for empty, and a page for half a second of nested loops.
        tables = ", ".join(f'"{each.name}"' for each in copies)
        cursor.execute(f"ANALYZE {tables}")
