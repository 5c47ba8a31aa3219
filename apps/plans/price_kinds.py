"""What a price is, where it is not simply the list price of today: read from what it includes.

The catalogue says it in words ("superseded by the 2026 price adjustments"); this is the one place
that reads them.
"""

from __future__ import annotations

import re
from enum import StrEnum, unique
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.plans.models import Price


@unique
class PriceKind(StrEnum):
    """What a price is; where several hold, the first."""

    SUPERSEDED = "superseded"  # it is known to have changed since
    FROM = "from"  # that of the smallest of several
    DERIVED = "derived"  # nobody lists it: a sum of what is listed
    QUOTED = "quoted"  # from an article, not from a list


_WORDS: Final = (
    (PriceKind.SUPERSEDED, re.compile(r"\bsuperseded\b|\bprice before the \d{4} adjustments\b")),
    (PriceKind.FROM, re.compile(r'"from" price')),
    (PriceKind.DERIVED, re.compile(r"\b(?:derived|assembled from|computed by the source)\b")),
    (PriceKind.QUOTED, re.compile(r"\bquoted in the article\b")),
)


def kind_of(price: Price) -> PriceKind | None:
    """What a price is by the words of its row; None where it is an ordinary list price."""
    return next((kind for kind, words in _WORDS if words.search(price.includes)), None)


def worst_of(kinds: Iterable[PriceKind | None]) -> PriceKind | None:
    """What a sum of prices is: what the worst of them is."""
    found = set(kinds)
    return next((kind for kind in PriceKind if kind in found), None)
