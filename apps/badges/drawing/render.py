"""Draws a badge in the style and theme that are asked for."""

from dataclasses import replace

from apps.badges.drawing.axis import render_axis
from apps.badges.drawing.badge import Badge
from apps.badges.drawing.flat import render_flat
from apps.badges.options import BadgeOptions, BadgeStyle


def render(badge: Badge, options: BadgeOptions) -> str:
    """Return the badge as one SVG element; the same badge and options give the same text.

    A label takes the place of the name where it is drawn, never in the sentence.
    """
    if options.label:
        badge = replace(badge, name=options.label)
    if options.style is BadgeStyle.AXIS:
        return render_axis(badge, theme=options.theme)
    return render_flat(badge, style=options.style, theme=options.theme)
