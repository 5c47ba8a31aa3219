"""The best plan of a provider and its cheapest per commit. A provider has no rate of its own."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from apps.plans.models import Plan, PriceKind
from apps.plans.prices.currencies import EURO, RatesError
from apps.plans.prices.rates import current_rates
from apps.rankings.models import ProviderStanding, Standing
from apps.rankings.standings.cells import CellSubject

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from apps.plans.prices.currencies import RateTable
    from apps.rankings.standings.cells import CellKey


# The columns that decide: the provider Home has thousands of standings, so no curves or texts.
_COMPARED: Final = (
    "evidence", "workload", "version", "region_group", "variant", "rate_per_s",
    "order_rate_per_s", "tier", "currency", "cost_per_billion", "plan__provider_id", "price__kind",
)  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class ProviderKey:
    """A provider, one kind of evidence, and one version of one workload."""

    provider: str
    evidence: str
    workload: str
    version: int


def provider_keys(keys: Iterable[CellKey]) -> set[ProviderKey]:
    """Return the providers of plans; a plan that was removed after its mark has none."""
    of_plans = [key for key in keys if key.subject is CellSubject.PLAN]
    plans = Plan.objects.filter(pk__in={key.slug for key in of_plans})
    provider_of = dict(plans.values_list("pk", "provider_id"))
    return {
        ProviderKey(provider_of[key.slug], key.evidence, key.workload, key.version)
        for key in of_plans
        if key.slug in provider_of
    }


def refresh_providers(keys: set[ProviderKey] | None) -> None:
    """Compute these provider standings again from the plans' standings; all of them for None."""
    plans = Standing.objects.filter(plan__isnull=False).select_related("plan", "price")
    present = ProviderStanding.objects.all()
    if keys is not None:
        providers = {key.provider for key in keys}
        workloads = {key.workload for key in keys}
        plans = plans.filter(plan__provider_id__in=providers, workload__in=workloads)
        present = present.filter(provider_id__in=providers, workload__in=workloads)
    of_keys = [
        standing
        for standing in plans.only(*_COMPARED).order_by("pk")
        if keys is None or _key_of(standing) in keys
    ]
    old = [row.pk for row in present if keys is None or _key_of_row(row) in keys]
    ProviderStanding.objects.filter(pk__in=old).delete()
    ProviderStanding.objects.bulk_create(provider_standings(of_keys, current_rates()))


def provider_standings(plans: Iterable[Standing], rates: RateTable) -> list[ProviderStanding]:
    """Return the standings of providers, unsaved, by those of their plans."""
    by_key: dict[ProviderKey, list[Standing]] = defaultdict(list)
    for standing in plans:
        by_key[_key_of(standing)].append(standing)
    return [_provider_standing(key, by_key[key], rates) for key in sorted(by_key)]


def best_of(standings: Sequence[Standing]) -> Standing:
    """Return the standing that comes first on its board: ranked ones before the others.

    Of equals the first by address.
    """
    return min(
        standings,
        key=lambda row: (
            row.tier is None,
            -(row.order_rate_per_s or row.rate_per_s),
            row.plan_id or "",
            row.region_group,
            row.variant,
        ),
    )


def cheapest_of(standings: Sequence[Standing], rates: RateTable) -> Standing | None:
    """Return the cheapest per commit at a price of today, ranked ones before the others.

    What cannot be had any more at its price comes after all that can. None without a cost.

    Compared in euro by the newest rates that are stored. A currency without one comes last.
    """
    priced = [row for row in standings if row.cost_per_billion is not None]
    return min(
        priced,
        key=lambda row: (
            row.price is not None and row.price.kind == PriceKind.SUPERSEDED,
            row.tier is None,
            _in_euro(row, rates),
            row.plan_id or "",
            row.region_group,
            row.variant,
        ),
        default=None,
    )


def _in_euro(row: Standing, rates: RateTable) -> Decimal:
    try:
        return rates.convert(row.cost_per_billion or Decimal(0), source=row.currency, target=EURO)
    except RatesError:
        return Decimal("Infinity")


def _provider_standing(
    key: ProviderKey, standings: Sequence[Standing], rates: RateTable
) -> ProviderStanding:
    return ProviderStanding(
        provider_id=key.provider,
        evidence=key.evidence,
        workload=key.workload,
        version=key.version,
        best=best_of(standings),
        cheapest=cheapest_of(standings, rates),
        n_plans=len({row.plan_id for row in standings}),
    )


def _key_of_row(row: ProviderStanding) -> ProviderKey:
    return ProviderKey(row.provider_id, row.evidence, row.workload, row.version)


def _key_of(standing: Standing) -> ProviderKey:
    plan = standing.plan
    provider = plan.provider_id if plan else ""
    return ProviderKey(provider, standing.evidence, standing.workload, standing.version)
