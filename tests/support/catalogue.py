"""The shipped catalogue with its standings, for tests that read it: computed once a process."""

from __future__ import annotations

from typing import Final

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model

from apps.rankings.catalogue import load_catalogue
from apps.rankings.models import CatalogueLoad

# The rows of each table as PostgreSQL copies them out, from the first load of this process on.
_COPIES: Final[dict[str, bytes]] = {}


def store_catalogue() -> None:
    """Bring empty tables to what `load_catalogue` makes of them, by copying its rows back.

    The first call of a process loads; each further one takes a tenth of that. A test of loading,
    or one that has rows of its own before it, calls `load_catalogue`; this one refuses them.
    """
    if CatalogueLoad.objects.exists():
        return
    ours = _ours()
    filled = [model._meta.label for model in ours if model._default_manager.exists()]
    assert not filled, f"rows are there already: {filled}. Call load_catalogue in their place."
    if _COPIES:
        _copy_back()
    else:
        load_catalogue()
        _COPIES.update(_rows_of(ours))


def _ours() -> list[type[Model]]:
    return [model for model in apps.get_models() if model.__module__.startswith("apps.")]


def _rows_of(models: list[type[Model]]) -> dict[str, bytes]:
    found = {}
    with connection.cursor() as cursor:
        for table in (each._meta.db_table for each in models if each._default_manager.exists()):
            with cursor.copy(f'COPY "{table}" TO STDOUT (FORMAT binary)') as copy:
                found[table] = b"".join(bytes(block) for block in copy)
    return found


def _copy_back() -> None:
    with transaction.atomic(), connection.cursor() as cursor:  # keys are checked at its end
        for table, rows in _COPIES.items():
            with cursor.copy(f'COPY "{table}" FROM STDIN (FORMAT binary)') as copy:
                copy.write(rows)
        # Or the next row of a test gets a key that is taken: a truncated table counts from 1 again.
        for statement in connection.ops.sequence_reset_sql(no_style(), _ours()):
            cursor.execute(statement)
        # Or the planner takes the tables for empty, and a page for half a second of nested loops.
        tables = ", ".join(f'"{table}"' for table in _COPIES)
        cursor.execute(f"ANALYZE {tables}")
