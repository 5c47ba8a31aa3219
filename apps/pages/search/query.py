"""What a reader searches for: the words of a query, their spellings, and part numbers of shops."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, NamedTuple

from apps.plans.naming import PROVIDER_ALIASES

QUERY_CHARACTERS_MAX: Final = 160  # the address of a run; a model string has 64 at most
WORDS_MAX: Final = 6  # of one query; the longest name of the catalogue has as many
PIECE: Final = 3  # letters of a piece in the index
MODEL_CHARACTERS_MIN: Final = 5  # shorter strings name a product line, not a model
_WORD: Final = re.compile(r"[^\W_]+")
_BORDER: Final = re.compile(r"(?<=[a-z])(?=[0-9])|(?<=[0-9])(?=[a-z])")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")


# Makers and providers as Chinese readers call them.
CHINESE_NAMES: Final = {
    "\u4e09\u661f": "samsung", "\u82f1\u7279\u5c14": "intel", "\u50b2\u817e": "optane",
    "\u897f\u90e8\u6570\u636e": "wd", "\u897f\u6570": "wd", "\u7f8e\u5149": "micron",
    "\u94e0\u4fa0": "kioxia", "\u91d1\u58eb\u987f": "kingston", "\u82f1\u777f\u8fbe": "crucial",
    "\u5e0c\u6377": "seagate", "\u4e1c\u829d": "toshiba", "\u6d77\u529b\u58eb": "sk hynix",
    "\u963f\u91cc\u4e91": "alibaba cloud", "\u4e9a\u9a6c\u900a\u4e91": "aws",
    "\u4e9a\u9a6c\u900a": "aws", "\u8c37\u6b4c\u4e91": "google cloud",
    "\u8c37\u6b4c": "google cloud", "\u5fae\u8f6f\u4e91": "azure", "\u5fae\u8f6f": "azure",
    "\u7532\u9aa8\u6587\u4e91": "oracle cloud", "\u7532\u9aa8\u6587": "oracle cloud",
}  # fmt: skip


class PartNumber(NamedTuple):
    """How shops number a drive whose own model string is another."""

    start: str  # of the number, without dashes; the capacity follows
    family: str  # slug
    source: str  # a page that names both, read on PART_NUMBERS_READ


# Where a maker's own list could not be read, a shop, a review or a price comparison that names the
# number beside the drive. What no page names is not here: 970 EVO, 970 EVO Plus, 980, 990 EVO.
PART_NUMBERS_READ: Final = "2026-11-22"
_PARTS_SHOP: Final = "https://www.syspartsdirect.com/en/product-detail"
PART_NUMBERS: Final = (
    PartNumber(  # MZ-VAP2T0BW
        "mzvap", "samsung-9100-pro",
        "https://www.techpowerup.com/review/samsung-9100-pro-2-tb/single-page.html",
    ),
    PartNumber(  # MZ-V9P1T0BW
        "mzv9p", "samsung-990-pro",
        f"{_PARTS_SHOP}/Samsung-MZ-V9P1T0BW-990-PRO-1TB-NVMe-SSD-1655.html",
    ),
    PartNumber(  # MZ-V9S2T0BW
        "mzv9s", "samsung-990-evo-plus",
        "https://e-catalog.com/cmp/126646/mz-v9s2t0bw-vs-wds200t4b0e",
    ),
    PartNumber(  # MZ-V8P2T0CW
        "mzv8p", "samsung-980-pro",
        "https://e-catalog.co.uk/cmp/90205/mz-v8p2t0cw-vs-mz-v7p512bw/",
    ),
    PartNumber(  # MZ-V7P512BW
        "mzv7p", "samsung-970-pro",
        "https://e-catalog.co.uk/cmp/90205/mz-v8p2t0cw-vs-mz-v7p512bw/",
    ),
    PartNumber(  # MZ-77E4T0BW
        "mz77e", "samsung-870-evo", "https://e-catalog.com/cmp/90324/mu-pe4t0s-vs-mz-77e4t0bw/",
    ),
    PartNumber(  # MZ-77Q1T0B
        "mz77q", "samsung-870-qvo", "https://manuals.plus/asin/B089C73T72",
    ),
    PartNumber(  # MZ-76E500
        "mz76e", "samsung-860-evo",
        f"{_PARTS_SHOP}/Samsung-MZ-76E500-860-EVO-500GB-High-Speed-SATA-SSD-1679.html",
    ),
    PartNumber(  # MZ-76P512BW
        "mz76p", "samsung-860-pro", "https://e-catalog.com/cmp/4677/mz-v7p512bw-vs-mz-76p512bw/",
    ),
    PartNumber(  # MZ-76Q4T0BW
        "mz76q", "samsung-860-qvo",
        "http://computeruniverse.discount/computeruniverse-product-reviews/"
        "review-samsung-860-qvo-ssd-mz-76q4t0bw-4tb-mz-76q4t0bw",
    ),
)  # fmt: skip


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
        families = (part for part in PART_NUMBERS if self.squashed.startswith(part.start))
        return next((part.family for part in families), "")


def in_latin(text: str) -> str:
    """A text with the Chinese names of makers and providers as the catalogue writes them."""
    for name, latin in CHINESE_NAMES.items():
        text = text.replace(name, f" {latin} ")
    return text


def read_query(text: str) -> Query:
    """Read what was typed; what has no letter and no digit is an empty query."""
    line = " ".join(_CONTROL.sub(" ", text[: QUERY_CHARACTERS_MAX * 4]).split())
    line = line[:QUERY_CHARACTERS_MAX].strip()
    folded = unicodedata.normalize("NFKC", line).casefold()
    words = tuple(_WORD.findall(in_latin(folded))[:WORDS_MAX])
    return Query(text=line, words=words, spellings=_spellings(words))


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
    spellings = (words, parted, tuple(joined), renamed)
    return tuple(dict.fromkeys(spelling for spelling in spellings if spelling))
