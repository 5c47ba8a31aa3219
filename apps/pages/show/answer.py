"""The answer that a page opens with: one sentence, one figure, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

WORDS_MAX: Final = 20  # of the sentence: one breath; more is evidence and stands in a fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a reader came for. The sentence has at most WORDS_MAX words."""

    sentence: str
    sure: str  # word of confidence, margin and what stands behind it, by `words.confidence`
    figure: str = ""  # with its unit in `unit`
    unit: str = ""
