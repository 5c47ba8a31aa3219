"""Backs the database up into a folder, and makes it again from there.

The dump and the figures to check it by (rows and a digest of each table) are of one snapshot. A
folder is complete or it is not there; a database is restored whole or stays empty.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from django.db import connection, transaction
from django.utils.crypto import salted_hmac
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from apps.accounts.clock import database_now
from apps.embedded.binaries import POSTGRES_WHEEL, SYSTEM_POSTGRES, wheel_directory
from apps.stored_files import sha256_of, sync

DUMP: Final = "fsyncmark.dump"
MANIFEST: Final = "backup.json"
LOCK_SECONDS: Final = 60  # that a migration may hold a table before the backup gives up
FORMAT: Final = 1  # of the manifest
ADDRESS_WORDS: Final = (
    "host", "hostaddr", "port", "dbname", "user", "sslmode", "sslrootcert", "sslcert", "sslkey",
)  # fmt: skip
# Of each row the first 60 bits of its SHA-256, added up: the same in whatever order rows lie.
_FACTS: Final = """
    SELECT count(*), coalesce(sum(
        ('x' || left(encode(sha256(convert_to(row_::text, 'UTF8')), 'hex'), 15))::bit(60)::bigint
    ), 0)::text FROM {} AS row_
"""
_TABLES: Final = "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY tablename"


class BackupError(Exception):
    """Nothing was written, or what was restored is not what was backed up; says what to do."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What a table must hold again."""

    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What stands beside a dump."""

    taken_at: str
    dump_sha256: str
    dump_bytes: int
    key: str  # a keyed hash, by which another SECRET_KEY is seen
    tables: dict[str, Facts]
    format: int = FORMAT


def back_up(folder: Path) -> Manifest:
    """Write a backup into `folder`, which must not be there yet. Raises BackupError."""
    if folder.exists():
        raise BackupError(f"{folder} is there already: name another folder.")
    partial = folder.with_name(f"{folder.name}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(mode=0o700, parents=True)  # it holds addresses and hashes of passwords
    try:
        manifest = _write(partial)
    except BaseException:
        shutil.rmtree(partial)
        raise
    partial.rename(folder)
    sync(folder.parent)
    return manifest


def restore(folder: Path) -> Manifest:
    """Fill the empty database from a backup, and compare every table. Raises BackupError."""
    manifest = read_manifest(folder)
    dump = folder / DUMP
    if _sha256(dump) != manifest.dump_sha256:
        raise BackupError(f"{dump} is not the file that was written: take another backup.")
    if tables := connection.introspection.table_names():
        raise BackupError(
            f"the database has {len(tables)} tables already, and nothing is overwritten: "
            "name an empty one in DATABASE_URL."
        )
    _run(
        "pg_restore", "--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges",
        f"--dbname={_address()}", str(dump),
    )  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # else the first pages are planned for empty tables
    found = _facts_now()
    wrong = sorted(
        name
        for name in manifest.tables.keys() | found.keys()
        if manifest.tables.get(name) != found.get(name)
    )
    if wrong:
        raise BackupError(f"not as they were backed up: {', '.join(wrong)}.")
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """Return what stands beside the dump in a folder. Raises BackupError."""
    try:
        found: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BackupError(f"{folder} is no backup: it has no {MANIFEST}.") from error
    if found["format"] != FORMAT:
        raise BackupError(f"{folder} was written by another version of this program.")
    return Manifest(**{**found, "tables": {n: Facts(**f) for n, f in found["tables"].items()}})


def key_of_this_site() -> str:
    """A hash by which it is seen whether SECRET_KEY is the one of a backup."""
    return salted_hmac("fsyncmark.backup", "SECRET_KEY", algorithm="sha256").hexdigest()


def _write(folder: Path) -> Manifest:
    dump = folder / DUMP
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")  # it waits for the dump
        cursor.execute("SELECT pg_export_snapshot()")
        (snapshot,) = cursor.fetchone()
        _run(
            "pg_dump", "--format=custom", f"--snapshot={snapshot}", "--no-owner",
            "--no-privileges", f"--lock-wait-timeout={LOCK_SECONDS}s", f"--file={dump}",
            f"--dbname={_address()}",
        )  # fmt: skip
        tables = _facts()
    dump.chmod(0o600)
    _run("pg_restore", "--file=/dev/null", str(dump))  # it can be read to its end
    manifest = Manifest(
        taken_at=database_now().isoformat(),
        dump_sha256=_sha256(dump),
        dump_bytes=dump.stat().st_size,
        key=key_of_this_site(),
        tables=tables,
    )
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1), encoding="utf-8")
    for written in (dump, folder / MANIFEST, folder):
        sync(written)
    return manifest


def _facts_now() -> dict[str, Facts]:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        return _facts()


def _facts() -> dict[str, Facts]:
    """Rows and digest of every table, as this transaction sees them."""
    facts = {}
    with connection.cursor() as cursor:
        cursor.execute(_TABLES)
        for (name,) in cursor.fetchall():
            cursor.execute(sql.SQL(_FACTS).format(sql.Identifier(name)))
            facts[name] = Facts(*cursor.fetchone())
    return facts


def _run(name: str, *arguments: str) -> None:
    """Run a program of PostgreSQL; its password goes by the environment, unseen."""
    connection.ensure_connection()
    password = connection.connection.info.password
    done = subprocess.run(
        [program(name, major=connection.connection.info.server_version // 10_000), *arguments],
        check=False, capture_output=True, text=True, stdin=subprocess.DEVNULL,
        env={**os.environ, "PGPASSWORD": password},
    )  # fmt: skip
    if done.returncode:
        raise BackupError(f"{name} failed: {done.stderr.strip()}")


def _address() -> str:
    """The server that this process is connected to, without the password.

    In words that programs of every PostgreSQL know: the driver's library is of the newest.
    """
    connection.ensure_connection()
    told = conninfo_to_dict(connection.connection.info.dsn)
    return make_conninfo(**{name: str(told[name]) for name in ADDRESS_WORDS if name in told})


def program(name: str, *, major: int) -> str:
    """Return a program of PostgreSQL of the server's version, else the next newer one.

    An older pg_dump refuses a newer server, a newer pg_restore may say what an older server does
    not know.
    """
    package = wheel_directory(POSTGRES_WHEEL)
    candidates = [shutil.which(name), *map(str, SYSTEM_POSTGRES.glob(f"*/bin/{name}"))]
    candidates += [str(package / "pginstall" / "bin" / name)] if package else []
    found = {_major_of(each): each for each in candidates if each and Path(each).exists()}
    usable = [each for each in sorted(found) if each >= major]
    if not usable:
        raise BackupError(
            f"there is no {name} of PostgreSQL {major} here: install the package "
            f"postgresql-client-{major}, or `pip install -r requirements/embedded.txt`."
        )
    return found[usable[0]]


def _major_of(path: str) -> int:
    words = subprocess.run([path, "--version"], check=False, capture_output=True, text=True)
    match = re.search(r"\b(\d+)\.\d+", words.stdout)
    return int(match.group(1)) if match else 0


def _sha256(path: Path) -> str:
    try:
        return sha256_of(path)
    except FileNotFoundError as error:
        raise BackupError(f"there is no {path}.") from error
