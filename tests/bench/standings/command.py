"""`./run bench standings`: processor time that the standings of one upload take.

The newest run of each suite among example runs comes and has all of its cells computed, five times,
at few runs and at many.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from apps.config.one_machine.environment import ROOT, VAR, product_environment
from apps.embedded.progress import Progress
from apps.embedded.servers import servers_for_tests
from tests.bench.examples.command import manage
from tests.bench.failure import BenchmarkError

RESULT: Final = ROOT / "build" / "bench" / "standings.json"
RUNS: Final = (500, 4_000)
ROUNDS: Final = 5
GOAL_MS: Final = 50.0  # of processors, for all cells of one upload, however many runs there are


def bench_standings(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when all standings were computed, whatever the goal says."""
    parser = argparse.ArgumentParser(prog="./run bench standings", description=__doc__)
    parser.add_argument("--runs", type=int, nargs="+", default=RUNS, help="default 500 4000")
    words = parser.parse_args(arguments)
    found = {}
    with servers_for_tests(VAR, environment=os.environ) as servers:
        environment = product_environment(servers)
        manage(ROOT, environment, "migrate", "--verbosity", "0")
        manage(ROOT, environment, "load_catalogue")
        for runs in words.runs:
            with progress.step(f"Loading {runs:,} example runs"):
                manage(ROOT, environment, "load_example_data", "--runs", str(runs))
            with progress.step("Computing"):
                found[runs] = measured(environment)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    progress.say(table(found))
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


def measured(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return what `refresh` prints. Raises BenchmarkError where it fails."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench.standings.refresh", str(ROUNDS)],
        check=False, cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        raise BenchmarkError(f"standings were not computed:\n{done.stderr}")
    taken: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return taken


def table(found: Mapping[int, Mapping[str, Mapping[str, float]]]) -> str:
    """One line for each number of runs and each suite, and what became of the goal."""
    lines = [f"{'runs':>8} {'suite':10}{'cells':>6}{'worker':>10}{'PostgreSQL':>12}{'clock':>10}"]
    lines += [
        f"{runs:>8,} {suite:10}{row['cells']:>6,}{row['worker_ms']:>7,.0f} ms"
        f"{row['postgres_ms']:>9,.0f} ms{row['clock_ms']:>7,.0f} ms"
        for runs, suites in found.items()
        for suite, row in suites.items()
    ]
    rows = [row for suites in found.values() for row in suites.values()]
    worst_ms = max(row["worker_ms"] + row["postgres_ms"] for row in rows)
    verdict = "met" if worst_ms <= GOAL_MS else "missed"
    return "\n".join([*lines, f"Goal: {GOAL_MS:.0f} ms: {verdict}."])
