"""What people write to moderators and moderators write in public: plain text, and nothing else."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# Unicode's classes of what has no shape of its own: controls, formats (which turn the direction of
# a line around or hide), surrogates, private use.
_SHAPELESS: Final = ("Cc", "Cf", "Cs", "Co")
_LINES_BETWEEN: Final = re.compile(r"\n{3,}")


def plain_line(text: str) -> str:
    """Return a text as one line without signs that have no shape of their own."""
    return " ".join(_shaped(text.replace("\n", " ")).split())


def plain_text(text: str) -> str:
    """Return a text with its lines, one empty line between two at most."""
    lines = (" ".join(_shaped(line).split()) for line in text.replace("\r", "\n").split("\n"))
    return _LINES_BETWEEN.sub("\n\n", "\n".join(lines)).strip()


def _shaped(text: str) -> str:
    spaced = (
        " " if each in "\t\u2028\u2029" else each for each in unicodedata.normalize("NFC", text)
    )
    return "".join(each for each in spaced if unicodedata.category(each) not in _SHAPELESS)
