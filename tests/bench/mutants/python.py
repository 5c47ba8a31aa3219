"""Mutants of Python: each is put into a copy of the tree, and to the tests that execute its line.

The tests of the mutant's own area come first. What they let pass is put to the tests of all other
areas that reach the line, and to those that are slow. Tests in a browser and whole live sites are
left out: they take longer than a mutant may, and look at what others look at closer.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from apps.config.one_machine.environment import ROOT, VAR
from apps.embedded.progress import Progress
from apps.embedded.servers import Addresses, servers_for_tests
from tests.bench.failure import BenchmarkError
from tests.bench.mutants.changes import Mutant, mutants_of
from tests.bench.mutants.outcomes import Fate, Ledger, Outcome
from tests.bench.mutants.sources import copy_sources
from tests.bench.mutants.touched import Touched, file_of

# What is changed, and the tests that should notice.
TARGETS: Final[Mapping[str, str]] = {
    "apps/stats": "tests/stats",
    "apps/wire": "tests/wire",
    "apps/rankings": "tests/rankings",
    "apps/intake/services": "tests/intake",
}
# Tests that reach the same code from above, and are asked when those let a mutant pass.
ELSEWHERE: Final = (
    "tests/runs", "tests/plans", "tests/drives", "tests/badges", "tests/api", "tests/pages",
)  # fmt: skip
LEFT_OUT: Final = {"migrations", "management", "data"}  # run once, or by hand
BUILD: Final = ROOT / "build" / "mutants"
MARKS: Final = "not browser"
PATIENCE: Final = 6  # times what the tests took when they were recorded
PATIENCE_SECONDS_MIN: Final = 60.0  # a busy machine needs as long to import everything
PROBES: Final = 50  # fastest tests of an area that must be green before anything is changed
GREEN: Final = 0  # statuses of pytest
# 2 and 4 are also what it ends with where a module cannot be imported any more
NOTICED: Final = (1, 2, 3, 4)


@dataclass(frozen=True)
class Tree:
    """A copy of the repository with a database of its own."""

    root: Path
    environment: Mapping[str, str]

    @contextlib.contextmanager
    def changed(self, mutant: Mutant) -> Iterator[None]:
        """The tree with one mutant; older bytecode of the file could be taken for the file."""
        file = self.root / mutant.path
        source = file.read_bytes()
        Path(importlib.util.cache_from_source(str(file))).unlink(missing_ok=True)
        file.write_bytes(mutant.applied(source))
        try:
            yield
        finally:
            file.write_bytes(source)


@dataclass
class Runner:
    """The warm process of a tree."""

    tree: Tree
    process: subprocess.Popen[str]
    is_database_new: bool = True

    def run(self, tests: Sequence[str], known: Touched) -> tuple[int | None, str]:
        """The status of some tests, None where they hang, and the first that failed."""
        files = dict.fromkeys(map(file_of, tests))
        others = [each for each in known.seconds if file_of(each) in files]
        seconds = sum(known.seconds[each] for each in tests)
        trial = {
            "files": list(files),
            "order": list(tests),
            "left_out": sorted(set(others) - set(tests)),
            "seconds_max": max(PATIENCE * seconds, PATIENCE_SECONDS_MIN),
            "is_database_new": self.is_database_new,
        }
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(trial) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        status = answer["status"]
        self.is_database_new = status is None  # who is killed leaves rows behind
        if status not in {GREEN, *NOTICED, None}:
            raise BenchmarkError(f"pytest ended with status {status} on {', '.join(files)}")
        return status, answer["noticed_by"]

    def trial(self, mutant: Mutant, tests: Sequence[str], known: Touched, *, left: Fate) -> Outcome:
        """Change the file, run the tests, and put the file back; `left` is the fate if all pass."""
        began = time.monotonic()
        with self.tree.changed(mutant):
            status, noticed_by = self.run(tests, known) if tests else (GREEN, "")
        return Outcome(
            mutant.key, mutant.path, mutant.line, mutant.code, mutant.words,
            left if status == GREEN else Fate.KILLED,
            round(time.monotonic() - began, 1),
            noticed_by if status is not None else "the clock", mutant.place,
        )  # fmt: skip


def all_mutants(root: Path = ROOT) -> list[Mutant]:
    """Every mutant of every target, in the order of files and text."""
    return [
        mutant
        for target in TARGETS
        for path in sorted((root / target).rglob("*.py"))
        if not LEFT_OUT & set(path.relative_to(root).parts)
        for mutant in mutants_of(root, path.relative_to(root))
    ]


def own_tests(mutant: Mutant) -> str:
    """The folder of tests that a mutant's app has for itself."""
    return next(TARGETS[each] for each in TARGETS if mutant.path.startswith(f"{each}/"))


