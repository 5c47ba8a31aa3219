"""Boards as tables for other programs: rows and columns of the page, with units in the heads."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.conf import settings

from apps.pages.show.table.columns import Sort
from apps.rankings.versions.method import METHOD_VERSION
from apps.runs.trust.levels import evidence_of
from apps.runs.trust.licences import licence_of
from apps.spreadsheet import without_formula

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from apps.pages.show.table.columns import Column
    from apps.pages.show.table.row import Row

EXPORT_ROWS_MAX = 5_000  # what a spreadsheet opens without trouble; filters lead to the rest


@dataclass(frozen=True, slots=True)
class Field:
    """One column of an export: its name with the unit, and its value in a row."""

    name: str
    value: Callable[[Row], Any]


def fact(name: str, key: str = "") -> Field:
    """A field that is a fact of the row's standing."""
    return Field(name, lambda row: getattr(row.facts, key or name, None))


def run_fact(name: str) -> Field:
    """A field that is a fact of the row's run."""
    return Field(name, lambda row: getattr(row.run, name, None))


def _day(row: Row) -> str | None:
    moment = row.facts.measured_on if row.facts else None
    return moment.date().isoformat() if moment else None


def _useful_cost(row: Row) -> Decimal | None:
    """The monthly cost of 1,000 useful IOPS; None for commits, which have a cost per billion."""
    return row.cost.month_per_1000 if row.figures.p99_limit_ns is not None else None


def absolute(path: str) -> str:
    """The public address of a page of this site."""
    return f"{settings.SITE_URL}{path}" if path else ""


# Fields that identify a row; every export begins with them.
IDENTITY = (
    Field("key", lambda row: row.key),
    fact("evidence"),
    fact("workload"),
    fact("workload_version", "version"),
    fact("comparable_class"),
    Field("position", lambda row: row.number),
    Field("name", lambda row: row.name),
    Field("page", lambda row: absolute(row.url)),
    Field("about", lambda row: row.under),
    fact("region_group", "region"),
)
# Fields that say what a figure rests on; every export ends with them.
PROVENANCE = (
    Field("rate_low_per_s", lambda row: row.figures.low),
    Field("rate_high_per_s", lambda row: row.figures.high),
    fact("p99_low_ns"),
    fact("p99_high_ns"),
    fact("interval_is"),
    fact("interval_coverage", "coverage"),
    fact("n_runs"),
    fact("n_machines"),
    fact("n_uploaders"),
    Field("measured_on", _day),
    Field("newest_run", lambda row: absolute(row.evidence.run_url)),
    Field(
        "price_day", lambda row: row.cost.price.valid_from.isoformat() if row.cost.price else None
    ),
    Field("price_source", lambda row: row.cost.price.source if row.cost.price else None),
    Field("warning", lambda row: row.warning),
    fact("provider_slug"),
    fact("plan_slug"),
    fact("drive_slug"),
    fact("level"),
    Field("in_standings", lambda row: row.facts is not None and row.facts.tier is not None),
    fact("reason"),
    fact("method_version"),
    Field("licence", lambda row: licence_of(row.facts.evidence) if row.facts else None),
)
_COSTS = (
    Field("cost_per_billion", lambda row: row.cost.billion),
    Field("cost_month_per_1000_useful_iops", _useful_cost),
    Field("cost_currency", lambda row: row.cost.currency),
    Field("cost_of", lambda row: row.cost.note),
)
_PRICES = (
    Field("price_month", lambda row: _rounded(row.cost.price_month)),
    Field("price_currency", lambda row: row.cost.price.currency if row.cost.price else None),
)
_P99 = Field("p99_ns", lambda row: row.figures.p99_limit_ns or row.figures.p99_ns)
_FIELDS: dict[Sort, tuple[Field, ...]] = {
    Sort.RATE: (Field("rate_per_s", lambda row: row.figures.rate_per_s), _P99),
    Sort.INTERVAL: (),  # PROVENANCE has both ends, the counts and the day
    Sort.P50: (Field("p50_ns", lambda row: row.figures.p50_ns),),
    Sort.P99: (_P99,),
    Sort.P999: (fact("p999_ns"),),
    Sort.COST: _COSTS,
    Sort.PRICE: _PRICES,
    Sort.UPLOADERS: (),
    Sort.MACHINES: (),
    Sort.RUNS: (),
    Sort.TIER: (fact("tier"), fact("rank_low"), fact("rank_high")),
    Sort.LEVEL: (),
    Sort.PROVIDER: (fact("provider"),),
    Sort.KIND: (fact("kind"),),
    Sort.REGION: (fact("region"),),
    Sort.STORAGE: (fact("storage"),),
    Sort.DRIVE: (fact("drive"),),
    Sort.PLP: (fact("plp"),),
    Sort.CPU: (fact("cpu"),),
    Sort.CORES: (fact("vcpus"),),
    Sort.RAM: (fact("ram_gb"),),
    Sort.ARCH: (fact("arch"),),
    Sort.RATED: (fact("rated_random_writes_per_s", "rated_write_iops"),),
    Sort.INTERFACE: (fact("interface"),),
    Sort.MEASURED: (),
}


