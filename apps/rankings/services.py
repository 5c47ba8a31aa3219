"""Writes standings: the cells that runs touch, or all of them.

One transaction a refresh. Two workers that refresh one cell at once take turns (advisory locks,
in one order, held until COMMIT), and the later one sees what the earlier one wrote, so the last
word always rests on all committed runs.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

from django.db import connection, transaction

from apps.plans.models import Plan, Price
from apps.rankings.cells import CellKey, Point, Subject, region_of, standing_of
from apps.rankings.cost import cost_per_billion, pick_price, price_month_per_1000
from apps.rankings.models import Standing
from apps.rankings.points import all_keys, curves_of, keys_of_runs, points_of
from apps.rankings.providers import ProviderKey, refresh_providers

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from uuid import UUID

_LOCK_SPACE: Final = "fsyncmark.rankings"
_KEY_COLUMNS: Final = ("plan_id", "drive_family_id", "evidence", "workload", "version")
_UPDATED: Final = tuple(
    field.name
    for field in Standing._meta.concrete_fields
    if field.attname not in ("id", *_KEY_COLUMNS)
)


@transaction.atomic
def refresh_cells(*, run_ids: Iterable[UUID]) -> None:
    """Compute again the cells that these runs touch and the providers of those cells.

    Call it after the runs are committed or in the transaction that writes them.
    """
    keys = keys_of_runs(run_ids)
    if not keys:
        return
    providers = _provider_keys(keys)
    _lock_all(exclusively=False)
    _lock_each(sorted(map(repr, keys)) + sorted(map(repr, providers)))
    _refresh(keys)
    refresh_providers(providers)


@transaction.atomic
def refresh_all() -> None:
    """Compute every cell and every provider again, and drop the cells that have no run left."""
    hold_all_standings()
    keys = all_keys() | {_key_of(standing) for standing in Standing.objects.all()}
    _refresh(keys)
    refresh_providers(None)


def hold_all_standings() -> None:
    """Keep every other refresh waiting until this transaction ends.

    To be called first of all where a transaction changes standings by other ways than a refresh:
    taken later, the lock could wait for a refresh that waits for this transaction's rows.
    """
    _lock_all(exclusively=True)


def _lock_all(*, exclusively: bool) -> None:
    """Refreshes of cells go on side by side; a refresh of everything has the tables to itself."""
    function = "pg_advisory_xact_lock" if exclusively else "pg_advisory_xact_lock_shared"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [_LOCK_SPACE])


def _lock_each(names: Sequence[str]) -> None:
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(
                "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"{_LOCK_SPACE}/{name}"]
            )


def _refresh(keys: set[CellKey]) -> None:
    points = points_of(keys)
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
        standing.curve = curves.get(drawn_by[_key_of(standing)] or 0, [])
    _write(keys, standings)


def _write(keys: set[CellKey], standings: list[Standing]) -> None:
    """Put the standings in place of those that the cells have; keep the rows of those that stay."""
    rows = Standing.objects.filter(workload__in={key.workload for key in keys})
    present = {_key_of(row): row.pk for row in rows.only(*_KEY_COLUMNS) if _key_of(row) in keys}
    stay, come = [], []
    for standing in standings:
        pk = present.pop(_key_of(standing), None)
        if pk is None:
            come.append(standing)
        else:
            standing.pk = pk
            stay.append(standing)
    Standing.objects.filter(pk__in=present.values()).delete()
    Standing.objects.bulk_update(stay, _UPDATED)
    Standing.objects.bulk_create(come)


def _key_of(standing: Standing) -> CellKey:
    subject = Subject.PLAN if standing.plan_id else Subject.DRIVE
    slug = standing.plan_id or standing.drive_family_id or ""
    return CellKey(subject, slug, standing.evidence, standing.workload, standing.version)


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
