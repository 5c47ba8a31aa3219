"""`./run bench NAME`: chooses the benchmark."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS, run_verb
from tests.bench.agent.command import bench_agent
from tests.bench.answers.command import bench_answers
from tests.bench.badges.command import bench_badges
from tests.bench.classes.command import bench_classes
from tests.bench.cluster.command import bench_cluster
from tests.bench.dump.command import bench_dump
from tests.bench.engine.command import bench_engine
from tests.bench.examples.command import bench_example_data
from tests.bench.ingest.command import bench_ingest
from tests.bench.mutants.command import bench_mutants
from tests.bench.pages.scores import bench_pages
from tests.bench.rebuild.command import bench_rebuild
from tests.bench.recognise.command import bench_recognise
from tests.bench.scale.command import bench_scale
from tests.bench.standings.command import bench_standings
from tests.bench.storage.command import bench_storage

Benchmark = Callable[[Sequence[str], Progress], int]

# Name, what it does, in the order of the list that `./run bench` prints.
BENCHMARKS: Final[Mapping[str, tuple[str, Benchmark]]] = {
    "agent": ("the agent's size, start and memory (about 3 minutes)", bench_agent),
    "answers": (
        "shared pages beside static files of the same server (about 5 minutes)",
        bench_answers,
    ),
    "badges": (
        "badges while the database is busy, and stopped (about 3 minutes)",
        bench_badges,
    ),
    "classes": (
        "how far kinds of durable work lie apart on one disk, as root (about 35 minutes; --help)",
        bench_classes,
    ),
    "cluster": (
        "what nginx, replica and PgBouncer carry and cost (about 3 minutes)",
        bench_cluster,
    ),
    "dump": ("the daily dump at 100,000 runs: memory, time (about 20 minutes, 10 GB)", bench_dump),
    "engine": ("the agent's timed loops beside fio (about 25 minutes; --help)", bench_engine),
    "example-data": ("loading a year of example runs (about 2 minutes)", bench_example_data),
    "ingest": (
        "uploads through the door beside pgbench storing the same rows (about 4 minutes)",
        bench_ingest,
    ),
    "mutants": ("small changes that no test notices (hours; --help)", bench_mutants),
    "pages": ("Lighthouse's scores of the pages people open first (about 4 minutes)", bench_pages),
    "rebuild": ("runs a second of a whole rebuild (about 4 minutes)", bench_rebuild),
    "recognise": ("names of drives a second (some seconds)", bench_recognise),
    "scale": ("pages at many runs beside few (about 20 minutes, 10 GB; --help)", bench_scale),
    "standings": (
        "processor time that one upload's standings take (about 4 minutes)",
        bench_standings,
    ),
    "storage": ("bytes of the database that a run takes (about 2 minutes)", bench_storage),
}


def bench(arguments: list[str], progress: Progress) -> int:
    """Run one benchmark, or list them."""
    if not arguments:
        for name, (words, _) in BENCHMARKS.items():
            progress.say(f"./run bench {name}   {words}")
        return 0
    name, *rest = arguments
    if name not in BENCHMARKS:
        progress.say(f"./run bench: no benchmark '{name}'. There are: {', '.join(BENCHMARKS)}.")
        return USAGE_STATUS
    return BENCHMARKS[name][1](rest, progress)


if __name__ == "__main__":
    sys.exit(run_verb({"bench": bench}, sys.argv[1:]))
