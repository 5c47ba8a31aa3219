"""Draws a badge in our own style: one small axis, the same as on every page.

100 ns at its left end, 100 ms at its right, a hairline at each decade, a mark where a commit
stands. No script, no font, no id: an image proxy may show it, a page may paste it inline, and the
strictest content security policy has nothing to forbid.
"""

import math

from apps.badges.drawing.badge import Badge, BadgeMark, Tone
from apps.badges.drawing.parts import BARS_PX, INK, level_mark, svg_element
from apps.badges.drawing.text import (
    FIGURE_CHARACTERS_MAX,
    MONO,
    NAME_CHARACTERS_MAX,
    REMARK_CHARACTERS_MAX,
    clean,
    text_element,
    width_px,
)
from apps.badges.drawing.theme import PALETTES, classes, sheet_element
from apps.badges.options import BadgeTheme

HEIGHT_PX = 24
PAD_PX = 9
GAP_PX = 7  # between the axis and the name
BASELINE_PX = 16
MIDDLE_PX = 12.5
BARS_BOTTOM_PX = 17

FONT_PX = 11
FONTS = "ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace"

DECADE_PX = 7
DECADES = 6
AXIS_PX = DECADE_PX * DECADES
AXIS_START_NS = 100


def mono_px(text: str) -> int:
    """Return the width that `text` is given, whatever font of one width the reader has."""
    return round(width_px(text, font=MONO, font_px=FONT_PX))


def axis_px(latency_ns: int) -> float:
    """Return how far along the axis a latency stands; outside 0..AXIS_PX it is off the scale."""
    return math.log10(max(latency_ns, 1) / AXIS_START_NS) * DECADE_PX


def render_axis(badge: Badge, *, theme: BadgeTheme = BadgeTheme.DARK) -> str:
    """Return the badge as one SVG element; the same badge gives the same text."""
    name = clean(badge.name, characters_max=NAME_CHARACTERS_MAX)
    figure = clean(badge.figure, characters_max=FIGURE_CHARACTERS_MAX)
    remark = clean(badge.remark, characters_max=REMARK_CHARACTERS_MAX)
    name_px = PAD_PX + AXIS_PX + GAP_PX
    left_px = name_px + mono_px(name) + PAD_PX
    figure_px = left_px + PAD_PX
    remark_px = figure_px + (mono_px(figure + " ") if figure else 0)
    bars_px = remark_px + mono_px(remark) + GAP_PX
    total_px = bars_px + (-GAP_PX if badge.bars is None else BARS_PX) + PAD_PX
    ink = (
        f' fill="{PALETTES[theme].ink}"{classes(theme, "i")}'
        if theme is not BadgeTheme.DARK
        else ""
    )
    content = (
        sheet_element(theme),
        _ground(left_px=left_px, right_px=total_px - left_px, tone=badge.tone, theme=theme),
        _axis(theme),
        "" if badge.latency_ns is None else _mark(badge.latency_ns, badge.mark, theme),
        f'<g fill="{INK}" font-family="{FONTS}" font-size="{FONT_PX}">',
        _text(name, x_px=name_px, more=ink),
        _text(figure, x_px=figure_px, more=' font-weight="700"'),
        _text(remark, x_px=remark_px),
        ""
        if badge.bars is None
        else level_mark(badge.bars, x_px=bars_px, bottom_px=BARS_BOTTOM_PX),
        "</g>",
    )
    return svg_element(badge, width=total_px, height=HEIGHT_PX, content="".join(content))


def _ground(*, left_px: int, right_px: int, tone: Tone, theme: BadgeTheme) -> str:
    """Draw both parts with corners of 2 px, and the hairline inside the left one."""
    left, right, palette = left_px - 2, right_px - 2, PALETTES[theme]
    return (
        f'<path fill="{palette.ground}"{classes(theme, "g")} '
        f'd="M2 0h{left}v24h-{left}a2 2 0 0 1-2-2v-20a2 2 0 0 1 2-2z"/>'
        f'<path fill="{tone}" '
        f'd="M{left_px} 0h{right}a2 2 0 0 1 2 2v20a2 2 0 0 1-2 2h-{right}z"/>'
        f'<path fill="none" stroke="{palette.edge}"{classes(theme, "e")} '
        f'd="M{left_px} .5h-{left}a1.5 1.5 0 0 0-1.5 1.5v20a1.5 1.5 0 0 0 1.5 1.5h{left}"/>'
    )


def _text(text: str, *, x_px: int, more: str = "") -> str:
    return text_element(text, x_px=x_px, y_px=BASELINE_PX, width=mono_px(text), more=more)


def _axis(theme: BadgeTheme) -> str:
    """Draw the hairlines on half pixels, so that each fills exactly one column of the screen."""
    start_px = PAD_PX + 0.5
    ends = "".join(f"M{start_px + x:g} 7.5v10" for x in (0, AXIS_PX))
    decades = "".join(f"M{start_px + decade * DECADE_PX:g} 10.5v4" for decade in range(1, DECADES))
    line = f"M{start_px:g} {MIDDLE_PX}h{AXIS_PX}"
    drawn = f"{ends}{decades}{line}"
    return f'<path stroke="{PALETTES[theme].axis}"{classes(theme, "a")} d="{drawn}"/>'


def _mark(latency_ns: int, mark: BadgeMark, theme: BadgeTheme) -> str:
    x_px = axis_px(latency_ns)
    if not 0 <= x_px <= AXIS_PX:
        return _arrow(points_right=x_px > AXIS_PX, theme=theme)
    centre = f"{PAD_PX + 0.5 + x_px:.1f}"
    palette = PALETTES[theme]
    ring = (
        f'fill="{palette.ground}" stroke="{palette.mark}" stroke-width="1.5"{classes(theme, "g r")}'
    )
    match mark:
        case BadgeMark.PROTECTED:
            fill = f'fill="{palette.mark}"{classes(theme, "m")}'
            return f'<circle cx="{centre}" cy="{MIDDLE_PX}" r="3.5" {fill}/>'
        case BadgeMark.UNPROTECTED:
            return f'<circle cx="{centre}" cy="{MIDDLE_PX}" r="3" {ring}/>'
        case BadgeMark.NOT_STATED:
            return f'<path {ring} d="M{centre} 9l3.5 3.5-3.5 3.5-3.5-3.5z"/>'


def _arrow(*, points_right: bool, theme: BadgeTheme) -> str:
    """Draw the end of the axis as an arrow: this latency is off the scale."""
    if points_right:
        tip_px, base_px = PAD_PX + AXIS_PX + 4, -6
    else:
        tip_px, base_px = PAD_PX - 3, 6
    fill = f'fill="{PALETTES[theme].mark}"{classes(theme, "m")}'
    return f'<path {fill} d="M{tip_px} {MIDDLE_PX}l{base_px} -4v8z"/>'
