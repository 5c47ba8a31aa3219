"""The picture of all machines: a dot each, hung from the ruler, those of one uploader on a line.

Places across are percentages of the width, heights are pixels. An uploader with several machines
takes the stretch between its slowest and its fastest; stretches that would touch take turns in
lanes, so that what is common piles up and what is rare stands alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from apps.pages.draw.axis import AxisPlace, place_of_rate
from apps.pages.draw.trace import FLIP_AT_PERCENT, Span

if TYPE_CHECKING:
    from collections.abc import Sequence


class MachineGroup(Protocol):
    """The machines of one uploader, as they are drawn."""

    @property
    def machines(self) -> Sequence[float]:
        """Their rates a second, the lowest first."""

    @property
    def is_far(self) -> bool:
        """Whether it lies far from the others."""

    @property
    def is_other_kind(self) -> bool:
        """Whether it got another kind of storage."""


LANES_MIN: Final = 3  # a strip of one dot is still a strip
_TOP: Final = 34  # room for the figure of the standing
_BELOW: Final = 44  # for the bracket and its figures


@dataclass(frozen=True, slots=True)
class Size:
    """How large dots are drawn, and how many lanes of them there is room for."""

    radius: float
    lane_px: int
    gap_percent: float  # between two dots of a lane, of the width: as wide as a dot on a screen
    lanes_max: int  # then the pile is higher than the words beside it: the table has the rest


LARGE: Final = Size(radius=3, lane_px=8, gap_percent=1.0, lanes_max=28)
SMALL: Final = Size(radius=1.75, lane_px=5, gap_percent=0.6, lanes_max=48)  # where those overflow


@dataclass(frozen=True, slots=True)
class Dot:
    """A machine."""

    place: AxisPlace
    y: float
    shape: str  # full, far: a cross, other: open


@dataclass(frozen=True, slots=True)
class Link:
    """The line that holds the machines of one uploader together."""

    span: Span
    y: float


@dataclass(frozen=True, slots=True)
class Strip:
    """All machines of a standing, its rate and its interval."""

    dots: tuple[Dot, ...]
    links: tuple[Link, ...]
    rate: AxisPlace
    bracket: Span | None
    n_hidden: int  # machines for which there was no room
    height: int
    size: Size
    sentence: str = ""

    @property
    def base_y(self) -> int:
        """Where the lowest lane ends."""
        return self.height - _BELOW

    @property
    def bracket_y(self) -> int:
        """The height of the interval."""
        return self.base_y + 14

    @property
    def label_is_left(self) -> bool:
        """Whether the figure of the standing stands left of its line."""
        return self.rate.percent > FLIP_AT_PERCENT

    @property
    def bracket_is_left(self) -> bool:
        """Whether the words of the bracket stand left of it."""
        return self.bracket is not None and self.bracket.end.percent > FLIP_AT_PERCENT


@dataclass(frozen=True, slots=True)
class _Group:
    """The machines of one uploader across the field."""

    places: tuple[AxisPlace, ...]  # the fastest, and so the leftmost, first
    shape: str

    @property
    def start(self) -> float:
        return self.places[0].percent

    @property
    def end(self) -> float:
        return self.places[-1].percent


def draw_strip(
    uploaders: Sequence[MachineGroup],
    *,
    rate_per_s: float,
    low: float | None,
    high: float | None,
    sentence: str = "",
) -> Strip:
    """Draw the machines of these uploaders, and the rate that they come to."""
    groups = [
        _Group(
            places=tuple(place_of_rate(rate) for rate in reversed(each.machines)),
            shape="far" if each.is_far else "other" if each.is_other_kind else "full",
        )
        for each in uploaders
    ]
    size, lanes = LARGE, _lanes(groups, LARGE)
    if max(lanes, default=0) >= LARGE.lanes_max:
        size, lanes = SMALL, _lanes(groups, SMALL)
    room = size.lanes_max
    with_room = [(group, lane) for group, lane in zip(groups, lanes, strict=True) if lane < room]
    n_lanes = max((lane for _, lane in with_room), default=0) + 1
    base = _TOP + max(n_lanes, LANES_MIN) * size.lane_px
    placed = [(group, base - (lane + 0.5) * size.lane_px) for group, lane in with_room]
    bracket = Span(place_of_rate(high), place_of_rate(low)) if low and high else None
    return Strip(
        dots=tuple(Dot(place, y, group.shape) for group, y in placed for place in group.places),
        links=tuple(
            Link(Span(group.places[0], group.places[-1]), y)
            for group, y in placed
            if len(group.places) > 1
        ),
        rate=place_of_rate(rate_per_s),
        bracket=bracket,
        n_hidden=sum(len(group.places) for group in groups)
        - sum(len(group.places) for group, _ in with_room),
        height=base + _BELOW,
        size=size,
        sentence=sentence,
    )


def _lanes(groups: Sequence[_Group], size: Size) -> list[int]:
    """Return the lane of each group: the lowest in which it touches nothing.

    The wide ones take their lanes first, so that single dots fill what is left above them.
    """
    order = sorted(
        range(len(groups)), key=lambda i: (groups[i].start - groups[i].end, groups[i].start)
    )
    spans_of_lanes: list[list[tuple[float, float]]] = []
    lanes = [0] * len(groups)
    for which in order:
        start = groups[which].start - size.gap_percent
        end = groups[which].end + size.gap_percent
        lane = next(
            (
                number
                for number, spans in enumerate(spans_of_lanes)
                if all(end <= left or right <= start for left, right in spans)
            ),
            len(spans_of_lanes),
        )
        if lane == len(spans_of_lanes):
            spans_of_lanes.append([])
        spans_of_lanes[lane].append((groups[which].start, groups[which].end))
        lanes[which] = lane
    return lanes
