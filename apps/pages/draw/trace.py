"""The picture in a row of a board: one percentile curve, hung from the ruler."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from apps.pages.draw.axis import (
    NS_PER_S,
    AxisPlace,
    Box,
    curve_path,
    is_rising,
    place_of_ns,
    place_of_rate,
)
from apps.pages.draw.quantiles import quantiles_of

FLIP_AT_PERCENT = 66.0  # further right, a label would leave the field of a phone: it stands left
INSIDE_PX = 4.0  # an end this far below the height of its quantile lies inside its curve
SIDE_NOTE_BELOW_PERCENT = 20.0  # marks further left than this need the room of the note
NOTE_PERCENT = 42.0  # how far the words of a row reach into the picture, as `notes.css` says
LABEL_PERCENT = 15.0  # how long a label at the end is on a desk


# How high a trace is drawn: pixels from its top.
HEIGHT = 60
BOX = Box(top=13, bottom=43)
MIDDLE_Y = 26.0  # a dot that has no curve
BRACKET_Y = 52
P99 = 0.99


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the axis, in percent of its width."""

    start: AxisPlace
    end: AxisPlace

    @property
    def width(self) -> str:
        """The length as an SVG length; never nothing, so that it can be seen."""
        return f"{max(self.end.percent - self.start.percent, 0.3):.2f}%"


@dataclass(frozen=True, slots=True)
class Trace:
    """What one row draws; places across are percentages, heights are pixels from its top."""

    dot: AxisPlace
    dot_y: float
    plp: str  # full: filled, none or partial: open, unknown: diamond
    sentence: str  # the sentence for those who do not see it
    path: str = ""
    p99: AxisPlace | None = None
    p99_y: float = 0.0
    end: AxisPlace | None = None
    end_y: float = 0.0
    end_q: float = 0.9999  # the quantile at the end
    label_ns: int | None = None  # what the label at the end says
    label_is: str = ""  # the quantile at the end, or "mean" where only a rate is known
    bracket: Span | None = None  # interval of the rate, on the lower scale
    band: Span | None = None  # typical range of the class
    doubt: Span | None = None  # where comparable work of another kind may lie on the same disk
    height: int = HEIGHT
    bracket_y: int = BRACKET_Y

    @property
    def label_at(self) -> AxisPlace:
        """Where the label hangs."""
        return self.end or self.dot

    @property
    def label_y(self) -> float:
        """The baseline of the label."""
        if self.end is None:
            return self.dot_y + 4
        if self.is_end_inside or self.label_is == "p99":
            return self.end_y - 7
        return self.end_y - 3 if self.label_is_left else self.end_y + 4

    @property
    def label_is_left(self) -> bool:
        """Whether the label stands left of its point because there is no room right of it.

        A curve goes on beyond its p99, so the label of that always stands left, above the curve.
        """
        return (
            self.label_at.percent > FLIP_AT_PERCENT or self.is_end_inside or self.label_is == "p99"
        )

    @property
    def is_end_inside(self) -> bool:
        """Whether the curve goes on beyond the end: it is that of a slower run than the figure."""
        return self.end is not None and self.end_y > BOX.y(self.end_q) + INSIDE_PX

    @property
    def note_is_right(self) -> bool:
        """Whether the words of the row must move to the slow end, away from a fast mark."""
        fastest = min(self.dot.percent, self.band.start.percent if self.band else 100)
        if fastest < SIDE_NOTE_BELOW_PERCENT:
            return True
        first, last = self.extent
        return first < NOTE_PERCENT < 100 - last

    @property
    def extent(self) -> tuple[float, float]:
        """From where to where marks and their label reach, in percent of the axis."""
        label = -LABEL_PERCENT if self.label_is_left else LABEL_PERCENT
        places = [self.dot.percent, self.label_at.percent + label]
        places += [place.percent for place in (self.p99, self.end) if place]
        if self.bracket:
            places += [self.bracket.start.percent, self.bracket.end.percent]
        return min(places), max(places)


