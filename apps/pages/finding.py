"""What a reader searches for: the words of a query, their spellings, and part numbers of shops."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

from apps.plans.naming import PROVIDER_ALIASES

QUERY_CHARACTERS_MAX: Final = 80  # a model string has 64 at most
WORDS_MAX: Final = 6  # of one query; the longest name of the catalogue has as many
PIECE: Final = 3  # letters of a piece in the index
MODEL_CHARACTERS_MIN: Final = 5  # shorter strings name a product line, not a model
_WORD: Final = re.compile(r"[^\W_]+")
_BORDER: Final = re.compile(r"(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
# How shops number drives whose own model string is another: the begin of a number and the family.
# Source: the makers' price lists, where each capacity has a number that begins so.
PART_NUMBERS: Final = (
    ("mzvap", "samsung-9100-pro"),
    ("mzv9p", "samsung-990-pro"),
    ("mzv9e", "samsung-990-evo"),
    ("mzv9s", "samsung-990-evo-plus"),
    ("mzv8p", "samsung-980-pro"),
    ("mzv8v", "samsung-980"),
    ("mzv7s", "samsung-970-evo-plus"),
    ("mzv7e", "samsung-970-evo"),
    ("mzv7p", "samsung-970-pro"),
    ("mz77e", "samsung-870-evo"),
    ("mz77q", "samsung-870-qvo"),
    ("mz76e", "samsung-860-evo"),
    ("mz76p", "samsung-860-pro"),
    ("mz76q", "samsung-860-qvo"),
)


@dataclass(frozen=True, slots=True)
class Query:
    """What was typed, and every way in which its words may be written."""

    text: str  # as typed, without what cannot be seen
    words: tuple[str, ...]
    spellings: tuple[tuple[str, ...], ...]

    @property
    def dashed(self) -> str:
        """The words as an address has them."""
        return "-".join(self.words)

    @property
    def squashed(self) -> str:
        """The words without what parts them: "CCX 33" and "ccx-33" are one."""
        return "".join(self.words)

    @property
    def pieces(self) -> str:
        """A regular expression of the pieces of its words: any of them, for the index.

        A word that is shorter than a piece has none. It stands for itself where all are so short:
        the index cannot help there.
        """
        words = {word for spelling in self.spellings for word in spelling}
        pieces = {
            word[start : start + PIECE] for word in words for start in range(len(word) - PIECE + 1)
        }
        return "|".join(re.escape(piece) for piece in sorted(pieces or words))

    @property
    def pattern(self) -> str:
        """A regular expression that finds what was typed, whatever characters it has."""
        return re.escape(self.text)

    @property
    def is_model(self) -> bool:
        """Whether it looks like what a drive calls itself: letters and digits, and not few."""
        has_both = re.search(r"[a-z]", self.squashed) and re.search(r"[0-9]", self.squashed)
        return bool(has_both) and len(self.squashed) >= MODEL_CHARACTERS_MIN

    @property
    def family_of_part(self) -> str:
        """The drive family whose part numbers in shops begin like this; nothing of others."""
        return next((slug for start, slug in PART_NUMBERS if self.squashed.startswith(start)), "")


def read_query(text: str) -> Query:
    """Read what was typed; what has no letter and no digit is an empty query."""
    shown = " ".join(_CONTROL.sub(" ", text[: QUERY_CHARACTERS_MAX * 4]).split())
    shown = shown[:QUERY_CHARACTERS_MAX].strip()
    folded = unicodedata.normalize("NFKC", shown).casefold()
    words = tuple(_WORD.findall(folded)[:WORDS_MAX])
    return Query(text=shown, words=words, spellings=_spellings(words))


def _spellings(words: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The words as typed, parted where digits begin, joined where they were parted, renamed."""
    parted = tuple(part for word in words for part in _BORDER.split(word))[:WORDS_MAX]
    joined: list[str] = []
    for word in words:
        if joined and joined[-1].isalpha() and word[0].isdigit():
            joined[-1] += word
        else:
            joined.append(word)
    renamed = tuple(part for word in words for part in PROVIDER_ALIASES.get(word, word).split("-"))[
        :WORDS_MAX
    ]
    if any(len(part) == 1 for part in parted):  # single letters stand in every name
        parted = ()
    found = (words, parted, tuple(joined), renamed)
    return tuple(dict.fromkeys(spelling for spelling in found if spelling))
