"""What a provider shows: its best plan and its cheapest per commit. It has no rate of its own."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.rankings.models import ProviderStanding, Standing

if TYPE_CHECKING:
    from collections.abc import Sequence


# What decides of a standing, of thousands below Home: neither curves nor texts.
_COMPARED: Final = (
    "evidence", "workload", "version", "region_group", "variant", "rate_per_s",
    "order_rate_per_s", "needs_runs", "currency", "cost_per_billion", "plan__provider_id",
)  # fmt: skip


@dataclass(frozen=True, slots=True, order=True)
class ProviderKey:
    """A provider, one kind of evidence, and one version of one workload."""

    provider: str
    evidence: str
    workload: str
    version: int


def refresh_providers(keys: set[ProviderKey] | None) -> None:
    """Compute these provider standings again from the plans' standings; all of them for None."""
    plans = Standing.objects.filter(plan__isnull=False).select_related("plan")
    present = ProviderStanding.objects.all()
    if keys is not None:
        providers = {key.provider for key in keys}
        workloads = {key.workload for key in keys}
        plans = plans.filter(plan__provider_id__in=providers, workload__in=workloads)
        present = present.filter(provider_id__in=providers, workload__in=workloads)
    by_key: dict[ProviderKey, list[Standing]] = defaultdict(list)
    for standing in plans.only(*_COMPARED).order_by("pk"):
        key = _key_of(standing)
        if keys is None or key in keys:
            by_key[key].append(standing)
    old = [row.pk for row in present if keys is None or _key_of_row(row) in keys]
    ProviderStanding.objects.filter(pk__in=old).delete()
    ProviderStanding.objects.bulk_create(
        _provider_standing(key, by_key[key]) for key in sorted(by_key)
    )


def best_of(standings: Sequence[Standing]) -> Standing:
    """Return the standing that comes first on its board: ranked ones before those that need runs.

    Of equals the first by address.
    """
    return min(
        standings,
        key=lambda row: (
            row.needs_runs,
            -(row.order_rate_per_s or row.rate_per_s),
            row.plan_id or "",
            row.region_group,
            row.variant,
        ),
    )


def cheapest_of(standings: Sequence[Standing]) -> Standing | None:
    """Return the cheapest per commit, or None without a cost.

    Currencies are not converted: of several the one that most plans are priced in is compared.
    """
    priced = [row for row in standings if row.cost_per_billion is not None]
    if not priced:
        return None
    uses = Counter(row.currency for row in priced)
    currency = min(uses, key=lambda name: (-uses[name], name))
    return min(
        (row for row in priced if row.currency == currency),
        key=lambda row: (
            row.cost_per_billion,
            row.plan_id or "",
            row.region_group,
            row.variant,
        ),
    )


def _provider_standing(key: ProviderKey, standings: Sequence[Standing]) -> ProviderStanding:
    return ProviderStanding(
        provider_id=key.provider,
        evidence=key.evidence,
        workload=key.workload,
        version=key.version,
        best=best_of(standings),
        cheapest=cheapest_of(standings),
        n_plans=len({row.plan_id for row in standings}),
    )


def _key_of_row(row: ProviderStanding) -> ProviderKey:
    return ProviderKey(row.provider_id, row.evidence, row.workload, row.version)


def _key_of(standing: Standing) -> ProviderKey:
    plan = standing.plan
    provider = plan.provider_id if plan else ""
    return ProviderKey(provider, standing.evidence, standing.workload, standing.version)
