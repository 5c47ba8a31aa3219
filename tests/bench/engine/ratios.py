"""From rounds of readings to ratios: each round by itself, then the median of the rounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median, stdev
from typing import Final

from tests.bench.engine.readings import Latency, Reading
from tests.bench.engine.shapes import Shape

OURS: Final = "ours"
DEFAULT: Final = "default"
TUNED: Final = "tuned"
BARE: Final = "bare"

Round = Mapping[str, Reading]
Figure = Callable[[Reading], float | None]


@dataclass(frozen=True)
class Ratio:
    """Ours over theirs: the median of the rounds, and the smallest and the largest of them."""

    median: float
    low: float
    high: float


@dataclass(frozen=True)
class Against:
    """One shape against one opponent. Nothing where one side has no such figure."""

    rate: Ratio | None
    p50: Ratio | None
    p99: Ratio | None
    cpu: Ratio | None


def compare(shape: Shape, rounds: Sequence[Round], opponent: str) -> Against:
    """All ratios of a shape; the latencies are those of the sides that the shape names."""
    ours, theirs = shape.sides or ("", "")
    latency = {OURS: ours, opponent: theirs}

    def ratio(figure: Callable[[Reading, str], float | None]) -> Ratio | None:
        pairs = [
            (figure(one[OURS], latency[OURS]), figure(one[opponent], latency[opponent]))
            for one in rounds
        ]
        found = [a / b for a, b in pairs if a is not None and b]
        return Ratio(median(found), min(found), max(found)) if found else None

    return Against(
        rate=ratio(lambda reading, _: reading.rate),
        p50=ratio(lambda reading, side: side_of(reading, side).p50),
        p99=ratio(lambda reading, side: side_of(reading, side).p99),
        cpu=ratio(lambda reading, _: reading.cpu_per_operation or None),
    )


def side_of(reading: Reading, side: str) -> Latency:
    return reading.latencies.get(side, Latency(0.0))


def middle(rounds: Sequence[Round], who: str, figure: Figure) -> float | None:
    """The median of one program's figure."""
    found = [value for one in rounds if (value := figure(one[who])) is not None]
    return median(found) if found else None


def variation(values: Sequence[float]) -> float:
    """The coefficient of variation: sample standard deviation over the mean."""
    return stdev(values) / fmean(values)
