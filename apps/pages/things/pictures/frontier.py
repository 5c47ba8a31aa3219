"""The plans of a provider by price and durable commits: on the frontier is what nothing beats.

Each plan stands by its headline figure, as on the board. It is on the efficient frontier of its
class of comparable work where no other plan of that class does at least as much for at most the
same price. A plan that cannot be had any more at its price is drawn, and is neither on it nor beats
another.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.urls import reverse

from apps.pages.show import words
from apps.pages.show.standings import real_else_examples
from apps.plans.models import PriceKind
from apps.plans.prices.currencies import RatesError
from apps.rankings.cost import monthly
from apps.runs.published.comparable import WITH_METADATA, comparable_class
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import date
    from decimal import Decimal

    from apps.plans.models import Price
    from apps.plans.prices.currencies import RateTable
    from apps.rankings.models import Standing

OFFERS_MIN: Final = 2  # one plan alone is no choice
OFFERS_MAX: Final = 120  # drawn and listed; beyond, the board of plans sorts by cost


@dataclass(frozen=True, slots=True)
class PricedPlan:
    """One plan: what it costs a month in the currency of the chart, and what it does."""

    name: str
    url: str
    region: str
    comparable: int  # class of its work
    work: str  # in a few words
    rate_per_s: float
    low: float | None
    high: float | None
    month: Decimal
    price: Price
    note: str  # how many stand behind it
    is_converted: bool
    is_on_frontier: bool = False
    beaten_by: str = ""  # a plan on the frontier that does at least as much for at most as much
    is_close: bool = False  # the intervals of the two overlap: it may be the other way round

    @property
    def is_gone(self) -> bool:
        """Whether it cannot be had any more at its price."""
        return self.price.kind == PriceKind.SUPERSEDED


@dataclass(frozen=True, slots=True)
class Frontier:
    """The plans of one chart, the cheapest first."""

    evidence: str  # of all of them; empty: of several kinds
    currency: str
    offers: tuple[PricedPlan, ...]
    n_unpriced: int  # plans with a rate and no price that can be compared
    n_beyond: int  # plans for which there was no room
    rates_day: date | None  # of the exchange rates, where one was used

    @property
    def has_data(self) -> bool:
        """Whether a square is drawn, of work that writes no metadata."""
        return any(not each.is_gone and each.comparable != WITH_METADATA for each in self.offers)

    @property
    def has_metadata(self) -> bool:
        """Whether a triangle is drawn, of work that writes metadata too."""
        return any(not each.is_gone and each.comparable == WITH_METADATA for each in self.offers)

    @property
    def has_gone(self) -> bool:
        """Whether one of them cannot be had any more at its price."""
        return any(each.is_gone for each in self.offers)

    @property
    def on_it(self) -> tuple[PricedPlan, ...]:
        """The plans on the frontier, the cheapest first."""
        return tuple(each for each in self.offers if each.is_on_frontier)


def frontier_of(plans: Sequence[Standing], rates: RateTable) -> Frontier | None:
    """The chart of the standings that represent plans; None below two plans with prices.

    Examples are drawn where nothing else is known alone: beside a real figure they would answer in
    its place.
    """
    rows = real_else_examples(plans)
    currency = _most_common([row.price.currency for row in rows if row.price])
    offers = [each for row in rows if (each := _priced_plan(row, currency, rates)) is not None]
    offers.sort(key=lambda each: (each.month, -each.rate_per_s, each.name))
    if len(offers) < OFFERS_MIN:
        return None
    kinds = {row.evidence for row in rows}
    marked = _with_frontiers(offers)
    return Frontier(
        evidence=kinds.pop() if len(kinds) == 1 else "",
        currency=currency,
        offers=marked[:OFFERS_MAX],
        n_unpriced=len(rows) - len(offers),
        n_beyond=max(0, len(marked) - OFFERS_MAX),
        rates_day=rates.day if any(each.is_converted for each in offers) else None,
    )


def _most_common(currencies: Sequence[str]) -> str:
    counts = Counter(currencies)
    return min(counts, key=lambda each: (-counts[each], each), default="")


def _priced_plan(row: Standing, currency: str, rates: RateTable) -> PricedPlan | None:
    """The offer of a plan; None where its currency has no exchange rate."""
    plan, price = row.plan, row.price
    if plan is None or price is None:
        return None
    try:
        month = rates.convert(monthly(price), source=price.currency, target=currency)
    except RatesError:
        return None
    if month <= 0:
        return None  # nothing to draw on a logarithmic axis, and free of charge is no list price
    return PricedPlan(
        name=plan.name,
        url=reverse("pages:plan", args=[plan.slug]),
        region=words.region(row.region_group),
        comparable=comparable_class(row.workload),
        work=workload_short(row.workload, row.workload_title),
        rate_per_s=row.rate_per_s,
        low=row.rate_per_s_low,
        high=row.rate_per_s_high,
        month=month,
        price=price,
        note=words.evidence_note(
            evidence=row.evidence,
            n_runs=row.n_runs,
            n_machines=row.n_machines,
            n_uploaders=row.n_uploaders,
        ),
        is_converted=price.currency != currency,
    )


def _with_frontiers(offers: Iterable[PricedPlan]) -> tuple[PricedPlan, ...]:
    """Say of each offer whether it is on the frontier of its class, and else what beats it.

    The cheapest come first.
    """
    marked: list[PricedPlan] = []
    best_of: dict[int, PricedPlan] = {}
    for offer in offers:
        best = best_of.get(offer.comparable)
        if offer.is_gone:
            marked.append(offer)
        elif best is None or offer.rate_per_s > best.rate_per_s:
            best_of[offer.comparable] = replace(offer, is_on_frontier=True)
            marked.append(best_of[offer.comparable])
        else:
            marked.append(replace(offer, beaten_by=best.name, is_close=_overlap(offer, best)))
    return tuple(marked)


def _overlap(slower: PricedPlan, faster: PricedPlan) -> bool:
    """Whether the interval of the slower one reaches that of the faster one, or its rate."""
    return (slower.high or slower.rate_per_s) >= (faster.low or faster.rate_per_s)
