"""What `./run bench engine` says of a shape: its object in the JSON, of which the table is made."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.bench.engine.goals import judge
from tests.bench.engine.ratios import (
    BARE,
    DEFAULT,
    OURS,
    TUNED,
    Against,
    Ratio,
    Round,
    compare,
    middle,
    side_of,
)
from tests.bench.engine.shapes import Family, Shape

Entry = dict[str, Any]

DIGITS: Final = 4  # more would be noise


def measured(shape: Shape, rounds: Sequence[Round], commands: Mapping[str, str]) -> Entry:
    """A shape that was measured. The ratios are those against the tuned fio, which is harder; those
    against fio as somebody would type it are under `default`.
    """
    opponents = [who for who in (DEFAULT, TUNED, BARE) if who in rounds[0]]
    against = {opponent: compare(shape, rounds, opponent) for opponent in opponents}
    verdicts = judge(shape, rounds, against)
    main = next((who for who in (TUNED, DEFAULT, BARE) if who in against), None)
    entry: Entry = {
        **ratios(against.get(main) if main else None),
        "rounds": len(rounds),
        "fio": commands.get(main or ""),
        "note": shape.note,
        "met": all(verdict.met for verdict in verdicts) if verdicts else None,
        "goals": [rounded(dataclasses.asdict(verdict)) for verdict in verdicts],
        "figures": {who: figures(shape, rounds, who) for who in rounds[0]},
    }
    if DEFAULT in against:
        entry["default"] = {**ratios(against[DEFAULT]), "fio": commands[DEFAULT]}
    if BARE in against:
        entry["bare"] = {"rate_ratio": middle_of(against[BARE].rate)}
    return entry


def failed(reason: str) -> Entry:
    """A shape whose pass failed: everything is there, and nothing is claimed."""
    return {
        **ratios(None), "rounds": 0, "fio": None, "note": f"failed: {reason}", "met": None,
        "goals": [], "figures": {},
    }  # fmt: skip


def ratios(against: Against | None) -> Entry:
    """The four ratios, and how far the rounds were apart."""
    names = {"rate": "rate_ratio", "p50": "p50_ratio", "p99": "p99_ratio", "cpu": "cpu_ratio"}
    found = {name: getattr(against, name) if against else None for name in names}
    ranges = {
        names[name]: [round(ratio.low, DIGITS), round(ratio.high, DIGITS)]
        for name, ratio in found.items()
        if ratio is not None
    }
    return {**{names[name]: middle_of(ratio) for name, ratio in found.items()}, "ranges": ranges}


def middle_of(ratio: Ratio | None) -> float | None:
    return round(ratio.median, DIGITS) if ratio is not None else None


def figures(shape: Shape, rounds: Sequence[Round], who: str) -> Entry:
    """One program's own figures: medians over the rounds."""
    side = ""
    if shape.sides is not None:
        side = shape.sides[0] if who == OURS else shape.sides[1]
    timed = any(one[who].cost.cpu_ns for one in rounds)
    found = {
        "per_second": middle(rounds, who, lambda reading: reading.rate),
        "p50_ns": middle(rounds, who, lambda reading: side_of(reading, side).p50),
        "p99_ns": middle(rounds, who, lambda reading: side_of(reading, side).p99),
    }
    # Of a queue only; fio's latencies of a write leave its sync out, so they do not tell its depth.
    if shape.family in (Family.DEEP, Family.MEMORY_DEEP) and (who == OURS or shape.sides):
        found["effective_depth"] = middle(rounds, who, lambda reading: reading.depth)
    if timed:
        found |= {
            "user_ns_per_io": per_io(rounds, who, "user_ns"),
            "system_ns_per_io": per_io(rounds, who, "system_ns"),
            "switches_per_io": per_io(rounds, who, "switches"),
        }
    if shape.family is Family.OPEN:
        found["offered_per_second"] = middle(rounds, who, lambda reading: reading.offered)
    return rounded(found)


def per_io(rounds: Sequence[Round], who: str, part: str) -> float | None:
    return middle(
        rounds, who, lambda reading: float(getattr(reading.cost, part)) / reading.operations
    )


def rounded(values: Mapping[str, Any]) -> Entry:
    return {
        key: round(value, DIGITS) if isinstance(value, float) else value
        for key, value in values.items()
    }


def as_typed(argv: Sequence[str], version: str, folders: Sequence[str]) -> str:
    """A command line for people: the version before it, no folders of this machine in it."""
    line = shlex.join(["fio", *argv[1:]])
    for folder in folders:
        line = line.replace(f"{folder}/", "")
    return f"{version}: {line}"
