"""The plans of a provider by price and durable commits: on the frontier is what nothing beats.

A plan is on the efficient frontier where no other plan of the provider, measured by the same
workload with the same kind of evidence, does at least as much for at most the same price. A plan
that cannot be had any more at its price is drawn, and is neither on it nor beats another.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.urls import reverse

from apps.pages.show import words
from apps.plans.models import PriceKind
from apps.plans.prices.currencies import RatesError
from apps.rankings.choice import EVIDENCE_ORDER, choice_key
from apps.rankings.comparable.order import headline_place
from apps.rankings.cost import monthly
from apps.rankings.models import Evidence
from apps.words.workloads import workload_title

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


@dataclass(frozen=True, slots=True)
class Frontier:
    """The plans of one chart, the cheapest first."""

    title: str  # of the workload
    evidence: str
    currency: str
    offers: tuple[PricedPlan, ...]
    n_unpriced: int  # plans with a rate and no price that can be compared
    n_beyond: int  # plans for which there was no room
    rates_day: date | None  # of the exchange rates, where one was used

    @property
    def on_it(self) -> tuple[PricedPlan, ...]:
        """The plans on the frontier, the cheapest first."""
        return tuple(each for each in self.offers if each.is_on_frontier)


def frontier_of(standings: Iterable[Standing], rates: RateTable) -> Frontier | None:
    """The chart of the workload that most priced plans were measured by; None below two plans."""
    rows = _rows_of_one_board(standings)
    priced = [row for row in rows if row.price is not None]
    if len(priced) < OFFERS_MIN:
        return None
    currency = _most_common([row.price.currency for row in priced if row.price])
    offers = [each for row in priced if (each := _priced_plan(row, currency, rates)) is not None]
    offers.sort(key=lambda each: (each.month, -each.rate_per_s, each.name))
    if len(offers) < OFFERS_MIN:
        return None
    first = rows[0]
    marked = _with_frontier(offers)
    return Frontier(
        title=workload_title(first.workload, first.workload_title),
        evidence=first.evidence,
        currency=currency,
        offers=marked[:OFFERS_MAX],
        n_unpriced=len(rows) - len(offers),
        n_beyond=max(0, len(marked) - OFFERS_MAX),
        rates_day=rates.day if any(each.is_converted for each in offers) else None,
    )


def _rows_of_one_board(standings: Iterable[Standing]) -> list[Standing]:
    """The row that stands for each plan on the board with the most priced plans.

    What was measured goes before what was published. Examples are drawn where nothing else is known
    alone: beside a real figure they would answer in its place.
    """
    commits = [row for row in standings if row.plan_id and row.is_durable_single_writer]
    real = [row for row in commits if row.evidence != Evidence.EXAMPLE]
    boards: dict[tuple[str, str, int], dict[str, list[Standing]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in real or commits:
        boards[row.evidence, row.workload, row.version][row.plan_id or ""].append(row)
    best_rows = [
        [min(rows, key=choice_key) for rows in plans.values()] for plans in boards.values()
    ]
    enough = [
        rows for rows in best_rows if sum(row.price_id is not None for row in rows) >= OFFERS_MIN
    ]
    return min(enough, key=_worth, default=[])


def _worth(rows: Sequence[Standing]) -> tuple[int, int, int, str]:
    first = rows[0]
    return (
        EVIDENCE_ORDER.index(Evidence(first.evidence)),
        -sum(row.price_id is not None for row in rows),
        headline_place(first.workload),
        first.workload,
    )


def _most_common(currencies: Sequence[str]) -> str:
    counts = Counter(currencies)
    return min(counts, key=lambda each: (-counts[each], each))


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


def _with_frontier(offers: Sequence[PricedPlan]) -> tuple[PricedPlan, ...]:
    """Say of each offer whether it is on the frontier, and else what beats it. Cheapest first."""
    marked: list[PricedPlan] = []
    best: PricedPlan | None = None
    for offer in offers:
        if offer.price.kind == PriceKind.SUPERSEDED:
            marked.append(offer)
        elif best is None or offer.rate_per_s > best.rate_per_s:
            best = replace(offer, is_on_frontier=True)
            marked.append(best)
        else:
            marked.append(replace(offer, beaten_by=best.name, is_close=_overlap(offer, best)))
    return tuple(marked)


def _overlap(slower: PricedPlan, faster: PricedPlan) -> bool:
    """Whether the interval of the slower one reaches that of the faster one, or its rate."""
    return (slower.high or slower.rate_per_s) >= (faster.low or faster.rate_per_s)
