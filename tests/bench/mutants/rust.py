"""Mutants of Rust, by cargo-mutants: the engine and the envelope, with their quick tests."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent import static_build
from apps.config.environment import ROOT
from apps.embedded.progress import Progress
from tests.bench.failure import BenchmarkError
from tests.bench.mutants.outcomes import Fate, Ledger, Outcome

VERSION: Final = "27.1.0"
INSTALLED: Final = ROOT / ".tools" / f"cargo-mutants-{VERSION}"
PROGRAM: Final = INSTALLED / "bin" / "cargo-mutants"
FILES: Final = ("src/engine/**/*.rs", "src/envelope.rs")
OUTPUT: Final = ROOT / "build" / "mutants" / "rust"
OUTCOMES: Final = Path("mutants.out", "outcomes.json")
# Tests that need a real disk take minutes and look at other things.
QUICK_TESTS: Final = ("fake_disk", "wire")
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


def run_mutants(mutants: Sequence[RustMutant], ledger: Ledger, *, jobs: int) -> None:
    """Put each mutant to the tests and note its fate; what the ledger knows is not run again."""
    waiting = [each for each in mutants if each.key not in ledger.outcomes]
    if not waiting:
        return
    chosen = "|".join(f"^{re.escape(each.name)}$" for each in waiting)
    tests = [word for name in quick_tests() for word in ("--test", name)]
    done = subprocess.run(
        [str(PROGRAM), "mutants", *_files(), "--re", chosen, "--output", str(OUTPUT),
         "--jobs", str(jobs), "--timeout", str(SECONDS_MAX), "--no-shuffle",
         "--", "--locked", "--lib", *tests],
        check=False, cwd=static_build.CRATE,
    )  # fmt: skip
    for outcome in outcomes_of(json.loads((OUTPUT / OUTCOMES).read_text(encoding="utf-8"))):
        ledger.add(outcome)
    if done.returncode not in MEASURED:
        raise BenchmarkError(f"cargo-mutants ended with status {done.returncode}")


def quick_tests() -> list[str]:
    """The integration tests that need no real disk."""
    names = sorted(path.stem for path in (static_build.CRATE / "tests").iterdir())
    return [name for name in names if any(word in name for word in QUICK_TESTS)]


def outcomes_of(report: Mapping[str, Any]) -> list[Outcome]:
    """The fates in cargo-mutants' report; a mutant that does not compile is none."""
    found = []
    for each in report["outcomes"]:
        if each["summary"] not in FATES or each["scenario"] == "Baseline":
            continue
        mutant = each["scenario"]["Mutant"]
        place, _, change = mutant["name"].partition(" ")
        path, line, _ = place.split(":", 2)
        seconds = round(sum(phase["duration"] for phase in each["phase_results"]), 1)
        code = mutant["function"]["function_name"] if mutant.get("function") else ""
        found.append(
            Outcome(
                mutant["name"], f"agent/{path}", int(line), code, change,
                FATES[each["summary"]], seconds,
            )
        )  # fmt: skip
    return found


def _files() -> list[str]:
    return [word for pattern in FILES for word in ("--file", pattern)]
