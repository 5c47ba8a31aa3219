"""`./run bench dump`: memory and time of the daily dump at many runs, and of ranking from it.

A year of examples is dumped, copied until there are as many runs as are wanted, and dumped again:
memory must not grow with the runs. Then all standings are computed of the dump alone.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import psycopg

from apps.config.one_machine.environment import ROOT, VAR, product_environment
from apps.embedded.progress import Progress
from apps.embedded.servers import servers_for_tests
from tests.bench.examples.command import manage
from tests.bench.failure import BenchmarkError
from tests.bench.scale.population import copy_runs

RESULT: Final = ROOT / "build" / "bench" / "dump.json"
EXAMPLES: Final = 3_000
RUNS: Final = 100_000
MEGABYTES_MAX: Final = 1_000  # of the process that writes: a worker has as much beside its others
# The cells of measured runs that copies of examples make, to be computed.
MARKS: Final = """
    INSERT INTO rankings_cellmark
        (subject, slug, evidence, workload, version, region_group, marked_at)
    SELECT DISTINCT CASE WHEN plan_id IS NULL THEN 'drive' ELSE 'plan' END,
        coalesce(plan_id, drive_family_id), 'measured', workload, version, region_group, now()
    FROM rankings_standing WHERE evidence = 'example'
"""


@dataclass(frozen=True, slots=True)
class Taken:
    """What a command took."""

    seconds: float
    peak_mb: float
    said: str


def bench_dump(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 1 when the dump's standings are others, or the memory is more than the goal."""
    parser = argparse.ArgumentParser(prog="./run bench dump", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"default {RUNS:,}")
    words = parser.parse_args(arguments)
    found: dict[str, Taken] = {}
    with (
        servers_for_tests(VAR, environment=os.environ) as servers,
        TemporaryDirectory(dir=VAR) as folder,
    ):
        environment = product_environment(servers)
        with progress.step(f"Loading {EXAMPLES:,} example runs"):
            manage(ROOT, environment, "migrate", "--verbosity", "0")
            manage(ROOT, environment, "load_catalogue")
            manage(ROOT, environment, "load_example_data", "--runs", str(EXAMPLES))
        few, many = (str(Path(folder) / name) for name in ("few", "many"))
        with progress.step("Dumping them"):
            found["few"] = taken(environment, "dump", few)
        with progress.step(f"Copying to {words.runs:,} runs"):
            fill(environment, runs=words.runs - EXAMPLES)
        with progress.step("Computing standings"):
            manage(ROOT, environment, "drain")
        with progress.step("Dumping all"):
            found["many"] = taken(environment, "dump", many)
        with progress.step("Ranking from the dump"):
            found["rank"] = taken(environment, "rank", "--from-dump", many)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    stored = {name: asdict(each) for name, each in found.items()}
    RESULT.write_text(json.dumps(stored, indent=2) + "\n", encoding="utf-8")
    for name, each in found.items():
        progress.say(f"{name:5}{each.seconds:>8.0f} s{each.peak_mb:>8.0f} MB  {each.said}")
    is_met = found["many"].peak_mb <= MEGABYTES_MAX
    progress.say(f"Goal: {MEGABYTES_MAX:,} MB to write it: {'met' if is_met else 'missed'}.")
    return 0 if is_met else 1


def fill(environment: Mapping[str, str], *, runs: int) -> None:
    """Copy the examples with everything that they have, and mark their cells."""
    with psycopg.connect(environment["DATABASE_URL"], autocommit=True) as connection:
        copy_runs(connection, runs=runs, is_lean=False, tell=lambda _: None)
        connection.execute(MARKS)


def taken(environment: Mapping[str, str], *words: str) -> Taken:
    """Run a command; return what it took. Raises BenchmarkError where it fails."""
    begun = time.monotonic()
    with subprocess.Popen(
        [sys.executable, "manage.py", *words],
        cwd=ROOT, env=dict(environment), stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        said = process.stdout.read() if process.stdout else ""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise BenchmarkError(f"manage.py {words[0]} failed: {said}")
    last = said.strip().splitlines()[-1] if said.strip() else ""
    return Taken(time.monotonic() - begun, usage.ru_maxrss / 1024, last)
