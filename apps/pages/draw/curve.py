"""The picture at the head of a page: a percentile curve, that of all runs together."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.draw.axis import NS_PER_S, QUANTILES, AxisPlace, Box, curve_path, place_of_ns
from apps.pages.draw.quantiles import quantiles_of
from apps.pages.draw.trace import FLIP_AT_PERCENT, Span
from apps.stats.figures import duration_text

if TYPE_CHECKING:
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


def draw_curve(figures: TraceFigures) -> Curve | None:
    """Draw a distribution at the head of its page; None where fewer than QUANTILES_MIN are known.

    Its marks are joined by a line.
    """
    known = quantiles_of(figures)
    if not known.has_shape:
        return None
    marks = [QuantileMark(name, ns, place_of_ns(ns), BOX.y(q)) for name, q, ns in known.marked]
    return Curve(
        path=curve_path(known.points, BOX),
        marks=tuple(
            replace(mark, words_are_left=mark.place.percent > FLIP_AT_PERCENT) for mark in marks
        ),
        guides=tuple((name, BOX.y(q)) for q, name in QUANTILES),
        band=Span(*map(place_of_ns, figures.band_ns)) if figures.band_ns else None,
    )
