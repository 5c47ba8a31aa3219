"""Copies the runs of a database until there are as many as a benchmark wants.

A copy has ids, keys, machines, uploaders and networks of its own and lies further in the past, so
that half of all runs are of the last quarter of the time, as of a site that grows. Its figures are
those of its original: what they are costs no query anything, how many rows there are does. Of many
runs the older ones are bare, or they would not fit on a disk.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Final

from apps.runs.packed.packing import packed
from apps.wire.suites import HEADLINE_WORKLOAD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    import psycopg

TALLY: Final[str] = import_module("apps.runs.migrations.0071_what_lists_read").TALLY
MARK_MONTHS: Final[str] = import_module("apps.rankings.migrations.0074_months").MARK_ALL
YEARS: Final = 4  # that the copies are spread over
DAYS: Final = 365 * YEARS
CHUNK: Final = 5  # copies in one transaction: some ten seconds, so that progress is seen
WHOLE: Final = 300_000  # of the newest runs: older ones are bare, 3 KB instead of 30

_AGED: Final = "{column} - make_interval(secs => power(copy::float8 / {copies}, 2) * {seconds})"
_NEXT_ID: Final = "{column} + copy * {step}"
_ID_OF_RUN: Final = "md5({column}::text || copy)::uuid"
_OTHER: Final = "CASE {column} WHEN '' THEN '' ELSE left(md5({column} || copy), 32) END"
_KEY: Final = "md5({column} || copy) || md5(copy || {column})"
_SHORT: Final = "lpad(to_hex(number + copy * {step}), 8, '0')"
_NO_BYTES: Final = "''::bytea"
_NO_PASSES: Final = f"'\\x{packed([]).hex()}'::bytea"


@dataclass(frozen=True, slots=True)
class Table:
    """A table that grows with runs: which rows are originals, and what differs in a copy.

    `changes` are expressions of SQL by column, where `copy` is the number of the copy and `number`
    that of the original; `lean` those that leave out what no list and no standing reads. A bare run
    leaves out the texts of its page too, and has the rows that are `bare` alone.
    """

    name: str
    originals: str
    changes: Mapping[str, str]
    lean: Mapping[str, str] = field(default_factory=dict)
    bare: str = "true"
    bare_changes: Mapping[str, str] = field(default_factory=dict)

    @property
    def copied(self) -> str:
        """The name of the table that keeps the originals while they are copied."""
        return f"original_{self.name}"


_OF_HEADLINE: Final = f"workload = '{HEADLINE_WORKLOAD}'"
_OF_RUN: Final = "run_id IN (SELECT run_id FROM runs_upload WHERE is_example)"
TABLES: Final = (
    Table(
        "accounts_agentkey",
        "keyid IN (SELECT key_id FROM runs_upload WHERE is_example)",
        {
            "keyid": _KEY,
            "public_key": "sha256(convert_to(encode({column}, 'hex') || copy, 'UTF8'))",
            "first_seen": _AGED,
        },
    ),
    Table(
        "runs_upload",
        "is_example",
        {
            "run_id": _ID_OF_RUN, "key_id": _KEY, "received_at": _AGED, "next_attempt_at": _AGED,
            "challenge_id": "{column} || '-' || copy", "challenge_issued_at": _AGED,
            "network": _OTHER, "short_code": _SHORT,
            "is_example": "false",
        },
        {"packed_payload": _NO_BYTES},
    ),
    Table(
        "runs_run",
        "upload_id IN (SELECT run_id FROM runs_upload WHERE is_example)",
        {
            "id": _ID_OF_RUN, "slug": "md5({column} || copy)", "upload_id": _ID_OF_RUN,
            "measured_at": _AGED, "machine": _OTHER, "uploader": _OTHER,
            "figures_sha256": _OTHER, "is_example": "false",
        },
        bare_changes={"environment": "'{{}}'", "flush_reasons": "'[]'"},
    ),
    Table("runs_rundrive", _OF_RUN, {"id": _NEXT_ID, "run_id": _ID_OF_RUN}),
    Table("runs_label", _OF_RUN, {"id": _NEXT_ID, "run_id": _ID_OF_RUN}),
    Table(
        "runs_measurement",
        _OF_RUN,
        {"id": _NEXT_ID, "run_id": _ID_OF_RUN},
        {"passes": _NO_PASSES},
        bare=_OF_HEADLINE,
    ),
    Table(
        "runs_latency",
        f"measurement_id IN (SELECT id FROM runs_measurement WHERE {_OF_RUN})",
        {"id": _NEXT_ID, "measurement_id": _NEXT_ID},
        {"histogram": "NULL"},
        bare=f"measurement_id IN (SELECT id FROM original_runs_measurement WHERE {_OF_HEADLINE})",
    ),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Copying:
    """How many copies are made, the first of them whole, and how much further up their ids are."""

    copies: int
    whole: int
    step: int
    is_lean: bool

    def statement(self, table: Table, columns: Iterable[str], first: int, last: int) -> str:
        """Return the statement that makes some of the copies of a table."""
        is_bare = self.is_lean and first > self.whole
        changes = {
            **table.changes,
            **(table.lean if self.is_lean else {}),
            **(table.bare_changes if is_bare else {}),
        }
        seconds = DAYS * 86_400
        values = [
            changes.get(each, each).format(
                column=each, copies=self.copies, step=self.step, seconds=seconds
            )
            for each in columns
        ]
        return (
            f"INSERT INTO {table.name} ({', '.join(columns)}) SELECT {', '.join(values)} "
            f"FROM {table.copied}, generate_series({first}, {last}) AS copy "
            f"WHERE {table.bare if is_bare else 'true'}"
        )


def copy_runs(
    connection: psycopg.Connection, *, runs: int, is_lean: bool, tell: Callable[[str], None]
) -> None:
    """Copy the examples until there are `runs` more. Run it once on a database.

    The connection commits by itself. What slows copying down is dropped before, and made again at
    the end, but for keys between tables.
    """
    (originals,) = _one(connection, "SELECT count(*) FROM runs_upload WHERE is_example")
    highest = [_one(connection, f"SELECT max(id) FROM {each.name}")[0] for each in _numbered()]
    copying = Copying(
        copies=-(-runs // originals),
        whole=-(-WHOLE // originals),
        step=1 + max(highest),
        is_lean=is_lean,
    )
    connection.execute("SET maintenance_work_mem = '1GB'; SET synchronous_commit = off")
    for table in TABLES:
        connection.execute(
            f"CREATE TEMPORARY TABLE {table.copied} AS "
            f"SELECT *, row_number() OVER () AS number FROM {table.name} WHERE {table.originals}"
        )
    indexes = _dropped(connection)
    for first in range(1, copying.copies + 1, CHUNK):
        last = min(first + CHUNK - 1, copying.copies)
        with connection.transaction():
            for table in TABLES:
                columns = _columns(connection, table)
                connection.execute(copying.statement(table, columns, first, last))
        tell(f"{last * originals:,} of {copying.copies * originals:,} runs")
    for each in indexes:
        connection.execute(each)
    connection.execute(f"TRUNCATE runs_runtally; {TALLY}")
    connection.execute(MARK_MONTHS)
    for table in TABLES:
        connection.execute(f"ALTER TABLE {table.name} ENABLE TRIGGER USER")
        connection.execute(f"VACUUM ANALYZE {table.name}")
    for table in _numbered():
        connection.execute(
            f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
            f"(SELECT max(id) FROM {table.name}))"
        )


def _numbered() -> list[Table]:
    return [table for table in TABLES if table.changes.get("id") == _NEXT_ID]


def _columns(connection: psycopg.Connection, table: Table) -> list[str]:
    """Return the columns of a table that are not made of others."""
    rows = connection.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0"
        " AND NOT attisdropped AND attgenerated = '' ORDER BY attnum",
        [table.name],
    )
    return [name for (name,) in rows]


def _dropped(connection: psycopg.Connection) -> list[str]:
    """Drop what slows copying down; return the statements that make it anew."""
    names = [table.name for table in TABLES]
    keys = connection.execute(
        "SELECT conrelid::regclass::text, conname FROM pg_constraint "
        "WHERE contype = 'f' AND conrelid::regclass::text = ANY(%s)",
        [names],
    ).fetchall()  # not made again: what is copied keeps them
    for table, name in keys:
        connection.execute(f'ALTER TABLE {table} DROP CONSTRAINT "{name}"')
    for table in names:
        connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER USER")
    indexes = connection.execute(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index "
        "WHERE indrelid::regclass::text = ANY(%s) AND NOT indisunique",
        [names],
    ).fetchall()
    for name, _ in indexes:
        connection.execute(f"DROP INDEX {name}")
    return [definition for _, definition in indexes]


def _one(connection: psycopg.Connection, query: str) -> tuple[int, ...]:
    row = connection.execute(query).fetchone()
    assert row is not None
    return tuple(row)
