"""Mutants of Rust, by cargo-mutants: the engine and what decides beside it, with their quick tests.

cargo-mutants copies a crate and nothing beside it, and ours is built from files of `apps` and
tested with files of `tests`. So it changes a copy of the whole repository in its place, one mutant
at a time.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent import static_build
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from tests.bench.failure import BenchmarkError
from tests.bench.mutants.outcomes import Fate, Ledger, Outcome
from tests.bench.mutants.sources import copy_sources

VERSION: Final = "27.1.0"
INSTALLED: Final = ROOT / ".tools" / f"cargo-mutants-{VERSION}"
PROGRAM: Final = INSTALLED / "bin" / "cargo-mutants"
# The timed loops, and what is signed, ends a pass and counts latencies.
FILES: Final = (
    "src/engine/**/*.rs", "src/plan/pass_limits.rs", "src/wire/envelope.rs",
    "src/wire/histogram.rs",
)  # fmt: skip
LEFT_OUT: Final = ("src/engine/group_commit/interleavings.rs",)  # a test that needs a feature
TREE: Final = ROOT / "build" / "mutants" / "rust-tree"
OUTPUT: Final = ROOT / "build" / "mutants" / "rust"
OUTCOMES: Final = Path("mutants.out", "outcomes.json")
# The integration tests without a real disk: those that have one take minutes, for other things.
QUICK_TESTS: Final = ("fake_disk", "recordings")
SECONDS_MAX: Final = 300  # of one mutant's tests: a loop may have lost its end
MEASURED: Final = (0, 2, 3)  # statuses of cargo-mutants: all caught, some missed, some timed out
FATES: Final[Mapping[str, Fate]] = {
    "CaughtMutant": Fate.KILLED, "Timeout": Fate.KILLED, "MissedMutant": Fate.SURVIVED,
}  # fmt: skip


@dataclass(frozen=True)
class RustMutant:
    """A mutant as cargo-mutants names it: file, place and change in one line."""

    name: str

    @property
    def key(self) -> str:
        return self.name

    @property
    def path(self) -> str:
        return f"agent/{self.name.split(':', 1)[0]}"

    @property
    def line(self) -> int:
        return int(self.name.split(":", 2)[1])

    @property
    def words(self) -> str:
        return self.name.partition(" ")[2]

    @property
    def code(self) -> str:
        """The line as it is."""
        return (ROOT / self.path).read_text("utf-8").splitlines()[self.line - 1].strip()


def install(progress: Progress) -> None:
    """Build cargo-mutants into .tools, unless it is there."""
    if PROGRAM.exists():
        return
    with progress.step("Building cargo-mutants"):
        static_build.run_logged(
            [static_build.cargo(), "install", "--locked", "--root", str(INSTALLED),
             "--version", VERSION, "cargo-mutants"],
            log_name="cargo-mutants",
        )  # fmt: skip


def all_mutants() -> list[RustMutant]:
    """What cargo-mutants would change; those that do not compile are known only once tried."""
    done = subprocess.run(
        [str(PROGRAM), "mutants", "--list", *_files()],
        check=False, cwd=static_build.CRATE, capture_output=True, text=True,
    )  # fmt: skip
    if done.returncode:
        raise BenchmarkError(f"cargo-mutants cannot list:\n{done.stderr}")
    return [RustMutant(line) for line in done.stdout.splitlines()]


def run_mutants(mutants: Sequence[RustMutant], ledger: Ledger) -> None:
    """Put each mutant to the tests and note its fate; what is decided is not run again."""
    waiting = [each for each in mutants if not ledger.is_decided(each.key)]
    if not waiting:
        return
    copy_sources(TREE)
    crate = TREE / static_build.CRATE.relative_to(ROOT)
    done = subprocess.run(
        [str(PROGRAM), "mutants", *run_arguments(waiting)],
        check=False, cwd=crate, env={**os.environ, "CARGO_TARGET_DIR": str(OUTPUT / "target")},
    )  # fmt: skip
    report = json.loads((OUTPUT / OUTCOMES).read_text(encoding="utf-8"))
    for outcome in outcomes_of(report, places_of(all_mutants())):
        ledger.add(outcome)
    if done.returncode not in MEASURED:
        raise BenchmarkError(f"cargo-mutants ended with status {done.returncode}")


def run_arguments(mutants: Sequence[RustMutant]) -> list[str]:
    """The words behind `cargo mutants` that try these and no others."""
    chosen = "|".join(f"^{re.escape(each.name)}$" for each in mutants)
    tests = [word for name in QUICK_TESTS for word in ("--test", name)]
    return [
        *_files(), "--re", chosen, "--in-place", "--output", str(OUTPUT), "--no-shuffle",
        "--timeout", str(SECONDS_MAX), "--", "--locked", "--lib", *tests,
    ]  # fmt: skip


def outcomes_of(report: Mapping[str, Any], places: Mapping[str, int]) -> list[Outcome]:
    """The fates in cargo-mutants' report; a mutant that does not compile is none."""
    found = []
    for each in report["outcomes"]:
        if each["summary"] not in FATES or each["scenario"] == "Baseline":
            continue
        mutant = RustMutant(each["scenario"]["Mutant"]["name"])
        seconds = round(sum(phase["duration"] for phase in each["phase_results"]), 1)
        found.append(
            Outcome(
                mutant.key, mutant.path, mutant.line, mutant.code, mutant.words,
                FATES[each["summary"]], seconds, place=places[mutant.name],
            )
        )  # fmt: skip
    return found


def places_of(mutants: Iterable[RustMutant]) -> dict[str, int]:
    """Which of its file's equal changes of equal lines each mutant is, from 1."""
    equal = Counter[tuple[str, str, str]]()
    places = {}
    for each in mutants:
        change = (each.path, each.code, each.words)
        equal[change] += 1
        places[each.name] = equal[change]
    return places


def _files() -> list[str]:
    words = [word for pattern in FILES for word in ("--file", pattern)]
    return words + [word for pattern in LEFT_OUT for word in ("--exclude", pattern)]
