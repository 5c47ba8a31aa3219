"""The figures of a finding as they are stored: numbers and ids, without words.

`apps.words` makes sentences of them in the language of the page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias, Union

# Values of JSON without words of a language: numbers, ids, and the figures of several things.
Figure: TypeAlias = Union[int, str, Sequence[str], "Sequence[Figures]", None]
Figures: TypeAlias = Mapping[str, Figure]
Words: TypeAlias = (
    str | tuple[str, str]
)  # a pair is singular and plural, chosen by the figure `count`

CASE: Final = "case"  # the figure that says which of several sentences the figures are for
EACH: Final = "each"  # the figure that holds figures for several sentences


def tenths(value: float) -> int:
    """Return a value in tenths, rounded as it is written with one digit."""
    return round(round(value, 1) * 10)


def hundredths(value: float) -> int:
    """Return a value in hundredths, rounded as it is written with two digits."""
    return round(round(value, 2) * 100)
