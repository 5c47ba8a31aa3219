"""Draws the axis of a card, 100 ns to 100 ms as on every page, and marks on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.badges.drawing.axis import AXIS_START_NS, DECADES
from apps.badges.drawing.badge import BadgeMark
from apps.badges.drawing.text import SANS, text_element, width_px

if TYPE_CHECKING:
    from apps.badges.cards.theme import Paint

LABELS: Final = ("100 ns", "1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms")
STEPS: Final = (1, 2, 3, DECADES)
LABEL_FONT_PX: Final = 10
LABEL_GAP_PX: Final = 6  # between two of them, at least
LABEL_BELOW_PX: Final = 17  # from the axis to the foot of its figures
TICK_PX: Final = 4  # up and down
END_TICK_PX: Final = 6
MARK_PX: Final = 4.5  # from its middle
TAIL_PX: Final = 4


@dataclass(frozen=True, slots=True)
class CardLane:
    """Where the axis lies on a card, in pixels."""

    left: float
    width: float

    def at(self, latency_ns: float) -> float:
        """Return where a time stands; outside of left and width it is off the scale."""
        decades = math.log10(max(latency_ns, 1) / AXIS_START_NS)
        return self.left + decades * self.width / DECADES

    def decade(self, number: int) -> float:
        """Return where a decade begins, on a half pixel: its line fills one column."""
        return math.floor(self.left + self.width * number / DECADES) + 0.5


def draw_axis(lane: CardLane, *, y_px: float, paint: Paint) -> str:
    """Draw the line with its ticks, and as many of its figures as stand apart."""
    ends = "".join(f"M{lane.decade(n):g} {y_px - END_TICK_PX:g}v{2 * END_TICK_PX}" for n in (0, 6))
    ticks = "".join(
        f"M{lane.decade(n):g} {y_px - TICK_PX:g}v{2 * TICK_PX}" for n in range(1, DECADES)
    )
    line = f"M{lane.decade(0):g} {y_px:g}H{lane.decade(DECADES):g}"
    return f'<path fill="none"{paint.stroke("edge")} d="{line}{ends}{ticks}"/>' + draw_labels(
        lane, y_px=y_px + LABEL_BELOW_PX, paint=paint
    )


def draw_labels(lane: CardLane, *, y_px: float, paint: Paint) -> str:
    """Draw the times of the decades: of a short lane those of its ends and what fits between."""
    widest = max(width_px(each, font=SANS, font_px=LABEL_FONT_PX) for each in LABELS)
    apart = 1.5 * widest + LABEL_GAP_PX  # the last ends at its line, the others lie across theirs
    step = next(each for each in STEPS if lane.width * each / DECADES >= apart or each == DECADES)
    drawn = []
    for number in range(0, DECADES + 1, step):
        width = width_px(LABELS[number], font=SANS, font_px=LABEL_FONT_PX)
        x_px = lane.decade(number) - {0: 0, DECADES: width}.get(number, width / 2)
        drawn.append(text_element(LABELS[number], x_px=round(x_px, 1), y_px=y_px, width=width))
    return f'<g font-size="{LABEL_FONT_PX}"{paint.fill("dim")}>{"".join(drawn)}</g>'


def draw_hairlines(lane: CardLane, *, top_px: float, bottom_px: float, paint: Paint) -> str:
    """Draw the decades through the lanes of several things."""
    drawn = "".join(f"M{lane.decade(n):g} {top_px:g}V{bottom_px:g}" for n in range(DECADES + 1))
    return f'<path fill="none"{paint.stroke("grat")} d="{drawn}"/>'


@dataclass(frozen=True, slots=True)
class CardSpot:
    """What stands on the axis: half of all commits, their p99, and what protects the drive."""

    latency_ns: int
    tail_ns: int | None
    mark: BadgeMark


def draw_spot(lane: CardLane, spot: CardSpot, *, y_px: float, colour: str, paint: Paint) -> str:
    """Draw the mark, and from there a line to p99."""
    x_px = lane.at(spot.latency_ns)
    end_px = lane.left + lane.width
    if not lane.left <= x_px <= end_px:
        return _arrow(lane, y_px=y_px, points_right=x_px > end_px, colour=colour, paint=paint)
    tail = ""
    if spot.tail_ns is not None and (tail_px := min(lane.at(spot.tail_ns), end_px)) > x_px:
        drawn = f"M{x_px:.1f} {y_px:g}H{tail_px:.1f}"
        if lane.at(spot.tail_ns) <= end_px:
            drawn += f"m0 {-TAIL_PX}v{2 * TAIL_PX}"
        tail = f'<path fill="none" stroke-width="2"{paint.stroke(colour)} d="{drawn}"/>'
    return tail + _shape(spot.mark, f"{x_px:.1f}", y_px=y_px, colour=colour, paint=paint)


def _shape(look: BadgeMark, x_px: str, *, y_px: float, colour: str, paint: Paint) -> str:
    """Draw a disc with power-loss protection, a ring without, a diamond where nobody says."""
    match look:
        case BadgeMark.PROTECTED:
            return f'<circle cx="{x_px}" cy="{y_px:g}" r="{MARK_PX}"{paint.fill(colour)}/>'
        case BadgeMark.UNPROTECTED:
            ring = f'stroke-width="2"{paint.ring(colour)}'
            return f'<circle cx="{x_px}" cy="{y_px:g}" r="{MARK_PX - 1}" {ring}/>'
        case BadgeMark.NOT_STATED:
            side = f"l{MARK_PX} {MARK_PX}-{MARK_PX} {MARK_PX}-{MARK_PX}-{MARK_PX}z"
            top = f"M{x_px} {y_px - MARK_PX:g}"
            return f'<path stroke-width="2"{paint.ring(colour)} d="{top}{side}"/>'


def _arrow(lane: CardLane, *, y_px: float, points_right: bool, colour: str, paint: Paint) -> str:
    """Draw the end of the axis as an arrow: this time is off the scale."""
    tip_px, back = (lane.left + lane.width + 4, -8) if points_right else (lane.left - 4, 8)
    return f'<path{paint.fill(colour)} d="M{tip_px:g} {y_px:g}l{back} -5v10z"/>'
