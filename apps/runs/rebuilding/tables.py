"""The tables of runs a second time, in a schema of their own, and how they take their places."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction
from psycopg import sql

from apps.runs.lists.tallies import count_all
from apps.runs.models import Citation, Label, Latency, Measurement, Run, RunDrive, RunTally
from apps.runs.rebuilding.patience import give_up_soon, patiently, wait_as_usual

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

# All rows of these are made of stored bytes, and no other table refers to them.
MODELS: Final = (Run, RunDrive, Citation, Measurement, Latency, Label, RunTally)
TABLES: Final = tuple(model._meta.db_table for model in MODELS)
SHADOW: Final = "rebuild"  # the schema of the new tables, and of what a rebuild notes
OLD: Final = "rebuild_old"  # that of the old ones, until they are dropped

_LIKE: Final = (
    "INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING IDENTITY INCLUDING STORAGE "
    "INCLUDING COMPRESSION INCLUDING CONSTRAINTS"
)
_NOTES: Final = """
    CREATE TABLE rebuild.batch (
        number integer PRIMARY KEY, run_ids uuid[] NOT NULL, stage smallint NOT NULL DEFAULT 0
    );
    CREATE TABLE rebuild.failure (run_id uuid PRIMARY KEY, error text NOT NULL);
    CREATE TABLE rebuild.touched (run_id uuid NOT NULL);
    CREATE FUNCTION rebuild.note_touched() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO rebuild.touched SELECT id FROM changed; RETURN NULL; END $$
"""
_WATCHED: Final = {"INSERT": "NEW", "UPDATE": "NEW", "DELETE": "OLD"}
_KEYS: Final = """
    SELECT relname, conname, pg_get_constraintdef(pg_constraint.oid)
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s) AND contype = ANY(%s)
    ORDER BY relname, contype DESC, conname
"""
_INDEXES: Final = """
    SELECT pg_get_indexdef(indexrelid)
    FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s)
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid
            AND conrelid = indrelid)
    ORDER BY indexrelid
"""
_TRIGGERS: Final = """
    SELECT pg_get_triggerdef(pg_trigger.oid)
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s) AND NOT tgisinternal
        AND tgname NOT LIKE %s
    ORDER BY relname, tgname
"""
_GRANTS: Final = """
    SELECT relname, privilege_type, coalesce(rolname, 'public')
    FROM pg_class CROSS JOIN aclexplode(relacl) LEFT JOIN pg_roles ON pg_roles.oid = grantee
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s) AND grantee <> relowner
"""
_UNPROVEN: Final = """
    SELECT relname, conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE relnamespace = 'public'::regnamespace AND relname = ANY(%s) AND NOT convalidated
"""
_OLD_REFERENCES: Final = """
    SELECT relname, conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
    WHERE relnamespace = to_regnamespace(%s) AND contype = 'f'
