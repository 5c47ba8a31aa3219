"""The picture of a data sheet beside a measurement: two marks of the ruler and what lies between.

A rated number of writes a second stands at its reciprocal, as every rate does. It is a claim and
dashed: many writes in flight share that time, and none of them is durable.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from apps.pages.draw.axis import AxisPlace, place_of_rate
from apps.pages.draw.trace import Span

HEIGHT: Final = 188  # pixels
_WIDE_PERCENT: Final = 12.0  # a bracket narrower than this has its figure beside it
_EDGE_PERCENT: Final = 30.0  # nearer to an end of the field, words point to its middle


@dataclass(frozen=True, slots=True)
class Gap:
    """What is rated against what was measured."""

    rating: AxisPlace
    measurement: AxisPlace
    ratio: float
    between: Span
    height: int = HEIGHT

    @property
    def middle(self) -> AxisPlace:
        """Where the figure of the bracket summary."""
        return AxisPlace((self.rating.percent + self.measurement.percent) / 2)

    @property
    def is_wide(self) -> bool:
        """Whether the figure fits into the bracket."""
        return abs(self.measurement.percent - self.rating.percent) >= _WIDE_PERCENT

    @property
    def rating_is_left(self) -> bool:
        """Whether the words of the rated mark end at it."""
        return self.rating.percent > 100 - _EDGE_PERCENT

    @property
    def measurement_is_left(self) -> bool:
        """Whether the words of the measured mark end at it."""
        return self.measurement.percent > _EDGE_PERCENT


def draw_gap(*, rated_per_s: float, measured_per_s: float) -> Gap:
    """Draw a rated and a measured number of writes a second; both are more than nothing."""
    rating, measurement = place_of_rate(rated_per_s), place_of_rate(measured_per_s)
    fast, slow = sorted((rating, measurement), key=lambda place: place.percent)
    return Gap(
        rating=rating,
        measurement=measurement,
        ratio=rated_per_s / measured_per_s,
        between=Span(fast, slow),
    )
