"""Draws things beside each other on one axis. Nothing says which is better: their page does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.badges.cards.drawing import GAP_PX, PAD_PX, as_picture, draw_frame, draw_head
from apps.badges.cards.lane import CardLane, CardSpot, draw_hairlines, draw_labels, draw_spot
from apps.badges.cards.lines import DOT, LANE_FIGURE, LANE_NAME, line
from apps.badges.cards.theme import Paint
from apps.badges.drawing.parts import BARS_PX, INK, level_mark
from apps.badges.drawing.text import FIGURE_CHARACTERS_MAX, clean

if TYPE_CHECKING:
    from apps.badges.cards.card import CompareCard, ThingCard
    from apps.badges.cards.options import CardOptions

COLOURS: Final = ("hot", "cool", "ink2", "ink2")  # of the marks, in the order of the lanes
UNKNOWN_WORK: Final = "the work differs, as each line says"
NOTHING: Final = "nothing to compare"
UNITS: Final = "operations/s"  # of several kinds, which each line says
HEAD_PX: Final = 22
TOP_PX: Final = 29  # of the lanes
STANDING_BELOW_PX: Final = 13  # from the name to what stands behind the figure
MARK_ABOVE_PX: Final = 4  # the middle of the letters of the name
LEVEL_PX: Final = 12  # high: the level mark on its colour, before the standing
LEVEL_PAD_PX: Final = 3


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the parts of a lane stand, in pixels."""

    figure_end: float
    lane: CardLane
    bottom: float  # of the lanes
    times: float  # the line of the axis's figures
    foot: float  # the line of the work

    @property
    def foot_end(self) -> float:
        """Where the line of the work ends: on that of the times before them."""
        end = self.lane.left + self.lane.width
        return self.lane.left - GAP_PX if self.foot == self.times else end


COLUMNS: Final = {
    480: Columns(280, CardLane(300, 166), 139, 152, 152),
    320: Columns(200, CardLane(216, 90), 161, 174, 190),
}


@dataclass(frozen=True, slots=True)
class CardRow:
    """One thing, what is said of it because it is not the same with all, and its colour."""

    card: ThingCard
    also: str
    colour: str


def draw_compared(card: CompareCard, options: CardOptions) -> str:
    """Return the card as one SVG element; the same card and options give the same text."""
    size, paint = options.size, Paint(options.theme)
    columns = COLUMNS[size.width]
    count = max(len(card.cards), 1)
    high = (columns.bottom - TOP_PX) / count
    rows = (
        CardRow(each, _also(each, work, card), COLOURS[place] if each.counts else "dim")
        for place, (each, work) in enumerate(zip(card.cards, card.works, strict=True))
    )
    foot = PAD_PX, columns.foot
    content = (
        draw_frame(size.width, size.height, paint),
        draw_head(card.unit or UNITS, width=size.width, y_px=HEAD_PX, paint=paint),
        draw_hairlines(columns.lane, top_px=TOP_PX, bottom_px=columns.bottom, paint=paint),
        draw_labels(columns.lane, y_px=columns.times, paint=paint),
        *(
            _draw_row(row, base=round(TOP_PX + (place + 0.5) * high - 2), columns=columns,
                      paint=paint)
            for place, row in enumerate(rows)
        ),
        line(_foot(card), foot, room=columns.foot_end - PAD_PX, paint=paint.fill("ink2")),
    )  # fmt: skip
    return as_picture(content, card.sentence or NOTHING, options)


def _also(each: ThingCard, work: str, card: CompareCard) -> str:
    """Return what a line says because it is not the same with all."""
    unit, work = "" if card.unit else each.unit, "" if card.work else work
    return DOT.join(filter(None, (work, unit)))


def _foot(card: CompareCard) -> str:
    """Return what was done, and how many things have no room."""
    if not card.cards:
        return NOTHING
    more = f"{card.left_out} more" if card.left_out else ""
    return DOT.join(filter(None, (more, card.work or UNKNOWN_WORK)))


def _draw_row(row: CardRow, *, base: int, columns: Columns, paint: Paint) -> str:
    """Draw one thing: its name, figure and mark, and below them what stands behind it."""
    card = row.card
    figure = clean(card.badge.figure or "\u2013", characters_max=FIGURE_CHARACTERS_MAX)
    wide = LANE_FIGURE.width(figure)
    at = columns.figure_end - wide
    ink = paint.fill("ink" if card.counts else "dim")
    name = line(
        card.name, (PAD_PX, base), room=at - PAD_PX - GAP_PX, paint=paint.fill("ink"),
        style=LANE_NAME,
    )  # fmt: skip
    drawn = name + line(figure, (at, base), room=wide + 1, paint=ink, style=LANE_FIGURE)
    drawn += _standing(row, y_px=base + STANDING_BELOW_PX, columns=columns, paint=paint)
    if card.badge.latency_ns is None:
        return drawn
    spot = CardSpot(card.badge.latency_ns, card.tail_ns, card.badge.mark)
    y_px = base - MARK_ABOVE_PX
    return drawn + draw_spot(columns.lane, spot, y_px=y_px, colour=row.colour, paint=paint)


def _standing(row: CardRow, *, y_px: float, columns: Columns, paint: Paint) -> str:
    """Draw the level on its colour, then in words what stands behind the figure."""
    card = row.card
    words = DOT.join(filter(None, (card.standing or card.badge.remark, row.also)))
    at, mark = float(PAD_PX), ""
    if card.standing:
        wide = BARS_PX + 2 * LEVEL_PAD_PX
        ground = f"M{PAD_PX} {y_px - 10:g}h{wide}v{LEVEL_PX}h-{wide}z"
        mark = f'<path fill="{card.badge.tone}" d="{ground}"/>'
        if card.badge.bars is not None:
            bars = level_mark(card.badge.bars, x_px=at + LEVEL_PAD_PX, bottom_px=round(y_px))
            mark += f'<g fill="{INK}">{bars}</g>'
        at += wide + GAP_PX - 3
    room = columns.lane.left + columns.lane.width - at
    return mark + line(words, (at, y_px), room=room, paint=paint.fill("ink2"))
