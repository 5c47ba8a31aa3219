"""Names that look like others: letters of other scripts, and names one sign beside a known one.

Unicode Technical Standard 39 calls them confusables. The names of the catalogue are in Latin
letters and Chinese; no provider is written in another script.
"""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_SCRIPTS: Final = ("LATIN ", "CJK ", "HIRAGANA ", "KATAKANA ", "HANGUL ")
_LATIN_MAX: Final = 0x17F  # beyond Latin Extended-A are letters that only look like Latin ones
# Signs that a reader takes for one another, each group as its first.
_ALIKE: Final = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "\u0131": "l", "5": "s"})
_PAIRS: Final = (("rn", "m"), ("vv", "w"))


def foreign_letter(name: str) -> str:
    """Return the first letter of a script that no name of the catalogue has, or ""."""
    for letter in unicodedata.normalize("NFKC", name):
        if not letter.isalpha():
            continue
        is_known = unicodedata.name(letter, "").startswith(_SCRIPTS)
        if not is_known or (ord(letter) > _LATIN_MAX and _is_latin(letter)):
            return letter
    return ""


def looks_like(name: str, known: Iterable[str]) -> str:
    """Return the known name that this one is not and looks like; "" if there is none."""
    names = {each.casefold(): each for each in known}
    if name.casefold() in names:
        return ""
    skeleton = _skeleton(name)
    return next((each for each in names.values() if _skeleton(each) == skeleton), "")


def _is_latin(letter: str) -> bool:
    return unicodedata.name(letter, "").startswith("LATIN ")


def _skeleton(name: str) -> str:
    bare = unicodedata.normalize("NFKD", name.casefold())
    letters = "".join(each for each in bare if each.isalnum() or each == "|")
    for pair, one in _PAIRS:
        letters = letters.replace(pair, one)
    return letters.translate(_ALIKE)
