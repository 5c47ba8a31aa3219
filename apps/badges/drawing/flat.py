"""Draws a badge as those of other services look: name left, figure and remark right."""

import math
from dataclasses import dataclass
from typing import Final

from apps.badges.drawing.badge import Badge
from apps.badges.drawing.parts import BARS_PX, INK, level_mark, svg_element
from apps.badges.drawing.text import (
    FIGURE_CHARACTERS_MAX,
    NAME_CHARACTERS_MAX,
    REMARK_CHARACTERS_MAX,
    SANS,
    SANS_BOLD,
    clean,
    text_element,
    width_px,
)
from apps.badges.drawing.theme import PALETTES, classes, sheet_element
from apps.badges.options import BadgeStyle, BadgeTheme

FAMILY: Final = "Verdana,Geneva,'DejaVu Sans',sans-serif"
BOLD: Final = ' font-weight="700"'
GAP_PX: Final = 6  # between texts, and before the level mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The measures of a style, in pixels."""

    height: int
    corner: int
    pad: int
    font: float
    spacing: float = 0.0
    is_loud: bool = False  # the name in capitals; what follows keeps its units as they are

    @property
    def baseline(self) -> float:
        """Where texts stand: their capitals, 0.73 em high, in the middle."""
        return round(self.height / 2 + 0.365 * self.font, 1)


LOOKS: Final = {
    BadgeStyle.FLAT: Look(height=20, corner=3, pad=6, font=11),
    BadgeStyle.FLAT_SQUARE: Look(height=20, corner=0, pad=6, font=11),
    BadgeStyle.FOR_THE_BADGE: Look(
        height=28, corner=0, pad=10, font=10.5, spacing=0.8, is_loud=True
    ),
}


def render_flat(badge: Badge, *, style: BadgeStyle, theme: BadgeTheme) -> str:
    """Return the badge as one SVG element; the same badge gives the same text."""
    look, palette = LOOKS[style], PALETTES[theme]
    name = clean(badge.name, characters_max=NAME_CHARACTERS_MAX)
    name = _in_capitals(name) if look.is_loud else name
    figure = clean(badge.figure, characters_max=FIGURE_CHARACTERS_MAX)
    remark = clean(badge.brief or badge.remark, characters_max=REMARK_CHARACTERS_MAX)
    name_wide = _width(name, look)
    figure_wide = _width(figure, look, font=SANS_BOLD)
    remark_wide = _width(remark, look)
    left = math.ceil(name_wide) + 2 * look.pad
    figure_at = left + look.pad
    remark_at = figure_at + (math.ceil(figure_wide) + GAP_PX if figure else 0)
    bars_at = remark_at + math.ceil(remark_wide) + GAP_PX
    width = bars_at + (-GAP_PX if badge.bars is None else BARS_PX) + look.pad
    y_px = look.baseline
    ink = f' fill="{palette.ink}"{classes(theme, "i")}'
    edge = f'fill="none" stroke="{palette.edge}"{classes(theme, "e")}'
    bottom = look.height - (look.height - 10) // 2
    content = (
        sheet_element(theme),
        _half(0, left, look, f'fill="{palette.ground}"{classes(theme, "g")}', is_left=True),
        _half(left, width - left, look, f'fill="{badge.tone}"', is_left=False),
        f'<path {edge} d="{_edge(left, look)}"/>',
        f'<g fill="{INK}" font-family="{FAMILY}" font-size="{look.font:g}">',
        text_element(name, x_px=look.pad, width=name_wide, more=ink, y_px=y_px),
        text_element(figure, x_px=figure_at, width=figure_wide, more=BOLD, y_px=y_px),
        text_element(remark, x_px=remark_at, width=remark_wide, y_px=y_px),
        "" if badge.bars is None else level_mark(badge.bars, x_px=bars_at, bottom_px=bottom),
        "</g>",
    )
    return svg_element(badge, width=width, height=look.height, content="".join(content))


def _width(text: str, look: Look, *, font: str = SANS) -> float:
    return width_px(text, font=font, font_px=look.font, spacing_px=look.spacing)


def _in_capitals(text: str) -> str:
    """Return each letter as its capital, where that is one letter of the alphabet."""
    capitals = (character.upper() for character in text)
    return "".join(
        capital if capital == clean(capital, characters_max=1) else character
        for character, capital in zip(text, capitals, strict=True)
    )


def _half(x_px: int, width: int, look: Look, fill: str, *, is_left: bool) -> str:
    """Draw one part; its outer corners are round."""
    corner, height = look.corner, look.height
    if not corner:
        return f'<path {fill} d="M{x_px} 0h{width}v{height}h-{width}z"/>'
    inner = width - corner
    if is_left:
        drawn = (
            f"M{corner} 0h{inner}v{height}h-{inner}a{corner} {corner} 0 0 1-{corner}-{corner}"
            f"v-{height - 2 * corner}a{corner} {corner} 0 0 1 {corner}-{corner}z"
        )
    else:
        drawn = (
            f"M{x_px} 0h{inner}a{corner} {corner} 0 0 1 {corner} {corner}"
            f"v{height - 2 * corner}a{corner} {corner} 0 0 1-{corner} {corner}h-{inner}z"
        )
    return f'<path {fill} d="{drawn}"/>'


def _edge(left: int, look: Look) -> str:
    """Return the hairline inside the left part, so that it does not drown in a page like it."""
    height, corner = look.height, look.corner
    if not corner:
        return f"M{left} .5H.5v{height - 1}H{left}"
    turn = corner - 0.5
    return (
        f"M{left} .5H{corner}a{turn:g} {turn:g} 0 0 0-{turn:g} {turn:g}v{height - 2 * corner}"
        f"a{turn:g} {turn:g} 0 0 0 {turn:g} {turn:g}H{left}"
    )
