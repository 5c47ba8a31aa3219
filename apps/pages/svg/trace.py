"""The picture in a row of a board: one percentile curve, hung from the ruler."""

from collections.abc import Sequence
from dataclasses import dataclass

from apps.pages.svg.axis import Box, Place, curve_path, is_rising, place_of_ns, place_of_rate

ROW_HEIGHT = 60
CURVE = Box(top=13, bottom=43)
DOT_Y_WITHOUT_CURVE = 26.0
FLIP_AT_PERCENT = 72.0  # further right than this, the label stands left of the end of the curve
SIDE_NOTE_BELOW_PERCENT = 20.0  # marks further left than this need the room of the note


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the axis, in percent of its width."""

    start: Place
    end: Place

    @property
    def width(self) -> str:
        """The length as an SVG length; never nothing, so that it can be seen."""
        return f"{max(self.end.percent - self.start.percent, 0.3):.2f}%"


@dataclass(frozen=True, slots=True)
class Trace:
    """What one row draws; places across are percentages, heights are pixels of a 60 px row."""

    dot: Place
    dot_y: float
    plp: str  # full: filled, none or partial: open, unknown: diamond
    says: str  # the sentence for those who do not see it
    path: str = ""
    p99: Place | None = None
    p99_y: float = 0.0
    end: Place | None = None
    end_y: float = 0.0
    label_ns: int | None = None  # what the label at the end says
    label_is: str = ""  # p99.99, or "mean" where only a rate is known
    bracket: Span | None = None  # interval of the rate, on the lower scale
    band: Span | None = None  # typical range of the class

    @property
    def label_at(self) -> Place:
        """Where the label hangs."""
        return self.end or self.dot

    @property
    def label_y(self) -> float:
        """The baseline of the label."""
        if self.end is None:
            return self.dot_y + 4
        return self.end_y - 3 if self.label_is_left else self.end_y + 4

    @property
    def label_is_left(self) -> bool:
        """Whether the label stands left of its point because there is no room right of it."""
        return self.label_at.percent > FLIP_AT_PERCENT

    @property
    def note_is_right(self) -> bool:
        """Whether the words of the row must move to the slow end, away from a fast mark."""
        return min(self.dot.percent, self.band.start.percent if self.band else 100) < (
            SIDE_NOTE_BELOW_PERCENT
        )


@dataclass(frozen=True, slots=True)
class Figures:
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
    says: str = ""


def draw_trace(known: Figures) -> Trace:
    """Draw as much as is known: the curve, else p50 and p99, else a dot at 1 / rate."""
    band = None
    if known.band_ns is not None:
        band = Span(place_of_ns(known.band_ns[0]), place_of_ns(known.band_ns[1]))
    bracket = None
    if known.low and known.high:
        bracket = Span(place_of_rate(known.high), place_of_rate(known.low))
    if known.p50_ns is None:
        mean = place_of_rate(known.rate_per_s)
        return Trace(
            dot=mean,
            dot_y=DOT_Y_WITHOUT_CURVE,
            plp=known.plp,
            says=known.says,
            label_ns=round(1e9 / known.rate_per_s),
            label_is=known.rate_is,
            bracket=bracket,
            band=band,
        )
    points = [(float(q), float(ns)) for q, ns in known.curve]
    path = curve_path(points, CURVE) if is_rising(points) else ""
    tail_ns, tail_q = (
        (known.p9999_ns, 0.9999) if known.p9999_ns is not None else (known.p99_ns, 0.99)
    )
    if not path and known.p99_ns is not None:
        path = curve_path([(0.5, known.p50_ns), (0.99, known.p99_ns)], CURVE)
    return Trace(
        dot=place_of_ns(known.p50_ns),
        dot_y=CURVE.y(0.5),
        plp=known.plp,
        says=known.says,
        path=path,
        p99=place_of_ns(known.p99_ns) if known.p99_ns is not None else None,
        p99_y=CURVE.y(0.99),
        end=place_of_ns(tail_ns) if tail_ns is not None else None,
        end_y=CURVE.y(tail_q),
        label_ns=tail_ns,
        label_is="p99.99" if known.p9999_ns is not None else "p99",
        bracket=bracket,
        band=band,
    )
