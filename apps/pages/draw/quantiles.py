"""Which quantiles of a distribution are known: of its whole curve, else of its few figures."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from apps.pages.draw.axis import QUANTILES, QUANTILES_MIN, is_rising


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
    """The points of a whole curve, else those of the figures.

    Only a quantile that they state is marked: between two of them nobody measured.
    """
    points = [(float(q), float(ns)) for q, ns in figures.curve if 0 < q < 1 and ns > 0]
    if len(points) <= 1 or not is_rising(points):
        points = _stated(figures)
    known = dict(points)
    return KnownQuantiles(points, [(name, q, known[q]) for q, name in QUANTILES if q in known])


def _stated(figures: HasQuantiles) -> list[tuple[float, float]]:
    """The quantiles that a row has, as points of a curve; nothing where they do not rise."""
    values = ((0.5, figures.p50_ns), (0.99, figures.p99_ns), (0.9999, figures.p9999_ns))
    points = [(q, float(ns)) for q, ns in values if ns]
    return points if is_rising(points) else points[:1]
