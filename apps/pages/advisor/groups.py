"""Plans as rows, in groups by verdict."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from apps.pages.draw.spot import Spot
from apps.rankings.advice.offers import Offer


@dataclass(frozen=True, slots=True)
class AdviceVerdict:
    """What is said of a plan, and why."""

    state: str  # yes, may or no
    word: str
    headroom: str
    reasons: tuple[str, ...]
    assumptions: tuple[str, ...]
    is_miss: bool  # its figure lies beyond a limit, and what it is of leaves that open
    falls_short: bool  # that, or what can be counted on is less than is needed


@dataclass(frozen=True, slots=True)
class AdviceFigures:
    """What was measured of it."""

    workload: str  # its call is named beside the rate
    rate_per_s: float
    low: float | None
    high: float | None
    interval: str
    p99_ns: int | None
    p99_limit_ns: int | None  # of useful IOPS: the limit that their rate keeps
    spot: Spot | None
    is_illustrative: bool  # the source calls the figure a sample


@dataclass(frozen=True, slots=True)
class AdvicePrice:
    """What it costs, in the currency that is asked for."""

    offer: Offer
    currency: str
    per_billion: Decimal | None  # commits


@dataclass(frozen=True, slots=True)
class AdviceEvidence:
    """Who measured it, how many they are, and when."""

    level: str
    count: str
    when: str
    run_url: str
    source: str  # title of an article; empty: it was measured for this site


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """A plan, what is said of it, and everything that this rests on."""

    slug: str
    name: str
    url: str
    under: str
    is_ephemeral: bool
    verdict: AdviceVerdict
    figures: AdviceFigures
    price: AdvicePrice
    evidence: AdviceEvidence


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
