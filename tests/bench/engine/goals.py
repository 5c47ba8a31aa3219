"""The goals of `./run bench engine`, by family of shapes, and whether they are met."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tests.bench.engine.ratios import (
    BARE,
    DEFAULT,
    OURS,
    TUNED,
    Against,
    Ratio,
    Round,
    middle,
    side_of,
    variation,
)
from tests.bench.engine.shapes import Family, Shape

RATE_MIN: Final = 0.98
LATENCY_BAND: Final = (0.95, 1.05)  # two instruments for the same thing must agree, both ways
CPU_MAX: Final = {Family.ONE: 0.95, Family.DEEP: 0.7}
DEPTH_MIN: Final = 0.95
MEMORY_MIN: Final = {DEFAULT: 1.35, TUNED: 1.05, BARE: 0.95}
MEMORY_DEEP_MIN: Final = {DEFAULT: 1.8, TUNED: 1.05}
NULL_NS_MAX: Final = 35.0
VARIATION_MAX: Final = 1.2
# A queue that grows evenly during a pass of T seconds makes its median arrival wait half of the
# backlog at the end. The estimate ignores chance and changes of the device: half of it suffices.
QUEUE_SHOWN_MIN: Final = 0.5


@dataclass(frozen=True)
class Verdict:
    """One goal of one shape."""

    goal: str
    value: float | None
    met: bool
    low: float | None = None
    high: float | None = None


def least(goal: str, ratio: Ratio | None, limit: float) -> Verdict:
    """At least `limit`. What was not measured is not met."""
    if ratio is None:
        return Verdict(f"{goal} >= {limit}", None, met=False)
    return Verdict(f"{goal} >= {limit}", ratio.median, ratio.median >= limit, ratio.low, ratio.high)


def most(goal: str, ratio: Ratio | None, limit: float) -> Verdict:
    """At most `limit`."""
    if ratio is None:
        return Verdict(f"{goal} <= {limit}", None, met=False)
    return Verdict(f"{goal} <= {limit}", ratio.median, ratio.median <= limit, ratio.low, ratio.high)


def within(goal: str, ratio: Ratio | None) -> Verdict:
    """Within 5 %, both ways; what was not measured is not."""
    low, high = LATENCY_BAND
    if ratio is None:
        return Verdict(f"{goal} {low} to {high}", None, met=False)
    met = low <= ratio.median <= high
    return Verdict(f"{goal} {low} to {high}", ratio.median, met, ratio.low, ratio.high)


def judge(shape: Shape, rounds: Sequence[Round], against: Mapping[str, Against]) -> list[Verdict]:
    """Every goal of a shape; none where there is nothing to compare with."""
    rules: dict[Family, Callable[[], list[Verdict]]] = {
        Family.ONE: lambda: device(shape, rounds, against),
        Family.DEEP: lambda: device(shape, rounds, against),
        Family.MEMORY: lambda: rates(against, MEMORY_MIN),
        Family.MEMORY_DEEP: lambda: rates(against, MEMORY_DEEP_MIN),
        Family.NULL: lambda: null(rounds),
        Family.OPEN: lambda: open_loop(rounds),
        Family.REPEATED: lambda: repeated(shape, rounds),
        Family.ALONE: list,
    }
    return rules[shape.family]()


def device(shape: Shape, rounds: Sequence[Round], against: Mapping[str, Against]) -> list[Verdict]:
    verdicts = []
    for opponent, ratios in against.items() if shape.is_same_work else ():
        name = f"against fio {opponent}"
        verdicts.append(least(f"rate {name}", ratios.rate, RATE_MIN))
        if shape.family is Family.ONE:
            verdicts += [
                within(f"{rank} {name}", ratio)
                for rank, ratio in (("p50", ratios.p50), ("p99", ratios.p99))
                if opponent != TUNED or ratio is not None  # tuned, fio keeps no latencies
            ]
        verdicts.append(most(f"CPU {name}", ratios.cpu, CPU_MAX[shape.family]))
    if shape.family is Family.DEEP:
        depth = middle(rounds, OURS, lambda reading: reading.depth)
        met = depth is not None and depth >= DEPTH_MIN
        verdicts.append(Verdict(f"effective depth >= {DEPTH_MIN}", depth, met))
    return verdicts


def rates(against: Mapping[str, Against], limits: Mapping[str, float]) -> list[Verdict]:
    names = {DEFAULT: "fio default", TUNED: "fio tuned", BARE: "the loop without a clock"}
    return [
        least(f"rate against {names[opponent]}", against[opponent].rate, limit)
        for opponent, limit in limits.items()
    ]


def null(rounds: Sequence[Round]) -> list[Verdict]:
    each = [one[OURS].seconds * 1e9 / one[OURS].operations for one in rounds]
    value = middle(rounds, OURS, lambda reading: reading.seconds * 1e9 / reading.operations)
    met = value is not None and value <= NULL_NS_MAX
    return [Verdict(f"ns per operation <= {NULL_NS_MAX:g}", value, met, min(each), max(each))]


def open_loop(rounds: Sequence[Round]) -> list[Verdict]:
    """Our p50 against half of the backlog that offered and served rates leave behind."""
    shares = [share for one in rounds if (share := queue_shown(one)) is not None]
    ratio = Ratio(sorted(shares)[len(shares) // 2], min(shares), max(shares)) if shares else None
    return [least("p50 over that of an even queue", ratio, QUEUE_SHOWN_MIN)]


def queue_shown(one: Round) -> float | None:
    ours = one[OURS]
    p50 = side_of(ours, "read").p50
    expected_ns = (1 - ours.rate / ours.offered) * ours.seconds / 2 * 1e9 if ours.offered else 0
    # A device that kept up after all has no queue to show.
    return p50 / expected_ns if p50 is not None and expected_ns > 0 else None


def repeated(shape: Shape, rounds: Sequence[Round]) -> list[Verdict]:
    verdicts = []
    side = shape.sides[0] if shape.sides else ""
    for goal, figure in (
        ("rate", lambda reading: reading.rate),
        ("p50", lambda reading: side_of(reading, side).p50 or 0.0),
    ):
        ours, fio = (variation([figure(one[who]) for one in rounds]) for who in (OURS, DEFAULT))
        value = ours / fio if fio else None
        met = value is not None and value <= VARIATION_MAX
        words = f"CV of {goal} {ours:.3f}, fio's {fio:.3f}: <= {VARIATION_MAX} times"
        verdicts.append(Verdict(words, value, met))
    return verdicts
