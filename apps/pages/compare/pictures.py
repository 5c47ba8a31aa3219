"""What is drawn of a comparison: marks on the ruler, curves for Chart.js, and bars of cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.pages.compare.answer import is_told_apart, times_figure
from apps.pages.compare.table import MeasureCell, MeasureRow, role_of
from apps.pages.draw.axis import AxisPlace, place_of_ns, place_of_rate
from apps.pages.draw.trace import Span
from apps.pages.frame.shared_link import SharedMark
from apps.pages.show import phrases, units
from apps.pages.show.charts import list_of
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from apps.pages.compare.answer import Contender
    from apps.pages.compare.things import Thing, ThingFigures
    from apps.pages.show.charts import JsonValue

CURVE_POINTS_MIN = 2
WORDS_PERCENT = 55.0  # further right, a name with its rate would leave the field
PAIR = 2


@dataclass(frozen=True, slots=True)
class Bar:
    """One cost as a length from nothing; percentages of the widest."""

    cell: MeasureCell
    percent: float
    interval: Span | None  # from the low to the high end; of some none is known

    @property
    def width(self) -> str:
        return f"{self.percent:.2f}%"


@dataclass(frozen=True, slots=True)
class LadderLane:
    """One contender on the ruler: its rate at the reciprocal, and the range of its class."""

    contender: Contender
    role: str
    at: AxisPlace | None  # None where nobody measured it
    whisker: Span | None  # to p99
    bracket: Span | None  # interval of the rate
    band: Span | None
    work: str

    @property
    def words_left(self) -> bool:
        """Whether its words stand left of its mark, where there is more room."""
        return self.at is not None and self.at.percent > WORDS_PERCENT

    @property
    def words_at(self) -> AxisPlace | None:
        """Where its words begin or end: beyond the whisker on the right, else at the mark."""
        return self.at if self.words_left or self.whisker is None else self.whisker.end

    @property
    def band_left(self) -> bool:
        """Whether the name of its class stands left of the range: there is more room."""
        return self.band is not None and self.band.start.percent > 100 - self.band.end.percent

    @property
    def rate_per_s(self) -> float | None:
        """Its rate."""
        return self.contender.figures.rate_per_s if self.contender.figures else None


@dataclass(frozen=True, slots=True)
class VersusLadder:
    """What is set against each other on the ruler, and how far two of them are apart."""

    lanes: tuple[LadderLane, ...]
    apart: Span | None  # between two marks: on a logarithmic axis their ratio
    times: str

    @property
    def by_rate(self) -> list[LadderLane]:
        """The contenders that have a figure, the fastest first."""
        known = [lane for lane in self.lanes if lane.rate_per_s]
        return sorted(known, key=lambda lane: -(lane.rate_per_s or 0))

    @property
    def apart_at(self) -> AxisPlace | None:
        """The middle between the marks."""
        if self.apart is None:
            return None
        return AxisPlace((self.apart.start.percent + self.apart.end.percent) / 2)


def ladder_of(contenders: Sequence[Contender]) -> VersusLadder:
    """The contenders on the ruler, in the order of the page; no ratio where none can be told."""
    lanes = tuple(lane_of(each, role_of(place)) for place, each in enumerate(contenders))
    known = [each.figures for each in contenders if each.figures]
    if len(lanes) != PAIR or len(known) < PAIR or not is_told_apart(contenders):
        return VersusLadder(lanes, None, "")
    first, second = sorted(known, key=lambda figures: -figures.rate_per_s)
    apart = Span(place_of_rate(first.rate_per_s), place_of_rate(second.rate_per_s))
    return VersusLadder(lanes, apart, times_figure(first, second))


def shared_marks(contenders: Sequence[Contender]) -> list[SharedMark]:
    """What the picture of a shared link has of those with a rate of commits that counts."""
    return [
        SharedMark(each.name, each.figures.rate_per_s)
        for each in contenders
        if each.figures and each.figures.is_commit and not each.figures.is_out
    ]


def lane_of(contender: Contender, role: str) -> LadderLane:
    """One contender with its geometry."""
    figures, rung = contender.figures, contender.rung
    band = None
    if rung is not None and rung.low_ns and rung.high_ns:
        band = Span(place_of_ns(rung.low_ns), place_of_ns(rung.high_ns))
    if figures is None:
        return LadderLane(contender, role, None, None, None, band, "")
    at = place_of_rate(figures.rate_per_s)
    p99 = place_of_ns(figures.p99_ns) if figures.p99_ns else at
    return LadderLane(
        contender=contender,
        role=role,
        at=at,
        whisker=Span(at, p99) if p99.percent > at.percent else None,
        bracket=interval_of(figures.low, figures.high),
        band=band,
        work=phrases.join_facts((workload_short(figures.shape.workload), p99_words(figures))),
    )


def p99_words(figures: ThingFigures) -> str:
    """The p99 of a contender, where one is known: the table below has none of what stands in."""
    return f"p99 {units.latency(figures.p99_ns)}" if figures.p99_ns else ""


def interval_of(low: float | None, high: float | None) -> Span | None:
    """The interval of a rate on the ruler; None where it has none."""
    return Span(place_of_rate(high), place_of_rate(low)) if low and high else None


def curves_of(things: Sequence[Thing]) -> list[JsonValue]:
    """What the script draws: a curve for each thing that has one, by its look."""
    return [
        {
            "name": thing.name,
            "letter": thing.letter,
            "role": role_of(place),
            "points": list_of(thing.figures.curve),
        }
        for place, thing in enumerate(things)
        if thing.figures is not None and len(thing.figures.curve) >= CURVE_POINTS_MIN
    ]


def bars_of(line: MeasureRow | None) -> tuple[Bar, ...]:
    """The cells of a line of costs as bars, all on one scale; in euro where currencies differ."""
    if line is None:
        return ()
    comparable = line.comparable
    widest = max((cell.high or cell.number or 0 for cell in comparable), default=0)
    if not widest:
        return ()

    def interval(cell: MeasureCell) -> Span | None:
        if cell.low is None or cell.high is None:
            return None
        return Span(AxisPlace(100 * cell.low / widest), AxisPlace(100 * cell.high / widest))

    return tuple(
        Bar(cell, 100 * (cell.number or 0) / widest, interval(cell)) for cell in comparable
    )
