"""The one axis of the site: latency from 100 ns to 100 ms, logarithmic, left is fast.

A rate stands on it at its reciprocal, because one writer that waits 10 µs a commit makes
100,000 commits a second. Every place is a percentage of the width, so that a drawing needs
no script to fit a phone.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

LOW_NS = 100
HIGH_NS = 100_000_000
DECADES = 6
NS_PER_S = 1_000_000_000
NINES_TOP = 4.0  # p99.99: four nines
MIDDLE_PERCENT = 50
MIDDLE_STEP = 5  # of the lines 1 to 9 inside a decade
PATH_WIDTH = 1000  # width of the box in which paths are drawn before they are stretched
QUANTILES_MIN = 3  # two are no shape
QUANTILES = (
    (0.5, "p50"),
    (0.9, "p90"),
    (0.99, "p99"),
    (0.999, "p99.9"),
    (0.9999, "p99.99"),
)


@dataclass(frozen=True, slots=True)
class AxisPlace:
    """Where something stands across the axis, and whether it had to be moved to the edge."""

    percent: float
    off_scale: int = 0  # -1: faster than the axis, 1: slower, 0: on it

    @property
    def x(self) -> str:
        """The place as an SVG length."""
        return f"{self.percent:.2f}%"

    @property
    def is_right(self) -> bool:
        """Whether it stands in the slow half, where words fit better on its left."""
        return self.percent > MIDDLE_PERCENT


def place_of_ns(latency_ns: float) -> AxisPlace:
    """Where a latency in nanoseconds stands; latencies off the axis stand at its edge."""
    if latency_ns < LOW_NS:
        return AxisPlace(0.0, -1)
    if latency_ns > HIGH_NS:
        return AxisPlace(100.0, 1)
    return AxisPlace(100.0 * math.log10(latency_ns / LOW_NS) / DECADES)


def place_of_rate(rate_per_s: float) -> AxisPlace:
    """Where a rate of operations per second stands: at its reciprocal."""
    return place_of_ns(NS_PER_S / rate_per_s)


def nines(q: float) -> float:
    """How many nines a quantile has: 0.9 is 1, 0.99 is 2, the median 0.3.

    This is the vertical scale of every percentile curve; it gives the slowest commit in
    ten thousand as much room as the slowest in ten.
    """
    return -math.log10(1.0 - q)


@dataclass(frozen=True, slots=True)
class Box:
    """The vertical room of a percentile curve, in pixels from the top of its drawing."""

    top: float
    bottom: float

    def y(self, q: float) -> float:
        """The height of a quantile."""
        return self.bottom - (self.bottom - self.top) * min(nines(q), NINES_TOP) / NINES_TOP


def curve_path(points: Sequence[tuple[float, float]], box: Box) -> str:
    """The SVG path of a percentile curve given as (quantile, nanoseconds), for a stretched box.

    Points beyond p99.99 are left out: the axis of the curve ends there.
    """
    inside = [(q, ns) for q, ns in points if 0 < q < 1 and nines(q) <= NINES_TOP + 1e-9]
    corners = [
        f"{place_of_ns(ns).percent * PATH_WIDTH / 100:.1f} {box.y(q):.1f}" for q, ns in inside
    ]
    return "M" + "L".join(corners) if len(corners) > 1 else ""


def is_rising(points: Sequence[tuple[float, float]]) -> bool:
    """Whether a curve rises: no point has a lower quantile or a shorter latency than the last."""
    return all(a[0] <= b[0] and a[1] <= b[1] for a, b in pairwise(points))


@dataclass(frozen=True, slots=True)
class Tick:
    """One line of the ruler; the decades carry a label on both scales."""

    place: AxisPlace
    rank: str  # decade, five or minor: how long the line is
    time: str = ""
    rate: str = ""


DECADE_LABELS = (
    ("100 ns", "10M"),
    ("1 µs", "1M"),
    ("10 µs", "100k"),
    ("100 µs", "10k"),
    ("1 ms", "1k"),
    ("10 ms", "100"),
    ("100 ms", "10 /s"),
)


def ruler_ticks() -> tuple[Tick, ...]:
    """Every line of the ruler: the decades, and 2 to 9 inside each."""
    ticks = []
    for decade, (time, rate) in enumerate(DECADE_LABELS):
        start_ns = LOW_NS * 10**decade
        ticks.append(Tick(place_of_ns(start_ns), "decade", time, rate))
        if decade < DECADES:
            ticks.extend(
                Tick(place_of_ns(start_ns * step), "five" if step == MIDDLE_STEP else "minor")
                for step in range(2, 10)
            )
    return tuple(ticks)


RULER = ruler_ticks()