@dataclass(frozen=True, slots=True)
class TraceFigures:
    """What is known about a row: a rate, perhaps its interval, perhaps a distribution."""

    rate_per_s: float
    low: float | None = None
    high: float | None = None
    p50_ns: int | None = None
    p99_ns: int | None = None
    p9999_ns: int | None = None
    curve: Sequence[tuple[float, float]] = ()
    rate_is: str = "mean"  # what 1 / rate is: a mean only with one operation in flight
    plp: str = "unknown"
    band_ns: tuple[int, int] | None = None
    work_factor: float | None = None  # how far comparable work lies apart on one disk
    sentence: str = ""


def height_at(
    points: Sequence[tuple[float, float]], latency_ns: float, otherwise_q: float
) -> float:
    """The height at which a curve passes a latency; that of `otherwise_q` where it does not.

    The figures of a row are medians over machines and the curve pools all runs, so a mark
    belongs where the curve has its latency, not where its own quantile would be. Across, places
    are those of the axis, which ends before 0 ns as the drawn curve does.
    """
    x = place_of_ns(latency_ns).percent
    for (q0, low_ns), (q1, high_ns) in pairwise(points):
        if low_ns <= latency_ns <= high_ns and q0 > 0 and q1 < 1:
            low_x, high_x = place_of_ns(low_ns).percent, place_of_ns(high_ns).percent
            share = (x - low_x) / (high_x - low_x) if high_x > low_x else 1.0
            return BOX.y(q0) + share * (BOX.y(q1) - BOX.y(q0))
    return BOX.y(otherwise_q)


def draw_trace(figures: TraceFigures) -> Trace:
    """Draw as much as is known: the curve, else p50 and p99, else a dot at 1 / rate."""
    band = None
    if figures.band_ns is not None:
        band = Span(place_of_ns(figures.band_ns[0]), place_of_ns(figures.band_ns[1]))
    bracket = None
    if figures.low and figures.high:
        bracket = Span(place_of_rate(figures.high), place_of_rate(figures.low))
    doubt = _doubt(figures)
    if figures.p50_ns is None:
        mean = place_of_rate(figures.rate_per_s)
        return Trace(
            dot=mean,
            dot_y=MIDDLE_Y,
            plp=figures.plp,
            sentence=figures.sentence,
            label_ns=round(NS_PER_S / figures.rate_per_s),
            label_is=figures.rate_is,
            bracket=bracket,
            band=band,
            doubt=doubt,
        )
    points = [(float(q), float(ns)) for q, ns in figures.curve]
    path = curve_path(points, BOX) if is_rising(points) else ""
    tail = tail_of(figures)
    if not path:
        points = [(0.5, float(figures.p50_ns))]
        if figures.p99_ns is not None:
            points.append((0.99, float(figures.p99_ns)))
        path = curve_path(points, BOX)
    return Trace(
        dot=place_of_ns(figures.p50_ns),
        dot_y=height_at(points, figures.p50_ns, 0.5),
        plp=figures.plp,
        sentence=figures.sentence,
        path=path,
        p99=place_of_ns(figures.p99_ns) if figures.p99_ns is not None else None,
        p99_y=height_at(points, figures.p99_ns or 0, 0.99),
        end=place_of_ns(tail.ns) if tail.ns is not None else None,
        end_q=tail.q,
        end_y=height_at(points, tail.ns or 0, tail.q),
        label_ns=tail.ns,
        label_is=tail.name,
        bracket=bracket,
        band=band,
        doubt=doubt,
    )


class Tail(NamedTuple):
    """The slowest quantile that is known, which ends the drawn curve."""

    name: str
    q: float
    ns: int | None


def tail_of(figures: TraceFigures) -> Tail:
    """The p99.99, else the last quantile that the curve states beyond p99, else p99."""
    if figures.p9999_ns is not None:
        return Tail("p99.99", 0.9999, figures.p9999_ns)
    beyond = [each for each in quantiles_of(figures).marked if each[1] > P99]
    if beyond:
        name, q, ns = beyond[-1]
        return Tail(name, q, round(ns))
    return Tail("p99", P99, figures.p99_ns)


def _doubt(figures: TraceFigures) -> Span | None:
    if figures.work_factor is None:
        return None
    return Span(
        place_of_rate(figures.rate_per_s * figures.work_factor),
        place_of_rate(figures.rate_per_s / figures.work_factor),
    )
