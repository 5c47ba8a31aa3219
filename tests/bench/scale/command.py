"""`./run bench scale`: pages at many runs beside the same pages at few, rendered each time.

Two databases of one server, one a copy of the other with more runs, and a web server on each that
keeps no page. They are asked in turn, one request at a time. Of the standings those of the headline
are computed. Copies leave out what no list and no standing reads: envelopes, payloads, histograms,
samples of passes.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg

from apps.config.one_machine.demo import manage, prepare_database
from apps.config.one_machine.environment import ROOT, VAR
from apps.config.one_machine.product import ProductSettings, running
from apps.config.processes import WEB
from apps.embedded.progress import Progress
from apps.embedded.servers import Addresses, servers_for_tests
from apps.wire.suites import HEADLINE_WORKLOAD
from tests.bench.answers.client import ask
from tests.bench.own_site import collect, setting_of
from tests.bench.scale.population import copy_runs

RESULT: Final = ROOT / "build" / "bench" / "scale.json"
FEW: Final = 10_000  # runs
MANY: Final = 300_000  # six minutes of copying and 9 GB
# No page is kept, and requests are of many networks, as quotas see them behind a proxy.
UNKEPT: Final = {"PAGES_BYTES": "0", "TRUSTED_PROXY_HOPS": "1"}
GOAL: Final = 1.5  # the p99 at many runs by that at few
PAGES: Final = (
    "/",
    "/plans/",
    "/plans/?provider=hetzner",
    "/drives/?sort=p99",
    "/plans/{plan}/",
    "/drives/{drive}/",
    "/providers/hetzner/",
    "/runs/{run}/",
    "/runs/",
    "/runs/?before=20230101T000000.000000.00000000000000000000000000000001",
    "/runs/?provider=hetzner",
    "/runs/?work=overwrites",
    "/search/?q=hetzner",
    "/advisor/?work=oltp",
    "/guides/",
    "/guides/oltp/",
    "/compare/",
    "/coverage/",
    "/runs.csv",
    "/api/v1/runs",
    "/api/v1/standings",
    "/sitemap.xml",
    "/runs.atom",
    "/badge/run/{run}.svg",
)
# The cells of measured runs that copies of examples make, to be computed.
MARKS: Final = f"""
    INSERT INTO rankings_cellmark
        (subject, slug, evidence, workload, version, region_group, marked_at)
    SELECT DISTINCT CASE WHEN plan_id IS NULL THEN 'drive' ELSE 'plan' END,
        coalesce(plan_id, drive_family_id), 'measured', workload, version, region_group, now()
    FROM rankings_standing WHERE evidence = 'example' AND workload = '{HEADLINE_WORKLOAD}'
"""


def bench_scale(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when every page answered, whatever the goal says."""
    words = parse(arguments)
    with two_sites(words.runs, progress) as sites:
        rows = {}
        for page in words.pages:
            with progress.step(page):
                rows[page] = measured(page, sites, rounds=words.rounds, seconds=words.seconds)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(rows, indent=2) + "\n", encoding="utf-8")
    progress.say(table(rows, runs=words.runs))
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="./run bench scale", description=__doc__)
    parser.add_argument("--runs", type=int, default=MANY, help=f"default {MANY:,}")
    parser.add_argument("--rounds", type=int, default=5, help="of each page; default 5")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a turn; default 2")
    parser.add_argument(
        "--pages", nargs="+", default=PAGES, metavar="ADDRESS", help="default: one of each kind"
    )
    return parser.parse_args(arguments)


@contextmanager
def two_sites(runs: int, progress: Progress) -> Iterator[tuple[ProductSettings, ProductSettings]]:
    """The site with few runs and the one with many, both answering."""
    with servers_for_tests(VAR, environment=os.environ) as servers:
        few = setting_of("scale-few", servers, **UNKEPT)
        collect(few, progress)
        prepare_database(few, progress)
        manage(few, progress, "Loading a year of examples", "load_example_data")
        many_servers = copied_database(servers)
        many = setting_of("scale-many", many_servers, **UNKEPT)
        for setting, most in ((few, FEW), (many, runs)):
            with progress.step(f"Copying to {most:,} runs"):
                fill(setting, runs=most)
            manage(setting, progress, "Computing standings of the headline", "drain")
        with running(few, processes=[WEB]), running(many, processes=[WEB]):
            yield few, many


def copied_database(servers: Addresses) -> Addresses:
    """A copy of the database beside it, while nobody is in it."""
    address = urlsplit(servers.database_url)
    name = address.path[1:]
    with psycopg.connect(
        address._replace(path="/postgres").geturl(), autocommit=True
    ) as connection:
        connection.execute(f"CREATE DATABASE {name}_many TEMPLATE {name}")
    return Addresses(address._replace(path=f"/{name}_many").geturl(), servers.redis_url)


def fill(setting: ProductSettings, *, runs: int) -> None:
    with psycopg.connect(setting.environment["DATABASE_URL"], autocommit=True) as connection:
        copy_runs(connection, runs=runs, is_lean=True, tell=lambda _: None)
        connection.execute(MARKS)


def measured(
    page: str, sites: Sequence[ProductSettings], *, rounds: int, seconds: float
) -> dict[str, Any]:
    """Return the medians of rounds of each site, and of their ratios."""
    paths = [page.format(**things(site)) for site in sites]
    turns: list[list[float]] = []
    for number in range(rounds):
        p99_ms = {}
        for index in (0, 1) if number % 2 == 0 else (1, 0):
            url = sites[index].url + paths[index]
            p99_ms[index] = ask(url, seconds=seconds, connections=1).p99_ms
        turns.append([p99_ms[0], p99_ms[1]])
    few_ms, many_ms = (median(turn[index] for turn in turns) for index in (0, 1))
    ratio = median(many / few for few, many in turns)
    return {"few_p99_ms": few_ms, "many_p99_ms": many_ms, "ratio": ratio, "rounds": rounds}


def things(site: ProductSettings) -> dict[str, str]:
    """The plan and the drive with the most measured runs, and their newest run."""
    with psycopg.connect(site.environment["DATABASE_URL"]) as connection:
        row = connection.execute(
            "SELECT mode() WITHIN GROUP (ORDER BY plan_id), mode() WITHIN GROUP (ORDER BY"
            " drive_family_id), (SELECT slug FROM runs_run WHERE NOT is_example AND upload_id"
            " IS NOT NULL ORDER BY listed_at DESC LIMIT 1) FROM runs_run WHERE NOT is_example"
        ).fetchone()
    assert row is not None
    return dict(zip(("plan", "drive", "run"), row, strict=True))


def table(rows: Mapping[str, Mapping[str, Any]], *, runs: int) -> str:
    """One line a page."""
    lines = [f"{'p99, ms':52}{FEW:>12,}{runs:>12,}{'ratio':>8}"]
    for page, row in rows.items():
        is_missed = row["ratio"] > GOAL
        lines.append(
            f"{page[:50]:52}{row['few_p99_ms']:>12.1f}{row['many_p99_ms']:>12.1f}"
            f"{row['ratio']:>8.2f}{' !' if is_missed else ''}"
        )
    lines.append(f"Goal: {GOAL}; ! misses it. One request at a time, nothing kept.")
    return "\n".join(lines)
