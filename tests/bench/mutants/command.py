"""`./run bench mutants`: a seeded sample of small changes, and how many of them no test notices."""

from __future__ import annotations

import argparse
import random
from collections.abc import Sequence
from typing import Final

from apps.config.environment import ROOT
from apps.embedded.progress import Progress
from tests.bench.mutants import python, rust
from tests.bench.mutants.changes import Mutant
from tests.bench.mutants.outcomes import Ledger, explanations, summary
from tests.bench.mutants.rust import RustMutant

SAMPLE: Final = 400  # a share of a tenth is then known to three hundredths
SEED: Final = 11
JOBS: Final = 2
LEDGER: Final = ROOT / "build" / "mutants" / "outcomes.jsonl"


def bench_mutants(arguments: Sequence[str], progress: Progress) -> int:
    """Run what is not known yet; 0 when every mutant could be tried, whatever the share is."""
    words = parse(arguments)
    ledger = Ledger(LEDGER)
    everything: list[Mutant | RustMutant] = [*python.all_mutants()]
    if not words.python_only:
        rust.install(progress)
        everything += rust.all_mutants()
    chosen = [each for each in sample(everything, words) if words.below in each.path]
    python.run_mutants(
        [each for each in chosen if isinstance(each, Mutant)],
        ledger, jobs=words.jobs, are_near=words.near, progress=progress,
    )  # fmt: skip
    rust.run_mutants([each for each in chosen if isinstance(each, RustMutant)], ledger)
    known = [ledger.outcomes[each.key] for each in chosen if ledger.is_decided(each.key)]
    if len(known) < len(chosen):
        progress.say(f"{len(chosen) - len(known)} of {len(chosen)} mutants are not decided.")
    progress.say(summary(known, explanations()))
    progress.say(str(LEDGER.relative_to(ROOT)))
    return 0


def sample(
    mutants: Sequence[Mutant | RustMutant], words: argparse.Namespace
) -> list[Mutant | RustMutant]:
    """A sample of mutants: one code, one seed and one number always give one sample."""
    generator = random.Random(words.seed)  # noqa: S311  a sample, not a secret
    return generator.sample(mutants, min(words.sample, len(mutants)))


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="./run bench mutants",
        description="Changes one operator, number or branch at a time and runs the tests that "
        "should notice. Stopped, it goes on where it was; delete build/mutants for a fresh start.",
    )
    parser.add_argument("--sample", type=int, default=SAMPLE, help="how many; default 400")
    parser.add_argument("--seed", type=int, default=SEED, help="of the sample")
    parser.add_argument(
        "--jobs", type=int, default=JOBS, help="Python's mutants at a time; default 2"
    )
    parser.add_argument(
        "--below", default="", help="only those of the sample whose path holds this"
    )
    parser.add_argument("--python-only", action="store_true", help="leave Rust out")
    parser.add_argument(
        "--near", action="store_true", help="ask only the tests of a mutant's own area"
    )
    return parser.parse_args(arguments)
