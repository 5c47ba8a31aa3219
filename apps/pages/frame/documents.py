"""Our own Markdown documents as HTML, with their headings.

A translation lies beside a document as NAME.LANGUAGE.md. Without one the page is in English, and
says so: half a translation would be another text. A heading of a translation ends in `{#anchor}`,
the anchor of its English, so that a link to a section holds in every language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCS: Final = Path("docs")
LANGUAGE: Final = re.compile(r"[a-z]{2}(-[a-z]{2,8})?")
ANCHOR: Final = re.compile(r"\s*\{#(?P<anchor>[a-z0-9-]+)\}$")


@dataclass(frozen=True, slots=True)
class TextSection:
    """One heading of the second or third rank."""

    anchor: str
    title: str
    text: str = ""  # its words, for the search


@dataclass(frozen=True, slots=True)
class OwnText:
    """A text and its contents."""

    html: SafeString
    sections: tuple[TextSection, ...]
    parts: tuple[TextSection, ...] = ()  # of sections: headings of the third rank
    language: str = "en"


def read_document(name: str, language: str = "en", *, is_folded: bool = False) -> OwnText | None:
    """The document docs/NAME.md as it is on disk now, in a language where somebody translated it.

    Folded: each section opens and closes below its heading. None: there is no such document.
    """
    folder = Path(settings.BASE_DIR) / DOCS
    translated = folder / f"{name}.{language}.md"
    if LANGUAGE.fullmatch(language) and translated.is_file():
        text = translated.read_text(encoding="utf-8")
        document = render(text, is_folded=is_folded)
        html = document.html.replace('href="/', f'href="/{language}/')
        return replace(document, html=mark_safe(html), language=language)  # noqa: S308 - as below
    english = folder / f"{name}.md"
    if not english.is_file():
        return None
    return render(english.read_text(encoding="utf-8"), is_folded=is_folded)


@lru_cache(maxsize=16)
def render(markdown: str, *, is_folded: bool = False) -> OwnText:
    """HTML of our own text, in which HTML is not allowed. The first heading is the page's own."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(markdown)
    sections: list[TextSection] = []
    parts: list[TextSection] = []
    for place, (token, words) in enumerate(pairwise(tokens)):
        if token.type == "heading_open" and token.tag in {"h2", "h3"}:
            section = _take_anchor(words)
            token.attrSet("id", section.anchor)
            section = replace(section, text=_text_below(tokens[place + 3 :], until=token.tag))
            (sections if token.tag == "h2" else parts).append(section)
    after_title = next(
        (
            place + 1
            for place, token in enumerate(tokens)
            if token.type == "heading_close" and token.tag == "h1"
        ),
        0,
    )
    shown = tokens[after_title:]
    html = parser.renderer.render(_folded(shown) if is_folded else shown, parser.options, {})
    html = html.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    html = html.replace("</table>", "</table></div>")
    return OwnText(
        html=mark_safe(html),  # noqa: S308 - our own file, rendered with HTML switched off
        sections=tuple(sections),
        parts=tuple(parts),
    )


def _take_anchor(words: Token) -> TextSection:
    """The anchor at the end of a heading, which leaves its words, or else one made of them."""
    anchor = ANCHOR.search(words.content)
    if anchor is None or not words.children:
        return TextSection(slugify(words.content), words.content)
    last = words.children[-1]
    last.content = ANCHOR.sub("", last.content)
    return TextSection(anchor["anchor"], words.content[: anchor.start()])


def _folded(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with each section in an element that opens and closes below its heading."""
    folded: list[Token] = []
    is_inside = False
    for token in tokens:
        if (token.type, token.tag) == ("heading_open", "h2"):
            if is_inside:
                folded.append(_markup("</details>\n"))
            is_inside = True
            folded.append(_markup('<details class="fold"><summary>'))
        folded.append(token)
        if (token.type, token.tag) == ("heading_close", "h2"):
            folded.append(_markup("</summary>\n"))
    return [*folded, _markup("</details>\n")] if is_inside else folded


def _markup(html: str) -> Token:
    """Markup of this module's own, which the renderer leaves as it is."""
    return Token("html_block", "", 0, content=html)


def _text_below(tokens: Sequence[Token], *, until: str) -> str:
    """What stands before the next heading of this rank, or one above it."""
    own = takewhile(lambda token: token.type != "heading_open" or token.tag > until, tokens)
    return " ".join(token.content for token in own if token.type == "inline")
