"""Plans as rows, in groups by verdict."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from apps.pages.draw.spot import Spot
from apps.rankings.advice.offers import Offer


@dataclass(frozen=True, slots=True)
class AdviceVerdict:
    """The verdict on a plan, with its reasons."""

    state: str  # yes, may or no
    word: str
    headroom: str
    reasons: tuple[str, ...]
    assumptions: tuple[str, ...]
    is_miss: bool  # its figure misses a limit, but its workload leaves the verdict open
    falls_short: bool  # is_miss, or the rate that can be relied on is below the need


@dataclass(frozen=True, slots=True)
class AdviceFigures:
    """The measured figures of a plan."""

    workload: str  # the page names its sync call beside the rate
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
    """The cost of a plan, in the currency of the need."""

    offer: Offer
    currency: str
    per_billion: Decimal | None  # of a billion commits


@dataclass(frozen=True, slots=True)
class AdviceEvidence:
    """How many people and machines measured it, and when."""

    level: str
    count: str
    when: str
    run_url: str
    source: str  # title of an article; empty where it was measured with the agent


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """A plan with its verdict and the figures behind it."""

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
    """The rows shown for one verdict, and how many plans have it."""

    state: str
    word: str
    note: str
    rows: tuple[AdviceRow, ...]
    total: int
    n_ephemeral: int  # plans of the whole group
    n_missed: int  # plans of the whole group with `is_miss`

    @property
    def n_open(self) -> int:
        """How many plans do not have `is_miss`."""
        return self.total - self.n_missed

    @property
    def n_hidden(self) -> int:
        """How many rows are not shown."""
        return self.total - len(self.rows)
