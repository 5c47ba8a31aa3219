"""Draws the picture of a shared link: 1200 by 630 pixels, the site's fonts, colours and axis."""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.conf import settings
from PIL import Image, ImageDraw, ImageFont

from apps.pages.draw.axis import DECADE_LABELS, DECADES, place_of_ns, place_of_rate
from apps.pages.embed.cards.card import Card
from apps.pages.frame.structured import PICTURE_HEIGHT, PICTURE_WIDTH
from apps.pages.show import units
from apps.stats.figures import NARROW_SPACE, significant

FONTS: Final = settings.BASE_DIR / "static" / "vendor" / "fonts"
WORDS: Final = "commissioner-latin-wght-normal.woff2"
FIGURES: Final = "martian-mono-latin-wdth-normal.woff2"
FIGURES_WIDTH: Final = 82  # percent, as on the pages
# The dark theme of tokens.css; a test compares them.
COLOURS: Final = {
    "bg": "#0b0d0f", "ink": "#eceeec", "ink2": "#aab2b3", "dim": "#838c8d", "hot": "#ff6b2c",
    "edge": "#667075", "grat": "#1a1f23", "cool": "#6cc5ff",
}  # fmt: skip
PAD: Final = 64
AXIS_Y: Final = 486
FIELD_TOP: Final = 400
FIELD_END: Final = 560
TITLE_PX: Final = 64
TITLE_PX_MIN: Final = 34  # a smaller one could not be read in a list of links
FIGURE_PX: Final = 112
SAID_PX: Final = 64
SENTENCE_PX: Final = 32
SENTENCE_LINE: Final = 40  # from one line to the next
SENTENCE_TOP: Final = 262
SENTENCE_UNDER_FIGURE: Final = 322
MARK: Final = 15
MARK_COLOURS: Final = ("hot", "cool", "ink2")  # of the first thing, the second, all others
NAME_LINES: Final = (430, 460)  # where the names of the first two stand
NAME_ROOM_MIN: Final = 240
LINE: Final = 3
OTHER_SIGNS: Final = frozenset(
    "\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2265\u2264\u20ac"
)  # of ours, in both fonts
SUBSTITUTE: Final = "?"
MADE_UP: Final = "made-up example, not measured"
CUT: Final = "\u2026"
FLIP_AT_PERCENT: Final = 80  # further right, a figure stands left of its mark
KNOWN_PROTECTION: Final = frozenset({"full", "partial", "none"})
LAST_LATIN: Final = 0x100


Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Style:
    """How a line of text looks."""

    px: int
    colour: str = "ink"
    weight: int = 400
    font: str = FIGURES


@dataclass(frozen=True, slots=True)
class Pen:
    """Where text is drawn, with its fonts."""

    draw: ImageDraw.ImageDraw

    def text(self, at: Point, text: str, style: Style, anchor: str = "ls") -> float:
        """Draw one line and return its width in pixels; the anchor is one of Pillow's."""
        font = font_of(style.font, style.px, style.weight)
        shown = latin(text)
        self.draw.text(at, shown, font=font, fill=COLOURS[style.colour], anchor=anchor)
        return font.getlength(shown)

    def line(self, start: Point, end: Point, colour: str, width: int = LINE) -> None:
        self.draw.line((start, end), fill=COLOURS[colour], width=width)


@cache
def font_of(name: str, px: int, weight: int) -> ImageFont.FreeTypeFont:
    """A font of the site at one size and weight; a dozen of them exist."""
    font = ImageFont.truetype(str(FONTS / name), px)
    font.set_variation_by_axes([weight, FIGURES_WIDTH] if name == FIGURES else [weight])
    return font


def latin(text: str) -> str:
    """The text in letters that the fonts hold: names of drives come from strangers."""
    return "".join(
        sign
        if (sign.isprintable() and ord(sign) < LAST_LATIN) or sign in OTHER_SIGNS
        else " " if sign.isspace() else SUBSTITUTE
        for sign in text
    )  # fmt: skip


def png_of(card: Card) -> bytes:
    """The picture as PNG; the same bytes for the same card."""
    image = Image.new("RGB", (PICTURE_WIDTH, PICTURE_HEIGHT), COLOURS["bg"])
    pen = Pen(ImageDraw.Draw(image))
    _head(pen, card)
    _title(pen, card)
    if card.rate_per_s:
        _figures(pen, card)
    else:
        _answer(pen, card)
    _axis(pen)
    _mark(pen, card)
    _marks(pen, card)
    written = io.BytesIO()
    image.quantize(64).save(written, "PNG", optimize=True)
    return written.getvalue()


