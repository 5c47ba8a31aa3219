"""`./run bench mutants`: a seeded sample of small changes, and how many of them no test notices."""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from tests.bench.mutants import python, rust
from tests.bench.mutants.changes import Mutant
from tests.bench.mutants.outcomes import Ledger, explanations, summary
from tests.bench.mutants.rust import RustMutant

SAMPLE: Final = 400  # a share of a tenth is then known to three hundredths
SEED: Final = 11
JOBS: Final = 2
BUILD: Final = ROOT / "build" / "mutants"
LEDGER: Final = BUILD / "outcomes.jsonl"


def bench_mutants(arguments: Sequence[str], progress: Progress) -> int:
    """Run what is not known yet; 0 when every mutant could be tried, whatever the share is."""
    words = parse(arguments)
    ledger = Ledger(LEDGER)
    everything: list[Mutant | RustMutant] = [*python.all_mutants()]
    if not words.python_only:
        rust.install(progress)
        everything += rust.all_mutants()
    chosen = [each for each in kept_sample(everything, words) if words.below in each.path]
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


def kept_sample(
    mutants: Sequence[Mutant | RustMutant], words: argparse.Namespace, build: Path = BUILD
) -> list[Mutant | RustMutant]:
    """The sample, drawn once and kept: a commit that comes in between changes it little."""
    name = f"sample-{words.seed}-{words.sample}{'-python' if words.python_only else ''}.json"
    path = build / name
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    chosen = sample(mutants, words, kept)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([each.key for each in chosen]), encoding="utf-8")
    return chosen


def sample(
    mutants: Sequence[Mutant | RustMutant], words: argparse.Namespace, kept: Sequence[str] = ()
) -> list[Mutant | RustMutant]:
    """What is kept and still there, filled up by lot: one code and one seed give one sample."""
    generator = random.Random(words.seed)  # noqa: S311  a sample, not a secret
    others = {each.key: each for each in mutants}
    still = [others.pop(key) for key in kept if key in others]
    missing = max(words.sample - len(still), 0)
    return still + generator.sample([*others.values()], min(missing, len(others)))


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