def _rounded(value: Any) -> Any:
    return None if value is None else round(value, 4)


# The list of runs has columns of its own.
RUN_FIELDS = (
    Field("run", lambda row: row.on.removeprefix("run:")),
    Field("page", lambda row: absolute(row.url)),
    Field("level", lambda row: row.evidence.level),
    Field("name", lambda row: row.name),
    Field("about", lambda row: row.under),
    Field("workload", lambda row: row.workload),
    Field("rate_per_s", lambda row: row.figures.rate_per_s),
    Field("rate_low_per_s", lambda row: row.figures.low),
    Field("rate_high_per_s", lambda row: row.figures.high),
    Field("p50_ns", lambda row: row.figures.p50_ns),
    Field("p99_ns", lambda row: row.figures.p99_ns),
    Field("measured_on", lambda row: row.evidence.when),
    Field("evidence", lambda row: evidence_of(row.evidence.level)),
    Field("keeps_out", lambda row: row.evidence.keeps_out),
    run_fact("provider"),
    run_fact("plan"),
    run_fact("drive"),
    Field("labels", lambda row: " ".join(row.run.labels) if row.run else None),
    run_fact("in_standings"),
    run_fact("reason"),
    Field("method_version", lambda _row: METHOD_VERSION),
    Field("licence", lambda row: licence_of(row.evidence.level)),
)


def fields_of(columns: Iterable[Column]) -> tuple[Field, ...]:
    """The fields of an export with these columns, in order."""
    fields = dict.fromkeys(field for column in columns for field in _FIELDS[column.key])
    return (*IDENTITY, *fields, *PROVENANCE)


def as_records(rows: Iterable[Row], fields: Sequence[Field]) -> list[dict[str, Any]]:
    """Rows as objects for JSON; a missing value is null."""
    return [
        {each.name: _figure(_without_marks(each.value(row))) for each in fields} for row in rows
    ]


def csv_lines(rows: Iterable[Row], fields: Sequence[Field]) -> Iterator[str]:
    """Rows as lines of CSV (RFC 4180) after a head, all of it quoted; a missing value is empty."""
    yield _line([each.name for each in fields])
    for row in rows:
        yield _line([without_formula(_without_marks(each.value(row))) for each in fields])


def _without_marks(value: Any) -> Any:
    """The value with plain spaces for the no-break spaces of pages; None for empty text."""
    if isinstance(value, str):
        return value.replace("\u00a0", " ") or None
    return value


def _figure(value: Any) -> Any:
    """A number in a type that JSON knows."""
    return float(value) if isinstance(value, Decimal) else value


def _line(values: list[Any]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, quoting=csv.QUOTE_ALL).writerow(values)
    return buffer.getvalue()
