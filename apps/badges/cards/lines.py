"""Lines of text on a card: as wide as their letters, and never wider than their room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.badges.drawing.text import (
    SANS,
    SANS_BOLD,
    SENTENCE_CHARACTERS_MAX,
    clean,
    text_element,
    width_px,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

DOT: Final = " · "
BASE_PX: Final = 11  # of the whole card; smaller are the figures of the axis alone


@dataclass(frozen=True, slots=True)
class CardType:
    """How large a text is, and in which font."""

    px: int = BASE_PX
    font: str = SANS

    def width(self, text: str) -> float:
        """Return how wide a text of our letters is."""
        return width_px(text, font=self.font, font_px=self.px)

    @property
    def attributes(self) -> str:
        """What is not that of the whole card, a space before each."""
        size = f' font-size="{self.px}"' if self.px != BASE_PX else ""
        return size + (' font-weight="700"' if self.font == SANS_BOLD else "")


SMALL: Final = CardType()
NAME: Final = CardType(14, SANS_BOLD)
LANE_NAME: Final = CardType(12, SANS_BOLD)
LANE_FIGURE: Final = CardType(14, SANS_BOLD)
FIGURE: Final = CardType(30, SANS_BOLD)
ABSENCE: Final = CardType(20)


def line(
    text: str, at: tuple[float, float], *, room: float, paint: str, style: CardType = SMALL
) -> str:
    """Return one line, cut with an ellipsis where it is wider than its room in pixels."""
    shown = fitted(text, room=room, style=style)
    x_px, y_px = at
    return text_element(
        shown, x_px=x_px, y_px=y_px, width=style.width(shown), more=f"{style.attributes}{paint}"
    )


def fitted(text: str, *, room: float, style: CardType = SMALL) -> str:
    """Return the text in letters of ours, as much of it as has room."""
    shown = clean(text, characters_max=SENTENCE_CHARACTERS_MAX)
    if style.width(shown) <= room:
        return shown
    while shown and style.width(f"{shown}…") > room:
        shown = shown[:-1]
    return f"{shown.rstrip()}…" if shown else ""


def text_px(text: str) -> float:
    """Return how wide a small text is."""
    return SMALL.width(clean(text, characters_max=SENTENCE_CHARACTERS_MAX))


def in_lines(notes: Sequence[str], *, rooms: Sequence[float]) -> list[str]:
    """Return lines of the notes that have room in whole.

    The first stands in any case, in the widest line where none has room for all of it.
    """
    lines = ["" for _ in rooms]
    for number, note in enumerate(notes):
        longer = [f"{each}{DOT}{note}" if each else note for each in lines]
        fits = (place for place, room in enumerate(rooms) if text_px(longer[place]) <= room)
        place = next(fits, None)
        if place is None and number == 0:
            place = max(range(len(rooms)), key=lambda each: rooms[each])
        if place is not None:
            lines[place] = longer[place]
    return lines
