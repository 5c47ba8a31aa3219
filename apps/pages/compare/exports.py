"""A comparison as rows for a program: one for each figure of each thing."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from apps.pages.compare.differences import Comparative
from apps.spreadsheet import without_formula

if TYPE_CHECKING:
    from apps.pages.compare.table import MeasureCell, MeasureRow
    from apps.pages.compare.things import Shape, Thing

COLUMNS = (
    "on", "name", "measure", "unit", "value", "low", "high", "ratio_to_base", "against_base",
    "is_base", "workload", "version", "evidence", "level", "n_uploaders", "n_machines", "n_runs",
    "measured_at", "interval", "currency", "source",
)  # fmt: skip

ExportRow = dict[str, "str | int | float | bool | None"]


def rows_of(lines: Iterable[MeasureRow], shape: Shape | None, site_url: str) -> list[ExportRow]:
    """Every figure that is known, in the order of the page. SI units: nanoseconds, per second."""
    return [
        row_of(line, cell, shape, site_url)
        for line in lines
        for cell in line.cells
        if cell.number is not None
    ]


def row_of(line: MeasureRow, cell: MeasureCell, shape: Shape | None, site_url: str) -> ExportRow:
    """One figure with what stands behind it."""
    thing, figures, against = cell.thing, cell.thing.figures, cell.difference
    shape = figures.shape if figures else shape
    is_known = against.outcome != Comparative.UNKNOWN
    is_money = line.unit == "currency"
    factor = float(thing.per_euro) if is_money and thing.per_euro else 1.0
    return {
        "on": str(thing.ref),
        "name": thing.name,
        "measure": line.key,
        "unit": thing.currency if is_money else line.unit,
        "value": scaled(cell.number, factor),
        "low": scaled(cell.low, factor),
        "high": scaled(cell.high, factor),
        "ratio_to_base": round(against.ratio, 6) if against.ratio else None,
        "against_base": against.outcome.value if is_known else None,
        "is_base": cell.is_base,
        "workload": shape.workload if shape else None,
        "version": shape.version if shape else None,
        "evidence": shape.evidence if shape else None,
        "level": figures.level if figures else None,
        "n_uploaders": figures.n_uploaders if figures else None,
        "n_machines": figures.n_machines if figures else None,
        "n_runs": figures.n_runs if figures else None,
        "measured_at": figures.measured_at.isoformat() if figures and figures.measured_at else None,
        "interval": figures.interval if figures and cell.low is not None else None,
        "currency": thing.currency or None,
        "source": site_url + thing.url,
    }


def scaled(value: float | None, factor: float) -> float | None:
    """A figure in the unit that its row names: amounts with a rate were compared in euro."""
    return None if value is None else round(value * factor, 4)


def as_csv(rows: Iterable[ExportRow]) -> str:
    """The rows under one line of heads, none of whose cells a spreadsheet runs as a formula."""
    buffer = io.StringIO()
    writer = csv.DictWriter(buffer, fieldnames=COLUMNS, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for row in rows:
        writer.writerow({name: without_formula(value) for name, value in row.items()})
    return buffer.getvalue()


def document_of(
    things: Sequence[Thing], base: Thing | None, rows: Sequence[ExportRow], address: str
) -> dict[str, object]:
    """The rows of a comparison as one JSON document."""
    return {
        "page": address,
        "base": str(base.ref) if base else None,
        "things": [
            {"on": str(thing.ref), "name": thing.name, "is_measured": thing.figures is not None}
            for thing in things
        ],
        "figures": list(rows),
    }
