"""The ground of a badge's left part: dark, light, or as the reader's other pages.

Only the last needs a style sheet. It is one text, so that the content security policy names its
hash. A reader that knows no such question, as what makes PNGs, sees the dark one.
"""

import hashlib
from base64 import b64encode
from dataclasses import dataclass
from typing import Final

from apps.badges.options import BadgeTheme


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of the left part."""

    ground: str
    ink: str
    edge: str  # a hairline round it, so that it does not drown in a page like it
    axis: str
    mark: str


DARK: Final = Palette("#14181a", "#ffffff", "#3b444b", "#aab2b3", "#ff6b2c")
LIGHT: Final = Palette("#e8ecee", "#14181a", "#aab2b3", "#566066", "#b93a06")
PALETTES: Final = {BadgeTheme.DARK: DARK, BadgeTheme.LIGHT: LIGHT, BadgeTheme.AUTO: DARK}

# The classes of elements in the left part: g ground, i ink, e edge, a axis, m mark, r ring.
SHEET: Final = (
    "@media (prefers-color-scheme:light){"
    f".g{{fill:{LIGHT.ground}}}.i{{fill:{LIGHT.ink}}}.e{{stroke:{LIGHT.edge}}}"
    f".a{{stroke:{LIGHT.axis}}}.m{{fill:{LIGHT.mark}}}.r{{stroke:{LIGHT.mark}}}}}"
)
SHEET_HASH: Final = f"sha256-{b64encode(hashlib.sha256(SHEET.encode()).digest()).decode()}"


def sheet_element(theme: BadgeTheme) -> str:
    """Return the style sheet that follows the reader, where that is asked for."""
    return f"<style>{SHEET}</style>" if theme is BadgeTheme.AUTO else ""


def classes(theme: BadgeTheme, names: str) -> str:
    """Return the attribute by which the style sheet finds an element, where there is one."""
    return f' class="{names}"' if theme is BadgeTheme.AUTO else ""
