"""Copies the runs of a database until there are as many as a benchmark wants.

A copy has ids, keys, machines, uploaders and networks of its own and lies further in the past, so
that half of all runs are of the last quarter of the time, as of a site that grows. Its figures are
those of its original: what they are costs no query anything, how many rows there are does.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import psycopg

YEARS: Final = 4  # that the copies are spread over
DAYS: Final = 365 * YEARS
CHUNK: Final = 5  # copies in one transaction: some ten seconds, so that progress is seen

_AGED: Final = "{column} - make_interval(secs => power(copy::float8 / {copies}, 2) * {seconds})"
_NEXT_ID: Final = "{column} + copy * {step}"
_ID_OF_RUN: Final = "md5({column}::text || copy)::uuid"
_OTHER: Final = "CASE {column} WHEN '' THEN '' ELSE left(md5({column} || copy), 32) END"
_KEY: Final = "md5({column} || copy) || md5(copy || {column})"
# eight characters of Base64: of a million none are the same
_SHORT: Final = (
    "translate(encode(substring(sha256(({column} || copy)::bytea), 1, 6), 'base64'), '+/', 'xy')"
)
_NO_BYTES: Final = "''::bytea"


@dataclass(frozen=True, slots=True)
class Table:
    """A table that grows with runs: which rows are originals, and what differs in a copy.

    `changes` are expressions of SQL by column, where `copy` is the number of the copy; `lean` those
    that leave out what no list and no standing reads.
    """

    name: str
    originals: str
    changes: Mapping[str, str]
    lean: Mapping[str, str] = field(default_factory=dict)


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
        {"envelope": _NO_BYTES, "payload": _NO_BYTES},
    ),
    Table(
        "runs_run",
        "upload_id IN (SELECT run_id FROM runs_upload WHERE is_example)",
        {
            "id": _ID_OF_RUN, "slug": "md5({column} || copy)", "upload_id": _ID_OF_RUN,
            "measured_at": _AGED, "machine": _OTHER, "uploader": _OTHER,
            "figures_sha256": _OTHER, "is_example": "false",
        },
    ),
    Table("runs_rundrive", _OF_RUN, {"id": _NEXT_ID, "run_id": _ID_OF_RUN}),
    Table("runs_label", _OF_RUN, {"id": _NEXT_ID, "run_id": _ID_OF_RUN}),
    Table("runs_measurement", _OF_RUN, {"id": _NEXT_ID, "run_id": _ID_OF_RUN}, {"passes": "'[]'"}),
    Table(
        "runs_latency",
        f"measurement_id IN (SELECT id FROM runs_measurement WHERE {_OF_RUN})",
        {"id": _NEXT_ID, "measurement_id": _NEXT_ID},
        {"curve": "'[]'", "buckets": "'{{}}'", "counts": "'{{}}'"},
    ),
)  # fmt: skip


def copy_runs(
    connection: psycopg.Connection, *, runs: int, is_lean: bool, tell: Callable[[str], None]
) -> None:
    """Copy the examples until there are `runs` more. Run it once on a database.

    The connection commits by itself. Constraints between tables and indexes that are not unique
    are made anew at the end.
    """
    (originals,) = _one(connection, "SELECT count(*) FROM runs_upload WHERE is_example")
    copies = -(-runs // originals)
    step = 1 + max(
        _one(connection, f"SELECT coalesce(max(id), 0) FROM {table.name}")[0]
        for table in TABLES
        if table.changes.get("id") == _NEXT_ID
    )
    connection.execute("SET maintenance_work_mem = '1GB'; SET synchronous_commit = off")
    indexes = _dropped(connection)
    for first in range(1, copies + 1, CHUNK):
        last = min(first + CHUNK - 1, copies)
        with connection.transaction():
            for table in TABLES:
                connection.execute(
                    _statement(
                        connection, table, first, last, copies=copies, step=step, is_lean=is_lean
                    )
                )
        tell(f"{last * originals:,} of {copies * originals:,} runs")
    for each in indexes:
        connection.execute(each)
        tell(each)
    for table in TABLES:
        connection.execute(f"VACUUM ANALYZE {table.name}")
        if table.changes.get("id") == _NEXT_ID:
            connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{table.name}', 'id'), "
                f"(SELECT max(id) FROM {table.name}))"
            )


def _statement(
    connection: psycopg.Connection,
    table: Table,
    first: int,
    last: int,
    *,
    copies: int,
    step: int,
    is_lean: bool,
) -> str:
    changes = {**table.changes, **(table.lean if is_lean else {})}
    columns = [
        row[0]
        for row in connection.execute(f"SELECT * FROM {table.name} LIMIT 0").description or ()
    ]
    values = [
        changes.get(column, column).format(
            column=column, copies=copies, step=step, seconds=DAYS * 86_400
        )
        for column in columns
    ]
    return (
        f"INSERT INTO {table.name} ({', '.join(columns)}) SELECT {', '.join(values)} "
        f"FROM {table.name}, generate_series({first}, {last}) AS copy WHERE {table.originals}"
    )


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
