"""Tells the planner of an almost empty database that a million runs are in it."""

from __future__ import annotations

from typing import Final

from django.db import connection

RUNS: Final = 1_000_000
PAGE_BYTES: Final = 8192
# Tables that grow with runs: rows for each run, and of their columns how many values differ
# (PostgreSQL's n_distinct: below 0 it is a share of the rows).
GROWING: Final[dict[str, tuple[float, dict[str, float]]]] = {
    "runs_run": (
        1,
        {
            "id": -1, "slug": -1, "upload_id": -1, "plan_id": 500, "drive_family_id": 500,
            "provider_id": 30, "level": 6, "listed_at": -1, "measured_at": -1, "thing": 900,
            "listed_day": 1500, "machine": -0.3, "uploader": -0.1, "figures_sha256": -1,
            "is_listed": 2, "has_commit": 2, "in_standings": 2,
        },
    ),
    "runs_upload": (
        1,
        {"run_id": -1, "key_id": -0.1, "network": -0.1, "received_at": -1, "short_code": -1},
    ),
    "runs_measurement": (
        18,
        {
            "id": -1, "run_id": -0.055, "workload": 60, "version": 2, "rate_per_s": -0.9,
            "is_durable_single_writer": 2, "is_ranked": 2,
        },
    ),
    "runs_latency": (40, {"id": -1, "measurement_id": -0.45, "side": 6, "p50_ns": -0.5}),
    "runs_rundrive": (1, {"id": -1, "run_id": -1, "name_id": 3000, "family_id": 500}),
    "runs_label": (0.4, {"id": -1, "run_id": -0.9, "rule": 50}),
    "rankings_publicchange": (1, {"id": -1, "slug": -1, "kind": 3, "number": -1}),
    "accounts_agentkey": (0.1, {"keyid": -1, "owner_id": 5000}),
    "rankings_standingrun": (10, {"id": -1, "run_id": -0.1, "standing_id": 15_000}),
}  # fmt: skip
# Made-up runs are few: an index of theirs alone may be read whole.
EXAMPLES: Final = 0.0003
INDEX_OF_EXAMPLES: Final = "run_newest_examples"
# A table beside them that may be read whole: without statistics the planner would take what other
# tests left in its pages for rows.
BESIDE: Final[dict[str, tuple[float, dict[str, float]]]] = {
    "rankings_standing": (0.015, {"id": -1, "plan_id": 500, "drive_family_id": 500}),
}


def pages_of(table: str) -> int:
    """Return how many pages a table has: the planner looks at that too."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_relation_size(%s::regclass)", [table])
        (size,) = cursor.fetchone()
    return int(size) // PAGE_BYTES


# What autovacuum noted of the rows of other tests would be taken for theirs.
FORGET: Final = """
    SELECT pg_clear_attribute_stats(schemaname, tablename, attname, inherited) FROM pg_stats
        WHERE schemaname = 'public';
    SELECT pg_clear_relation_stats(schemaname, tablename) FROM pg_tables
        WHERE schemaname = 'public'
"""


def grow(runs: int = RUNS) -> None:
    """Restore statistics of so many runs. Each of the tables must have a row already."""
    with connection.cursor() as cursor:
        cursor.execute(FORGET)
        for table, (rows_a_run, distinct) in (GROWING | BESIDE).items():
            pages = pages_of(table)
            if not pages:
                raise ValueError(f"{table} is empty: the planner would know that it is")
            cursor.execute(
                "SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', %s::text,"
                " 'relpages', %s::integer, 'reltuples', %s::real)",
                [table, pages, runs * rows_a_run],
            )
            for column, n_distinct in distinct.items():
                cursor.execute(
                    "SELECT pg_restore_attribute_stats('schemaname', 'public', 'relname', %s::text,"
                    " 'attname', %s::text, 'inherited', false, 'null_frac', 0::real,"
                    " 'avg_width', 16, 'n_distinct', %s::real)",
                    [table, column, n_distinct],
                )
        cursor.execute(
            "SELECT pg_restore_attribute_stats('schemaname', 'public', 'relname', 'runs_run',"
            " 'attname', 'is_example', 'inherited', false, 'null_frac', 0::real, 'avg_width', 1,"
            " 'n_distinct', 2::real, 'most_common_vals', '{f,t}'::text,"
            " 'most_common_freqs', ARRAY[1 - %s, %s]::real[])",
            [EXAMPLES, EXAMPLES],
        )
        cursor.execute(
            "SELECT pg_restore_relation_stats('schemaname', 'public', 'relname', %s::text,"
            " 'relpages', 2, 'reltuples', %s::real)",
            [INDEX_OF_EXAMPLES, runs * EXAMPLES],
        )
