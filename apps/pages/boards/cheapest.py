"""Which plan of a board by cost buys the most commits for its rent, and what is level with it.

Two costs are apart where their rates are, by the test of the tiers: a price is taken as certain, so
the uncertainty of a cost is that of its rate. Of rows without a rank the intervals decide.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.pages.show.table.columns import Sort
from apps.plans.models import PriceKind
from apps.plans.prices.currencies import EURO, RatesError
from apps.plans.prices.rates import current_rates
from apps.stats.standings import ranks
from apps.stats.standings.ranks import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from apps.pages.boards.query import BoardQuery
    from apps.pages.show.table.groups import Group
    from apps.pages.show.table.paging import Pages
    from apps.pages.show.table.row import Row
    from apps.plans.prices.currencies import RateTable


@dataclass(frozen=True, slots=True)
class CheapestAnswer:
    """The row that comes first by cost, and the next ones that cannot be told from it."""

    row: Row
    level: tuple[Row, ...]  # the row itself, and those of its page that cannot be told from it


def cheapest_of(
    kind: str, groups: Sequence[Group], query: BoardQuery, pages: Pages
) -> CheapestAnswer | None:
    """Return the answer of a board by cost.

    None on other boards, in other orders, beyond the first page, and where no row has a price at
    which its plan can be rented.
    """
    is_answered = kind == "plans" and query.sort == Sort.COST and pages.number == 1
    if not is_answered or not groups:
        return None
    rows = [row for row in groups[0].rows if _is_for_rent(row)]
    if not rows:
        return None
    first, rates = rows[0], current_rates()
    level = tuple(
        row
        for row in rows
        if _is_ranked(row) == _is_ranked(first) and not _are_apart(first, row, rates)
    )
    return CheapestAnswer(first, level)


def _is_for_rent(row: Row) -> bool:
    price = row.cost.price
    return row.cost.billion is not None and price is not None and price.kind != PriceKind.SUPERSEDED


def _is_ranked(row: Row) -> bool:
    return row.facts is not None and row.facts.tier is not None


def _are_apart(one: Row, other: Row, rates: RateTable) -> bool:
    """Whether the costs of two rows can be told apart; those without a common currency cannot."""
    own, others = _bounds(one, rates), _bounds(other, rates)
    if own is None or others is None:
        return False
    limits = [row.facts.apart_sds if row.facts else None for row in (one, other)]
    if None in limits:
        return own.high < others.low or others.high < own.low
    return ranks.are_apart(own, others, critical=max(each for each in limits if each is not None))


def _bounds(row: Row, rates: RateTable) -> Bounds | None:
    """Return ln of the cost in euro and of both ends, with the variance of the rate."""
    if row.cost.billion is None:
        return None
    low, high = row.cost_range or (row.cost.billion, row.cost.billion)
    try:
        middle, first, last = (
            _ln_euro(each, row.cost.currency, rates) for each in (row.cost.billion, low, high)
        )
    except RatesError:
        return None
    sd = (row.facts.median_sd_ln if row.facts else None) or 0.0
    return Bounds(middle, first, last, sd**2)


def _ln_euro(amount: Decimal, currency: str, rates: RateTable) -> float:
    return math.log(rates.convert(amount, source=currency, target=EURO))
