"""The smaller tables of a dump: plans, prices, drives, standings, labels, what was deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from django.db import models

from apps.drives.models import DriveFamily
from apps.plans.models import ExchangeRate, Plan, Price
from apps.rankings.dumps.tables import (
    DAY,
    FLAG,
    MOMENT,
    RATE,
    TEXT,
    TEXTS,
    WHOLE,
    DumpColumn,
    DumpTable,
    write_all,
)
from apps.rankings.models import Standing
from apps.runs.models import Tombstone
from apps.runs.selectors import known_plans

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_STANDING_LISTS: Final = ("points", "kinds", "curve")  # as JSON: they are of several shapes


def _type_of(field: models.Field[Any, Any]) -> pa.DataType:
    """Return the type of a column of the database."""
    if isinstance(field, models.ForeignKey):
        return _type_of(field.target_field)
    if isinstance(field, models.DecimalField):
        return pa.decimal128(field.max_digits, field.decimal_places)
    for kind, found in (
        (models.BooleanField, FLAG),
        (models.IntegerField, WHOLE),
        (models.FloatField, RATE),
        (models.DateTimeField, MOMENT),
        (models.DateField, DAY),
        (models.JSONField, TEXTS),
    ):
        if isinstance(field, kind):
            return found
    return TEXT


def _columns(model: type[models.Model], names: tuple[str, ...]) -> tuple[DumpColumn, ...]:
    """Return columns that have the names and the types of the database's."""
    fields = {field.name: field for field in model._meta.concrete_fields}
    return tuple(DumpColumn(name, _type_of(fields[name])) for name in names)


PLANS: Final = DumpTable(
    "plans",
    "What can be rented, and machines as their owners named them (is_listed false).",
    _columns(
        Plan,
        (
            "slug", "provider", "name", "is_listed", "kind", "cpu", "vcpus", "ram_gb",
            "storage_description", "storage_kind", "is_ephemeral", "is_component", "is_retired",
            "drive_count", "drive_gb", "arch", "regions", "source",
        ),
    ),
    key=("slug",),
)  # fmt: skip
PRICES: Final = DumpTable(
    "prices",
    "List prices as a source stated them on a day, with those of the past. Nothing is converted.",
    _columns(
        Price,
        (
            "plan", "region", "currency", "amount", "period", "setup_fee", "valid_from", "unit",
            "term_months", "kind", "includes", "source", "is_disputed",
        ),
    ),
    key=("plan", "region", "currency", "amount", "period", "valid_from", "includes"),
)  # fmt: skip
RATES: Final = DumpTable(
    "rates",
    "What one euro was worth on the newest day, by the European Central Bank.",
    _columns(ExchangeRate, ("day", "currency", "per_euro")),
    key=("day", "currency"),
)
DRIVES: Final = DumpTable(
    "drives",
    "Families of drives, with what their makers state.",
    _columns(
        DriveFamily,
        (
            "slug", "name", "vendor", "kind", "segment", "interface", "protocol_generation",
            "form_factor", "nand", "dram", "plp", "released", "capacities_gb",
            "rated_seq_read_mbps", "rated_seq_write_mbps", "rated_rand_read_iops",
            "rated_rand_write_iops", "endurance_dwpd", "ladder_class", "source",
        ),
    ),
    key=("slug",),
)  # fmt: skip
_LEFT_OUT: Final = frozenset({"id", "price", *_STANDING_LISTS})
STANDINGS: Final = DumpTable(
    "standings",
    "One row a cell and kind of storage: its figures, intervals, ranks and costs.",
    _columns(
        Standing,
        tuple(
            field.name for field in Standing._meta.concrete_fields if field.name not in _LEFT_OUT
        ),
    ),
    key=("plan", "drive_family", "evidence", "workload", "version", "region_group", "variant"),
)
TOMBSTONES: Final = DumpTable(
    "tombstones",
    "Runs that were deleted: take them out of your copies, please.",
    (DumpColumn("run_id", TEXT), *_columns(Tombstone, ("deleted_at", "by_owner", "reason"))),
    key=("run_id",),
)
LISTS: Final = (PLANS, PRICES, RATES, DRIVES, STANDINGS, TOMBSTONES)


def write_lists(folder: Path) -> dict[str, int]:
    """Write all of these, and return how many rows each has."""
    return {each.name: write_all(folder, each, _rows(each)) for each in LISTS}


def _rows(table: DumpTable) -> Iterator[dict[str, Any]]:
    """Yield the rows of a table in the order of its key."""
    newest = ExchangeRate.objects.order_by("-day").values("day")[:1]
    rows: models.QuerySet[Any] = {
        PLANS.name: known_plans(),
        PRICES.name: Price.objects.filter(plan__in=known_plans()),
        RATES.name: ExchangeRate.objects.filter(day=models.Subquery(newest)),
        DRIVES.name: DriveFamily.objects.all(),
        STANDINGS.name: Standing.objects.all(),
        TOMBSTONES.name: Tombstone.objects.all(),
    }[table.name]
    names = [each.name for each in table.columns]
    for row in rows.order_by(*table.key).values(*names):
        yield {name: str(value) if name == "run_id" else value for name, value in row.items()}
