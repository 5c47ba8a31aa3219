"""`./run bench ingest`: uploads a second through the door, beside pgbench storing the same rows.

One process of the web server takes them with all that it asks of an upload: envelope, signature,
schema, challenge, quotas. Each has a key and a network that are below their quotas. PostgreSQL
commits durably for both. pgbench copies stored rows in one transaction each, and checks nothing.
Both take turns; who was first in one round is last in the next. Nothing works on the uploads.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING, Any, Final

import django

from apps.config.one_machine.demo import prepare_database
from apps.config.one_machine.environment import ROOT, VAR
from apps.config.one_machine.product import Product, running
from apps.config.processes import WEB
from apps.embedded.account import Account
from apps.embedded.binaries import postgres_binaries
from apps.embedded.home import servers_home
from apps.embedded.postgres import Durability
from apps.embedded.progress import Progress
from apps.embedded.servers import servers_for_tests
from tests.bench.answers.command import web_cpu_s
from tests.bench.ingest import pgbench
from tests.bench.own_site import collect, setting_of

if TYPE_CHECKING:
    from tests.bench.ingest.uploads import Uploads

RESULT: Final = ROOT / "build" / "bench" / "ingest.json"
SCRIPT: Final = RESULT.with_name("ingest.sql")
CLIENTS: Final = (1, 4, 16)
GOAL_RATIO: Final = 0.5
GOAL_P99_MS: Final = 50.0  # at half of what 16 clients reach
PERCENT: Final = 100


@dataclass(frozen=True)
class Bench:
    """The door, where its rows go, and the uploads that it gets."""

    product: Product
    uploads: Uploads
    database_url: str
    program: str

    def door(self, clients: int, number: int) -> tuple[float, float]:
        """Return uploads a second, and milliseconds of the web server's processor for each."""
        requests = self.uploads.requests(number)
        before = web_cpu_s(self.product)
        sent = self.uploads.send(requests, connections=clients)
        return sent.per_s, (web_cpu_s(self.product) - before) * 1000 / number

    def rows(self, clients: int, number: int) -> float:
        """Return transactions of pgbench a second."""
        return pgbench.transactions_per_s(
            self.program, self.database_url, SCRIPT, clients=clients, number=number
        )


def bench_ingest(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when every upload was stored, whatever the goals say."""
    parser = argparse.ArgumentParser(prog="./run bench ingest", description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="default 5")
    parser.add_argument("--uploads", type=int, default=320, help="of a turn; default 320")
    words = parser.parse_args(arguments)
    found: dict[str, Any] = {}
    with door_up(progress) as bench:
        for clients in CLIENTS:
            with progress.step(f"{clients} clients"):
                found[str(clients)] = measured(bench, clients, words.rounds, words.uploads)
        half = found[str(CLIENTS[-1])]["door_per_s"] / 2
        with progress.step("Half load"):
            requests = bench.uploads.requests(2 * words.uploads)
            sent = bench.uploads.send(requests, connections=CLIENTS[-1], per_s=half)
        p99_ms = quantiles(sent.took_s, n=PERCENT)[-1] * 1000
        found["half_load"] = {"per_s": half, "p99_ms": p99_ms}
    RESULT.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    progress.say(table(found))
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


@contextmanager
def door_up(progress: Progress) -> Iterator[Bench]:
    """One web process on servers of its own that commit durably, warm, and pgbench's samples."""
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    with servers_for_tests(VAR, environment={}, durability=Durability.KEPT) as servers:
        setting = replace(setting_of("ingest", servers, TRUSTED_PROXY_HOPS="1"), web_workers=1)
        collect(setting, progress)
        prepare_database(setting, progress)
        os.environ.update(setting.environment)
        django.setup()
        with running(setting, processes=[WEB]) as product:
            from tests.bench.ingest.uploads import Uploads  # noqa: PLC0415 -- Django is set up now

            uploads = Uploads(setting.url)
            uploads.send(uploads.requests(2 * pgbench.SAMPLES), connections=CLIENTS[-1])
            pgbench.prepare(servers.database_url, SCRIPT)
            yield Bench(product, uploads, servers.database_url, program())


def program() -> str:
    """Return pgbench of the server's own version, else the one on the path."""
    account = Account.for_servers()
    own = postgres_binaries(account=account, home=servers_home(VAR, account=account))
    beside = own.program("pgbench")
    return beside if Path(beside).exists() else shutil.which("pgbench") or "pgbench"


def measured(bench: Bench, clients: int, rounds: int, number: int) -> dict[str, float]:
    """Return the medians of rounds, and of the ratios within rounds."""
    door, rows, cpu = list[float](), list[float](), list[float]()
    for each in range(rounds):
        if each % 2:
            rows.append(bench.rows(clients, number))
        per_s, cpu_ms = bench.door(clients, number)
        door.append(per_s)
        cpu.append(cpu_ms)
        if not each % 2:
            rows.append(bench.rows(clients, number))
    ratios = [ours / theirs for ours, theirs in zip(door, rows, strict=True)]
    return {
        "door_per_s": median(door), "pgbench_per_s": median(rows), "ratio": median(ratios),
        "ratio_low": min(ratios), "ratio_high": max(ratios), "door_cpu_ms": median(cpu),
    }  # fmt: skip


def table(found: Mapping[str, Mapping[str, float]]) -> str:
    """One line for each number of clients, then half load."""
    lines = [
        f"{'clients':>8}{'door/s':>10}{'pgbench/s':>12}{'ratio':>8}{'low to high':>15}{'CPU':>9}"
    ]
    for clients in map(str, CLIENTS):
        row = found[clients]
        lines.append(
            f"{clients:>8}{row['door_per_s']:>10.1f}{row['pgbench_per_s']:>12.1f}"
            f"{row['ratio']:>8.3f}{row['ratio_low']:>8.3f} {row['ratio_high']:.3f}"
            f"{row['door_cpu_ms']:>6.1f} ms{'' if row['ratio'] >= GOAL_RATIO else ' !'}"
        )
    half = found["half_load"]
    is_met = half["p99_ms"] < GOAL_P99_MS
    lines.append(
        f"Half load, {half['per_s']:.1f}/s: p99 {half['p99_ms']:.1f} ms{'' if is_met else ' !'}"
    )
    lines.append(f"Goals: ratio {GOAL_RATIO}, p99 below {GOAL_P99_MS:.0f} ms; ! misses one.")
    return "\n".join(lines)
