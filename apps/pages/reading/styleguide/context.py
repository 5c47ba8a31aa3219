"""What the styleguide shows: tokens out of tokens.css with their contrast, and what fills parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.urls import reverse

from apps.pages.reading.styleguide import samples
from apps.pages.reading.styleguide.colours import colours, contrast, spaces
from apps.pages.reading.styleguide.selectors import plan_with_badge
from apps.pages.show.words import badge_alt_of
from apps.runs.models import Level

COLOUR_USES: Final = {
    "bg": "page and field",
    "panel": "code box, search",
    "band": "typical range of a class",
    "ink": "figures, names",
    "ink2": "sentences, traces",
    "dim": "units, notes, axis: the floor for text",
    "hot": "the one accent: the subject",
    "cool": "the second series of a comparison, nothing else",
    "edge": "borders of controls, ticks of the ruler",
    "rule": "rules between rows, decorative",
    "grat": "hairlines of the decades, decorative",
    "cap": "cap of a class on the ladder",
}
# Each size of tokens.css, its pixels on a wide page, and what is written in it.
TYPE_SCALE: Final = (
    ("ratio", 68, "a ratio on the first page"),
    ("title", 46, "title of a page; 34 on a phone"),
    ("head", 22, "title of a part, verdict, key figures"),
    ("lede", 18, "lede"),
    ("text", 16, "body"),
    ("row", 14, "rows, navigation"),
    ("note", 13, "notes, ids, code, intervals"),
    ("mark", 11, "axis and labels in drawings, in Martian Mono alone"),
)
RULES: Final = (
    (
        "Hang every picture of time from the ruler.",
        "Draw a second axis of time.",
    ),
    (
        "Leave the fast end of the field empty when the rows are slow.",
        "Zoom it away: the emptiness is the finding.",
    ),
    ("Print the interval beside the value.", "Print a rank alone."),
    (
        "Keep the accent for the subject, the current page and warnings.",
        "Use it for decoration or for “good”.",
    ),
    (
        "Say power-loss protection with a shape.",
        "Say it with a colour.",
    ),
    ("Dim units and keep digits bright.", "Dim digits."),
    (
        "Use rules and alignment.",
        "Use cards, shadows, gradients or pills.",
    ),
    (
        "Group by workload.",
        "Rank buffered 8 KiB against 16 KiB O_DIRECT.",
    ),
)
LEVELS: Final = (
    Level.PUBLISHED,
    Level.IMPORTED,
    Level.SIGNED,
    Level.WITNESSED,
    Level.PLACED,
    Level.LAB,
)
GROUNDS: Final = ("bg", "band", "panel")
SEEN: Final = ("ink", "ink2", "dim", "hot", "cool", "edge")  # colours of text, and of borders


@dataclass(frozen=True, slots=True)
class Swatch:
    """A colour with its use, and its contrast on the page of each theme."""

    name: str
    use: str
    light: str
    dark: str
    on_light: float
    on_dark: float


def badge_of(plan: tuple[str, str] | None) -> dict[str, str]:
    """The badge of a plan: its picture, its page, its sentence; nothing without a plan."""
    if plan is None:
        return {}
    slug, name = plan
    return {
        "picture": reverse("badges:plan", args=[slug]),
        "page": reverse("pages:plan", args=[slug]),
        "sentence": badge_alt_of(name),
    }


def context() -> dict[str, object]:
    """Everything that the page shows."""
    return {
        "swatches": [
            Swatch(each.name, COLOUR_USES.get(each.name, ""), each.light, each.dark,
                   each.on_page_light, each.on_page_dark)
            for each in colours().values()
        ],
        "type_scale": TYPE_SCALE,
        "spaces": spaces(),
        "rules": RULES,
        "levels": LEVELS,
        "protections": ("full", "none", ""),
        "grounds": GROUNDS,
        "contrasts": contrasts(),
        "table": {"span": 6, "has_picture": True, "groups": samples.example_groups()},
        "waiting": samples.example_groups("waiting-"),
        "alone": samples.example_alone(),
        "picks": samples.example_picks(),
        "tokens": samples.example_tokens(),
        "panel": samples.example_panel(),
        "badge": badge_of(plan_with_badge()),
        "code": "./fsyncmark run . --suite quick",
    }  # fmt: skip


@dataclass(frozen=True, slots=True)
class Contrasts:
    """One colour against every ground: light, dark, ground after ground."""

    name: str
    figures: tuple[float, ...]


def contrasts() -> list[Contrasts]:
    """How each colour that is read or seen stands out, as WCAG 2.2 counts it."""
    colours_by_name = colours()
    return [
        Contrasts(
            name,
            tuple(
                contrast(
                    getattr(colours_by_name[name], theme), getattr(colours_by_name[ground], theme)
                )
                for ground in GROUNDS
                for theme in ("light", "dark")
            ),
        )
        for name in SEEN
    ]
