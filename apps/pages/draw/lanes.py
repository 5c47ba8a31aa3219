"""Lanes in the field: a mark, a line from it to the slow ones, and words beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import east_asian_width

from django.utils.functional import Promise

from apps.pages.draw.axis import AxisPlace, place_of_ns
from apps.pages.draw.trace import Span
from apps.stats.figures import duration_text

LANE_PX = 30
TOP_PX = 8
LIMIT_PX = 22  # for the words of the limit, above the lanes
BAND_PX = 38  # for the two lines of words of the band, above the lanes
HALF_PERCENT = 50  # of the field: words of a limit stand on its longer side
ROW_PX = 64  # height of a table's row
WORDS_RIGHT_PERCENT_MAX = 58.0  # beyond it the words stand left of the mark, where there is room
CHARACTER_PERCENT = 1.0  # of the field at 1440 pixels
GAP_PERCENT = 2.0  # between a mark and its words
ABOVE_CHARACTERS_MAX = 47  # of all words above a mark on a phone of 360 pixels
NAME_CHARACTERS_MIN = 6  # less says nothing


@dataclass(frozen=True, slots=True)
class LanePoint:
    """One figure to be drawn. Latencies in nanoseconds."""

    name: str | Promise
    at_ns: float
    to_ns: float | None = None  # the slow end of a line; p99 where not said otherwise
    from_ns: float | None = None  # the quick end of a line
    is_hot: bool = False
    is_claim: bool = False  # somebody says so: drawn dashed
    quantity: str | Promise = ""  # what the mark is: p50, mean, ...
    plp: str = "full"
    value: str = ""  # printed in place of the latency


@dataclass(frozen=True, slots=True)
class Lane:
    """A point with its geometry."""

    point: LanePoint
    at: AxisPlace
    line: Span | None
    y: float

    @property
    def text_y(self) -> float:
        """The baseline of the words."""
        return self.y + 4

    @property
    def above_y(self) -> float:
        """The baseline of words above the mark, where there is no room beside it."""
        return self.y - 9

    @property
    def words_right(self) -> bool:
        """Whether the words stand right of the line: on the left only where they have more room."""
        wanted = self._characters_beside + _width(str(self.point.name))
        left, right = self._room
        if self.words_end.percent <= WORDS_RIGHT_PERCENT_MAX and right >= wanted:
            return True
        return left < wanted and right > left

    @property
    def name(self) -> str:
        """The name, cut to what the field holds beside the mark."""
        room = self._room[1 if self.words_right else 0]
        return _cut(str(self.point.name), int(room) - self._characters_beside)

    @property
    def name_above(self) -> str:
        """The name, cut to what a phone holds above the mark."""
        return _cut(str(self.point.name), ABOVE_CHARACTERS_MAX - self._characters_beside)

    @property
    def _room(self) -> tuple[float, float]:
        """How many characters the field holds left and right of what is drawn."""
        start, end = (self.line.start if self.line else self.at).percent, self.words_end.percent
        return (
            (start - GAP_PERCENT) / CHARACTER_PERCENT,
            (100 - end - GAP_PERCENT) / CHARACTER_PERCENT,
        )

    @property
    def _characters_beside(self) -> int:
        """How many characters stand beside the name: the value, the quantity and spaces."""
        return sum(_width(part) + 1 for part in (self.value, str(self.point.quantity)) if part)

    @property
    def words_left(self) -> bool:
        """Whether the words stand left of the line."""
        return not self.words_right

    @property
    def words_end(self) -> AxisPlace:
        """The slow end of what is drawn."""
        return self.line.end if self.line else self.at

    @property
    def words_at(self) -> AxisPlace:
        """Where the words begin, or end."""
        if self.words_right:
            return self.words_end
        return self.line.start if self.line else self.at

    @property
    def value(self) -> str:
        """The figure beside the mark."""
        return self.point.value or duration_text(self.point.at_ns)


@dataclass(frozen=True, slots=True)
class Lanes:
    """A drawing: lanes from top to bottom, and perhaps a limit or a band across all of them."""

    lanes: tuple[Lane, ...]
    height: int  # in pixels
    limit: AxisPlace | None = None
    limit_says: str = ""
    band: Span | None = None  # the typical range of a class of storage

    @property
    def sentence(self) -> str:
        """The figures for those who do not see them."""
        return "; ".join(f"{lane.value} {lane.point.name}" for lane in self.lanes)

    @property
    def band_is_left(self) -> bool:
        """Whether the name of the band stands left of it: there is more room."""
        return self.band is not None and self.band.start.percent > 100 - self.band.end.percent

    @property
    def has_own(self) -> bool:
        """Whether something in it was measured here."""
        return any(not lane.point.is_claim for lane in self.lanes)

    @property
    def has_claims(self) -> bool:
        """Whether something in it is others' word."""
        return any(lane.point.is_claim for lane in self.lanes)

    @property
    def limit_is_right(self) -> bool:
        """Whether the words of the limit stand left of it."""
        return bool(self.limit and self.limit.percent > HALF_PERCENT)


def draw_lanes(
    points: Sequence[LanePoint],
    *,
    limit_ns: float | None = None,
    limit_says: str = "",
    band_ns: tuple[int, int] | None = None,
    lane_px: int = LANE_PX,
) -> Lanes:
    """Draw points in their order, one a lane of so many pixels."""
    top = TOP_PX + (LIMIT_PX if limit_says else 0) + (BAND_PX if band_ns else 0)
    lanes = tuple(
        lane_of(point, top + lane_px * index + lane_px / 2) for index, point in enumerate(points)
    )
    limit = place_of_ns(limit_ns) if limit_ns else None
    band = Span(*map(place_of_ns, band_ns)) if band_ns else None
    return Lanes(lanes, top + lane_px * len(lanes) + TOP_PX, limit, limit_says, band)


def draw_row(point: LanePoint | None, *, limit_ns: float | None = None) -> Lanes:
    """Draw the one lane of a table's row, in its middle."""
    lanes = (lane_of(point, ROW_PX / 2),) if point else ()
    return Lanes(lanes, ROW_PX, place_of_ns(limit_ns) if limit_ns else None)


def lane_of(point: LanePoint, y: float) -> Lane:
    """A point at its place, at a height."""
    return Lane(point=point, at=place_of_ns(point.at_ns), line=line_of(point), y=y)


def line_of(point: LanePoint) -> Span | None:
    """The line of a point, where it has one."""
    if point.to_ns is None and point.from_ns is None:
        return None
    low = point.at_ns if point.from_ns is None else point.from_ns
    high = point.at_ns if point.to_ns is None else point.to_ns
    return Span(place_of_ns(min(low, high)), place_of_ns(max(low, high)))


def _width(text: str) -> int:
    """How wide words are, in Latin characters; those of Chinese count twice."""
    return sum(2 if east_asian_width(each) in "WF" else 1 for each in text)


def _cut(name: str, characters: int) -> str:
    """As much of a name as so many characters hold."""
    limit = max(characters, NAME_CHARACTERS_MIN)
    if _width(name) <= limit:
        return name
    while _width(name) >= limit:
        name = name[:-1]
    return f"{name.rstrip()}\u2026"
