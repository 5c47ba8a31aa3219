"""The tables of runs a second time, in a schema of their own, and how they take their places."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction
from django.db.models import BigAutoField
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

NUMBERS_APART: Final = 1_000_000_000  # rows that may be added while a rebuild works
# Vacuum gives way to who wants a table after a second, and the swap waits a tenth of one.
_NO_VACUUM: Final = "WITH (autovacuum_enabled = false)"
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
_CONTINUE: Final = """
    SELECT setval(pg_get_serial_sequence(%s, 'id'), nextval(pg_get_serial_sequence(%s, 'id')) + %s)
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
_REFERRED: Final = """
    SELECT DISTINCT to_class.oid::regclass::text
    FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
        JOIN pg_class to_class ON to_class.oid = confrelid
    WHERE pg_class.relnamespace = 'public'::regnamespace AND pg_class.relname = ANY(%s)
        AND contype = 'f' AND to_class.relname <> ALL(%s)
"""
_KEY_KINDS: Final = ["p", "u"]
_REFERENCES: Final = ["f"]


def is_begun() -> bool:
    """Whether the tables of a rebuild are there."""
    return bool(ask("SELECT to_regnamespace(%s) IS NOT NULL", [SHADOW])[0][0])


def is_swapped() -> bool:
    """Whether new tables took their places and the old ones are still there."""
    return bool(ask("SELECT to_regnamespace(%s) IS NOT NULL", [OLD])[0][0])


def stamp() -> str:
    """Return what the tables of the rebuild were begun for; "None" if they are not complete."""
    return str(ask("SELECT obj_description(to_regnamespace(%s), 'pg_namespace')", [SHADOW])[0][0])


def stamp_of(version: str) -> str:
    """Return what tables are begun for: a normaliser, and the columns of a migration."""
    (newest,) = ask("SELECT max(name) FROM django_migrations WHERE app = %s", ["runs"])[0]
    return f"{version} {newest}"


def set_stamp(made_for: str) -> None:
    """Say what the tables were begun for, once there is a list of what is to be done."""
    run(sql.SQL("COMMENT ON SCHEMA {} IS {}").format(sql.Identifier(SHADOW), made_for))


@transaction.atomic
def make_shadow() -> None:
    """Make empty tables without keys and indexes, and have changes of runs noted from now on.

    Numbers of rows go on far above those in use, so that whoever has an old one finds nothing.
    """
    run(f"CREATE SCHEMA {SHADOW}")
    for table in TABLES:
        run(f"CREATE TABLE {SHADOW}.{table} (LIKE public.{table} {_LIKE}) {_NO_VACUUM}")
    for model in MODELS:
        if isinstance(model._meta.pk, BigAutoField):
            old, new = (f"{schema}.{model._meta.db_table}" for schema in ("public", SHADOW))
            ask(_CONTINUE, [new, old, NUMBERS_APART])
    run(_NOTES)
    for verb, rows in _WATCHED.items():
        run(
            f"CREATE TRIGGER {SHADOW}_{verb.lower()} AFTER {verb} ON public.{Run._meta.db_table} "
            f"REFERENCING {rows} TABLE AS changed "
            f"FOR EACH STATEMENT EXECUTE FUNCTION {SHADOW}.note_touched()"
        )


def abandon() -> None:
    """Drop what a rebuild has made and noted, and no longer note anything.

    Raises OperationalError where somebody reads runs all the time.
    """

    def drop() -> None:
        give_up_soon()
        _drop_shadow()
        wait_as_usual()

    patiently(drop)
    let_vacuum_in()


def _drop_shadow() -> None:
    run(f"DROP SCHEMA IF EXISTS {SHADOW} CASCADE")


def _check_now() -> None:
    """Do the checks that are due at the end of a transaction: no table is altered before."""
    run("SET CONSTRAINTS ALL IMMEDIATE; SET CONSTRAINTS ALL DEFERRED")


def keep_vacuum_out() -> None:
    """End vacuum of the old tables, and let none begin."""
    _check_now()
    for table in TABLES:
        run(f"ALTER TABLE public.{table} SET (autovacuum_enabled = false)")


def let_vacuum_in() -> None:
    """Let vacuum begin when it wants to."""
    _check_now()
    for table in TABLES:
        run(f"ALTER TABLE public.{table} RESET (autovacuum_enabled)")


@contextmanager
def in_shadow() -> Iterator[None]:
    """Read and write the new tables in this block, in one transaction; all else is as it is.

    A batch may be computed for minutes between two statements. Raises LookupError if there are no
    new tables: the old ones would be taken for them.
    """
    with transaction.atomic():
        if not is_begun():
            raise LookupError("the tables of the rebuild are gone: another one ended meanwhile")
        run(f"SET LOCAL search_path TO {SHADOW}, public")
        run("SET LOCAL idle_in_transaction_session_timeout TO 0")
        yield
        run("SET LOCAL search_path TO DEFAULT")
        run("SET LOCAL idle_in_transaction_session_timeout TO DEFAULT")


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

    Nor write those to which they refer. Raises OperationalError where somebody holds one of them.
    """
    give_up_soon()
    old = ", ".join(f"public.{table}" for table in TABLES)
    run(f"LOCK TABLE {old} IN ACCESS EXCLUSIVE MODE")
    referred = ", ".join(name for (name,) in ask(_REFERRED, [list(TABLES), list(TABLES)]))
    run(f"LOCK TABLE {referred} IN SHARE ROW EXCLUSIVE MODE")


def swap() -> None:
    """Put the new tables in the place of the old ones, in the transaction of the caller.

    Keys to other tables hold from now on, and `prove_references` looks at the rows that are there.
    """
    references = ask(_KEYS, [list(TABLES), _REFERENCES])
    grants = ask(_GRANTS, [list(TABLES)])
    _check_now()
    run(f"CREATE SCHEMA {OLD}")
    for table in TABLES:
        run(f"ALTER TABLE public.{table} SET SCHEMA {OLD}")
        run(f"ALTER TABLE {SHADOW}.{table} SET SCHEMA public")
    # as long as there are rows, their keys hold too
    run(f"TRUNCATE {', '.join(f'{OLD}.{table}' for table in TABLES)}")
    for table, name, definition in references:
        run(f'ALTER TABLE public.{table} ADD CONSTRAINT "{name}" {definition} NOT VALID')
    for table, privilege, role in grants:
        named = sql.SQL("PUBLIC") if role == "public" else sql.Identifier(role)
        run(sql.SQL("GRANT {} ON public.{} TO {}").format(
            sql.SQL(privilege), sql.Identifier(table), named
        ))  # fmt: skip
    _drop_shadow()
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
