"""What a reader chooses of a badge, and the lines to copy that show it elsewhere.

The values are those of `apps.badges.options`, in the order of its defaults; a test holds both
together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlencode, urlsplit

from django.conf import settings
from django.utils.html import escape
from django.utils.translation import gettext_noop

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

METRICS: Final = {
    "fsync": gettext_noop("durable commits/s"),
    "p99": gettext_noop("p99 of a commit"),
    "cost": gettext_noop("cost of a billion commits"),
    "tier": gettext_noop("tier on the board"),
}
# Names of badges' styles are the same in every language; the height in pixels.
STYLES: Final = {"axis": 24, "flat": 20, "flat-square": 20, "for-the-badge": 28}
# Cards are offered beside them; width and height in pixels.
CARDS: Final = {"card-480x160": (480, 160), "card-320x200": (320, 200)}
CARD_NAMES: Final = {
    style: f"{style.partition('-')[0]} {width} \u00d7 {height}"
    for style, (width, height) in CARDS.items()
}
THEMES: Final = {
    "dark": gettext_noop("dark"),
    "light": gettext_noop("light"),
    "auto": gettext_noop("as the reader has it"),
}
LABEL_CHARACTERS_MAX: Final = 40
MARKDOWN_SPECIAL: Final = re.compile(r"([\\\[\]`*_<>!])")
BADGE_PATH: Final = re.compile(r"/badge/([a-z]+)/([^/]+)\.svg")
PERSON: Final = "by"  # the kind of badge that is of who measured
CARD_THEME: Final = "auto"  # of an address of a card without a query
EM_PX: Final = 16


@dataclass(frozen=True, slots=True)
class BadgeChoice:
    """The badge that a reader wants; the defaults are those of an address without a query."""

    metric: str = "fsync"
    style: str = "axis"
    theme: str = "dark"
    label: str = ""

    @classmethod
    def read(cls, asked: Mapping[str, str]) -> BadgeChoice:
        """Return what a form asks for; what it does not know is the default."""
        label = " ".join(asked.get("label", "").replace("\0", "").split())
        style = _known(asked.get("style", ""), {**STYLES, **CARDS})
        return cls(
            _known(asked.get("metric", ""), METRICS),
            style,
            _known(asked.get("theme", CARD_THEME if style in CARDS else ""), THEMES),
            label[:LABEL_CHARACTERS_MAX],
        )

    def without_card(self) -> BadgeChoice:
        """Return the choice of a badge of what has no card, and one figure."""
        return BadgeChoice() if self.is_card else replace(self, metric=BadgeChoice().metric)

    @property
    def is_card(self) -> bool:
        """Whether a card is wanted: it has a name and all figures, so no other choice but these."""
        return self.style in CARDS

    @property
    def height_px(self) -> int:
        """How high the picture is."""
        return CARDS[self.style][1] if self.is_card else STYLES[self.style]

    def path(self, badge_path: str, *, form: str = "svg") -> str:
        """Return the address of the picture below the site's, in one of its forms."""
        if self.is_card:
            return self._card_path(badge_path, f".{form}")
        first = BadgeChoice()
        asked = {
            name: value
            for name in ("metric", "style", "theme", "label")
            if (value := getattr(self, name)) != getattr(first, name)
        }
        path = f"{badge_path.removesuffix('svg')}{form}"
        return f"{path}?{urlencode(asked)}" if asked else path

    def frame(self, badge_path: str, *, title: str) -> str:
        """Return the element that shows a card in a page."""
        width, height = CARDS[self.style]
        source = settings.SITE_URL + self._card_path(badge_path, "/")
        return (
            f'<iframe src="{escape(source)}" width="{width}" height="{height}"'
            f' title="{escape(title)}" loading="lazy" frameborder="0" scrolling="no"></iframe>'
        )

    def _card_path(self, badge_path: str, end: str) -> str:
        """Return the address of a card: of a thing that of its badge, of several their own."""
        path, _, compared = badge_path.replace("/badge/", "/embed/", 1).partition("?")
        asked = {}
        if self.style != next(iter(CARDS)):
            asked["size"] = self.style.partition("-")[2]
        if self.theme != CARD_THEME:
            asked["theme"] = self.theme
        query = "&".join(filter(None, (compared, urlencode(asked))))
        path = f"{path.removesuffix('.svg')}{end}"
        return f"{path}?{query}" if query else path


def _known(value: str, values: Mapping[str, object]) -> str:
    return value if value in values else next(iter(values))


def fields_of(badge_path: str) -> list[tuple[str, str]]:
    """Return how a form names what a badge or a card is of: of=plan:ax102, or each of several."""
    match = BADGE_PATH.search(badge_path)
    if match:
        return [("of", f"{match[1]}:{match[2]}")]
    return [("on", each) for each in parse_qs(urlsplit(badge_path).query).get("on", ())]


@dataclass(frozen=True, slots=True)
class Snippet:
    """Lines to copy into a language of pages."""

    id: str
    name: str  # of the language, the same everywhere
    text: str


def snippets(
    choice: BadgeChoice, *, badge_path: str, page_path: str, alt: str
) -> Iterator[Snippet]:
    """Return a badge with a link to its page in each language, those that most need first."""
    site, alt = settings.SITE_URL, " ".join(alt.split())
    page, picture = site + page_path, site + choice.path(badge_path)
    png = site + choice.path(badge_path, form="png")
    yield Snippet("markdown", "Markdown", f"[![{markdown_text(alt)}]({picture})]({page})")
    if choice.is_card:
        yield Snippet("html", "HTML", choice.frame(badge_path, title=alt))
    else:
        yield Snippet("html", "HTML", _linked_image(choice, picture, page, alt))
    quoted = alt.replace('"', '\\"').replace("]", "\\]")
    yield Snippet("asciidoc", "AsciiDoc", f'image:{picture}["{quoted}",link="{page}"]')
    rest = f".. image:: {picture}\n   :alt: {alt}\n   :target: {page}"
    yield Snippet("rest", "reStructuredText", rest)
    yield Snippet("bbcode", "BBCode", f"[url={page}][img]{png}[/img][/url]")
    yield Snippet("mediawiki", "MediaWiki", f"[{page} {_ending_in_png(png)}]")
    fetched = f'// curl -o fsyncmark.svg "{picture}"'
    high = f"{choice.height_px / EM_PX:g}em" if choice.is_card else "1.5em"
    shown = f'image("fsyncmark.svg", height: {high}, alt: "{_typst_text(alt)}")'
    yield Snippet("typst", "Typst", f'{fetched}\n#link("{page}")[#{shown}]')


def _linked_image(choice: BadgeChoice, picture: str, page: str, alt: str) -> str:
    image = (
        f'<img src="{escape(picture)}" alt="{escape(alt)}" height="{choice.height_px}"'
        ' loading="lazy">'
    )
    return f'<a href="{escape(page)}">{image}</a>'


def markdown_text(text: str) -> str:
    """Return a text that stays one in brackets: Markdown's own signs are escaped."""
    return MARKDOWN_SPECIAL.sub(r"\\\1", text)


def _ending_in_png(address: str) -> str:
    """Return an address that MediaWiki shows as a picture: by its last letters."""
    return address if address.endswith(".png") else f"{address}&.png"


def _typst_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
