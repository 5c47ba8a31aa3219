"""What the standing of a plan costs, by the price that counts there."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from apps.plans.models import Price
from apps.rankings.cost import cost_per_billion, pick_price, price_month_per_1000
from apps.rankings.standings.cells import CellSubject
from apps.rankings.standings.drafts import place_of_all
from apps.wire.suites import p99_limit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.rankings.standings.drafts import Draft


def set_cost(draft: Draft, prices: Sequence[Price]) -> None:
    """Set the price that counts, and the cost of durable commits of one writer or useful IOPS."""
    standing = draft.standing
    price = pick_price(prices, region=place_of_all(draft.points))
    if price is None:
        return
    standing.price, standing.currency = price, price.currency
    rate, is_useful = standing.rate_per_s, p99_limit_of(standing.workload, version=standing.version)
    if standing.is_durable_single_writer:
        standing.cost_per_billion = cost_per_billion(price, rate_per_s=rate)
    if standing.is_durable_single_writer or is_useful:
        standing.price_month_per_1000 = price_month_per_1000(price, rate_per_s=rate)


def prices_of(drafts: Sequence[Draft]) -> dict[str, list[Price]]:
    """Return all prices of the plans that these drafts are of, by slug."""
    plans = {draft.key.slug for draft in drafts if draft.key.subject is CellSubject.PLAN}
    prices: dict[str, list[Price]] = defaultdict(list)
    for price in Price.objects.filter(plan_id__in=plans):
        prices[price.plan_id].append(price)
    return prices
