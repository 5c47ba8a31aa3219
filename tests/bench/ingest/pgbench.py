"""pgbench storing the rows of uploads: one transaction each, of copies of rows that are there."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import psycopg

from tests.bench.failure import BenchmarkError

SAMPLES: Final = 100  # uploads whose rows are copied
# What differs in a copy; all other columns are those of the sample.
UPLOAD: Final = {
    "run_id": "gen_random_uuid()",
    "short_code": "left(md5(random()::text), 8)",
    "challenge_id": "'p_' || gen_random_uuid()",
    "received_at": "now()",
}
CLAIM: Final = {
    "token_sha256": "md5(random()::text) || md5(random()::text)",
    "run_id": "gen_random_uuid()",
}
TABLES: Final = {"runs_upload": UPLOAD, "accounts_claimlink": CLAIM}
COLUMNS: Final = """SELECT attname FROM pg_attribute
    WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum"""
KEEP: Final = "INSERT INTO bench_{table} ({columns}) SELECT {columns} FROM {table} LIMIT 100"
ATTEMPTS: Final = """INSERT INTO accounts_attempt (kind, by, at)
    SELECT 'upload', one || gen_random_uuid(), now() FROM unnest(ARRAY['new:', 'site:']) AS one;"""
REDEEM: Final = """UPDATE intake_challenge SET redeemed_at = now()
    WHERE id = (SELECT id FROM bench_challenge WHERE place = 1 + :n % (SELECT max(place)
    FROM bench_challenge));"""


def prepare(database_url: str, script: Path) -> None:
    """Write the script, and keep samples of the rows that the door has stored."""
    statements = [r"\set n random(1, 1000000)", "BEGIN;", ATTEMPTS]
    with psycopg.connect(database_url, autocommit=True) as connection:
        connection.execute(
            "CREATE TABLE bench_challenge AS SELECT row_number() OVER () AS place, id"
            " FROM intake_challenge"
        )
        connection.execute("CREATE UNIQUE INDEX ON bench_challenge (place)")
        for table, changes in TABLES.items():
            connection.execute(f"CREATE TABLE bench_{table} (place bigserial, LIKE {table})")
            connection.execute(
                KEEP.format(table=table, columns=", ".join(_columns(connection, table)))
            )
            connection.execute(f"CREATE UNIQUE INDEX ON bench_{table} (place)")
            statements.append(_copy(connection, table, changes))
    script.write_text("\n".join([*statements, REDEEM, "COMMIT;"]) + "\n", encoding="utf-8")


def _columns(connection: psycopg.Connection, table: str) -> list[str]:
    return [name for (name,) in connection.execute(COLUMNS, [table])]


def _copy(connection: psycopg.Connection, table: str, changes: Mapping[str, str]) -> str:
    columns = _columns(connection, table)
    values = ", ".join(changes.get(each, each) for each in columns)
    sample = f"FROM bench_{table} WHERE place = 1 + :n % {SAMPLES}"
    return f"INSERT INTO {table} ({', '.join(columns)}) SELECT {values} {sample};"


def transactions_per_s(
    program: str, database_url: str, script: Path, *, clients: int, number: int
) -> float:
    """Return how many of these transactions it commits a second. Raises BenchmarkError."""
    done = subprocess.run(
        [
            program, "--no-vacuum", "--protocol=prepared", f"--client={clients}",
            f"--transactions={number // clients}", f"--file={script}", database_url,
        ],
        check=False, capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"},
    )  # fmt: skip
    found = re.search(r"^tps = ([0-9.]+)", done.stdout, re.MULTILINE)
    if done.returncode or found is None:
        raise BenchmarkError(f"pgbench failed:\n{done.stderr}")
    return float(found[1])
