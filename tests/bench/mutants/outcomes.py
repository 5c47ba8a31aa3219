"""What became of each mutant, kept as it comes, and what it says of the tests."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from math import sqrt
from pathlib import Path
from typing import Final

EQUIVALENT: Final = Path(__file__).with_name("equivalent.toml")
SURVIVAL_MAX: Final = 0.10  # of those that are not equivalent
Z_95: Final = 1.96  # standard deviations that hold 95 % of a normal distribution


class Fate(StrEnum):
    """Whether the tests noticed."""

    KILLED = "killed"
    SURVIVED = "survived"
    UNDECIDED = "undecided"  # by the tests of its own area; others are asked later


# A mutant by what a person reads: file, line of code, change, and which of several equal ones.
ChangeOfLine = tuple[str, str, str, int]


@dataclass(frozen=True)
class Outcome:
    """A mutant as a person looks for it, and its fate."""

    key: str
    path: str
    line: int
    code: str
    change: str
    fate: Fate
    seconds: float
    noticed_by: str = ""  # the first test that failed, where that is known
    place: int = 1  # which of the file's equal changes of equal lines

    @property
    def change_of_line(self) -> ChangeOfLine:
        return self.path, self.code, self.change, self.place


class Ledger:
    """A file of outcomes, a line each: what was stopped goes on where it was."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        rows = [json.loads(line) for line in lines]
        self.outcomes = {row["key"]: Outcome(**{**row, "fate": Fate(row["fate"])}) for row in rows}

    def is_decided(self, key: str) -> bool:
        return key in self.outcomes and self.outcomes[key].fate is not Fate.UNDECIDED

    def add(self, outcome: Outcome) -> None:
        self.outcomes[outcome.key] = outcome
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(outcome)) + "\n")


def wilson(hits: int, trials: int) -> tuple[float, float]:
    """Wilson's interval of a share, which holds at 0 and for few trials too; 95 %."""
    if trials == 0:
        return 0.0, 1.0
    share, spread = hits / trials, Z_95**2 / trials
    centre = share + spread / 2
    half = Z_95 * sqrt(share * (1 - share) / trials + spread / trials / 4)
    low, high = (centre - half) / (1 + spread), (centre + half) / (1 + spread)
    return max(low, 0.0), min(high, 1.0)


def explanations(path: Path = EQUIVALENT) -> dict[ChangeOfLine, str]:
    """Why a mutant is no other program."""
    listed = tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", [])
    return {
        (each["path"], each["code"], each["change"], each.get("place", 1)): each["reason"]
        for each in listed
    }


def summary(outcomes: Sequence[Outcome], known: Mapping[ChangeOfLine, str]) -> str:
    """The survivors a line each, then the share that survived with its interval."""
    survived = [each for each in outcomes if each.fate is Fate.SURVIVED]
    equivalent = [each for each in survived if each.change_of_line in known]
    unexplained = sorted(set(survived) - set(equivalent), key=lambda each: (each.path, each.line))
    lines = [f"{each.path}:{each.line}: {each.change}   in: {each.code}" for each in unexplained]
    trials = len(outcomes) - len(equivalent)
    low, high = wilson(len(unexplained), trials)
    share = len(unexplained) / trials if trials else 0.0
    interval = f"{share:.1%} ({low:.1%} to {high:.1%}, 95 %)"
    lines += [
        f"{len(outcomes)} mutants, {len(equivalent)} of them equivalent.",
        f"{len(unexplained)} of {trials} others survived: {interval}",
        f"Goal: at most {SURVIVAL_MAX:.0%}: {'reached' if share <= SURVIVAL_MAX else 'missed'}.",
    ]
    return "\n".join(lines)
