"""Colours of static/css/tokens.css as figures: what they are in both themes, and their contrast."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Final

from django.conf import settings

TOKENS_FILE: Final = settings.BASE_DIR / "static" / "css" / "tokens.css"
PAIR: Final = re.compile(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);")
LENGTH: Final = re.compile(r"--(s\d): (\d+)px;")
LINEAR_BELOW: Final = 0.04045  # of sRGB, where its curve begins (IEC 61966-2-1)
FLARE: Final = 0.05  # light that a screen reflects, as WCAG 2.2 assumes
Rgb = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Colour:
    """A token with its colour in each theme."""

    name: str
    light: str
    dark: str

    @property
    def on_page_light(self) -> float:
        """Contrast on the light page."""
        return contrast(self.light, colours()["bg"].light)

    @property
    def on_page_dark(self) -> float:
        """Contrast on the dark page."""
        return contrast(self.dark, colours()["bg"].dark)


@cache
def colours() -> dict[str, Colour]:
    """Every colour of the tokens by its name."""
    css = TOKENS_FILE.read_text(encoding="utf-8")
    return {name: Colour(name, light, dark) for name, light, dark in PAIR.findall(css)}


@cache
def spaces() -> tuple[tuple[str, int], ...]:
    """The steps of space: name and pixels."""
    css = TOKENS_FILE.read_text(encoding="utf-8")
    return tuple((name, int(pixels)) for name, pixels in LENGTH.findall(css))


def linear(colour: str) -> Rgb:
    """The light of a colour, red, green and blue from 0 to 1 (IEC 61966-2-1)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    red, green, blue = (
        part / 12.92 if part <= LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return red, green, blue


def luminance(colour: str) -> float:
    """Relative luminance, as WCAG 2.2 defines it."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, 1 to 21 (WCAG 2.2)."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + FLARE) / (low + FLARE)
