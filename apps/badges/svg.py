"""Draws a badge: a pure function from a few words and one latency to an SVG text.

The picture is one small axis, the same as on every page: 100 ns at its left end, 100 ms at its
right, a hairline at each decade, a mark where a commit stands. No script, no style element, no
font, no id: an image proxy may show it, a page may paste it inline, and the strictest content
security policy has nothing to forbid.
"""

import math
import unicodedata
from dataclasses import dataclass
from enum import Enum, StrEnum, unique
from xml.sax.saxutils import escape, quoteattr

HEIGHT_PX = 24
PAD_PX = 9
GAP_PX = 7  # between the axis and the name
BASELINE_PX = 16
MIDDLE_PX = 12.5

FONT_PX = 11
CHARACTER_PX = 6.6  # advance of one character: 0.60 em in every font of the list below
FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

DECADE_PX = 7
DECADES = 6
AXIS_PX = DECADE_PX * DECADES
AXIS_START_NS = 100

NAME_CHARACTERS_MAX = 40  # with 50, the longest name of the catalogue, no README column fits it
FIGURE_CHARACTERS_MAX = 16  # "6,500,000" and room for a billion a second
REMARK_CHARACTERS_MAX = 64  # unit, interval and evidence are 51 at most in the catalogue
SENTENCE_CHARACTERS_MAX = 600  # read aloud in half a minute; longer is not a label any more

INK = "#ffffff"
LEFT_FILL = "#14181a"
EDGE = "#3b444b"  # a hairline round the left part, so that it does not drown in a dark page
AXIS_STROKE = "#aab2b3"
MARK_FILL = "#ff6b2c"

# Printable ASCII, the Latin letters of Europe's names, and five signs of our own.
_ASCII = {chr(point) for point in range(0x20, 0x7F)}
_LATIN = {chr(point) for point in range(0xC0, 0x180) if chr(point).isalpha()}
ALPHABET = frozenset(_ASCII | _LATIN | {"·", "µ", "…", "\u2013", "—"})
SUBSTITUTE = "?"


@unique
class Tone(StrEnum):
    """The fill of the right part: it says how much can be defended, never good or bad.

    Every one carries white text at 4.5:1 or more.
    """

    WITNESSED = "#0f766e"
    SIGNED = "#1d4ed8"
    PUBLISHED = "#334155"
    EXCLUDED = "#92400e"
    NOTHING = "#475569"


@unique
class BadgeMark(Enum):
    """The shape of the mark says what protects the drive's cache: it survives print and grey."""

    PROTECTED = "protected"
    UNPROTECTED = "unprotected"
    NOT_STATED = "not stated"


BARS = 4  # of the level mark: signed fills one, witnessed two
BAR_PX = 2
BAR_STEP_PX = 3
BARS_PX = BAR_STEP_PX * BARS - 1
BAR_FAINT = 0.35


@dataclass(frozen=True, slots=True, kw_only=True)
class Badge:
    """What one badge shows and says."""

    name: str
    figure: str  # printed bold; may be empty
    remark: str
    sentence: str  # everything the picture leaves out, for those who hear it or point at it
    tone: Tone
    latency_ns: int | None = None  # where the mark stands; None leaves the axis empty
    mark: BadgeMark = BadgeMark.NOT_STATED
    bars: int | None = None  # how many of BARS are filled; None leaves the level mark out


def clean(text: str, *, characters_max: int) -> str:
    """Return `text` on one line of the alphabet, cut with an ellipsis where it is too long."""
    line = " ".join("".join(_spell(character) for character in text).split())
    if len(line) <= characters_max:
        return line
    return line[: characters_max - 1].rstrip() + "…"


def _spell(character: str) -> str:
    if character in ALPHABET:
        return character
    if character.isspace():
        return " "
    plain = unicodedata.normalize("NFKC", character)
    return plain if ALPHABET.issuperset(plain) else SUBSTITUTE


def width_px(text: str) -> int:
    """Return the width that `text` is given, whatever font the reader has."""
    return round(len(text) * CHARACTER_PX)


def axis_px(latency_ns: int) -> float:
    """Return how far along the axis a latency stands; outside 0..AXIS_PX it is off the scale."""
    return math.log10(max(latency_ns, 1) / AXIS_START_NS) * DECADE_PX


