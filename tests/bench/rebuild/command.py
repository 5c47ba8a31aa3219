"""`./run bench rebuild`: runs a second of `manage.py rebuild`, step by step.

Example runs are loaded into an empty database, three of four of them quick ones, and made again
several times. What a step takes is what the command says of it.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from statistics import median
from typing import Final

from apps.config.one_machine.environment import ROOT, VAR, product_environment
from apps.embedded.progress import Progress
from apps.embedded.servers import servers_for_tests
from tests.bench.examples.command import manage
from tests.bench.failure import BenchmarkError

RESULT: Final = ROOT / "build" / "bench" / "rebuild.json"
RUNS: Final = 3_000
ROUNDS: Final = 3
GOAL_PER_S: Final = 2_000
STEP: Final = re.compile(r"^(.+): all, in ([0-9.]+) s$", re.MULTILINE)
# The last step computes the standings of all cells, most of which are those of published runs.
STANDINGS: Final = "Marked cells"


def bench_rebuild(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when every rebuild came to its end, whatever the goal says."""
    parser = argparse.ArgumentParser(prog="./run bench rebuild", description=__doc__)
    parser.add_argument("--runs", type=int, default=RUNS, help=f"default {RUNS:,}")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default {ROUNDS}")
    words = parser.parse_args(arguments)
    with servers_for_tests(VAR, environment=os.environ) as servers:
        environment = product_environment(servers)
        with progress.step(f"Loading {words.runs:,} example runs"):
            manage(ROOT, environment, "migrate", "--verbosity", "0")
            manage(ROOT, environment, "load_catalogue")
            manage(ROOT, environment, "load_example_data", "--runs", str(words.runs))
        rounds = []
        for place in range(words.rounds):
            with progress.step(f"Rebuild {place + 1} of {words.rounds}"):
                rounds.append(seconds_of(environment))
    taken = {step: median(each[step] for each in rounds) for step in rounds[0]}
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    found = {"runs": words.runs, "processes": os.cpu_count(), "seconds": taken}
    RESULT.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    progress.say(table(taken, runs=words.runs))
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


def seconds_of(environment: Mapping[str, str]) -> dict[str, float]:
    """Rebuild once; return the seconds of each step. Raises BenchmarkError where it fails."""
    done = subprocess.run(
        [sys.executable, "manage.py", "rebuild"],
        check=False, cwd=ROOT, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode != 0:
        raise BenchmarkError(f"manage.py rebuild failed:\n{done.stderr}")
    return {step: float(seconds) for step, seconds in STEP.findall(done.stdout)}


def table(seconds: Mapping[str, float], *, runs: int) -> str:
    """One line a step, and what became of the goal, which leaves the standings out."""
    lines = [f"{step:44}{taken:>8.1f} s{runs / taken:>8,.0f}/s" for step, taken in seconds.items()]
    rows_s = sum(taken for step, taken in seconds.items() if step != STANDINGS)
    per_s = runs / rows_s
    verdict = "met" if per_s >= GOAL_PER_S else "missed"
    return "\n".join([*lines, f"Rows of runs: {per_s:,.0f}/s. Goal: {GOAL_PER_S:,}/s: {verdict}."])