def _head(pen: Pen, card: Card) -> None:
    """The sign of the site, its name, and what the page is about."""
    y = 66
    pen.line((PAD, y), (PAD + 62, y), "edge")
    for x, half in ((0, 12), (21, 6), (42, 6), (62, 12)):
        pen.line((PAD + x, y - half), (PAD + x, y + half), "edge")
    pen.draw.ellipse((PAD + 23, y - 7, PAD + 37, y + 7), fill=COLOURS["hot"])
    pen.text((PAD + 82, y + 9), "fsyncmark", Style(27, weight=700))
    if card.is_made_up:
        pen.text((PICTURE_WIDTH - PAD, y + 9), MADE_UP, Style(30, colour="hot", weight=700), "rs")
    else:
        pen.text((PICTURE_WIDTH - PAD, y + 9), card.kind, Style(22, colour="dim"), "rs")


def _title(pen: Pen, card: Card) -> None:
    """The name, as large as fits; a longer one is cut."""
    room = PICTURE_WIDTH - 2 * PAD
    title = latin(card.title)
    px = TITLE_PX
    while px > TITLE_PX_MIN and font_of(WORDS, px, 600).getlength(title) > room:
        px -= 6
    shown = _cut(title, font_of(WORDS, px, 600), room)
    pen.text((PAD, 180), shown, Style(px, weight=600, font=WORDS))


def _figures(pen: Pen, card: Card) -> None:
    """The rate, what lies round it, and how many runs stand behind it."""
    rate = card.rate_per_s or 0
    width = pen.text((PAD - 5, 306), significant(rate), Style(FIGURE_PX, weight=600))
    x = PAD + width + 24
    pen.text((x, 262), "durable commits/s", Style(32, colour="ink2", font=WORDS))
    if card.low_per_s and card.high_per_s:
        span = f"{significant(card.low_per_s)}\u2013{significant(card.high_per_s)}"
        pen.text((x, 304), span, Style(26, colour="dim"))
    if card.p99_ns:
        right = PICTURE_WIDTH - PAD
        figure = units.latency(card.p99_ns).replace(NARROW_SPACE, " ")
        pen.text((right, 304), f"p99 {figure}", Style(26, colour="ink2"), "rs")
    month = f"published {card.published}, day not stated" if card.published else ""
    when = card.day.isoformat() if card.day else month or "date not stated"
    under = " · ".join(part for part in (card.workload, card.counts, when) if part)
    pen.text((PAD, 362), under, Style(24, colour="dim", font=WORDS))


def _answer(pen: Pen, card: Card) -> None:
    """What a page says of itself: the figure of its answer over the sentence and how sure it is."""
    top = SENTENCE_TOP
    if card.said:
        width = pen.text((PAD - 4, 270), card.said, Style(SAID_PX, weight=600))
        pen.text((PAD + width + 20, 270), card.unit, Style(32, colour="ink2", font=WORDS))
        top = SENTENCE_UNDER_FIGURE
    style = Style(SENTENCE_PX, colour="ink2", font=WORDS)
    lines = wrapped(card.sentence, style, lines_max=2 if card.said else 3)
    for number, line in enumerate(lines):
        pen.text((PAD, top + number * SENTENCE_LINE), line, style)
    if card.sure:
        small = Style(24, colour="dim", font=WORDS)
        (sure,) = wrapped(card.sure, small, lines_max=1)
        pen.text((PAD, top + len(lines) * SENTENCE_LINE), sure, small)


def wrapped(text: str, style: Style, *, lines_max: int) -> list[str]:
    """The text in lines that fit; where it needs more of them the last is cut."""
    font, room = font_of(style.font, style.px, style.weight), PICTURE_WIDTH - 2 * PAD
    lines, words = [""], latin(text).split()
    while words:
        longer = f"{lines[-1]} {words[0]}".strip()
        if font.getlength(longer) <= room or not lines[-1]:
            lines[-1] = longer
            words.pop(0)
        elif len(lines) < lines_max:
            lines.append("")
        else:
            lines[-1] = f"{lines[-1]} {words[0]}"
            break
    return [_cut(each, font, room) for each in lines]


