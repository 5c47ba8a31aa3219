"""What a search finds beside things: pages, guides, lies, sections of the method, and rules."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext_lazy

from apps.pages.frame.search_entries import Index, Page, english
from apps.pages.search.grammar import STOP_WORDS
from apps.words.imports import TOOLS_IN_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence


PAGES_MAX: Final = 6
# Of a word with a typo: "etdc" is 0.75 like "etcd"; shorter words are like too many others.
LIKENESS_MIN: Final = 0.75
LIKE_CHARACTERS_MIN: Final = 4
WORD: Final = re.compile(r"[^\W_]+")
# My, how, where, of: Chinese writes them without a space.
CHINESE_STOPS: Final = re.compile(
    "\u6211\u7684|\u6211|\u600e\u4e48|\u600e\u6837|\u5982\u4f55|\u5728\u54ea\u91cc|\u5728\u54ea|\u7684|\u5417"
)
BEFORE_UNIT: Final = re.compile(r"(?<=\d)\s+(?=[a-z])")
TITLE, CALLED, BODY, LIKE = range(4)  # where the words stand, the best first
NAMES = (TITLE, CALLED)
UPLOAD: Final = "\u4e0a\u4f20 \u7ed3\u679c"  # upload, result: as Chinese readers ask
# Pages by what people call them; these words are not shown and need no translation.
SITE: Final = (
    ("pages:advisor", gettext_lazy("Advisor"),
     "which server carries your database advice budget cost choose recommend need"),
    ("pages:compare", gettext_lazy("Compare"),
     "plans drives runs versus against difference baseline"),
    ("pages:guides", gettext_lazy("Guides"),
     "what your software waits for workload fit database"),
    ("pages:lies", gettext_lazy("Lies"),
     "numbers that mislead lying fake cache artefact rated iops macos"),
    ("pages:coverage", gettext_lazy("Coverage"),
     "what nobody has measured missing unmeasured needs runs"),
    ("pages:measure", gettext_lazy("Measure yours"),
     f"machine own agent download install run benchmark upload result fsyncmark {UPLOAD}"),
    ("pages:uploads", gettext_lazy("Where is my run?"),
     f"uploads upload own result run waiting processing quarantine state key {UPLOAD}"),
    ("pages:embed", gettext_lazy("Embed a badge"), "embed badge readme markdown svg"),
    ("pages:propose", gettext_lazy("Propose a published result"),
     "propose suggest add published article citation source correct wrong"),
    ("pages:method", gettext_lazy("Method"),
     "how it is measured and counted methodology interval tier standing level witnessed fsync"),
    ("pages:rules", gettext_lazy("Rules"),
     "what keeps a run out of the standings quarantine label plausibility"),
    ("pages:about", gettext_lazy("About"),
     "fsyncmark who funding contact licence correction"),
    ("pages:data", gettext_lazy("Open data"),
     "download dump parquet csv dataset files licence cc0 python pandas duckdb"),
    ("uploads:import", gettext_lazy("Import an output"),
     f"{TOOLS_IN_WORDS} upload own result paste json {UPLOAD}"),
)  # fmt: skip


def pages_of(
    words: Sequence[str],
    indexes: Iterable[Index],
    *,
    is_guessed: bool = True,
    last: int = BODY,
) -> list[Page]:
    """Pages that hold every word, in their title before in their text.

    A page that is called by the whole question, small words and all, comes first. Where none holds
    the words, those whose names are like them, if it may be guessed. `last` is the last part of a
    page that is looked at.
    """
    if not words:
        return []
    parts = [part for word in words for part in CHINESE_STOPS.split(word) if part]
    telling = [word for word in parts if word not in STOP_WORDS] or words
    as_typed = WORD.findall(_plain(" ".join(words)))
    words = WORD.findall(_plain(" ".join(telling)))
    every = [page for index in indexes for page in index()]
    placed = [
        (place, page)
        for page in every
        if (place := _place(words, page)) is not None and place <= last
    ]
    if not placed and is_guessed:
        placed = [(LIKE, page) for page in every if _is_like(words, page)]
    # stable: each place keeps the order of the site
    placed.sort(key=lambda each: (_place(as_typed, each[1]) not in NAMES, each[0]))
    return [page for _, page in placed[:PAGES_MAX]]


def site_index() -> Iterator[Page]:
    """The pages that are there once, by what people call them."""
    for name, title, called in SITE:
        yield Page(str(title), reverse(name), called=f"{english(title)} {called}")


def _place(words: Sequence[str], page: Page) -> int | None:
    """The first part of a page by which, with those before it, every word has been found."""
    words_of_page: list[str] = []
    for place, text in ((TITLE, page.title), (CALLED, page.called), (BODY, page.body)):
        words_of_page += _words(text)
        if all(_begins_one(word, words_of_page) for word in words):
            return place
    return None


def _begins_one(word: str, others: Sequence[str]) -> bool:
    """Whether a word begins one of these; Chinese has no spaces, so there it may stand inside."""
    is_inside = not word.isascii()
    return any(each.startswith(word) or (is_inside and word in each) for each in others)


def _is_like(words: Sequence[str], page: Page) -> bool:
    """Whether every word is one of the page's name, but for a letter or two."""
    words_of_page = _words(f"{page.title} {page.called}")
    return all(
        _begins_one(word, words_of_page)
        or (
            len(word) >= LIKE_CHARACTERS_MIN
            and bool(difflib.get_close_matches(word, words_of_page, n=1, cutoff=LIKENESS_MIN))
        )
        for word in words
    )


def _plain(text: str) -> str:
    """The text in small letters, with u for \u00b5 as people type it."""
    return text.casefold().replace("\u03bc", "u")


def _words(text: str) -> list[str]:
    """The words of a text, in which "0.7 us" is "0.7us" too."""
    plain = _plain(text)
    return [word for each in (plain, BEFORE_UNIT.sub("", plain)) for word in WORD.findall(each)]
