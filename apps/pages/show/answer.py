"""The answer that a page opens with: one sentence, one figure, and how sure it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.words import confidence

if TYPE_CHECKING:
    from apps.stats.standings.confidence import Margin, Sureness

WORDS_MAX: Final = 20  # of the sentence: one breath; more is evidence and stands in a fold


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a reader came for. The sentence has at most WORDS_MAX words."""

    sentence: str
    figure: str = ""  # with its unit in `unit`
    unit: str = ""
    sure: str = ""  # the word of confidence: firm, likely, borderline, unlikely, unknown
    sure_line: str = ""  # the same with margin and what stands behind it


def answer(  # noqa: PLR0913  each is a part of the one line that is shown
    sentence: str,
    sureness: Sureness,
    *,
    basis: str,
    margin: Margin | None = None,
    figure: str = "",
    unit: str = "",
) -> Answer:
    """Return the answer of a page, in the language in force."""
    return Answer(
        sentence=sentence,
        figure=figure,
        unit=unit,
        sure=sureness.confidence.value,
        sure_line=confidence.line(sureness, basis, margin),
    )
