"""`./run bench recognise`: names of drives a second, with all patterns of the catalogue.

The names are those of `tests/drives`, half of which no pattern was written for.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import time
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from typing import Final

import django

from apps.config.one_machine.environment import ROOT, product_environment
from apps.embedded.progress import Progress
from apps.embedded.servers import Addresses

RESULT: Final = ROOT / "build" / "bench" / "recognise.json"
FAMILIES: Final = ROOT / "apps" / "drives" / "data" / "drives.csv"
NAMES: Final = tuple(
    ROOT / "tests" / "drives" / f"{name}.csv" for name in ("model_strings", "held_out_strings")
)
ROUNDS: Final = 5
GOAL_US: Final = 100.0  # a name: a run has a few, and takes milliseconds


def bench_recognise(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 whatever the goal says."""
    argparse.ArgumentParser(prog="./run bench recognise", description=__doc__).parse_args(arguments)
    nowhere = Addresses(database_url="postgresql://nobody@127.0.0.1/nothing", redis_url="")
    os.environ.update(product_environment(nowhere))
    django.setup()  # asks no database
    found = measured()
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    verdict = "met" if found["us_a_name"] <= GOAL_US else "missed"
    progress.say(
        f"{found['patterns']:.0f} patterns compiled in {found['compile_ms']:.0f} ms; "
        f"{found['names']:.0f} names, {found['us_a_name']:.1f} µs each "
        f"(goal {GOAL_US:.0f}: {verdict})"
    )
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


def measured() -> dict[str, float]:
    """Return how long compiling takes, and recognising a name; medians of ROUNDS."""
    from apps.drives.recognition import Recogniser  # noqa: PLC0415 -- models need the set-up

    families = tuple((row["family"], row["kind"], row["match"]) for row in rows_of(FAMILIES))
    patterns = tuple(each for each in families if each[2])
    names = [row["model_string"] for row in chain.from_iterable(map(rows_of, NAMES))]
    compiling, recognising = [], []
    for _ in range(ROUNDS):
        began = time.process_time()
        recogniser = Recogniser(patterns)
        compiled = time.process_time()
        for name in names:
            recogniser.recognise(vendor="", model=name)
        recognising.append(time.process_time() - compiled)
        compiling.append(compiled - began)
    return {
        "patterns": len(patterns),
        "names": len(names),
        "compile_ms": median(compiling) * 1000,
        "us_a_name": median(recognising) / len(names) * 1e6,
    }


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows of a file."""
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, strict=True))
