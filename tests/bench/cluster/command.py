"""`./run bench cluster`: what each step to many machines carries and costs.

Pages by nginx, by one web host from its memory, and rendered each time; durable commits of eight
clients on the primary alone, with the replica, and through PgBouncer. Everything shares one
machine, so nothing is seen of what more machines gain: what a step costs, what one host carries.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from statistics import median, quantiles
from typing import Any, Final

import psycopg

from apps.config.one_machine.demo import manage
from apps.config.one_machine.environment import ROOT
from apps.embedded.postgres import DATABASE, ROLE
from apps.embedded.progress import Progress
from tests.bench.answers.client import ask
from tests.cluster.pooler import PORT
from tests.cluster.site import WEB_PORT, Cluster, cluster
from tests.faults.site.own_site import new_home

RESULT: Final = ROOT / "build" / "bench" / "cluster.json"
CONNECTIONS: Final = 16
CLIENTS: Final = 8  # that commit at once
ROW_BYTES: Final = 1000
PAGES: Final = {"badge": "/badge/run/webp-ax102-fio-fsync-8k.svg", "board": "/plans/"}
OWN: Final = {"Cookie": "wrote=1"}  # whose pages nobody keeps
PERCENT: Final = 100

Turn = dict[str, float]


def bench_cluster(arguments: Sequence[str], progress: Progress) -> int:
    """Measure in rounds, and print medians."""
    parser = argparse.ArgumentParser(prog="./run bench cluster", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0, help="of a turn")
    options = parser.parse_args(arguments)
    folder = new_home()
    try:
        with cluster(folder) as (found, setting):
            manage(setting, progress, "Loading the catalogue", "load_catalogue")
            ways = {
                **ways_of_pages(found, options.seconds),
                **ways_of_commits(found, options.seconds),
            }
            turns: dict[str, list[Turn]] = {name: [] for name in ways}
            for number in range(options.rounds):
                with progress.step(f"Round {number + 1} of {options.rounds}"):
                    for name in list(ways)[:: -1 if number % 2 else 1]:
                        turns[name].append(ways[name]())
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    medians = {
        name: {key: median(turn[key] for turn in each) for key in each[0]}
        for name, each in turns.items()
    }
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    facts: dict[str, Any] = {"cpus": os.cpu_count(), "rounds": options.rounds, "ways": medians}
    RESULT.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    for name, values in medians.items():
        progress.say(f"{name:<24}{values['per_s']:>10,.0f}/s{values['p99_ms']:>9.1f} ms p99")
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


def ways_of_pages(found: Cluster, seconds: float) -> dict[str, Callable[[], Turn]]:
    """A badge and a board, by whom they come from."""
    web = f"http://{found.hosts.address('web-1')}:{WEB_PORT}"
    host = {"Host": found.url.removeprefix("http://")}

    def asking(url: str, headers: dict[str, str]) -> Callable[[], Turn]:
        def turn() -> Turn:
            answers = ask(url, seconds=seconds, connections=CONNECTIONS, headers=headers)
            return {"per_s": answers.per_s, "p99_ms": answers.p99_ms, "bytes": answers.body_bytes}

        return turn

    found_ways: dict[str, Callable[[], Turn]] = {}
    for name, path in PAGES.items():
        found_ways[f"{name}, nginx"] = asking(found.url + path, {})
        found_ways[f"{name}, web host"] = asking(web + path, host)
        found_ways[f"{name}, rendered"] = asking(web + path, {**host, **OWN})
    return found_ways


def ways_of_commits(found: Cluster, seconds: float) -> dict[str, Callable[[], Turn]]:
    """One row a transaction, on the medium before it is answered."""
    direct = found.databases.url()
    role = found.databases.url(user=ROLE).rpartition("@")[0]
    pooled = f"{role}@{found.hosts.address('pgbouncer')}:{PORT}/{DATABASE}-web"
    with psycopg.connect(direct, autocommit=True) as connection:
        connection.execute("CREATE TABLE bench_commits (row_ text)")
        connection.execute(f"ALTER TABLE bench_commits OWNER TO {ROLE}")
    return {
        "commits, primary alone": lambda: commits(direct, seconds, "local"),
        "commits, with replica": lambda: commits(direct, seconds, "on"),
        "commits, by PgBouncer": lambda: commits(pooled, seconds, ""),
    }


def commits(url: str, seconds: float, synchronous: str) -> Turn:
    """Let clients commit again and again."""

    def client(_number: int) -> list[float]:
        took: list[float] = []
        with psycopg.connect(url, autocommit=True, prepare_threshold=None) as connection:
            if synchronous:
                connection.execute(f"SET synchronous_commit = {synchronous}")
            end = time.perf_counter() + seconds
            while (began := time.perf_counter()) < end:
                connection.execute("INSERT INTO bench_commits VALUES (%s)", ["x" * ROW_BYTES])
                took.append(time.perf_counter() - began)
        return took

    with ThreadPoolExecutor(CLIENTS) as clients:
        took = [each for one in clients.map(client, range(CLIENTS)) for each in one]
    return {"per_s": len(took) / seconds, "p99_ms": quantiles(took, n=PERCENT)[-1] * 1000}
