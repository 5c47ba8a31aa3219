"""`./run bench storage`: bytes of the database that a run of each suite takes, by table.

Example runs are loaded, and of each suite those of others and all published ones taken out again.
Then every table is written anew (VACUUM FULL), so that nothing is counted that is free: indexes of
random keys grow to some half more in use. Tables that do not grow with runs are left out.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

import psycopg

from apps.config.one_machine.environment import ROOT, VAR, product_environment
from apps.embedded.progress import Progress
from apps.embedded.servers import Addresses, servers_for_tests
from tests.bench.examples.command import manage

RESULT: Final = ROOT / "build" / "bench" / "storage.json"
RUNS: Final = 1_000
GOAL_BYTES: Final = {"quick": 25_000}
SUITES: Final = ("quick", "standard")
# Tables that grow with runs, those that refer to others first, and how rows of other runs go.
TABLES: Final = {
    "rankings_standingrun": "DELETE FROM rankings_standingrun WHERE run_id NOT IN ({kept})",
    "runs_label": "DELETE FROM runs_label WHERE run_id NOT IN ({kept})",
    "runs_rundrive": "DELETE FROM runs_rundrive WHERE run_id NOT IN ({kept})",
    "runs_latency": "DELETE FROM runs_latency USING runs_measurement one"
    " WHERE one.id = measurement_id AND run_id NOT IN ({kept})",
    "runs_measurement": "DELETE FROM runs_measurement WHERE run_id NOT IN ({kept})",
    "runs_citation": "DELETE FROM runs_citation WHERE run_id NOT IN ({kept})",
    "runs_run": "DELETE FROM runs_run WHERE id NOT IN ({kept})",
    "runs_upload": "DELETE FROM runs_upload WHERE run_id NOT IN (SELECT id FROM runs_run)",
}
KEPT: Final = "SELECT id FROM runs_run WHERE upload_id IS NOT NULL AND suite = '{suite}'"
SIZES: Final = """
    SELECT pg_relation_size(oid), pg_indexes_size(oid),
        pg_table_size(oid) - pg_relation_size(oid), reltuples
    FROM pg_class WHERE oid = %s::regclass
"""

Row = dict[str, int]  # bytes a run: rows, indexes, beside (long values), and the rows of a run


def bench_storage(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when every suite was measured, whatever the goal says."""
    parser = argparse.ArgumentParser(prog="./run bench storage", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"of all suites; default {RUNS:,}")
    words = parser.parse_args(arguments)
    found = {}
    with servers_for_tests(VAR, environment=os.environ) as servers:
        environment = product_environment(servers)
        with progress.step(f"Loading {words.runs:,} example runs"):
            manage(ROOT, environment, "migrate", "--verbosity", "0")
            manage(ROOT, environment, "load_catalogue")
            manage(ROOT, environment, "load_example_data", "--runs", str(words.runs))
        for suite in SUITES:
            with progress.step(f"Measuring {suite} runs"), copied(servers) as connection:
                found[suite] = measured(connection, suite)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    for suite, rows in found.items():
        progress.say(table(suite, rows))
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


@contextmanager
def copied(servers: Addresses) -> Iterator[psycopg.Connection]:
    """A connection to a copy of the database, which goes at the end."""
    address = urlsplit(servers.database_url)
    name, beside = address.path[1:], address._replace(path="/postgres").geturl()
    with psycopg.connect(beside, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}_copy TEMPLATE {name}")
        try:
            url = address._replace(path=f"/{name}_copy").geturl()
            with psycopg.connect(url, autocommit=True) as connection:
                yield connection
        finally:
            server.execute(f"DROP DATABASE {name}_copy")


def measured(connection: psycopg.Connection, suite: str) -> dict[str, Row]:
    """Return bytes a run of the tables that grow with runs, where only runs of a suite are left."""
    kept = KEPT.format(suite=suite)
    for deletion in TABLES.values():
        connection.execute(deletion.format(kept=kept))
    (runs,) = connection.execute("SELECT count(*) FROM runs_upload").fetchone() or (0,)
    found = {}
    for name in TABLES:
        connection.execute(f"VACUUM FULL {name}")
        heap, indexes, beside, rows = connection.execute(SIZES, [name]).fetchone() or (0, 0, 0, 0)
        sizes = {"rows": heap, "indexes": indexes, "long_values": beside}
        found[name] = {part: round(size / runs) for part, size in sizes.items()}
        found[name]["rows_a_run"] = round(rows / runs)
    return found


def table(suite: str, rows: Mapping[str, Row]) -> str:
    """One line a table, their sum, and what became of the goal."""
    parts = ("rows", "indexes", "long_values")
    lines = [f"{'bytes a ' + suite + ' run':28}{'number':>8}{'rows':>8}{'indexes':>9}{'long':>8}"]
    lines += [
        f"{name:28}{row['rows_a_run']:>8}{row['rows']:>8,}{row['indexes']:>9,}"
        f"{row['long_values']:>8,}"
        for name, row in rows.items()
    ]
    total = sum(row[part] for row in rows.values() for part in parts)
    goal = GOAL_BYTES.get(suite)
    lines.append(f"{'together':28}{total:>8,}")
    if goal is not None:
        lines.append(f"Goal: {goal:,}: {'met' if total <= goal else 'missed'}.")
    return "\n".join(lines)
