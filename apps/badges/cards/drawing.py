"""Draws a card as one SVG: name, figure, what stands behind it, the work, and its place in time.

No script, no font, no link: a page may frame it, and an image proxy may show it as a picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.badges.cards.card import COMPARED_MAX
from apps.badges.cards.lane import CardLane, CardSpot, draw_axis, draw_spot
from apps.badges.cards.lines import (
    ABSENCE,
    BASE_PX,
    FIGURE,
    NAME,
    SMALL,
    fitted,
    in_lines,
    line,
    text_px,
)
from apps.badges.cards.theme import Paint
from apps.badges.drawing.flat import FAMILY
from apps.badges.drawing.parts import BARS_PX, INK, level_mark, picture
from apps.badges.drawing.text import FIGURE_CHARACTERS_MAX, SENTENCE_CHARACTERS_MAX, clean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.badges.cards.card import ThingCard
    from apps.badges.cards.options import CardOptions

PAD_PX: Final = 14
GAP_PX: Final = 9
SITE: Final = "fsyncmark"
CHIP_PX: Final = 20  # high
CHIP_PAD_PX: Final = 8
SPAN_ABOVE_PX: Final = 14  # from the unit to the interval above it
HALF_ABOVE_PX: Final = 10  # from the axis to the words above it


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the lines of a card stand, in pixels from its top."""

    name: float
    figure: float
    chip: float  # its top
    work: float
    axis: float
    notes: tuple[float, float] | None  # None: beside the chip, and beside the work


LAYOUTS: Final = {
    160: Layout(25, 61, 72, 108, 136, None),
    200: Layout(25, 61, 71, 107, 174, (123, 138)),
}


def draw(card: ThingCard, options: CardOptions) -> str:
    """Return the card as one SVG element; the same card and options give the same text."""
    size, paint = options.size, Paint(options.theme)
    layout = LAYOUTS[size.height]
    content = (
        draw_frame(size.width, size.height, paint),
        draw_head(card.name, width=size.width, y_px=layout.name, paint=paint),
        _figure(card, layout, width=size.width, paint=paint),
        _known(card, layout, width=size.width, paint=paint)
        if card.standing
        else _why(card, layout, width=size.width, paint=paint),
        _time(card, layout, width=size.width, paint=paint),
    )
    return as_picture(content, card.sentence, options)


def as_picture(content: Iterable[str], sentence: str, options: CardOptions) -> str:
    """Return what is drawn as one SVG, with its sentence for those who do not see it."""
    size, sheet = options.size, Paint(options.theme).sheet
    drawn = f'<g font-family="{FAMILY}" font-size="{BASE_PX}">{"".join(content)}</g>'
    said = clean(sentence, characters_max=COMPARED_MAX * SENTENCE_CHARACTERS_MAX)
    return picture(said, width=size.width, height=size.height, content=f"{sheet}{drawn}")


def draw_frame(width: int, height: int, paint: Paint) -> str:
    """Draw the ground with a hairline, so that it does not drown in a page like it."""
    ground = f'<path{paint.fill("bg")} d="M0 0h{width}v{height}H0z"/>'
    return (
        f'{ground}<path fill="none"{paint.stroke("edge")} d="M.5 .5h{width - 1}v{height - 1}H.5z"/>'
    )


def draw_head(name: str, *, width: int, y_px: float, paint: Paint) -> str:
    """Draw the name, as much of it as has room, and who says it."""
    site = SMALL.width(SITE)
    at = width - PAD_PX - site
    room = at - PAD_PX - GAP_PX
    return line(name, (PAD_PX, y_px), room=room, paint=paint.fill("ink"), style=NAME) + line(
        SITE, (at, y_px), room=site, paint=paint.fill("dim")
    )


def _figure(card: ThingCard, layout: Layout, *, width: int, paint: Paint) -> str:
    """Draw the figure large, its unit and interval beside it; or in words why there is none."""
    at, room = (PAD_PX, layout.figure), width - 2 * PAD_PX
    if not card.badge.figure:
        absence = card.badge.remark
        return line(absence, at, room=room, paint=paint.fill("dim"), style=ABSENCE)
    figure = clean(card.badge.figure, characters_max=FIGURE_CHARACTERS_MAX)
    beside = PAD_PX + FIGURE.width(figure) + GAP_PX
    left = width - PAD_PX - beside
    return "".join(
        (
            line(figure, at, room=room, paint=paint.fill("ink"), style=FIGURE),
            line(card.span, (beside, layout.figure - SPAN_ABOVE_PX), room=left,
                 paint=paint.fill("dim")),
            line(card.unit, (beside, layout.figure), room=left, paint=paint.fill("ink2")),
        )
    )  # fmt: skip


