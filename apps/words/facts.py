"""Texts of the catalogue in the language in force: names of work, notes, warnings.

The catalogue writes facts one after the other: "2 x 480 GB local NVMe; data lost on stop",
"Raw device, 4 KiB, fsync (fio)", "A short run. The source rounds." Translators get each fact once
and without its figures: "local NVMe", "raw device", "up to {0}". What they do not have stays as it
is.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from django.utils.translation import get_language, gettext, pgettext

if TYPE_CHECKING:
    from collections.abc import Iterator

_AMOUNT: Final = r"(?<![\w.])\d+(?:[.,]\d+)*"
_UNIT: Final = r" (?:[KMGT]i?B(?:/s)?|IOPS(?:/GB)?|OCPU|ns|ms|s)(?![\w/])"
FIGURE: Final = re.compile(
    rf"(?<!\w)\d{{4}}-\d\d-\d\d|(?:(?<!\w)\d+ x )?{_AMOUNT}{_UNIT}|{_AMOUNT}(?![\w.])"
)
# "16 KiB page", "2 x 480 GB local NVMe": a size stands before the words in every language.
_SIZE: Final = re.compile(rf"(?P<size>(?:\d+ x )?{_AMOUNT}{_UNIT})(?: (?P<words>.+))?")
_WORK: Final = re.compile(r"(?P<facts>.+?)(?: \((?P<tool>.+)\))?")
_SPOKEN: Final = re.compile(r"\b[a-z]{2}|[a-z]{3}")  # else a code, a unit or an abbreviation
_PLACE: Final = re.compile(r"\{(\d+)\}")
_TEXTS_KEPT: Final = 4096  # more than the catalogue has, so that each is taken apart once
# One word each, the same in every language.
NAMES: Final = frozenset({
    "fdatasync", "fsync", "msync", "pgbench", "Geekbench", "Geekbench 6", "nobarrier", "macOS",
})  # fmt: skip


def note_in_words(note: str) -> str:
    """Return a note of a plan, a price or regions: facts with a semicolon between them."""
    return gettext("; ").join(map(_fact, note.split("; "))) if note else note


def sentences_in_words(text: str) -> str:
    """Return sentences one after the other, as the warnings of cited results are."""
    sentences = list(map(_fact, sentences_of(text)))
    is_wide = all(each.endswith("\u3002") for each in sentences)
    return ("" if is_wide else " ").join(sentences)


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text of the catalogue, in English."""
    return re.split(r"(?<=\.) (?=[A-Z\d])", text) if text else []


def work_in_words(name: str) -> str:
    """Return the name of a work: facts with commas between them, the tool behind in brackets."""
    return _work_in(name, get_language())


@lru_cache(maxsize=_TEXTS_KEPT)
def _work_in(name: str, _language: str | None) -> str:
    match = _WORK.fullmatch(name)
    if match is None:
        return name
    facts = pgettext("between facts", ", ").join(map(_named, match["facts"].split(", ")))
    return facts + (
        gettext(" (%(words)s)") % {"words": _fact(match["tool"])} if match["tool"] else ""
    )


def texts_of_note(note: str) -> Iterator[str]:
    """Yield what translators need for a note."""
    yield from filter(None, map(_text, note.split("; ")))


def texts_of_sentences(text: str) -> Iterator[str]:
    """Yield what translators need for sentences."""
    yield from filter(None, map(_text, sentences_of(text)))


def texts_of_work(name: str) -> Iterator[str]:
    """Yield what translators need for the name of a work; a tool of one word is a name."""
    match = _WORK.fullmatch(name)
    if match is None:
        return
    facts = (part for fact in match["facts"].split(", ") for part in fact.split(": "))
    yield from filter(None, (_text(_lower(each)) for each in facts))
    if " " in (match["tool"] or ""):
        yield match["tool"]


def _named(fact: str) -> str:
    """Return a fact of a name; its remark stands behind a colon."""
    name, colon, remark = fact.partition(": ")
    lower = _lower(name)
    words = _fact(lower) if lower == name else _upper(_fact(lower))
    return words + (pgettext("after a name", ": ") + _fact(remark) if colon else "")


def _fact(fact: str) -> str:
    size, words, figures = _parts(fact)
    spoken = gettext(words) if words else ""
    if figures:
        spoken = _PLACE.sub(lambda place: figures[int(place[1])], spoken)
    return " ".join(filter(None, (size, spoken)))


def _text(fact: str) -> str:
    """Return the words of a fact as translators get them; empty where there are none."""
    _size, words, _figures = _parts(fact)
    return words if _SPOKEN.search(words) and fact not in NAMES else ""


@lru_cache(maxsize=_TEXTS_KEPT)
def _parts(fact: str) -> tuple[str, str, tuple[str, ...]]:
    """Return the size before a fact, its words with places for figures, and these."""
    match = _SIZE.fullmatch(fact)
    size, words = (match["size"], match["words"] or "") if match else ("", fact)
    figures: list[str] = []

    def place(figure: re.Match[str]) -> str:
        figures.append(figure[0])
        return f"{{{len(figures) - 1}}}"

    return size, FIGURE.sub(place, words), tuple(figures)


def _lower(name: str) -> str:
    """Return a name as it is inside of a sentence: "Raw device" but "InnoDB's doublewrite"."""
    first = name.split(" ", 1)[0]
    is_name = name in NAMES or not (first.isascii() and first.isalpha() and first[1:].islower())
    return name if is_name else name[0].lower() + name[1:]


def _upper(words: str) -> str:
    return words[0].upper() + words[1:]
