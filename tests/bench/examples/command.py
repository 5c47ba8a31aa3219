"""`./run bench example-data`: how long example runs take to load, beside another checkout on wish.

Every load has an empty PostgreSQL of its own. Of two checkouts the one that was first in a round is
last in the next, and ratios are those of one round. Time on the processors is told apart from time
by the clock, which another program can stretch.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Final

import psycopg

from apps.config.one_machine.environment import ROOT, VAR, product_environment
from apps.embedded.process import wait_until
from apps.embedded.progress import Progress
from apps.embedded.servers import servers_for_tests
from tests.bench.engine.ratios import Ratio
from tests.bench.failure import BenchmarkError

GOAL_RUNS: Final = 3_000
GOAL_SECONDS: Final = 180.0  # by the clock, of two cores that do nothing else
OURS: Final = "here"
THEIRS: Final = "beside"
OTHERS: Final = """
    SELECT count(*) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()
"""
ENDED_SECONDS_MAX: Final = 10.0  # until the server has buried a backend: milliseconds


@dataclass(frozen=True)
class Load:
    """What one load took, in seconds."""

    clock_s: float
    loader_s: float  # of processors, by the command
    server_s: float  # of processors, by PostgreSQL

    @property
    def processors_s(self) -> float:
        """Both together."""
        return self.loader_s + self.server_s


def bench_example_data(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when every load came to its end, whatever the goal says."""
    words = parse(arguments)
    checkouts = {OURS: ROOT} | ({THEIRS: words.beside.resolve()} if words.beside else {})
    progress.say(f"Load average before: {os.getloadavg()[0]:.1f}; 0 is an idle machine.")
    loads: dict[str, list[Load]] = {name: [] for name in checkouts}
    for number in range(words.rounds):
        for name in list(checkouts)[:: -1 if number % 2 else 1]:
            with progress.step(f"Round {number + 1}, {name}"):
                loads[name].append(measured_load(checkouts[name], runs=words.runs))
    progress.say(table(loads, runs=words.runs))
    return 0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench example-data",
        description="load_example_data into an empty database, by the clock and on the processors.",
    )
    parser.add_argument("--runs", type=int, default=GOAL_RUNS, help=f"default {GOAL_RUNS:,}")
    parser.add_argument("--rounds", type=int, default=1, help="loads of each; default 1")
    parser.add_argument(
        "--beside", type=Path, metavar="DIRECTORY",
        help="another checkout, whose loads take turns with ours; it runs with our .venv",
    )  # fmt: skip
    words = parser.parse_args(arguments)
    if words.beside and not (words.beside / "manage.py").exists():
        raise BenchmarkError(f"{words.beside} is no checkout: it has no manage.py.")
    return words


def measured_load(checkout: Path, *, runs: int) -> Load:
    """Load examples with the code of a checkout on a server of their own."""
    with servers_for_tests(VAR, environment={}) as servers:
        environment = product_environment(servers)
        manage(checkout, environment, "migrate", "--verbosity", "0")
        manage(checkout, environment, "load_catalogue")
        with psycopg.connect(servers.database_url, autocommit=True) as watcher:
            server_before, loader_before = server_cpu_s(watcher), children_cpu_s()
            began = time.monotonic()
            manage(checkout, environment, "load_example_data", "--runs", str(runs))
            clock_s = time.monotonic() - began
            return Load(
                clock_s=clock_s,
                loader_s=children_cpu_s() - loader_before,
                server_s=server_cpu_s(watcher) - server_before,
            )


def manage(checkout: Path, environment: Mapping[str, str], *arguments: str) -> None:
    """Run a management command of a checkout. Raises BenchmarkError where it fails."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        check=False, cwd=checkout, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        raise BenchmarkError(f"manage.py {arguments[0]} failed in {checkout}:\n{done.stderr}")


def children_cpu_s() -> float:
    """Seconds of processors that ended children of this process have used; servers still run."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def server_cpu_s(watcher: psycopg.Connection) -> float:
    """Seconds of processors that PostgreSQL and its ended backends have used, by /proc."""
    wait_until(
        lambda: watcher.execute(OTHERS).fetchone() == (0,),
        what="the backend of the load has ended",
        seconds=ENDED_SECONDS_MAX,
    )
    postmaster = int(stat_of(watcher.info.backend_pid)[1])  # the parent of every backend
    ticks = map(int, stat_of(postmaster)[11:15])  # its own and its ended children's
    return sum(ticks) / os.sysconf("SC_CLK_TCK")


def stat_of(pid: int) -> list[str]:
    """The fields of /proc/PID/stat from the third on: the second is a name with any blanks."""
    return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()


def table(loads: Mapping[str, Sequence[Load]], *, runs: int) -> str:
    """The median of each side, the ratios of rounds, and what became of the goal."""
    lines = [f"{'':8}{'clock':>10}{'processors':>12}{'loader':>10}{'PostgreSQL':>12}{'a run':>10}"]
    for name, each in loads.items():
        clock_s = median(load.clock_s for load in each)
        processors_s = median(load.processors_s for load in each)
        loader_s = median(load.loader_s for load in each)
        server_s = median(load.server_s for load in each)
        lines.append(
            f"{name:8}{clock_s:>8.1f} s{processors_s:>10.1f} s{loader_s:>8.1f} s{server_s:>10.1f} s"
            f"{clock_s / runs * 1000:>7.1f} ms"
        )
    if THEIRS in loads:
        pairs = list(zip(loads[OURS], loads[THEIRS], strict=True))
        clock = ratio([ours.clock_s / theirs.clock_s for ours, theirs in pairs])
        processors = ratio([ours.processors_s / theirs.processors_s for ours, theirs in pairs])
        lines.append(f"{OURS} / {THEIRS}: clock {said(clock)}, processors {said(processors)}")
    if runs == GOAL_RUNS:
        is_met = median(load.clock_s for load in loads[OURS]) <= GOAL_SECONDS
        word = "met" if is_met else "missed"
        lines.append(f"Goal: {runs:,} runs in {GOAL_SECONDS:.0f} s on two idle cores: {word}.")
    return "\n".join(lines)


def ratio(values: Sequence[float]) -> Ratio:
    return Ratio(median(values), min(values), max(values))


def said(found: Ratio) -> str:
    return f"{found.median:.2f} ({found.low:.2f} to {found.high:.2f})"