def _why(card: ThingCard, layout: Layout, *, width: int, paint: Paint) -> str:
    """Draw in one line or two why there is no figure."""
    words, room = card.work.split(), width - 2 * PAD_PX
    first: list[str] = []
    while words and text_px(" ".join((*first, words[0]))) <= room:
        first.append(words.pop(0))
    return "".join(
        line(text, (PAD_PX, y_px), room=room, paint=paint.fill("ink2"))
        for text, y_px in ((" ".join(first), layout.chip + 16), (" ".join(words), layout.work))
    )


def _known(card: ThingCard, layout: Layout, *, width: int, paint: Paint) -> str:
    """Draw what stands behind the figure in the colour of its level, the work, what else is known.

    What else is known has two lines: on a wide card what the chip and the work leave of theirs.
    """
    end = width - PAD_PX
    work = fitted(card.work, room=end - PAD_PX)
    chip, chip_end = draw_chip(card, y_px=layout.chip, room=end - PAD_PX)
    if layout.notes:
        starts = tuple((float(PAD_PX), y_px) for y_px in layout.notes)
    else:
        beside_chip = chip_end + GAP_PX, layout.chip + CHIP_PX - 6
        starts = beside_chip, (PAD_PX + text_px(work) + 2 * GAP_PX, layout.work)
    lines = in_lines(card.notes, rooms=[end - x_px for x_px, _ in starts])
    notes = (
        line(text, (round(x_px, 1), y_px), room=end - x_px, paint=paint.fill("ink2"))
        for text, (x_px, y_px) in zip(lines, starts, strict=True)
    )
    drawn_work = line(work, (PAD_PX, layout.work), room=width, paint=paint.fill("ink2"))
    return f"{chip}{drawn_work}{''.join(notes)}"


def draw_chip(card: ThingCard, *, y_px: float, room: float) -> tuple[str, float]:
    """Return the level mark and the standing on their colour, and where they end."""
    bars = 0 if card.badge.bars is None else BARS_PX + GAP_PX - 3
    text = fitted(card.standing, room=room - bars - 2 * CHIP_PAD_PX)
    wide = bars + text_px(text) + 2 * CHIP_PAD_PX
    at = PAD_PX + CHIP_PAD_PX
    mark = (
        ""
        if card.badge.bars is None
        else f'<g fill="{INK}">'
        f"{level_mark(card.badge.bars, x_px=at, bottom_px=round(y_px) + CHIP_PX - 5)}</g>"
    )
    ground = f'<path fill="{card.badge.tone}" d="M{PAD_PX} {y_px:g}h{wide:g}v{CHIP_PX}H{PAD_PX}z"/>'
    words = line(text, (at + bars, y_px + CHIP_PX - 6), room=room, paint=f' fill="{INK}"')
    return f"{ground}{mark}{words}", PAD_PX + wide


def _time(card: ThingCard, layout: Layout, *, width: int, paint: Paint) -> str:
    """Draw the axis, and on it half of all commits with their p99."""
    lane = CardLane(PAD_PX, width - 2 * PAD_PX)
    drawn = draw_axis(lane, y_px=layout.axis, paint=paint)
    latency_ns = card.badge.latency_ns
    if latency_ns is None:
        return drawn
    colour = "hot" if card.counts else "dim"
    spot = CardSpot(latency_ns, card.tail_ns, card.badge.mark)
    mark = draw_spot(lane, spot, y_px=layout.axis, colour=colour, paint=paint)
    wide = text_px(card.half)
    start = min(max(lane.at(latency_ns) - wide / 2, PAD_PX), width - PAD_PX - wide)
    at = round(start, 1), layout.axis - HALF_ABOVE_PX
    return drawn + mark + line(card.half, at, room=lane.width, paint=paint.fill(colour))
