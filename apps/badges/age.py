"""When a figure is too old to be coloured: as standings and list prices grow old."""

from __future__ import annotations

from typing import TYPE_CHECKING

from apps.badges.badge_facts import Proof
from apps.plans.prices.amounts import is_stale
from apps.stats.standings.window import WINDOW

if TYPE_CHECKING:
    from datetime import date, datetime

    from apps.badges.badge_facts import BadgeCost, BadgeFacts


def is_old(facts: BadgeFacts, today: date) -> bool:
    """Whether its newest run is older than the window of standings.

    Of an article the month counts, or the year where no month is stated. Without a date nobody
    knows, and what is made up has no age.
    """
    if facts.proof is Proof.EXAMPLE:
        return False
    if facts.measured_at is not None:
        return is_past(facts.measured_at, today)
    begin = today - WINDOW
    return "" < facts.published < begin.isoformat()[: len(facts.published)]


def is_past(measured_at: datetime, today: date) -> bool:
    """Whether standings no longer count what was measured then."""
    return measured_at.date() < today - WINDOW


def is_price_old(price: BadgeCost | None, today: date) -> bool:
    """Whether a list price may have changed, or has."""
    return price is not None and (price.is_superseded or is_stale(price.priced_on, today))
