"""`./run bench classes`: every kind of durable work in turn, on journalled file systems."""

from __future__ import annotations

import argparse
import json
import os
import platform
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from tests.bench.classes.disks import HOST, MAKERS, SLOW, Disk, Target, require, target
from tests.bench.classes.jobs import JOBS, PG_FILE, Job, PgTestFsync, flushes_per_commit
from tests.bench.engine import fio, program
from tests.bench.engine.contest import Programs
from tests.bench.engine.readings import PassError

RESULTS: Final = ROOT / "build" / "bench"
PG_FOLDERS: Final = "/usr/lib/postgresql/*/bin"
HEADLINE: Final = "commit-8k"
ROUNDS: Final = 9
ROUNDS_QUICK: Final = 2
SECONDS: Final = 0.5  # of a pass: short ones alternate faster than a machine changes


@dataclass(frozen=True, slots=True)
class Course:
    """What is done on every disk."""

    jobs: Sequence[Job | PgTestFsync]
    programs: Programs
    rounds: int
    seconds: float


@dataclass
class Passes:
    """What all rounds on one target brought."""

    rates: dict[str, list[float]] = field(default_factory=dict)
    flushes: dict[str, list[float]] = field(default_factory=dict)


def bench_classes(arguments: Sequence[str], progress: Progress) -> int:
    """Measure, print a table of each disk and keep all of it as JSON."""
    options = parse(arguments)
    filesystems = options.filesystem or list(MAKERS)
    disks = [disk for disk in (*SLOW, HOST) if disk.name in options.disk] or list(SLOW)
    require(filesystems)
    programs = Programs(program.build(progress), *fio.find())
    rounds = ROUNDS_QUICK if options.quick else ROUNDS
    course = Course([*JOBS, *pg_jobs(progress)], programs, rounds=rounds, seconds=SECONDS)
    # A pass that waits for a CPU that others have would look like one that waits for the disk.
    os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
    began, load = time.monotonic(), os.getloadavg()[0]
    found = []
    for disk in disks:
        for filesystem in filesystems:
            with target(disk, filesystem, options.dir) as made:
                found.append(summary(disk, filesystem, measure(made, course)))
            progress.say(table(found[-1]))
    measured = {**caption(course, load), "disks": found}
    RESULTS.mkdir(parents=True, exist_ok=True)
    result = RESULTS / "classes.json"
    result.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    name = result.relative_to(ROOT)
    progress.say(f"{name}, {(time.monotonic() - began) / 60:.0f} min")
    progress.say(f"Into the method: ./run manage comparable_work --measured {name} --write")
    return 0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench classes",
        description="Measures kinds of durable work in alternating passes, as root, on loop "
        "devices over disks in memory (1.6 GiB) whose flush always takes the same time.",
    )
    parser.add_argument("--quick", action="store_true", help="2 rounds in place of 9")
    parser.add_argument(
        "--disk", action="append", default=[], choices=[disk.name for disk in (*SLOW, HOST)],
        help="this one and others that are named so (default: the slow disks in memory)",
    )  # fmt: skip
    parser.add_argument("--filesystem", action="append", choices=list(MAKERS))
    parser.add_argument(
        "--dir", type=Path, default=RESULTS, metavar="DIR",
        help="where the disks lie (default: build/bench)",
    )  # fmt: skip
    return parser.parse_args(arguments)


def pg_jobs(progress: Progress) -> list[PgTestFsync]:
    """PostgreSQL's own test where it is installed."""
    folders = [str(path) for path in sorted(Path("/").glob(PG_FOLDERS.lstrip("/")))]
    path = shutil.which(PG_FILE, path=os.pathsep.join([*folders, os.environ.get("PATH", "")]))
    if path is None:
        progress.say("pg_test_fsync is not installed (Debian: postgresql): measured without it.")
    return [PgTestFsync(path)] if path else []


def measure(made: Target, course: Course) -> Passes:
    """All jobs in each round, in turned order every other time: a slow minute falls on all."""
    passes = Passes()
    for number in range(course.rounds):
        for job in course.jobs if number % 2 == 0 else reversed(course.jobs):
            one_pass(job, made, course, passes)
    return passes


def one_pass(job: Job | PgTestFsync, made: Target, course: Course, passes: Passes) -> None:
    """One pass of one job, its rates and flushes added to the others."""
    if isinstance(job, Job) and job.file is not None:
        job.prepare(made, course.programs)  # before flushes are counted
    os.sync()
    before = made.flushes()
    try:
        rates = job.run(made, course.programs, course.seconds)
    except (PassError, OSError, ValueError, KeyError) as error:
        raise PassError(f"{job.id}: {error}") from error
    flushes = flushes_per_commit(rates, seconds=course.seconds, flushes=made.flushes() - before)
    for kept, new in ((passes.rates, rates), (passes.flushes, flushes)):
        for workload, value in new.items():
            kept.setdefault(workload, []).append(value)


def summary(disk: Disk, filesystem: str, passes: Passes) -> dict[str, Any]:
    """Medians of rates, and the ratio to the headline within each round with its scatter."""
    headline = passes.rates[HEADLINE]
    workloads = {}
    for workload, rates in passes.rates.items():
        ratios = [rate / first for rate, first in zip(rates, headline, strict=True)]
        middle = median(ratios)
        workloads[workload] = {
            "rate_per_s": round(median(rates), 1),
            "ratio": round(middle, 3),
            "ratio_mad": round(median(abs(ratio - middle) for ratio in ratios), 3),
            **(
                {"flushes": round(median(passes.flushes[workload]), 2)}
                if workload in passes.flushes
                else {}
            ),
        }
    return {
        "disk": disk.name, "flush_ms": disk.flush_ms, "filesystem": filesystem,
        "workloads": workloads,
    }  # fmt: skip


def table(one: Mapping[str, Any]) -> str:
    lines = [f"\n{one['disk']}, {one['filesystem']}"]
    for workload, row in sorted(one["workloads"].items(), key=lambda item: -item[1]["ratio"]):
        flushes = f"{row['flushes']:.2f}" if "flushes" in row else "-"
        lines.append(
            f"  {workload:34} {row['rate_per_s']:>9,.0f}/s  {row['ratio']:.2f} ± "
            f"{row['ratio_mad']:.2f} of {HEADLINE}, {flushes} flushes each"
        )
    return "\n".join(lines)


def caption(course: Course, load: float) -> dict[str, Any]:
    """On what, with what, how often."""
    return {
        "measured_on": datetime.now(UTC).date().isoformat(),
        "machine": f"Linux {platform.release()}, {os.cpu_count()} CPUs",
        "fio": course.programs.fio_version,
        "rounds": course.rounds,
        "seconds": course.seconds,
        "load_before": round(load, 1),
    }
