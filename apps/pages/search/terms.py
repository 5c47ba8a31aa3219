"""The word whose meaning a text asks for: "what is PLP" is answered by the method."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

_DEFINES: Final = re.compile(
    r"(?:what(?:'s| is| are| does)|define|explain)\s+(?:an?\s+|the\s+)?(?P<term>.+?)(?:\s+mean)?"
    r"|\u4ec0\u4e48\u662f\s*(?P<asked>.+?)|(?P<named>.+?)\s*\u662f\u4ec0\u4e48"
)
TERMS: Final[Mapping[str, str]] = {  # words of the method by other names
    "power-loss protection": "plp", "power loss protection": "plp",
    "\u6389\u7535\u4fdd\u62a4": "plp",
    "fsync": "durable commit", "fdatasync": "durable commit",
}  # fmt: skip


def term_asked(text: str) -> str:
    """The word whose meaning a text asks for, in small letters; nothing where it asks no such."""
    folded = unicodedata.normalize("NFKC", text).casefold().strip(" ?.\u3002")
    match = _DEFINES.fullmatch(folded)
    term = next(filter(None, match.groups()), "") if match else ""
    return TERMS.get(term, term)