"""
_KEY_KINDS: Final = ["p", "u"]
_REFERENCES: Final = ["f"]


def is_begun() -> bool:
    """Whether the tables of a rebuild are there."""
    return bool(ask("SELECT to_regnamespace(%s) IS NOT NULL", [SHADOW])[0][0])


def stamp() -> str:
    """Return what the tables of the rebuild were begun for."""
    return str(ask("SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", [SHADOW])[0][0])


def stamp_of(version: str) -> str:
    """Return what tables are begun for: a normaliser, and the columns of a migration."""
    (newest,) = ask("SELECT max(name) FROM django_migrations WHERE app = %s", ["runs"])[0]
    return f"{version} {newest}"


@transaction.atomic
def make_shadow(made_for: str) -> None:
    """Make empty tables without keys and indexes, and have changes of runs noted from now on."""
    run(f"CREATE SCHEMA {SHADOW}")
    run(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(sql.Identifier(SHADOW), made_for))
    for table in TABLES:
        run(f"CREATE TABLE {SHADOW}.{table} (LIKE public.{table} {_LIKE})")
    run(_NOTES)
    for verb, rows in _WATCHED.items():
        run(
            f"CREATE TRIGGER {SHADOW}_{verb.lower()} AFTER {verb} ON public.{Run._meta.db_table} "
            f"REFERENCING {rows} TABLE AS changed "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {SHADOW}.note_touched()"
        )


def drop_shadow() -> None:
    """Drop what a rebuild has made and noted, and no longer note anything."""
    run(f"DROP SCHEMA IF EXISTS {SHADOW} CASCADE")


@contextmanager
def in_shadow() -> Iterator[None]:
    """Read and write the new tables in this block, in one transaction; all else is as it is."""
    with transaction.atomic():
        run(f"SET LOCAL search_path TO {SHADOW}, public")
        yield
        run("SET LOCAL search_path TO DEFAULT")


def complete() -> None:
    """Give the new tables the keys, indexes and triggers of the old ones, unless they have them."""
    with in_shadow():
        if ask("SELECT to_regclass(%s) IS NOT NULL", [f"{SHADOW}.run_newest"])[0][0]:
            return
        for table, name, definition in ask(_KEYS, [list(TABLES), _KEY_KINDS]):
            run(f'ALTER TABLE {SHADOW}.{table} ADD CONSTRAINT "{name}" {definition}')
        for (definition,) in ask(_INDEXES, [list(TABLES)]) + ask(
            _TRIGGERS, [list(TABLES), f"{SHADOW}\\_%"]
        ):
            run(definition.replace(" ON public.", f" ON {SHADOW}.", 1))
        count_all()
    for table in TABLES:
        run(f"ANALYZE {SHADOW}.{table}")


def lock_all() -> None:
    """Let nobody else read or write the old tables until the transaction ends.

    Raises OperationalError where somebody holds one of them.
    """
    give_up_soon()
    old = ", ".join(f"public.{table}" for table in TABLES)
    run(f"LOCK TABLE {old} IN ACCESS EXCLUSIVE MODE")


def swap() -> None:
    """Put the new tables in the place of the old ones, in the transaction of the caller.

    Keys to other tables hold from now on, and `prove_references` looks at the rows that are there.
    """
    references = ask(_KEYS, [list(TABLES), _REFERENCES])
    grants = ask(_GRANTS, [list(TABLES)])
    # no table changes its place while a check is due
    run("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")
    run(f"CREATE SCHEMA {OLD}")
    for table in TABLES:
        run(f"ALTER TABLE public.{table} SET SCHEMA {OLD}")
        run(f"ALTER TABLE {SHADOW}.{table} SET SCHEMA public")
    for table, name, definition in references:
        run(f'ALTER TABLE public.{table} ADD CONSTRAINT "{name}" {definition} NOT VALID')
    for table, privilege, role in grants:
        named = sql.SQL("PUBLIC") if role == "public" else sql.Identifier(role)
        run(sql.SQL("GRANT {} ON public.{} TO {}").format(
            sql.SQL(privilege), sql.Identifier(table), named
        ))  # fmt: skip
    drop_shadow()
    wait_as_usual()


def prove_references() -> None:
    """Look whether the rows refer to rows that are there, and drop the old tables."""
    for table, name in ask(_UNPROVEN, [list(TABLES)]):
        run(f'ALTER TABLE public.{table} VALIDATE CONSTRAINT "{name}"')
    for table, name in ask(_OLD_REFERENCES, [OLD]):
        patiently(partial(_drop_reference, table, name))
    run(f"DROP SCHEMA IF EXISTS {OLD} CASCADE")


def _drop_reference(table: str, name: str) -> None:
    """Drop a key of an old table, for which the table that it refers to is locked a moment."""
    give_up_soon()
    run(f'ALTER TABLE {OLD}.{table} DROP CONSTRAINT "{name}"')
    wait_as_usual()


def ask(question: str, values: list[Any] | dict[str, Any]) -> list[tuple[Any, ...]]:
    """Return the rows of a query."""
    with connection.cursor() as cursor:
        cursor.execute(question, values)
        return list(cursor.fetchall())


def run(statement: str | sql.Composed, values: list[Any] | None = None) -> None:
    """Run a statement whose rows nobody needs; without values, % stands for itself."""
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
