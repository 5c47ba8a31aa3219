"""Figures of a finding, as rows keep them: numbers and ids, without a word of any language.

`apps.words` makes sentences of them, where they are shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, Union

# What JSON can hold and no word of a language: numbers, ids, and figures of several things.
Figure: TypeAlias = Union[int, str, Sequence[str], "Sequence[Figures]", None]
Figures: TypeAlias = Mapping[str, Figure]
Words: TypeAlias = str | tuple[str, str]  # the pair is for one and for more, by the figure `count`

CASE: Final = "case"  # the figure that says which words of several these figures belong to
EACH: Final = "each"  # the figure that holds figures for several sentences


def tenths(value: float) -> int:
    """Return a value in tenths, rounded as it is written with one digit."""
    return round(round(value, 1) * 10)


def hundredths(value: float) -> int:
    """Return a value in hundredths, rounded as it is written with two digits."""
    return round(round(value, 2) * 100)
