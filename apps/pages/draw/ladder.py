"""The fsync ladder: each class of storage as a bar, and what was measured as marks inside."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from django.utils.translation import gettext as _

from apps.pages.draw.axis import AxisPlace, place_of_ns, place_of_rate
from apps.pages.draw.trace import Span

HEAD_HEIGHT = 24
LANE_HEIGHT = 21
RUNG_PADDING = 12
NAME_CHARACTERS_MAX = 26  # what fits beside a mark in the fast or the slow half
WORDS_RIGHT_PERCENT_MAX = 62.0  # the rest of the width holds a name and a quantity
STRIP_TOP = 10.0  # of the first lane of a phone's strip; those that it names come first
STRIP_LANE_HEIGHT = 12
FASTER_THAN_CLASS = 0.8  # a mark left of this share of the class's low end asks for a reason


class MarkQuantity(StrEnum):
    """What the place of a mark is; each is drawn in its own way, as they differ on one disk."""

    COMMIT = "commit"  # median of a whole commit: the mark alone
    SYNC = "sync"  # median of the sync alone: a stroke through it
    MEAN = "mean"  # 1 / rate: a bar across it


@dataclass(frozen=True, slots=True)
class LadderMark:
    """One thing that was measured, and what exactly its place on the axis means."""

    name: str
    url: str
    latency_ns: int
    drawn_as: MarkQuantity
    terms: str  # what its place is and of which work, in words: sync p50, +metadata
    plp: str
    work: str = ""  # its class of comparable work, in words
    whisker_ns: int | None = None  # p99 of the same side
    is_subject: bool = False
    is_measured: bool = False  # with Fsyncmark; else published by somebody


@dataclass(frozen=True, slots=True)
class MarkLane:
    """A mark with its geometry inside its rung."""

    mark: LadderMark
    y: float
    at: AxisPlace
    whisker: AxisPlace | None
    is_fast: bool  # faster than its class: needs an explanation
    is_named: bool = False  # on a phone, which draws no others
    strip_y: float = STRIP_TOP  # the height in the strip of a phone, where lanes are closer

    @property
    def text_y(self) -> float:
        return self.y + 4

    @property
    def words_right(self) -> bool:
        """Words stand right of a mark in the fast half, if its whisker leaves them room."""
        return not self.at.is_right and (self.whisker or self.at).percent < WORDS_RIGHT_PERCENT_MAX

    @property
    def words_left(self) -> bool:
        """Words stand left of every other mark."""
        return not self.words_right

    @property
    def words_at(self) -> AxisPlace:
        """Where the words begin or end: beyond the whisker on the right, else at the mark."""
        return (self.whisker or self.at) if self.words_right else self.at

    @property
    def short_name(self) -> str:
        """The name, cut where it would run out of the field."""
        name = self.mark.name
        return name if len(name) <= NAME_CHARACTERS_MAX else name[: NAME_CHARACTERS_MAX - 1] + "…"


@dataclass(frozen=True, slots=True)
class LadderRow:
    """One class of the ladder with the lanes of what was measured in it."""

    name: str
    low_ns: int | None
    high_ns: int | None
    is_claim: bool
    bar: Span | None
    lanes: tuple[MarkLane, ...] = field(default=())
    claimed: str = ""  # the range that is claimed, where another one was measured

    @property
    def height(self) -> int:
        return HEAD_HEIGHT + LANE_HEIGHT * len(self.lanes) + RUNG_PADDING

    @property
    def bar_height(self) -> int:
        return self.height - RUNG_PADDING

    @property
    def is_slower(self) -> bool:
        """Whether the range is somebody's claim and every mark lies beyond its slow end."""
        if not self.is_claim or self.high_ns is None or not self.lanes:
            return False
        return all(lane.mark.latency_ns > self.high_ns for lane in self.lanes)

    @property
    def claim(self) -> str:
        """What is claimed of the class, in words behind its range; empty where all was measured."""
        if self.is_slower:
            return _("claimed, measured slower")
        return claim_words(is_claim=self.is_claim, claimed=self.claimed)

    @property
    def strip_height(self) -> int:
        """Height on a phone, where the words stand below the strip."""
        return max(14, STRIP_LANE_HEIGHT * len(self.lanes) + 8)

    @property
    def words_right(self) -> bool:
        """The name of a class in the fast half stands right of its bar."""
        return self.bar is None or not self.bar.start.is_right


def claim_words(*, is_claim: bool, claimed: str) -> str:
    """Say that a range is claimed, or which one is claimed beside what was measured."""
    if is_claim:
        return _("claimed")
    return _("(claimed %(range)s)") % {"range": claimed} if claimed else ""


def draw_rung(
    *,
    name: str,
    low_ns: int | None,
    high_ns: int | None,
    is_claim: bool,
    marks: Sequence[LadderMark],
) -> LadderRow:
    """Draw one class; its marks from fast to slow. Without a range it is a list of marks.

    `marks` begin with the best documented: the one that a phone names, where no mark is a subject.
    """
    bar = None
    if low_ns is not None and high_ns is not None:
        bar = Span(place_of_ns(low_ns), place_of_ns(high_ns))
    marks_with_names = [mark for mark in marks if mark.is_subject] or list(marks[:1])
    strip = [*marks_with_names, *(mark for mark in marks if mark not in marks_with_names)]
    lanes = tuple(
        MarkLane(
            mark=mark,
            y=HEAD_HEIGHT + LANE_HEIGHT * index + LANE_HEIGHT / 2 - 1,
            at=place_of_ns(mark.latency_ns),
            whisker=place_of_ns(mark.whisker_ns) if mark.whisker_ns else None,
            is_fast=low_ns is not None and mark.latency_ns < FASTER_THAN_CLASS * low_ns,
            is_named=mark in marks_with_names,
            strip_y=STRIP_TOP + STRIP_LANE_HEIGHT * strip.index(mark),
        )
        for index, mark in enumerate(sorted(marks, key=lambda mark: mark.latency_ns))
    )
    return LadderRow(name, low_ns, high_ns, is_claim, bar, lanes)


def draw_alone(mark: LadderMark) -> MarkLane:
    """Draw a mark that belongs to no class: the reader's own."""
    [lane] = draw_rung(name="", low_ns=None, high_ns=None, is_claim=False, marks=[mark]).lanes
    return lane


@dataclass(frozen=True, slots=True)
class RatioLine:
    """Two rates on one axis: the length between them is their ratio."""

    fast: AxisPlace
    slow: AxisPlace
    times: float

    @property
    def middle(self) -> str:
        """Where the figure stands, as an SVG length."""
        return f"{(self.fast.percent + self.slow.percent) / 2:.2f}%"


def draw_ratio(*, fast_per_s: float, slow_per_s: float) -> RatioLine:
    """The distance between two rates, drawn on the lower scale of the ruler."""
    return RatioLine(place_of_rate(fast_per_s), place_of_rate(slow_per_s), fast_per_s / slow_per_s)
