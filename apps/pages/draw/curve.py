"""The picture at the head of a page: a percentile curve, that of all runs together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.draw.axis import (
    NS_PER_S,
    QUANTILES,
    QUANTILES_MIN,
    AxisPlace,
    Box,
    curve_path,
    is_rising,
    nines,
    place_of_ns,
)
from apps.pages.draw.trace import FLIP_AT_PERCENT, Span
from apps.stats.figures import duration_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.pages.draw.trace import TraceFigures

HEIGHT: Final = 452  # pixels: as high as the words beside it on a desk
BOX: Final = Box(top=44, bottom=424)


@dataclass(frozen=True, slots=True)
class QuantileMark:
    """A quantile of the curve: its name, its latency and where that lies."""

    name: str
    latency_ns: float
    place: AxisPlace
    y: float
    words_are_left: bool = False

    @property
    def rate_per_s(self) -> float:
        """What stands below its latency on the other scale."""
        return NS_PER_S / self.latency_ns


@dataclass(frozen=True, slots=True)
class Curve:
    """What is drawn; places across are percentages, heights pixels of HEIGHT."""

    path: str
    marks: tuple[QuantileMark, ...]
    guides: tuple[tuple[str, float], ...]
    band: Span | None
    height: int = HEIGHT

    @property
    def sentence(self) -> str:
        """The sentence for those who do not see it."""
        percentiles = ", ".join(
            f"{mark.name} {duration_text(mark.latency_ns)}" for mark in self.marks
        )
        return _("Percentile curve: %(figures)s") % {"figures": percentiles}

    @property
    def band_is_left(self) -> bool:
        """Whether the name of the band stands left of it: there is more room."""
        return self.band is not None and self.band.start.percent > 100 - self.band.end.percent


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


def draw_curve(figures: TraceFigures | None) -> Curve | None:
    """Draw a distribution at the head of its page; None where fewer than QUANTILES_MIN are known.

    Of a whole curve every quantile is marked. Else those of the figures are, joined by lines.
    """
    if figures is None:
        return None
    points = [(float(q), float(ns)) for q, ns in figures.curve if 0 < q < 1 and ns > 0]
    is_whole = is_rising(points) and len(points) > 1
    if not is_whole:
        points = _known(figures)
    known = {q for q, _ns in points}
    marks = [
        QuantileMark(name, ns, place_of_ns(ns), BOX.y(q))
        for q, name in QUANTILES
        if (is_whole or q in known) and (ns := quantile_at(points, q)) is not None
    ]
    if len(marks) < QUANTILES_MIN:
        return None
    return Curve(
        path=curve_path(points, BOX),
        marks=tuple(
            replace(mark, words_are_left=mark.place.percent > FLIP_AT_PERCENT) for mark in marks
        ),
        guides=tuple((name, BOX.y(q)) for q, name in QUANTILES),
        band=Span(*map(place_of_ns, figures.band_ns)) if figures.band_ns else None,
    )


def _known(figures: TraceFigures) -> list[tuple[float, float]]:
    """The quantiles that a row has, as points of a curve; nothing where they do not rise."""
    values = ((0.5, figures.p50_ns), (0.99, figures.p99_ns), (0.9999, figures.p9999_ns))
    points = [(q, float(ns)) for q, ns in values if ns]
    return points if is_rising(points) else points[:1]
