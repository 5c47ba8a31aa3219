"""The colours of a card, which are those of the pages; auto follows the reader by one sheet.

What knows no such question, as what makes PNGs, sees the light ones.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from dataclasses import asdict, dataclass
from typing import Final

from apps.badges.options import BadgeTheme


@dataclass(frozen=True, slots=True)
class CardPalette:
    """Colours by what they are for; tokens.css has them for the pages, a test compares them."""

    bg: str
    ink: str
    ink2: str
    dim: str
    hot: str  # the mark of the first
    cool: str  # the mark of the second
    edge: str
    grat: str  # hairlines of the decades


LIGHT: Final = CardPalette(
    bg="#f3f4f1", ink="#14181a", ink2="#444c4f", dim="#5e676a", hot="#b83800", cool="#0062a3",
    edge="#7d8487", grat="#dfe2dc",
)  # fmt: skip
DARK: Final = CardPalette(
    bg="#0b0d0f", ink="#eceeec", ink2="#aab2b3", dim="#838c8d", hot="#ff6b2c", cool="#6cc5ff",
    edge="#667075", grat="#1a1f23",
)  # fmt: skip
PALETTES: Final = {
    BadgeTheme.LIGHT: LIGHT, BadgeTheme.DARK: DARK, BadgeTheme.AUTO: LIGHT,
}  # fmt: skip
# The classes of elements: f- is a fill, s- a stroke, each of one colour.
SHEET: Final = (
    "@media (prefers-color-scheme:dark){"
    + "".join(
        f".f-{name}{{fill:{colour}}}.s-{name}{{stroke:{colour}}}"
        for name, colour in asdict(DARK).items()
    )
    + "}"
)


def hash_of(sheet: str) -> str:
    """Return how a content security policy names a style sheet."""
    return f"sha256-{b64encode(hashlib.sha256(sheet.encode()).digest()).decode()}"


SHEET_HASH: Final = hash_of(SHEET)


@dataclass(frozen=True, slots=True)
class Paint:
    """Gives elements their colours in one theme."""

    theme: BadgeTheme

    @property
    def sheet(self) -> str:
        """The style sheet that follows the reader, where that is asked for."""
        return f"<style>{SHEET}</style>" if self.theme is BadgeTheme.AUTO else ""

    def fill(self, name: str) -> str:
        """Return the attributes of a filled element, a space before them."""
        return self._attributes("fill", name, f"f-{name}")

    def stroke(self, name: str) -> str:
        """Return the attributes of a line, a space before them."""
        return self._attributes("stroke", name, f"s-{name}")

    def ring(self, name: str) -> str:
        """Return the attributes of an open mark: the ground inside a line."""
        colours = PALETTES[self.theme]
        named = f' class="f-bg s-{name}"' if self.theme is BadgeTheme.AUTO else ""
        return f' fill="{colours.bg}" stroke="{getattr(colours, name)}"{named}'

    def _attributes(self, kind: str, name: str, named: str) -> str:
        colour = getattr(PALETTES[self.theme], name)
        return f' {kind}="{colour}"' + (
            f' class="{named}"' if self.theme is BadgeTheme.AUTO else ""
        )