def render(badge: Badge) -> str:
    """Return the badge as one SVG element; the same badge gives the same text."""
    name = clean(badge.name, characters_max=NAME_CHARACTERS_MAX)
    figure = clean(badge.figure, characters_max=FIGURE_CHARACTERS_MAX)
    remark = clean(badge.remark, characters_max=REMARK_CHARACTERS_MAX)
    sentence = clean(badge.sentence, characters_max=SENTENCE_CHARACTERS_MAX)
    name_px = PAD_PX + AXIS_PX + GAP_PX
    left_px = name_px + width_px(name) + PAD_PX
    figure_px = left_px + PAD_PX
    remark_px = figure_px + (width_px(figure + " ") if figure else 0)
    bars_px = remark_px + width_px(remark) + GAP_PX
    total_px = bars_px + (-GAP_PX if badge.bars is None else BARS_PX) + PAD_PX
    opening = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{total_px}" height="{HEIGHT_PX}" '
        f'viewBox="0 0 {total_px} {HEIGHT_PX}" role="img" aria-label={quoteattr(sentence)}>'
    )
    parts = (
        opening,
        f"<title>{escape(sentence)}</title>",
        _ground(left_px=left_px, right_px=total_px - left_px, tone=badge.tone),
        _axis(),
        "" if badge.latency_ns is None else _mark(badge.latency_ns, badge.mark),
        f'<g fill="{INK}" font-family="{FONTS}" font-size="{FONT_PX}">',
        _text(name, x_px=name_px),
        _text(figure, x_px=figure_px, weight=' font-weight="700"'),
        _text(remark, x_px=remark_px),
        "" if badge.bars is None else _level_mark(badge.bars, x_px=bars_px),
        "</g></svg>",
    )
    return "".join(parts)


def _ground(*, left_px: int, right_px: int, tone: Tone) -> str:
    """Draw both parts with corners of 2 px, and the hairline inside the left one."""
    left, right = left_px - 2, right_px - 2
    return (
        f'<path fill="{LEFT_FILL}" d="M2 0h{left}v24h-{left}a2 2 0 0 1-2-2v-20a2 2 0 0 1 2-2z"/>'
        f'<path fill="{tone}" '
        f'd="M{left_px} 0h{right}a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2h-{right}z"/>'
        f'<path fill="none" stroke="{EDGE}" '
        f'd="M{left_px} .5h-{left}a1.5 1.5 0 0 0-1.5 1.5v20a1.5 1.5 0 0 0 1.5 1.5h{left}"/>'
    )


def _text(text: str, *, x_px: int, weight: str = "") -> str:
    if not text:
        return ""
    return (
        f'<text x="{x_px}" y="{BASELINE_PX}" textLength="{width_px(text)}"{weight}>'
        f"{escape(text)}</text>"
    )


def _level_mark(filled: int, *, x_px: int) -> str:
    """Draw four rising bars, filled up to the level; the word beside them says the same."""
    drawn = [
        f"M{x_px + bar * BAR_STEP_PX} 17h{BAR_PX}v-{3 + 2 * bar}h-{BAR_PX}z" for bar in range(BARS)
    ]
    bright, faint = "".join(drawn[:filled]), "".join(drawn[filled:])
    return (f'<path d="{bright}"/>' if bright else "") + (
        f'<path fill-opacity="{BAR_FAINT}" d="{faint}"/>' if faint else ""
    )


def _axis() -> str:
    """Draw the hairlines on half pixels, so that each fills exactly one column of the screen."""
    start_px = PAD_PX + 0.5
    ends = "".join(f"M{start_px + x:g} 7.5v10" for x in (0, AXIS_PX))
    decades = "".join(f"M{start_px + decade * DECADE_PX:g} 10.5v4" for decade in range(1, DECADES))
    line = f"M{start_px:g} {MIDDLE_PX}h{AXIS_PX}"
    return f'<path stroke="{AXIS_STROKE}" d="{ends}{decades}{line}"/>'


def _mark(latency_ns: int, mark: BadgeMark) -> str:
    x_px = axis_px(latency_ns)
    if not 0 <= x_px <= AXIS_PX:
        return _arrow(points_right=x_px > AXIS_PX)
    centre = f"{PAD_PX + 0.5 + x_px:.1f}"
    match mark:
        case BadgeMark.PROTECTED:
            return f'<circle cx="{centre}" cy="{MIDDLE_PX}" r="3.5" fill="{MARK_FILL}"/>'
        case BadgeMark.UNPROTECTED:
            return (
                f'<circle cx="{centre}" cy="{MIDDLE_PX}" r="3" '
                f'fill="{LEFT_FILL}" stroke="{MARK_FILL}" stroke-width="1.5"/>'
            )
        case BadgeMark.NOT_STATED:
            return (
                f'<path fill="{LEFT_FILL}" stroke="{MARK_FILL}" stroke-width="1.5" '
                f'd="M{centre} 9l3.5 3.5-3.5 3.5-3.5-3.5z"/>'
            )


def _arrow(*, points_right: bool) -> str:
    """Draw the end of the axis as an arrow: this latency is off the scale."""
    if points_right:
        tip_px, base_px = PAD_PX + AXIS_PX + 4, -6
    else:
        tip_px, base_px = PAD_PX - 3, 6
    return f'<path fill="{MARK_FILL}" d="M{tip_px} {MIDDLE_PX}l{base_px} -4v8z"/>'
