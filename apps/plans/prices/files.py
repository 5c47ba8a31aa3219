"""Reads a file of list prices of a contributor; docs/prices.md has the columns."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Final

from apps.plans.catalogue import plan_slug
from apps.plans.models import Price, PriceKind, PriceUnit
from apps.plans.prices.currencies import is_code

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

COLUMNS: Final = (
    "provider", "plan", "region", "currency", "amount", "period", "setup_fee", "valid_from",
    "unit", "term_months", "kind", "includes", "source",
)  # fmt: skip
ROWS_MAX: Final = 20_000  # thirty times the catalogue; more at once is a mistake
TEXT_CHARACTERS_MAX: Final = 500  # of includes and source, which people read in a table
AMOUNT_MAX: Final = Decimal(1_000_000)  # a month of the dearest plan listed is 40,000
_AMOUNT_STEP: Final = Decimal("0.000001")
_FEE_STEP: Final = Decimal("0.01")
TERM_MONTHS_MAX: Final = 120  # ten years; nobody sells longer terms
_REGION_CHARACTERS_MAX: Final = 64


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one line of the file, and what would be right."""

    line: int
    text: str

    def __str__(self) -> str:
        """Return one line for a terminal."""
        return f"line {self.line}: {self.text}"


class PriceFileError(ValueError):
    """The file is refused; `problems` has each line that is wrong."""

    def __init__(self, problems: list[Problem]) -> None:
        """Keep the problems, and say them as one text."""
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


def read_price_file(text: str, *, plans: Collection[str], today: date) -> list[Price]:
    """Return the prices of a file, unsaved. `plans` are the slugs of the stored plans.

    Raises PriceFileError with every line that is wrong; such a file is refused as a whole.
    """
    reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline=""))
    _check_header(reader.fieldnames)
    prices: list[Price] = []
    problems: list[Problem] = []
    try:
        for row in reader:
            if len(prices) + len(problems) >= ROWS_MAX:
                raise PriceFileError([Problem(reader.line_num, f"more than {ROWS_MAX:,} prices")])
            try:
                prices.append(_price(row, plans=plans, today=today))
            except ValueError as error:
                problems.append(Problem(reader.line_num, str(error)))
    except csv.Error as error:
        problems.append(Problem(reader.line_num, f"no CSV: {error}"))
    if problems:
        raise PriceFileError(problems)
    return prices


def _check_header(names: object) -> None:
    if not isinstance(names, (list, tuple)) or tuple(names) != COLUMNS:
        raise PriceFileError([Problem(1, f"the columns must be {','.join(COLUMNS)}")])


def _price(row: dict[str, str | None], *, plans: Collection[str], today: date) -> Price:
    if None in row or None in row.values():
        raise ValueError(f"{len(COLUMNS)} columns are needed; put commas inside a cell in quotes")
    cells = {name: (cell or "").strip() for name, cell in row.items()}
    slug = plan_slug(provider=cells["provider"], plan=cells["plan"])
    if slug not in plans:
        raise ValueError(
            f"no plan is called {cells['provider']} {cells['plan']!r} here; add it to plans.csv"
        )
    return Price(
        plan_id=slug,
        region=_region(cells["region"]),
        currency=_currency(cells["currency"]),
        amount=_amount(cells["amount"]).quantize(_AMOUNT_STEP),
        period=_period(cells["period"]),
        setup_fee=_fee(cells["setup_fee"]),
        valid_from=_day(cells["valid_from"], today=today),
        unit=_one_of(cells, "unit", PriceUnit.values),
        term_months=_term(cells["term_months"]),
        kind=_one_of(cells, "kind", PriceKind.values),
        includes=_text(cells, "includes"),
        source=_source(cells),
        is_shipped=False,
    )


def _amount(cell: str) -> Decimal:
    try:
        amount = Decimal(cell)
    except InvalidOperation:
        amount = Decimal("NaN")
    if not amount.is_finite() or not 0 <= amount <= AMOUNT_MAX:
        raise ValueError(f"amount {cell[:20]!r} must be a number like 37.30, up to {AMOUNT_MAX:,}")
    return amount


def _fee(cell: str) -> Decimal | None:
    return _amount(cell).quantize(_FEE_STEP) if cell else None


def _currency(cell: str) -> str:
    if not is_code(cell):
        raise ValueError(f"currency {cell[:20]!r} must be three letters of ISO 4217, like EUR")
    return cell


def _period(cell: str) -> str:
    if cell not in Price.Period.values:
        raise ValueError(f"period {cell[:20]!r} must be hour or month")
    return cell


def _one_of(cells: dict[str, str], name: str, allowed: Sequence[str]) -> str:
    if cells[name] not in ("", *allowed):
        raise ValueError(
            f"{name} {cells[name][:20]!r} must be empty or one of {', '.join(allowed)}"
        )
    return cells[name]


def _term(cell: str) -> int | None:
    if not cell:
        return None
    if not (cell.isascii() and cell.isdecimal() and 1 <= int(cell) <= TERM_MONTHS_MAX):
        raise ValueError(
            f"term_months {cell[:20]!r} must be empty or a number of months, up to "
            f"{TERM_MONTHS_MAX}"
        )
    return int(cell)


def _region(cell: str) -> str:
    if len(cell) > _REGION_CHARACTERS_MAX:
        raise ValueError(f"region is longer than {_REGION_CHARACTERS_MAX} characters")
    return cell


def _day(cell: str, *, today: date) -> date:
    try:
        day = date.fromisoformat(cell)
    except ValueError:
        raise ValueError(f"valid_from {cell[:20]!r} must be a day like 2026-06-15") from None
    if day > today:
        raise ValueError(f"valid_from {day} is ahead: add the price when it holds")
    return day


def _text(cells: dict[str, str], name: str) -> str:
    if len(cells[name]) > TEXT_CHARACTERS_MAX:
        raise ValueError(f"{name} is longer than {TEXT_CHARACTERS_MAX} characters")
    return cells[name]


def _source(cells: dict[str, str]) -> str:
    source = _text(cells, "source")
    if not source:
        raise ValueError("source is empty: say where others can see this price")
    return source
