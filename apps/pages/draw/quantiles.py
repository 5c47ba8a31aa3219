"""Which quantiles of a distribution are known: of its whole curve, else of its few figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

from apps.pages.draw.axis import QUANTILES, QUANTILES_MIN, is_rising, nines


class HasQuantiles(Protocol):
    """What has a curve of (quantile, nanoseconds), or three quantiles of one in nanoseconds."""

    @property
    def curve(self) -> Sequence[tuple[float, float]]:
        """Its points, from the lowest quantile; empty where it was not recorded."""

    @property
    def p50_ns(self) -> int | None:
        """The median."""

    @property
    def p99_ns(self) -> int | None:
        """The 99th percentile."""

    @property
    def p9999_ns(self) -> int | None:
        """The 99.99th percentile."""


@dataclass(frozen=True, slots=True)
class KnownQuantiles:
    """Points of a line, and the quantiles of it that are marked: name, quantile, nanoseconds."""

    points: Sequence[tuple[float, float]]
    marked: Sequence[tuple[str, float, float]]

    @property
    def has_shape(self) -> bool:
        """Whether they are enough for a curve."""
        return len(self.marked) >= QUANTILES_MIN


def quantiles_of(figures: HasQuantiles) -> KnownQuantiles:
    """Of a whole curve every quantile is marked, else those of the figures."""
    points = [(float(q), float(ns)) for q, ns in figures.curve if 0 < q < 1 and ns > 0]
    is_whole = is_rising(points) and len(points) > 1
    if not is_whole:
        points = _stated(figures)
    stated = {q for q, _ns in points}
    marked = [
        (name, q, ns)
        for q, name in QUANTILES
        if (is_whole or q in stated) and (ns := quantile_at(points, q)) is not None
    ]
    return KnownQuantiles(points, marked)


def quantile_at(points: Sequence[tuple[float, float]], q: float) -> float | None:
    """The latency of a curve at a quantile in nanoseconds; None beyond its ends.

    Between two points the logarithm of time is a line over the nines, as the script draws it.
    """
    if not points or not points[0][0] <= q <= points[-1][0] + 1e-9:
        return None
    for (q0, low), (q1, high) in pairwise(points):
        if q <= q1 + 1e-12:
            across = nines(q1) - nines(q0)
            share = (nines(q) - nines(q0)) / across if across else 0.0
            return float(low * (high / low) ** min(max(share, 0.0), 1.0))
    return points[-1][1]


def _stated(figures: HasQuantiles) -> list[tuple[float, float]]:
    """The quantiles that a row has, as points of a curve; nothing where they do not rise."""
    values = ((0.5, figures.p50_ns), (0.99, figures.p99_ns), (0.9999, figures.p9999_ns))
    points = [(q, float(ns)) for q, ns in values if ns]
    return points if is_rising(points) else points[:1]
