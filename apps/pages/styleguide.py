"""What the styleguide shows: tokens out of tokens.css, and parts filled with made-up figures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

from django.utils.translation import gettext, gettext_noop

from apps.pages.colours import colours, spaces
from apps.pages.rows import Row
from apps.pages.said import told
from apps.pages.svg.trace import Figures, draw_trace
from apps.runs.models import Level

COLOUR_USES: Final = {
    "bg": gettext_noop("page and field"),
    "panel": gettext_noop("code box, search"),
    "band": gettext_noop("typical range of a class"),
    "ink": gettext_noop("figures, names"),
    "ink2": gettext_noop("sentences, traces"),
    "dim": gettext_noop("units, notes, axis: the floor for text"),
    "hot": gettext_noop("the one accent: the subject"),
    "cool": gettext_noop("the second series of a comparison, nothing else"),
    "edge": gettext_noop("borders of controls, ticks of the ruler"),
    "rule": gettext_noop("rules between rows, decorative"),
    "grat": gettext_noop("hairlines of the decades, decorative"),
    "cap": gettext_noop("cap of a class on the ladder"),
}
# Class of the sample in styleguide.css, pixels, and what is written in it.
TYPE_SCALE: Final = (
    ("t68", 68, gettext_noop("a ratio on the first page")),
    ("t46", 46, gettext_noop("title of a page; 34 on a phone")),
    ("t26", 26, gettext_noop("key figures")),
    ("t22", 22, gettext_noop("title of a part")),
    ("t21", 21, gettext_noop("verdict")),
    ("t18", 18, gettext_noop("lede")),
    ("t16", 16, gettext_noop("body")),
    ("t15", 15, gettext_noop("rows, navigation")),
    ("t14", 14, gettext_noop("small")),
    ("t13", 13, gettext_noop("notes")),
    ("t12", 12, gettext_noop("ids, code")),
    ("t11", 11, gettext_noop("axis and intervals, in Martian Mono alone")),
)
RULES: Final = (
    (
        gettext_noop("Hang every picture of time from the ruler."),
        gettext_noop("Draw a second axis of time."),
    ),
    (
        gettext_noop("Leave the fast end of the field empty when the rows are slow."),
        gettext_noop("Zoom it away: the emptiness is the finding."),
    ),
    (gettext_noop("Print the interval beside the value."), gettext_noop("Print a rank alone.")),
    (
        gettext_noop("Keep the accent for the subject, the current page and warnings."),
        gettext_noop("Use it for decoration or for “good”."),
    ),
    (
        gettext_noop("Say power-loss protection with a shape."),
        gettext_noop("Say it with a colour."),
    ),
    (gettext_noop("Dim units and keep digits bright."), gettext_noop("Dim digits.")),
    (
        gettext_noop("Use rules and alignment."),
        gettext_noop("Use cards, shadows, gradients or pills."),
    ),
    (
        gettext_noop("Group by workload."),
        gettext_noop("Rank buffered 8 KiB against 16 KiB O_DIRECT."),
    ),
)
LEVELS: Final = (Level.PUBLISHED, Level.IMPORTED, Level.SIGNED, Level.WITNESSED)

FIGURES: Final = Figures(
    curve=[(0.01, 60_000), (0.5, 89_000), (0.9, 121_000), (0.99, 163_000), (0.9999, 1_710_000)],
    p50_ns=89_000,
    p99_ns=163_000,
    p9999_ns=1_710_000,
    plp="full",
    band_ns=(10_000, 50_000),
    says="p50 89 µs, p99 163 µs, p99.99 1.71 ms",
    rate_per_s=10_318.0,
    low=8_306.0,
    high=10_842.0,
)
ONLY_RATE: Final = Figures(rate_per_s=864.0, low=858.0, high=870.0, plp="unknown", says="1.16 ms")


@dataclass(frozen=True, slots=True)
class Swatch:
    """A colour with its use, and its contrast on the page of each theme."""

    name: str
    use: str
    light: str
    dark: str
    on_light: float
    on_dark: float


def context() -> dict[str, object]:
    """Everything that the page shows."""
    return {
        "swatches": [
            Swatch(each.name, told(COLOUR_USES.get(each.name, "")), each.light, each.dark,
                   each.on_page_light, each.on_page_dark)
            for each in colours().values()
        ],
        "type_scale": [(name, pixels, told(use)) for name, pixels, use in TYPE_SCALE],
        "spaces": spaces(),
        "rules": [(told(do), told(never)) for do, never in RULES],
        "levels": LEVELS,
        "protections": ("full", "none", ""),
        "rows": example_rows(),
        "alone": example_rows()[0],
        "code": "fsyncmark run --suite quick",
    }  # fmt: skip


def example_rows() -> list[Row]:
    """Two rows of a board: one with every figure, one of which only a rate is known."""
    full = Row(
        key="example-full", name=gettext("An example"), url="#parts", under="NVMe · PLP",
        rate_per_s=10_318.0, is_commit=True, low=8_306.0, high=10_842.0,
        interval=gettext("slowest to fastest half second of one run"),
        p50_ns=89_000, p99_ns=163_000, side="", note="", level=Level.WITNESSED,
        trace=draw_trace(FIGURES), number=1, cost=Decimal("8.63"), currency="EUR",
    )  # fmt: skip
    bare = replace(
        full, key="example-rate", name=gettext("Only its rate is known"), under="", number=2,
        rate_per_s=864.0, low=858.0, high=870.0, p50_ns=None, p99_ns=None, cost=None, currency="",
        level=Level.PUBLISHED, trace=draw_trace(ONLY_RATE),
    )  # fmt: skip
    return [full, bare]
