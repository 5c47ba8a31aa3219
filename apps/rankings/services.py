"""Writes standings: the cells that runs touch, or all of them.

One transaction a refresh. Two workers that refresh one cell at once take turns (advisory locks,
in one order, held until COMMIT), and the later one sees what the earlier one wrote, so the last
word always rests on all committed runs.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.db.models import Q

from apps.plans.models import Plan, Price
from apps.rankings.cells import CellKey, Point, Subject, in_window, region_of, standing_of
from apps.rankings.cost import cost_per_billion, pick_price, price_month_per_1000
from apps.rankings.models import Standing, StandingRun
from apps.rankings.points import (
    CELL_FIELDS,
    all_keys,
    curves_of,
    key_of,
    keys_of_runs,
    points_of,
)
from apps.rankings.providers import ProviderKey, refresh_providers
from apps.runs.locks import can_share, hold_alone, hold_shared

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from uuid import UUID

_LOCK_SPACE: Final = "fsyncmark.rankings"
_BATCH: Final = 500  # rows a statement: 25 columns each stay below a megabyte of SQL
_UPDATED: Final = tuple(
    field.name for field in Standing._meta.concrete_fields if field.name not in ("id", *CELL_FIELDS)
)


@transaction.atomic
def refresh_cells(*, run_ids: Iterable[UUID]) -> None:
    """Compute again the cells that these runs touch or left, and the providers of those cells.

    Call it after the runs are committed: a rebuild holds the standings first and then the runs.
    """
    _refresh_alone(keys_of_runs(run_ids))


def _refresh_alone(keys: set[CellKey]) -> None:
    """Compute these cells while nobody else computes one of them."""
    if not keys:
        return
    providers = _provider_keys(keys)
    hold_shared(_LOCK_SPACE)
    for name in sorted(map(repr, keys)) + sorted(map(repr, providers)):
        hold_alone(f"{_LOCK_SPACE}/{name}")
    _refresh(keys)
    refresh_providers(providers)


@transaction.atomic
def refresh_plans(slugs: Iterable[str]) -> None:
    """Compute again every cell of these plans, as when their prices changed."""
    wanted = set(slugs)
    keys = {key for key in all_keys() if key.subject is Subject.PLAN and key.slug in wanted}
    _refresh_alone(keys)


@transaction.atomic
def refresh_all() -> None:
    """Compute every cell and every provider again, and drop the cells that have no run left."""
    hold_all_standings()
    _refresh(all_keys())
    refresh_providers(None)


def hold_all_standings() -> None:
    """Keep every other refresh waiting until this transaction ends.

    To be called first of all where a transaction changes standings by other ways than a refresh:
    taken later, the lock could wait for a refresh that waits for this transaction's rows.
    """
    hold_alone(_LOCK_SPACE)


def standings_are_held() -> bool:
    """Whether a refresh would have to wait now, until a rebuild or a load of the catalogue ends."""
    return not can_share(_LOCK_SPACE)


def _refresh(keys: set[CellKey]) -> None:
    points = {key: in_window(key, found) for key, found in points_of(keys).items()}
    standings, drawn_by = [], {}
    prices = _prices(points)
    for key in sorted(points):
        standing, latency_id = standing_of(key, points[key])
        if key.subject is Subject.PLAN:
            _set_cost(standing, points[key], prices[key.slug])
        standings.append(standing)
        drawn_by[key] = latency_id
    curves = curves_of(latency_id for latency_id in drawn_by.values() if latency_id)
    for standing in standings:
        standing.curve = curves.get(drawn_by[key_of(standing)] or 0, [])
    _write(keys, standings)
    _write_counted(standings, points)


def _write(keys: set[CellKey], standings: list[Standing]) -> None:
    """Put the standings in place of those that the cells have; keep the rows of those that stay."""
    plans = {key.slug for key in keys if key.subject is Subject.PLAN}
    drives = {key.slug for key in keys if key.subject is Subject.DRIVE}
    rows = Standing.objects.filter(
        Q(plan_id__in=plans) | Q(drive_family_id__in=drives),
        workload__in={key.workload for key in keys},
    )
    present = {key_of(row): row.pk for row in rows.only(*CELL_FIELDS) if key_of(row) in keys}
    stay, come = [], []
    for standing in standings:
        pk = present.pop(key_of(standing), None)
        if pk is None:
            come.append(standing)
        else:
            standing.pk = pk
            stay.append(standing)
    Standing.objects.filter(pk__in=present.values()).delete()
    Standing.objects.bulk_create(come, batch_size=_BATCH)
    # an upsert by number: bulk_update compares every row with every other one
    Standing.objects.bulk_create(
        stay,
        batch_size=_BATCH,
        update_conflicts=True,
        unique_fields=("id",),
        update_fields=_UPDATED,
    )


def _write_counted(standings: Sequence[Standing], points: dict[CellKey, list[Point]]) -> None:
    """Note which runs each standing rests on; what stays as it was is not written again."""
    noted = StandingRun.objects.filter(standing__in=standings)
    present = {
        (standing, run_id): pk
        for standing, run_id, pk in noted.values_list("standing_id", "run_id", "pk")
    }
    wanted = {
        (standing.pk, point.run_id) for standing in standings for point in points[key_of(standing)]
    }
    gone = [pk for pair, pk in present.items() if pair not in wanted]
    StandingRun.objects.filter(pk__in=gone).delete()
    StandingRun.objects.bulk_create(
        (
            StandingRun(standing_id=standing, run_id=run_id)
            for standing, run_id in sorted(wanted - present.keys())
        ),
        batch_size=_BATCH,
    )


def _prices(cells: dict[CellKey, list[Point]]) -> dict[str, list[Price]]:
    plans = {key.slug for key in cells if key.subject is Subject.PLAN}
    prices: dict[str, list[Price]] = defaultdict(list)
    for price in Price.objects.filter(plan_id__in=plans):
        prices[price.plan_id].append(price)
    return prices


def _set_cost(standing: Standing, points: Sequence[Point], prices: Sequence[Price]) -> None:
    """Set the price that counts and, where a commit is durable and alone, what commits cost."""
    price = pick_price(prices, region=region_of(points))
    if price is None:
        return
    standing.price, standing.currency = price, price.currency
    if standing.is_durable_single_writer:
        rate = standing.rate_per_s
        standing.cost_per_billion = cost_per_billion(price, rate_per_s=rate)
        standing.price_month_per_1000 = price_month_per_1000(price, rate_per_s=rate)


def _provider_keys(keys: set[CellKey]) -> set[ProviderKey]:
    plans = {key.slug for key in keys if key.subject is Subject.PLAN}
    provider_of = dict(Plan.objects.filter(pk__in=plans).values_list("pk", "provider_id"))
    return {
        ProviderKey(provider_of[key.slug], key.evidence, key.workload, key.version)
        for key in keys
        if key.subject is Subject.PLAN
    }
