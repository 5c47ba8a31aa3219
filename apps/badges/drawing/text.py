"""The letters that badges have, and how wide they are: by the metrics of the fonts beside this.

Readers may have other fonts: each text is given its width, and browsers keep to it.
"""

import unicodedata
from functools import cache
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from PIL import ImageFont

FONTS: Final = Path(__file__).parent / "fonts"
SANS: Final = "DejaVuSans.ttf"
SANS_BOLD: Final = "DejaVuSans-Bold.ttf"
MONO: Final = "DejaVuSansMono.ttf"
UNITS_PER_EM: Final = 2048  # of these fonts: at that size a width in pixels is one in units

NAME_CHARACTERS_MAX = 40  # with 50, the longest name of the catalogue, no README column fits it
FIGURE_CHARACTERS_MAX = 24  # "6,500,000" and room for a billion a second, or an amount
REMARK_CHARACTERS_MAX = 104  # unit, interval, work, evidence and date are 92 at most
SENTENCE_CHARACTERS_MAX = 600  # read aloud in half a minute; longer is not a label any more

# Printable ASCII, the Latin letters of Europe's names, and some signs of our own.
_ASCII = {chr(point) for point in range(0x20, 0x7F)}
_LATIN = {chr(point) for point in range(0xC0, 0x180) if chr(point).isalpha()}
ALPHABET = frozenset(_ASCII | _LATIN | {"·", "µ", "…", "\u2013", "—", "€", "£"})
SUBSTITUTE = "?"


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


def width_px(text: str, *, font: str, font_px: float, spacing_px: float = 0.0) -> float:
    """Return the width of a text of the alphabet, with so much space after each character."""
    units = _advances(font)
    natural = sum(units[character] for character in text) * font_px / UNITS_PER_EM
    return round(natural + len(text) * spacing_px, 1)


@cache
def _advances(font: str) -> dict[str, float]:
    """Return the advance of each character of the alphabet, in units of the font."""
    face = ImageFont.truetype(str(FONTS / font), UNITS_PER_EM, layout_engine=ImageFont.Layout.BASIC)
    return {character: face.getlength(character) for character in ALPHABET}


def text_element(text: str, *, x_px: float, y_px: float, width: float, more: str = "") -> str:
    """Return an element that keeps to its width; nothing of no text."""
    if not text:
        return ""
    return f'<text x="{x_px:g}" y="{y_px:g}" textLength="{width:g}"{more}>{escape(text)}</text>'
