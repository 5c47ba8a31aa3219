"""A row of the field in its shortest form: a mark at the median, a whisker to p99, a bracket."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from apps.pages.draw.axis import NS_PER_S, AxisPlace, place_of_ns, place_of_rate
from apps.pages.draw.trace import Span, TraceFigures
from apps.stats.figures import duration_text

FLIP_AT_PERCENT: Final = 72.0  # further right, a label would leave the field


@dataclass(frozen=True, slots=True)
class Spot:
    """What is drawn: places across are percentages, as everywhere in the field."""

    dot: AxisPlace
    plp: str  # full: filled, none or partial: open, unknown: diamond
    sentence: str  # for those who do not see it
    label: str
    end: AxisPlace | None = None  # p99
    bracket: Span | None = None  # interval of the rate, on the lower scale

    @property
    def label_at(self) -> AxisPlace:
        """Where its words hang."""
        return self.end or self.dot

    @property
    def label_is_left(self) -> bool:
        """Whether they stand left of it, because there is no room right of it."""
        return self.label_at.percent > FLIP_AT_PERCENT


def draw_spot(figures: TraceFigures) -> Spot:
    """Draw the median where it is known, else the mean of one writer, 1 / rate."""
    p50_ns, p99_ns = figures.p50_ns, figures.p99_ns
    typical_ns = p50_ns if p50_ns is not None else NS_PER_S / figures.rate_per_s
    typical = duration_text(typical_ns)
    if p99_ns is not None:
        label = _("p99 %(time)s") % {"time": duration_text(p99_ns)}
        sentence = _("half of all commits within %(p50)s, 99 of 100 within %(p99)s") % {
            "p50": typical,
            "p99": duration_text(p99_ns),
        }
    else:
        label = (_("mean %(time)s") if p50_ns is None else _("p50 %(time)s")) % {"time": typical}
        sentence = label
    bracket = None
    if figures.low and figures.high:
        bracket = Span(place_of_rate(figures.high), place_of_rate(figures.low))
    return Spot(
        dot=place_of_ns(typical_ns),
        plp=figures.plp or "unknown",
        sentence=sentence,
        label=label,
        end=None if p99_ns is None else place_of_ns(p99_ns),
        bracket=bracket,
    )
