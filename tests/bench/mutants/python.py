"""Mutants of Python: each is put into a copy of the tree, where the tests of its app run."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from apps.config.environment import ROOT, VAR
from apps.embedded.progress import Progress
from apps.embedded.servers import Addresses, servers_for_tests
from tests.bench.failure import BenchmarkError
from tests.bench.mutants.changes import Mutant, mutants_of
from tests.bench.mutants.outcomes import Fate, Ledger, Outcome

# What is changed, and the tests that should notice.
TARGETS: Final[Mapping[str, str]] = {
    "apps/stats": "tests/stats",
    "apps/wire": "tests/wire",
    "apps/rankings": "tests/rankings",
    "apps/intake/services": "tests/intake",
}
LEFT_OUT: Final = {"migrations", "management", "data"}  # run once, or by hand
TREES: Final = ROOT / "build" / "mutants"
PATIENCE: Final = 4  # times what the tests take when nothing is changed
PATIENCE_SECONDS_MIN: Final = 120
GREEN: Final = 0  # statuses of pytest
SOME_FAILED: Final = (1, 2)  # 2 is also what a module ends with that cannot be imported
QUICK: Final = "not daily and not browser"
SIMULATED: Final = "simul"  # in the name of a module that only daily tests run
PYTEST: Final = (
    sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "--tb=no", "-p", "no:cacheprovider",
    "--reuse-db",
)  # fmt: skip


@dataclass(frozen=True)
class Tree:
    """A copy of the repository with a database of its own."""

    root: Path
    environment: Mapping[str, str]

    def tests(
        self, paths: Sequence[str], *, marks: str = QUICK, seconds_max: float | None = None
    ) -> int | None:
        """The status of the tests; None when they took too long."""
        try:
            done = subprocess.run(
                [*PYTEST, "-m", marks, *paths],
                check=False, cwd=self.root, env=dict(self.environment),
                stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds_max,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return None
        return done.returncode


def all_mutants(root: Path = ROOT) -> list[Mutant]:
    """Every mutant of every target, in the order of files and text."""
    return [
        mutant
        for target in TARGETS
        for path in sorted((root / target).rglob("*.py"))
        if not LEFT_OUT & set(path.relative_to(root).parts)
        for mutant in mutants_of(root, path.relative_to(root))
    ]


def target_of(path: str) -> str:
    return next(target for target in TARGETS if path.startswith(f"{target}/"))


def run_mutants(
    mutants: Sequence[Mutant], ledger: Ledger, *, jobs: int, progress: Progress
) -> None:
    """Put each mutant to the tests and note its fate; what the ledger knows is not run again."""
    waiting = [each for each in mutants if each.key not in ledger.outcomes]
    if not waiting:
        return
    with trees(jobs) as copies:
        targets = sorted({target_of(each.path) for each in waiting})
        seconds = {target: _baseline(copies[0], target, progress) for target in targets}
        free: SimpleQueue[Tree] = SimpleQueue()
        for copy in copies:
            free.put(copy)

        def trial(mutant: Mutant) -> Outcome:
            tree = free.get()
            try:
                return try_mutant(mutant, tree, seconds_max=seconds[target_of(mutant.path)])
            finally:
                free.put(tree)

        with ThreadPoolExecutor(max_workers=jobs) as pool:
            for number, outcome in enumerate(pool.map(trial, waiting), start=1):
                ledger.add(outcome)
                progress.say(
                    f"{number}/{len(waiting)} {outcome.fate} {outcome.path}:{outcome.line} "
                    f"{outcome.change} ({outcome.seconds:.0f} s)"
                )


@contextlib.contextmanager
def trees(count: int) -> Iterator[list[Tree]]:
    """Copies of the repository, on servers that only they use."""
    with servers_for_tests(VAR, environment=os.environ) as servers:
        yield [_copied(number, servers) for number in range(count)]


def _copied(number: int, servers: Addresses) -> Tree:
    root = TREES / f"tree-{number}"
    shutil.rmtree(root, ignore_errors=True)
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"],
        check=True, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)
    base, _, database = servers.database_url.rpartition("/")
    return Tree(
        root,
        {
            **os.environ,
            "DATABASE_URL": f"{base}/{database}_mutants_{number}",
            "REDIS_URL": servers.redis_url,
            "PYTHONDONTWRITEBYTECODE": "1",
        },
    )


def _baseline(tree: Tree, target: str, progress: Progress) -> float:
    """How long the tests of a target may take; they must be green when nothing is changed."""
    began = time.monotonic()
    with progress.step(f"The tests of {target} as it is"):
        status = tree.tests([TARGETS[target]])
    if status != GREEN:
        raise BenchmarkError(f"{TARGETS[target]} fails in {tree.root} though nothing is changed.")
    return max(PATIENCE * (time.monotonic() - began), PATIENCE_SECONDS_MIN)


def try_mutant(mutant: Mutant, tree: Tree, *, seconds_max: float) -> Outcome:
    """Change the file, run the tests that should notice, and put the file back."""
    file = tree.root / mutant.path
    source = file.read_bytes()
    began = time.monotonic()
    try:
        file.write_bytes(mutant.applied(source))
        marks = "not browser" if SIMULATED in mutant.path else QUICK
        files = nearest_first(tree.root, mutant)
        status = tree.tests(files, marks=marks, seconds_max=seconds_max)
    finally:
        file.write_bytes(source)
    if status not in {GREEN, *SOME_FAILED, None}:
        raise BenchmarkError(f"pytest ended with status {status} on {mutant}")
    fate = Fate.SURVIVED if status == GREEN else Fate.KILLED
    seconds = round(time.monotonic() - began, 1)
    return Outcome(mutant.key, mutant.path, mutant.line, mutant.code, mutant.words, fate, seconds)


def nearest_first(root: Path, mutant: Mutant) -> list[str]:
    """The test files of the mutant's app: those that name its module, then the others."""
    module = mutant.path.removesuffix(".py").replace("/", ".")
    files = sorted((root / TARGETS[target_of(mutant.path)]).rglob("test_*.py"))
    files.sort(key=lambda path: module not in path.read_text(encoding="utf-8"))
    return [str(path.relative_to(root)) for path in files]
