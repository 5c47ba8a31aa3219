"""Sentences about figures: words with places, and how each kind of figure is written in them.

Rows hold figures; a sentence is made of them where it is shown, in the language of that place.
A place names its figure and how to write it: "{p50_ns:us} µs", "{flags:list}", "{commits:,}".
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from string import Formatter
from typing import Any, Final

from django.utils.translation import gettext, ngettext

from apps.drives.media import NAMES, Medium
from apps.moderation.reasons import lines_in_words
from apps.runs.figures import CASE, EACH, Figures, Words
from apps.runs.ladder.floors import floors

GIB: Final = 1 << 30


def sentences(figures: Figures, *, words: Words = "", cases: Mapping[str, Words]) -> list[str]:
    """Return the sentences of figures in the language in force: mostly one."""
    several: Any = figures.get(EACH, [figures])
    return [_sentence(each, words=words, cases=cases) for each in several]


def _sentence(figures: Figures, *, words: Words, cases: Mapping[str, Words]) -> str:
    template = cases[str(figures[CASE])] if CASE in figures else words
    count: Any = figures.get("count", 0)
    text = gettext(template) if isinstance(template, str) else ngettext(*template, count)
    return _Places(cases).vformat(text, (), figures)


class _Places(Formatter):
    """Writes figures into the places of a text."""

    def __init__(self, cases: Mapping[str, Words]) -> None:
        self.cases = cases

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return a figure formatted by `WRITTEN`, or by Python where the format is not there."""
        if format_spec == "word":
            return self._part(value)
        if format_spec in JOINTS:
            parts = (self._part(each) for each in value)
            return gettext(JOINTS[format_spec]).join(parts)
        if format_spec in WRITTEN:
            return WRITTEN[format_spec](value)
        return format(value, format_spec)

    def _part(self, part: str | Figures) -> str:
        """Return one of several values in words, or as it is where there are none."""
        if not isinstance(part, str):
            return _sentence(part, words="", cases=self.cases)
        words = self.cases.get(part)
        return gettext(words) if isinstance(words, str) else part


def _reason(stored: str) -> str:
    """Return why somebody decided, without the stop behind it: its sentence has one."""
    return " ".join(lines_in_words(f"{stored}.")).rstrip(" .\u3002")


UNITS: Final = {"operations": "operations", "bytes": "bytes"}  # of what passes count; else ns
JOINTS: Final = {"list": ", ", "and": " and "}
WRITTEN: Final[dict[str, Callable[[Any], str]]] = {
    "us0": lambda ns: f"{ns / 1000:,.0f}",
    "us1": lambda ns: f"{ns / 1000:,.1f}",
    "us": lambda ns: f"{ns / 1000:,.1f}".removesuffix(".0"),
    "tenths": lambda value: f"{value / 10:.1f}",
    "hundredths": lambda value: f"{value / 100:.2f}",
    "percent": lambda permille: f"{permille / 10:g}",
    "of_1000": lambda value: f"{value / 1000:g}",
    "gib": lambda size: f"{size / GIB:.1f}",
    "minute": lambda second: f"{datetime.fromtimestamp(second, UTC):%Y-%m-%d %H:%M}",
    "class": lambda slug: gettext(floors()[slug].name) if slug in floors() else slug,
    "unit": lambda counted: gettext(UNITS[counted]) if counted in UNITS else "ns",
    "medium": lambda medium: gettext(NAMES[Medium(medium)]),
    "reason": _reason,
}
