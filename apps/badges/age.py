"""When a figure is too old to be coloured: as standings and list prices grow old."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.badges.badge_facts import Proof
from apps.plans.prices.amounts import is_stale
from apps.stats.standings.window import WINDOW

if TYPE_CHECKING:
    from datetime import date

    from apps.badges.badge_facts import BadgeCost, BadgeFacts


def is_old(facts: BadgeFacts, today: date) -> bool:
    """Whether its newest run is older than the window of standings.

    Of an article the month counts, or the year where no month is stated. Without a date nobody
    knows, and what is made up has no age.
    """
    if facts.proof is Proof.EXAMPLE:
        return False
    begin = today - WINDOW
    if facts.measured_at is not None:
        return facts.measured_at.date() < begin
    return "" < facts.published < begin.isoformat()[: len(facts.published)]


def is_price_old(price: BadgeCost | None, today: date) -> bool:
    """Whether a list price may have changed, or has."""
    return price is not None and (price.is_superseded or is_stale(price.priced_on, today))