def run_mutants(
    mutants: Sequence[Mutant], ledger: Ledger, *, jobs: int, are_near: bool, progress: Progress
) -> None:
    """Put each mutant to its own tests, and what they let pass to all others that reach it."""
    if all(ledger.is_decided(each.key) for each in mutants):
        return
    with runners(jobs) as all_runners:
        near = {
            folder: recorded(all_runners[0].tree, folder, progress)
            for folder in sorted(set(map(own_tests, mutants)))
        }
        for known in near.values():
            _probe(all_runners[0], known)

        def first(runner: Runner, mutant: Mutant) -> Outcome:
            known = near[own_tests(mutant)]
            tests = known.quick(known.reaching(mutant, source_of(runner.tree, mutant)))
            return runner.trial(mutant, tests, known, left=Fate.UNDECIDED)

        unknown = [each for each in mutants if each.key not in ledger.outcomes]
        _each(unknown, first, all_runners, ledger, progress)
        undecided = [each for each in mutants if not ledger.is_decided(each.key)]
        if are_near or not undecided:
            return
        folders = dict.fromkeys((*TARGETS.values(), *ELSEWHERE))
        known = Touched.merged(
            near.get(each) or recorded(all_runners[0].tree, each, progress) for each in folders
        )

        def second(runner: Runner, mutant: Mutant) -> Outcome:
            source = source_of(runner.tree, mutant)
            own = near[own_tests(mutant)]
            asked = set(own.quick(own.reaching(mutant, source)))
            tests = [each for each in known.reaching(mutant, source) if each not in asked]
            return runner.trial(mutant, tests, known, left=Fate.SURVIVED)

        _each(undecided, second, all_runners, ledger, progress)


def source_of(tree: Tree, mutant: Mutant) -> str:
    return (tree.root / mutant.path).read_text(encoding="utf-8")


def _each(
    mutants: Sequence[Mutant],
    trial: Callable[[Runner, Mutant], Outcome],
    all_runners: Sequence[Runner],
    ledger: Ledger,
    progress: Progress,
) -> None:
    """Try all mutants on all runners, and note each fate as it comes."""
    free: SimpleQueue[Runner] = SimpleQueue()
    for runner in all_runners:
        free.put(runner)

    def tried(mutant: Mutant) -> Outcome:
        runner = free.get()
        try:
            return trial(runner, mutant)
        finally:
            free.put(runner)

    with ThreadPoolExecutor(max_workers=len(all_runners)) as pool:
        for number, outcome in enumerate(pool.map(tried, mutants), start=1):
            ledger.add(outcome)
            progress.say(
                f"{number}/{len(mutants)} {outcome.fate} {outcome.path}:{outcome.line} "
                f"{outcome.change} ({outcome.seconds:.0f} s)"
            )


def _probe(runner: Runner, known: Touched) -> None:
    """A runner on which tests fail though nothing is changed would kill whatever it is given."""
    status, failed = runner.run(known.fastest_first(known.seconds)[:PROBES], known)
    if status != GREEN:
        raise BenchmarkError(f"{failed or 'A test'} fails in {runner.tree.root} as it is.")


def recorded(tree: Tree, folder: str, progress: Progress) -> Touched:
    """What the tests of a folder execute, recorded once for the same sources."""
    path = BUILD / f"{folder.replace('/', '-')}-{digest(tree.root, folder)}.json"
    if not path.exists():
        command = [
            sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "-m", MARKS, "--reuse-db",
            "-p", "no:cacheprovider", "-p", "tests.bench.mutants.touching",
            "--touched", str(path), "--folders", ",".join(TARGETS), folder,
        ]  # fmt: skip
        with progress.step(f"Recording which lines {folder} executes"):
            done = subprocess.run(
                command, check=False, cwd=tree.root, env=dict(tree.environment),
                stdin=subprocess.DEVNULL, capture_output=True, text=True,
            )  # fmt: skip
        if done.returncode != GREEN:
            path.unlink(missing_ok=True)
            raise BenchmarkError(f"{folder} fails though nothing is changed:\n{done.stdout}")
    return Touched.read(path)


def digest(root: Path, folder: str) -> str:
    """What a record of a folder's tests holds for: the code of the product and of those tests."""
    hashed = hashlib.sha256()
    for place in ("apps", folder):
        for path in sorted((root / place).rglob("*.py")):
            hashed.update(f"{path.relative_to(root)}\0".encode() + path.read_bytes())
    return hashed.hexdigest()[:16]


@contextlib.contextmanager
def runners(count: int) -> Iterator[list[Runner]]:
    """Copies of the repository, each with a warm process, on servers that only they use."""
    with contextlib.ExitStack() as stack:
        servers = stack.enter_context(servers_for_tests(VAR, environment=os.environ))
        trees = [_copied(number, servers) for number in range(count)]
        yield [Runner(tree, stack.enter_context(_warm(tree))) for tree in trees]


@contextlib.contextmanager
def _warm(tree: Tree) -> Iterator[subprocess.Popen[str]]:
    """The process ends when nobody writes to it any more."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.bench.mutants.warm"],
        cwd=tree.root, env=dict(tree.environment), text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    ) as process:  # fmt: skip
        yield process


def _copied(number: int, servers: Addresses) -> Tree:
    root = BUILD / f"tree-{number}"
    copy_sources(root)
    base, _, database = servers.database_url.rpartition("/")
    return Tree(
        root,
        {
            **os.environ,
            "DATABASE_URL": f"{base}/{database}_mutants_{number}",
            "REDIS_URL": servers.redis_url,
            "SECRET_KEY": "x" * 50,
            "OPENBLAS_NUM_THREADS": "1",  # what forks has no other threads
        },
    )
