"""Plans as rows, in groups by verdict."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from apps.pages.draw.spot import Spot
from apps.rankings.advice.offers import Offer


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """A plan, what is said of it, and everything that this rests on."""

    slug: str
    name: str
    url: str
    under: str
    state: str  # yes, may or no
    word: str
    rate_per_s: float
    low: float | None
    high: float | None
    interval: str
    p99_ns: int | None
    p99_limit_ns: int | None
    headroom: str
    price_month: Decimal | None
    price_day: date | None
    offer: Offer
    is_part: bool
    currency: str
    per_billion: Decimal | None
    level: str
    count: str
    when: str
    run_url: str
    source: str
    source_url: str
    is_illustrative: bool  # that source calls the figure a sample
    reasons: tuple[str, ...]
    assumptions: tuple[str, ...]
    spot: Spot | None
    workload: str  # its call is named beside the rate
    is_ephemeral: bool
    is_miss: bool  # its figure lies beyond a limit, and what it is of leaves that open
    falls_short: bool  # that, or what can be counted on is less than is needed


@dataclass(frozen=True, slots=True)
class AdviceGroup:
    """The rows of one verdict, and how many there are in all."""

    state: str
    word: str
    note: str
    rows: tuple[AdviceRow, ...]
    total: int
    n_ephemeral: int  # of all of them
    n_missed: int  # of which a figure lies beyond its limit, and it is left open

    @property
    def n_open(self) -> int:
        """How many of them no measured figure rules out."""
        return self.total - self.n_missed

    @property
    def n_hidden(self) -> int:
        """How many rows are not shown."""
        return self.total - len(self.rows)