def _cut(line: str, font: ImageFont.FreeTypeFont, room: float) -> str:
    while font.getlength(line) > room:
        line = f"{line.rstrip(CUT)[:-1].rstrip()}{CUT}"
    return line


def _marks(pen: Pen, card: Card) -> None:
    """Several things at 1 / rate on the axis, the first two with their names above it."""
    room = PICTURE_WIDTH - 2 * PAD
    places = [PAD + room * place_of_rate(rate_per_s).percent / 100 for _, rate_per_s in card.marks]
    for number, (x, (name, rate_per_s)) in enumerate(zip(places, card.marks, strict=True)):
        colour = MARK_COLOURS[min(number, len(MARK_COLOURS) - 1)]
        if number < len(NAME_LINES):
            y = NAME_LINES[number]
            pen.line((x, y + 6), (x, AXIS_Y), colour, 2)
            _name_of_mark(pen, (x, y), f"{significant(rate_per_s)}/s  {name}", colour, places)
        pen.draw.ellipse((x - MARK, AXIS_Y - MARK, x + MARK, AXIS_Y + MARK), fill=COLOURS[colour])


def _name_of_mark(pen: Pen, at: Point, words: str, colour: str, places: list[float]) -> None:
    """Write it away from the other marks, unless there is no room."""
    x, y = at
    left, right = x - PAD, PICTURE_WIDTH - PAD - x
    is_left = left > NAME_ROOM_MIN and (x <= min(places) or right < NAME_ROOM_MIN)
    style = Style(22, weight=600, colour=colour)
    font = font_of(style.font, style.px, style.weight)
    pen.text((x, y), _cut(latin(words), font, left if is_left else right), style,
             "rs" if is_left else "ls")  # fmt: skip


def _axis(pen: Pen) -> None:
    """The axis of every page: 100 ns to 100 ms, a hairline at each decade."""
    room = PICTURE_WIDTH - 2 * PAD
    for number, (time, rate) in enumerate(DECADE_LABELS):
        x = PAD + room * number / DECADES
        pen.line((x, FIELD_TOP), (x, FIELD_END), "grat", 2)
        pen.line((x, AXIS_Y - 14), (x, AXIS_Y + 14), "edge")
        is_last = number == DECADES
        at, anchor = (x - 8, "rs") if is_last else (x + 8, "ls")
        pen.text((at, AXIS_Y + 44), time, Style(20, weight=600), anchor)
        pen.text((at, AXIS_Y + 74), rate, Style(20, colour="dim"), anchor)
    pen.line((PAD, AXIS_Y), (PICTURE_WIDTH - PAD, AXIS_Y), "edge")


def _mark(pen: Pen, card: Card) -> None:
    """Filled with power-loss protection, open without, a diamond where nobody says."""
    if not card.at_ns:
        return
    room = PICTURE_WIDTH - 2 * PAD
    x = PAD + room * place_of_ns(card.at_ns).percent / 100
    if card.p99_ns:
        end = PAD + room * place_of_ns(card.p99_ns).percent / 100
        pen.line((x, AXIS_Y), (end, AXIS_Y), "hot", LINE + 1)
        pen.line((end, AXIS_Y - MARK), (end, AXIS_Y + MARK), "hot", LINE + 1)
    box = (x - MARK, AXIS_Y - MARK, x + MARK, AXIS_Y + MARK)
    fill = COLOURS["hot"] if card.plp == "full" else COLOURS["bg"]
    if card.plp in KNOWN_PROTECTION:
        pen.draw.ellipse(box, fill=fill, outline=COLOURS["hot"], width=5)
    else:
        corners = [(x, box[1] - 3), (box[2] + 3, AXIS_Y), (x, box[3] + 3), (box[0] - 3, AXIS_Y)]
        pen.draw.polygon(corners, fill=fill, outline=COLOURS["hot"], width=5)
    figure = units.latency(card.at_ns).replace(NARROW_SPACE, " ")
    anchor = "rs" if place_of_ns(card.at_ns).percent > FLIP_AT_PERCENT else "ls"
    pen.text(
        (x + (-MARK if anchor == "rs" else MARK), AXIS_Y - 30),
        figure,
        Style(26, weight=600, colour="hot"),
        anchor,
    )
