"""`./run bench engine`: the agent's loops beside fio, on the same files, in alternating passes."""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from tests.bench.engine import fio, profile, program, table
from tests.bench.engine.contest import START_RATE, Contest, Files, Programs
from tests.bench.engine.entries import Entry, as_typed, failed, measured
from tests.bench.engine.ratios import DEFAULT, OURS, TUNED, Round
from tests.bench.engine.readings import PassError
from tests.bench.engine.shapes import SHAPES, Family, Shape

RESULTS: Final = ROOT / "build" / "bench"
DOCUMENT: Final = ROOT / "docs" / "performance.md"
LOAD_MAX: Final = 0.5  # runnable processes before the start, above which the machine is not quiet


@dataclass(frozen=True)
class Length:
    """How often and how long everything is measured."""

    rounds: int
    seconds: float
    repeats: int  # of the shape that asks how alike repeats are
    repeat_seconds: float = 1.0


FULL: Final = Length(rounds=5, seconds=2.0, repeats=12)
QUICK: Final = Length(rounds=2, seconds=1.0, repeats=4)


def bench_engine(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when every shape could be measured, whatever the goals say."""
    options = parse(arguments)
    length = QUICK if options.quick else FULL
    shapes = [shape for shape in SHAPES if not options.only or shape.name in options.only]
    path, version = fio.find()
    programs = Programs(program.build(progress), path, version)
    load = os.getloadavg()[0]
    if load > LOAD_MAX:
        progress.say("Something else is running here: the figures will be further apart.")
    began = time.monotonic()
    is_whole = length is FULL and len(shapes) == len(SHAPES)
    RESULTS.mkdir(parents=True, exist_ok=True)
    result = RESULTS / ("engine.json" if is_whole else "engine-part.json")
    entries: dict[str, Entry] = {}
    with Files.within(options.dir, programs) as files:
        for name, entry in measure(shapes, length, programs, files, progress):
            entries[name] = entry
            save(result, entries)  # each time: whatever ends the command, what was measured is kept
    made = table.render(entries, caption(length, programs, options.dir, load))
    if is_whole:
        document = DOCUMENT.read_text(encoding="utf-8")
        DOCUMENT.write_text(table.put_into(document, made), encoding="utf-8")
    progress.say(f"\n{made}\n\n{summary(entries)}")
    progress.say(f"{result.relative_to(ROOT)}, {(time.monotonic() - began) / 60:.0f} min")
    return 1 if any(entry["rounds"] == 0 for entry in entries.values()) else 0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench engine",
        description="Measures the agent's loops and fio in alternating passes. Writes some hundred "
        "GiB in all: not for a drive whose wear matters to you.",
    )
    parser.add_argument("--quick", action="store_true", help="2 rounds of 1 s, for developing")
    parser.add_argument(
        "--only", action="append", metavar="SHAPE", choices=[shape.name for shape in SHAPES],
        help="this shape, and others that are named so",
    )  # fmt: skip
    parser.add_argument(
        "--dir", type=Path, default=RESULTS, metavar="DIR",
        help="where the test files lie (default: build/bench)",
    )  # fmt: skip
    return parser.parse_args(arguments)


def measure(
    shapes: Sequence[Shape], length: Length, programs: Programs, files: Files, progress: Progress
) -> Iterator[tuple[str, Entry]]:
    """Every shape in turn; one that fails is an entry that says so."""
    for index, shape in enumerate(shapes, start=1):
        progress.say(f"[{index}/{len(shapes)}] {shape.name}: {shape.family.value}")
        try:
            entry = measure_one(shape, length, programs, files, progress)
        except (PassError, OSError, ValueError, KeyError, ArithmeticError) as error:
            entry = failed(str(error))
            progress.say(f"  failed: {error}")
        else:
            progress.say(f"  goals: {table.verdict(entry)}")
        yield shape.name, entry


def save(path: Path, entries: Mapping[str, Entry]) -> None:
    path.write_text(json.dumps(entries, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def measure_one(
    shape: Shape, length: Length, programs: Programs, files: Files, progress: Progress
) -> Entry:
    is_repeated = shape.family is Family.REPEATED
    rounds = length.repeats if is_repeated else length.rounds
    seconds = length.repeat_seconds if is_repeated else length.seconds
    contest = Contest(shape, programs, files, seconds=seconds)

    def tell(number: int, readings: Round) -> None:
        rates = ", ".join(f"{who} {reading.rate:,.0f}/s" for who, reading in readings.items())
        progress.say(f"  {number}/{rounds}  {rates}")

    played = contest.play(rounds, tell)
    folders = [str(folder) for folder in (files.folder, files.shared_memory) if folder]
    commands = {
        player: as_typed(contest.command(player, seconds=seconds), programs.fio_version, folders)
        for player in contest.players
        if player in (DEFAULT, TUNED)
    }
    entry = measured(shape, played, commands)
    if entry["met"] is False:
        entry["profile"] = profiles(contest)
    return entry


def profiles(contest: Contest) -> dict[str, list[str]]:
    """One more pass of each program, with perf looking on."""
    rate = START_RATE if contest.shape.family is Family.OPEN else None
    found = {}
    for player in (OURS, DEFAULT, TUNED):
        if player in contest.players:
            contest.files.ready(contest.shape.file)
            found[player] = profile.sample(contest.command(player, seconds=1.0, rate=rate))
    return found


def caption(length: Length, programs: Programs, folder: Path, before: float) -> str:
    """On what, with what, how often."""
    machine = f"Linux {platform.release()}, {os.cpu_count()} CPUs, {filesystem(folder)}"
    measured_how = f"{length.rounds} rounds of {length.seconds:g} s for each shape"
    load = f"load before it {before:.1f}"
    return (
        f"{machine}; {programs.fio_version}; {measured_how}, {load}. "
        "A ratio is ours over fio's, the median of the rounds."
    )


def filesystem(folder: Path) -> str:
    """The type of the filesystem that a folder lies on, by the longest mount point above it."""
    mounts = [line.split() for line in Path("/proc/mounts").read_text("utf-8").splitlines()]
    above = [(Path(words[1]), words[2]) for words in mounts]
    fitting = [(point, kind) for point, kind in above if folder.resolve().is_relative_to(point)]
    return max(fitting, key=lambda mount: len(mount[0].parts))[1] if fitting else "unknown"


def summary(entries: dict[str, Entry]) -> str:
    judged = [entry for entry in entries.values() if entry["met"] is not None]
    goals = [goal for entry in judged for goal in entry["goals"]]
    return (
        f"{sum(entry['met'] for entry in judged)} of {len(judged)} shapes met all of their goals, "
        f"{sum(goal['met'] for goal in goals)} of {len(goals)} goals were met."
    )
