"""The kind of a price, and of a sum of prices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.plans.models import PriceKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.plans.models import Price


def kind_of(price: Price) -> PriceKind | None:
    """Return the kind of a price; None for an ordinary list price."""
    return PriceKind(price.kind) if price.kind else None


def worst_of(kinds: Iterable[PriceKind | None]) -> PriceKind | None:
    """Return the kind of a sum of prices: the least reliable of its prices' kinds."""
    present = set(kinds)
    return next((kind for kind in PriceKind if kind in present), None)
