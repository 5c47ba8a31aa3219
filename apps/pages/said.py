"""Texts that stand in tables as English values, and are told in the language of the reader."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final, Generic, TypeVar, cast

from django.utils.translation import gettext

Words = TypeVar("Words", bound="str | tuple[str, str]")


def told(text: str) -> str:
    """A text of a table in the language of this page; as it stands where nobody translated it."""
    return gettext(text) if text else text  # gettext("") answers the head of the catalogue


# Sentences that workers store with names and figures in them: how to know one, and its text.
PATTERNS: Final = (
    (
        re.compile(r"Taken over runs on (?P<filesystems>.+)\."),
        "Taken over runs on %(filesystems)s.",
    ),
)
SENTENCE_END: Final = re.compile(r"(?<=[.!?]) (?=[A-Z])")


def sentences(text: str) -> list[str]:
    """The sentences of a text, each as a catalogue holds it."""
    return [each for each in SENTENCE_END.split(text) if each]


def told_sentences(text: str) -> str:
    """A stored text of several sentences, each in the language of the page."""
    return " ".join(_told_sentence(each) for each in sentences(text))


def _told_sentence(sentence: str) -> str:
    for pattern, text in PATTERNS:
        if found := pattern.fullmatch(sentence):
            return told(text) % found.groupdict()
    return told(sentence)


class Said(Mapping[str, Words], Generic[Words]):
    """A table of words that is read in the language of the page; `raw` holds its English."""

    def __init__(self, raw: Mapping[str, Words]) -> None:
        self.raw = raw

    def __getitem__(self, key: str) -> Words:
        words: str | tuple[str, str] = self.raw[key]
        if isinstance(words, str):
            return cast("Words", told(words))
        return cast("Words", tuple(told(each) for each in words))

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def texts(self) -> Iterator[str]:
        """Every English text of the table."""
        for words in self.raw.values():
            yield from (words,) if isinstance(words, str) else words
