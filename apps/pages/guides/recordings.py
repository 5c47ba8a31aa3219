"""Figures that were really taken, on one machine and one day, for the pictures of guides and lies.

They show what a thing looks like and rank nobody. The file says which machine, when, and how.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("data") / "recorded.json"


@dataclass(frozen=True, slots=True)
class RecordedLatencies:
    """Latencies of one side of a workload, in nanoseconds."""

    min_ns: int
    mean_ns: int
    max_ns: int
    p1_ns: int | None = None
    p50_ns: int | None = None
    p99_ns: int | None = None
    p999_ns: int | None = None
    n: int | None = None


@dataclass(frozen=True, slots=True)
class Recording:
    """One workload as it was measured: operations a second, and the times of its sides."""

    tool: str
    per_s: float
    sides: dict[str, RecordedLatencies]
    command: str = ""


@dataclass(frozen=True, slots=True)
class Recordings:
    """All of it, with the machine and the day."""

    machine: dict[str, str]
    measured_on: str  # ISO date
    agent: str
    commands: tuple[str, ...]
    remark: str
    figures: dict[str, Recording]

    def times(self, figure: str, side: str) -> RecordedLatencies:
        """One side of one figure; KeyError where it was not taken."""
        return self.figures[figure].sides[side]


@cache
def recordings() -> Recordings:
    """The figures, read once in a process."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    figures = {
        key: Recording(
            tool=each["tool"],
            per_s=each["per_s"],
            sides={side: RecordedLatencies(**times) for side, times in each["sides"].items()},
            command=each.get("command", ""),
        )
        for key, each in document["figures"].items()
    }
    return Recordings(
        machine=document["machine"],
        measured_on=document["measured_on"],
        agent=document["agent"],
        commands=tuple(document["commands"]),
        remark=document["remark"],
        figures=figures,
    )
