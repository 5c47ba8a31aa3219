"""What a price is, and a sum of prices, where it is not simply the list price of its day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.plans.models import PriceKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.plans.models import Price


def kind_of(price: Price) -> PriceKind | None:
    """Return what a price is; None where it is an ordinary list price."""
    return PriceKind(price.kind) if price.kind else None


def worst_of(kinds: Iterable[PriceKind | None]) -> PriceKind | None:
    """Return what a sum of prices is: what the worst of them is."""
    found = set(kinds)
    return next((kind for kind in PriceKind if kind in found), None)
