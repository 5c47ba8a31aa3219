"""`./run bench badges`: badges at 200 requests a second, beside a static file at the same rate.

The database is busy: connections compute without an end, and what pages show changes ten times a
second, as with uploads, so that each badge is drawn again and again. Then the database is stopped.
Badges and static file take turns.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from http import HTTPStatus
from statistics import median
from typing import Any, Final

import psycopg

from apps.config.one_machine.environment import ROOT
from apps.config.processes import WEB
from apps.embedded.progress import Progress
from tests.bench.badges.steady import Asked, ask_steadily
from tests.bench.failure import BenchmarkError
from tests.faults.site.own_site import OwnSite, own_site

RESULT: Final = ROOT / "build" / "bench" / "badges.json"
GOAL_P99_MS: Final = 50.0
PER_S: Final = 200
CONNECTIONS: Final = 16
BUSY_CONNECTIONS: Final = os.cpu_count() or 1
CHANGES_PER_S: Final = 10
THINGS: Final = 40
QUERIES: Final = (
    "", "?style=flat", "?style=flat-square&metric=p99", "?style=for-the-badge&metric=cost",
    "?label=mine",
)  # fmt: skip
STATIC: Final = "/static/css/badge.css"
COMPUTE: Final = "SELECT sum(n * random()) FROM generate_series(1, 300000) AS n"
CHANGE: Final = "INSERT INTO rankings_datachange DEFAULT VALUES"
SLUGS: Final = """
    SELECT 'plan/' || plan_id FROM rankings_standing WHERE plan_id IS NOT NULL
    UNION SELECT 'drive/' || drive_family_id FROM rankings_standing
        WHERE drive_family_id IS NOT NULL
    UNION SELECT 'run/' || slug FROM runs_run ORDER BY 1
"""


def bench_badges(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 where each answer is a picture and the p99 below its goal."""
    words = parse(arguments)
    with own_site(processes=[WEB], web_workers=2) as site:
        with progress.step("Loading the catalogue"):
            manage(site, "load_catalogue")
        paths = badges_of(site)
        with progress.step("Asking for each badge once"):
            ask_steadily(site.url, paths, per_s=50, seconds=len(paths) / 50, connections=4)
        with progress.step("The database is busy"), busy(site.database_url):
            rows = {"busy": turns(site, paths, words.rounds, words.seconds)}
        with progress.step("The database is stopped"):
            stop(site)
            rows["stopped"] = turns(site, paths, words.rounds, words.seconds)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    progress.say(table(rows))
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0 if all(each["is_met"] for each in rows.values()) else 1


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench badges",
        description="Badges while the database is busy and stopped, beside a static file.",
    )
    parser.add_argument("--rounds", type=int, default=3, help="of each; default 3")
    parser.add_argument("--seconds", type=float, default=10.0, help="of a turn; default 10")
    return parser.parse_args(arguments)


def manage(site: OwnSite, *words: str) -> None:
    done = subprocess.run(
        [sys.executable, "manage.py", *words],
        check=False, cwd=ROOT, env=dict(site.product.setting.environment), text=True,
        capture_output=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    if done.returncode:
        raise BenchmarkError(done.stderr)


def badges_of(site: OwnSite) -> list[str]:
    """Return addresses of badges of the catalogue, spread over all that there are."""
    with psycopg.connect(site.database_url) as connection:
        things = [str(row[0]) for row in connection.execute(SLUGS)]
    spread = things[:: max(1, len(things) // THINGS)][:THINGS]
    return [f"/badge/{thing}.svg{query}" for query in QUERIES for thing in spread]


@contextmanager
def busy(database_url: str) -> Iterator[None]:
    """Compute and change in the database until the block ends."""
    over = threading.Event()

    def compute() -> None:
        with psycopg.connect(database_url, autocommit=True) as connection:
            while not over.is_set():
                connection.execute(COMPUTE)

    def change() -> None:
        with psycopg.connect(database_url, autocommit=True) as connection:
            while not over.wait(1 / CHANGES_PER_S):
                connection.execute(CHANGE)

    threads = [threading.Thread(target=compute) for _ in range(BUSY_CONNECTIONS)]
    threads.append(threading.Thread(target=change))
    for each in threads:
        each.start()
    try:
        yield
    finally:
        over.set()
        for each in threads:
            each.join()


def stop(site: OwnSite) -> None:
    """Stop PostgreSQL at once, as `pg_ctl stop -m immediate` does."""
    process = site.server("PostgreSQL").process
    os.kill(process.pid, signal.SIGQUIT)
    process.wait()


def turns(site: OwnSite, paths: Sequence[str], rounds: int, seconds: float) -> dict[str, Any]:
    """Return medians of rounds, and whether the goal is met."""
    asked: dict[str, list[Asked]] = {"static": [], "badge": []}
    ways = {"static": [STATIC], "badge": list(paths)}
    for number in range(rounds):
        for name in list(ways)[:: -1 if number % 2 else 1]:
            asked[name].append(
                ask_steadily(
                    site.url, ways[name], per_s=PER_S, seconds=seconds, connections=CONNECTIONS
                )
            )
    badges = asked["badge"]
    are_pictures = all(
        set(each.statuses) == {HTTPStatus.OK} and set(each.types) == {"image/svg+xml"}
        for each in badges
    )
    p99_ms = median(each.p99_ms for each in badges)
    ratio = median(
        ours.p99_ms / theirs.p99_ms for ours, theirs in zip(badges, asked["static"], strict=True)
    )
    return {
        "p50_ms": median(each.p50_ms for each in badges),
        "p99_ms": p99_ms,
        "static_p99_ms": median(each.p99_ms for each in asked["static"]),
        "of_static": ratio,
        "are_pictures": are_pictures,
        "is_met": are_pictures and p99_ms < GOAL_P99_MS,
        "rounds": {name: [asdict(each) for each in rows] for name, rows in asked.items()},
    }


def table(rows: Mapping[str, Mapping[str, Any]]) -> str:
    """One line for each state of the database."""
    lines = [
        f"{'database':10}{'p50 ms':>8}{'p99 ms':>8}{'static p99':>12}{'ratio':>7}  all pictures"
    ]
    lines += [
        f"{name:10}{row['p50_ms']:>8.1f}{row['p99_ms']:>8.1f}{row['static_p99_ms']:>12.1f}"
        f"{row['of_static']:>7.2f}  {'yes' if row['are_pictures'] else 'NO'}"
        f"{'' if row['is_met'] else ' !'}"
        for name, row in rows.items()
    ]
    lines.append(f"Goal: p99 below {GOAL_P99_MS:.0f} ms at {PER_S} a second; ! misses it.")
    return "\n".join(lines)
