"""What a row of a board is: figures, what stands behind them, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from apps.rankings.cost import cost_range, monthly, price_month_per_1000

if TYPE_CHECKING:
    from decimal import Decimal

    from apps.pages.draw.trace import Trace, TraceFigures
    from apps.pages.show.table.cell import TableCell
    from apps.pages.show.table.standing_facts import StandingFacts
    from apps.plans.models import Price
    from apps.rankings.cost import PricedVolume

DOT = "\u00a0· "  # a line may break after it, never before


@dataclass(frozen=True, slots=True)
class RowCost:
    """What the rate of a row costs, and the list price behind it; empty without a price."""

    billion: Decimal | None = None  # commits
    month_per_1000: Decimal | None = None  # useful IOPS
    currency: str = ""
    price: Price | None = None
    note: str = ""  # whose cost or price it is, where it is not the row's own
    whose: str = ""  # the same by its name alone
    work: str = ""  # the class of its work, where the rate of the row is of another
    volume: PricedVolume | None = None  # that is sold in any size, without a server

    @property
    def price_month(self) -> Decimal | None:
        """The list price of a month in its own currency."""
        return monthly(self.price) if self.price is not None else None


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFigures:
    """What was measured: a rate a second with its interval, and latencies."""

    rate_per_s: float | None = None
    is_commit: bool = False
    low: float | None = None
    high: float | None = None
    interval: str = ""  # what the interval is, in words
    p50_ns: int | None = None
    p99_ns: int | None = None
    side: str = ""  # what the latencies time
    p99_limit_ns: int | None = None  # of useful IOPS: the limit that their rate keeps
    whose: str = ""  # the plan, where another one in its row has the cost

    @property
    def rate_name(self) -> str:
        """What the rate counts, for a card that has no column head."""
        if self.p99_limit_ns is not None:
            return _("Useful IOPS")
        return _("Durable commits/s") if self.is_commit else _("A second")

    @property
    def cost_name(self) -> str:
        """What its cost is of, for a card that has no column head."""
        return _("Per billion") if self.p99_limit_ns is None else _("1,000 a month")


@dataclass(frozen=True, slots=True, kw_only=True)
class RowEvidence:
    """Who and what stands behind the figures."""

    level: str = ""
    note: str = ""  # how many stand behind it
    n: str = ""  # the same as figures: 6 · 97 %
    n_url: str = ""  # of them all, where a row stands for several runs
    rank: str = ""  # its tier; empty: not ranked
    place: str = ""  # its tier and ranks by rate, or why it has none
    when: str = ""
    run_url: str = ""
    is_illustrative: bool = False  # its own source calls its figures a sample
    keeps_out: str = ""  # of a run that does not count: run, or plan for its plan alone
    doubt: str = ""  # the same in words

    @property
    def words(self) -> str:
        """How many stand behind it, and its place by rate."""
        return DOT.join(part for part in (self.note, self.place) if part)


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRunFacts:
    """What is known of a run and of what it is of, for exports; slugs, empty where nobody says."""

    provider: str
    plan: str
    drive: str
    labels: tuple[str, ...]  # ids of rules, the gravest first
    in_standings: bool
    reason: str  # why it is not: the id of a rule, or its level


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a board."""

    key: str  # id of the line, so that an address can point at it
    name: str
    url: str
    under: str  # provider, drive and protection, under the name
    figures: RowFigures
    evidence: RowEvidence
    cost: RowCost = RowCost()
    trace: Trace | None = None
    trace_figures: TraceFigures | None = None  # what the picture is drawn from
    warning: str = ""
    warns: bool = False  # whether what it says changes the answer
    number: int | None = None  # position within its group; published rows do not rank
    workload: str = ""
    workload_note: str = ""
    work: str = ""  # the workload in a few words, where rows of several stand together
    n_others: int = 0  # further figures of the same thing
    figures_url: str = ""  # of those, as rows below this one
    region: str = ""  # group of regions in words; empty: not known, or not of a plan
    is_of_a_place: bool = False  # whether it is of a plan for rent: one row in each region
    kind: str = ""  # which kind of storage, where there are several
    facts: StandingFacts | None = None  # of a standing, for columns and exports
    run: ListedRunFacts | None = None  # of a run, for exports
    cells: tuple[TableCell, ...] = ()  # on a board whose columns were chosen
    tier_line: str = ""  # what is said above the row: that a tier, or what has no rank, begins
    on: str = ""  # how a comparison names it: plan:SLUG, drive:SLUG, run:SLUG
    on_name: str = ""  # what is compared, where it is not what the row is called
    link: str = ""  # address of this row on its board

    @property
    def place(self) -> str:
        """Where a plan was measured, in words; that nobody says it is no sum over regions."""
        return self.region or (_("region not stated") if self.is_of_a_place else "")

    @property
    def full_name(self) -> str:
        """What it is called where no other words stand beside it, for those who hear the page."""
        return DOT.join(part for part in (self.on_name or self.name, self.place, self.kind) if part)

    @property
    def cost_range(self) -> tuple[Decimal, Decimal] | None:
        """What a billion commits cost at both ends of the rate's interval, where it has one."""
        price, low, high = self.cost.price, self.figures.low, self.figures.high
        if price is None or self.cost.billion is None or not low or not high:
            return None
        return cost_range(price, rate_low_per_s=low, rate_high_per_s=high)

    @property
    def month_range(self) -> tuple[Decimal, Decimal] | None:
        """What 1,000 a second cost a month at both ends of the rate's interval."""
        price, low, high = self.cost.price, self.figures.low, self.figures.high
        if price is None or self.cost.month_per_1000 is None or not low or not high:
            return None
        return cost_range(
            price, rate_low_per_s=low, rate_high_per_s=high, cost=price_month_per_1000
        )
