"""A badge as JSON for the endpoint badge of shields.io, which refuses keys it does not know."""

from __future__ import annotations

import json
from typing import Final

from apps.badges.drawing.badge import Badge
from apps.badges.drawing.text import (
    FIGURE_CHARACTERS_MAX,
    NAME_CHARACTERS_MAX,
    REMARK_CHARACTERS_MAX,
    clean,
)
from apps.badges.drawing.theme import DARK
from apps.badges.options import BadgeOptions, BadgeStyle

CACHE_SECONDS: Final = 300  # the least that they keep, and as long as ours is kept


def endpoint_json(badge: Badge, options: BadgeOptions, *, is_error: bool) -> bytes:
    """Return the document: what our picture shows, in their style."""
    name = clean(badge.name, characters_max=NAME_CHARACTERS_MAX)
    figure = clean(badge.figure, characters_max=FIGURE_CHARACTERS_MAX)
    remark = clean(badge.brief or badge.remark, characters_max=REMARK_CHARACTERS_MAX)
    document = {
        "schemaVersion": 1,
        "label": options.label or name,
        "message": f"{figure} {remark}".strip(),
        "color": badge.tone.value,
        "labelColor": DARK.ground,
        "isError": is_error,
        "style": (BadgeStyle.FLAT if options.style is BadgeStyle.AXIS else options.style).value,
        "cacheSeconds": CACHE_SECONDS,
    }
    return json.dumps(document, ensure_ascii=False).encode()
