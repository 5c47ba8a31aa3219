"""What the search knows of a page: its words. Each room lists its own, urls.py hands on all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import override


@dataclass(frozen=True, slots=True)
class Page:
    """Something to read, and by which words it is found."""

    title: str
    url: str
    is_what: str = ""
    called: str = ""  # words that are not in its title
    body: str = ""
    asks: str = ""  # the question that it answers
    answer: str = ""  # in a sentence or two


def english(text: str | Promise) -> str:
    """The English of a text, by which a page in another language is found too."""
    with override("en"):
        return str(text)


Index = Callable[[], Iterable[Page]]
