"""Phrases in the language of the page: texts of tables translated, names and facts joined."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Generic, TypeVar, cast

from django.utils.translation import gettext, pgettext

Words = TypeVar("Words", bound="str | tuple[str, str]")

AFTER_WIDE_SIGN: Final = re.compile(r"(?<=[\u3002\uff1b\uff0c\uff1a\uff01\uff1f]) ")


def translate(text: str) -> str:
    """A text of a table in the language of this page; as it stands where nobody translated it."""
    return gettext(text) if text else text  # gettext("") answers the head of the catalogue


def join_names(things: Iterable[object]) -> str:
    """Names or things one after the other, without an "and"."""
    return gettext(", ").join(str(each) for each in things if each)


def join_facts(facts: Iterable[object]) -> str:
    """Facts one after the other, each a few words or a figure with its name."""
    return pgettext("between facts", ", ").join(str(each) for each in facts if each)


def with_name(name: object, value: object) -> str:
    """A value behind its name."""
    return f"{name}{pgettext('after a name', ': ')}{value}"


def stands_for(kin: str, name: str) -> str:
    """What stands for something that nobody measured."""
    return gettext("%(kin)s stands for %(name)s") % {"kin": kin, "name": name}


def in_brackets(words: object) -> str:
    """Words in brackets, behind others."""
    return gettext(" (%(words)s)") % {"words": words}


def join_clauses(parts: Iterable[object]) -> str:
    """Parts of a sentence that could stand alone."""
    return gettext("; ").join(str(each) for each in parts if each)


def join_sentences(texts: Iterable[object]) -> str:
    """Sentences one after the other; behind a full-width sign there is no space."""
    return AFTER_WIDE_SIGN.sub("", " ".join(str(each) for each in texts if each))


class WordTable(Mapping[str, Words], Generic[Words]):
    """A table of words that is read in the language of the page; `raw` holds its English."""

    def __init__(self, raw: Mapping[str, Words]) -> None:
        self.raw = raw

    def __getitem__(self, key: str) -> Words:
        words: str | tuple[str, str] = self.raw[key]
        if isinstance(words, str):
            return cast("Words", translate(words))
        return cast("Words", tuple(translate(each) for each in words))

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw)

    def __len__(self) -> int:
        return len(self.raw)

    def texts(self) -> Iterator[str]:
        """Every English text of the table."""
        for words in self.raw.values():
            yield from filter(None, (words,) if isinstance(words, str) else words)


def is_said(name: str, text: str) -> bool:
    """Whether a text has every word of a name."""
    one, other = (set(each.casefold().replace(",", " ").split()) for each in (name, text))
    return one <= other
