"""What stands in each cell of a board: a figure, and what must be said below it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.pages.show import dates, phrases, units, words
from apps.pages.show.figures import (
    latency,
    number,
    rate,
    stale,
)
from apps.pages.show.list_prices import list_price, volume_month
from apps.pages.show.table.cell import TableCell
from apps.pages.show.table.columns import COLUMNS, Sort
from apps.plans.models import PriceKind
from apps.rankings.cost import DEFAULT_CAPACITY_GB
from apps.stats.figures import significant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from django.utils.safestring import SafeString

    from apps.pages.show.table.columns import Column
    from apps.pages.show.table.row import Row

DASH = "\u2013"


def cells_of(row: Row, columns: Iterable[Column]) -> tuple[TableCell, ...]:
    """The cells of a row, in the order of the columns; without one of its own p99 is a line."""
    columns = tuple(columns)
    cells = tuple(_MADE[column.key](row, column) for column in columns)
    if any(column.key == Sort.P99 for column in columns):
        return cells
    return tuple(_with_p99(row, cell) if cell.key == Sort.RATE else cell for cell in cells)


def plain_cells(row: Row, third: str) -> tuple[TableCell, ...]:
    """Rate and a second figure of a row whose columns nobody chose; p99 stands below one."""
    rate_cell, other = _rate(row, COLUMNS[Sort.RATE]), _THIRDS[third](row)
    if third == "p50":
        return rate_cell, _with_p99(row, other)
    return _with_p99(row, rate_cell), other


def _with_p99(row: Row, cell: TableCell) -> TableCell:
    """A cell with the p99 of its row as its last line, where it is known."""
    limit_ns = row.figures.p99_limit_ns
    p99_ns = row.figures.p99_ns if limit_ns is None else limit_ns
    if p99_ns is None:
        return cell
    line = format_html("p99 {}{}", "" if limit_ns is None else "\u2264\u00a0", latency(p99_ns))
    return replace(cell, lines=(*cell.lines, line))


def when_cell(row: Row) -> TableCell:
    """The day of a run."""
    return TableCell(
        key="when",
        name=pgettext("date", "Measured"),
        main=row.evidence.when or DASH,
        lines=() if row.evidence.when else (_("not stated"),),
        is_missing=not row.evidence.when,
    )


def _cell(
    column: Column, main: SafeString | str, *lines: str, name: str = "", is_old: bool = False
) -> TableCell:
    return TableCell(
        key=column.key.value,
        name=name or phrases.translate(column.head),
        main=main or DASH,
        lines=lines,
        is_missing=not main or main == DASH,
        is_old=is_old,
        is_text=column.is_text,
        is_strong=column.key == Sort.RATE,
    )


def _interval(row: Row) -> str:
    return (
        f"{rate(row.figures.low)}{DASH}{rate(row.figures.high)}"
        if row.figures.low and row.figures.high
        else ""
    )


def _rate(row: Row, column: Column) -> TableCell:
    lines: tuple[str, ...] = ()
    if interval := _interval(row):
        lines = (interval,)
    elif not row.figures.is_commit and row.figures.rate_per_s:
        lines = (_("operations"),)
    cell = _cell(column, rate(row.figures.rate_per_s), *lines, name=row.figures.rate_name)
    return replace(cell, whose=row.figures.whose)


def _width(row: Row, column: Column) -> TableCell:
    if not row.figures.low or not row.figures.high or not row.figures.rate_per_s:
        return _cell(column, "", _("no interval"))
    spread = f"{(row.figures.high - row.figures.low) / row.figures.rate_per_s:.0%}"
    return _cell(column, _interval(row), spread)


def _p99(row: Row, column: Column) -> TableCell:
    if row.figures.p99_limit_ns is not None:
        return _cell(column, latency(row.figures.p99_limit_ns), _("its limit"))
    return _cell(column, latency(row.figures.p99_ns))


def _cost(row: Row, column: Column) -> TableCell:
    price = row.cost.price
    if price is not None and row.figures.is_commit:
        month = list_price(price).month
        main = (
            units.money(row.cost.billion, row.cost.currency) if row.cost.billion is not None else ""
        )
        cell = _cell(
            column,
            main,
            row.cost.work or month,  # there is no room for both; the mark of the row has the price
            name=row.figures.cost_name,
            is_old=stale(price.valid_from),
        )
        is_gone = price.kind == PriceKind.SUPERSEDED
        return replace(cell, whose=row.cost.whose, is_gone=is_gone)
    if price is not None and row.cost.month_per_1000 is not None:
        return _cost_by_the_month(row, column)
    lines = _without_price(row) if row.figures.is_commit or row.figures.p99_limit_ns else ()
    return _cell(column, "", *lines, name=row.figures.cost_name)


def _without_price(row: Row) -> tuple[str, ...]:
    """What a volume costs alone, of which no commit has a cost; else that there is no price."""
    if row.cost.volume is None:
        return (_("no price"),)
    return volume_month(row.cost.volume), f"{DEFAULT_CAPACITY_GB} GB"


def _cost_by_the_month(row: Row, column: Column) -> TableCell:
    lines = [_("1,000 a month")]
    if row.month_range:
        low, high = (units.money(each, row.cost.currency) for each in row.month_range)
        lines.append(f"{low}{DASH}{high}")
    main = units.money(row.cost.month_per_1000 or 0, row.cost.currency)
    is_old = row.cost.price is not None and stale(row.cost.price.valid_from)
    return _cell(column, main, *lines, name=row.figures.cost_name, is_old=is_old)


def _price(row: Row, column: Column) -> TableCell:
    price, month = row.cost.price, row.cost.price_month
    if price is None or month is None:
        return _cell(column, "", *_without_price(row))
    hour = list_price(price).hour
    by_hour = (hour,) if hour else ()
    main = units.money(month, price.currency)
    return _cell(column, main, *by_hour, is_old=stale(price.valid_from))


def _tier(row: Row, column: Column) -> TableCell:
    facts = row.facts
    if facts is None or facts.tier is None:
        return _cell(column, "", _("not ranked"))
    ranks = words.span(facts.rank_low, facts.rank_high)
    return _cell(column, str(facts.tier), _("rank %(rank)s") % {"rank": ranks})


def _count(name: str) -> Callable[[Row, Column], TableCell]:
    def made(row: Row, column: Column) -> TableCell:
        value = getattr(row.facts, name, None)
        return _cell(column, number(value) if value else "")

    return made


def _text(name: str) -> Callable[[Row, Column], TableCell]:
    def made(row: Row, column: Column) -> TableCell:
        return _cell(column, str(getattr(row.facts, name, "") or "") or _("not stated"))

    return made


def _ram(row: Row, column: Column) -> TableCell:
    ram = row.facts.ram_gb if row.facts else None
    return _cell(column, f"{units.as_stated(ram)} GB" if ram else "")


def _rated(row: Row, column: Column) -> TableCell:
    """What a datasheet promises without a sync, and how far that is from a commit."""
    rated = row.facts.rated_write_iops if row.facts else None
    if not rated:
        return _cell(column, "")
    if not row.figures.is_commit or not row.figures.rate_per_s:
        return _cell(column, number(rated))
    ratio = significant(rated / row.figures.rate_per_s, 2)
    return _cell(column, number(rated), _("%(n)s a commit") % {"n": ratio})


def _measured(row: Row, column: Column) -> TableCell:
    day = row.facts.measured_on if row.facts else None
    if day is None:
        return _cell(column, "", dates.without_day(row.facts.newest_run if row.facts else ""))
    return _cell(column, units.day(day))


_MADE: dict[Sort, Callable[[Row, Column], TableCell]] = {
    Sort.RATE: _rate,
    Sort.INTERVAL: _width,
    Sort.P50: lambda row, column: _cell(column, latency(row.figures.p50_ns)),
    Sort.P99: _p99,
    Sort.P999: lambda row, column: _cell(column, latency(row.facts.p999_ns if row.facts else None)),
    Sort.COST: _cost,
    Sort.PRICE: _price,
    Sort.UPLOADERS: _count("n_uploaders"),
    Sort.MACHINES: _count("n_machines"),
    Sort.RUNS: _count("n_runs"),
    Sort.TIER: _tier,
    Sort.LEVEL: _text("evidence_words"),
    Sort.PROVIDER: _text("provider"),
    Sort.KIND: _text("kind_words"),
    Sort.REGION: _text("region_words"),
    Sort.STORAGE: _text("storage_words"),
    Sort.DRIVE: _text("drive"),
    Sort.PLP: _text("plp_words"),
    Sort.CPU: _text("cpu"),
    Sort.CORES: _count("vcpus"),
    Sort.RAM: _ram,
    Sort.ARCH: _text("arch"),
    Sort.RATED: _rated,
    Sort.INTERFACE: _text("interface_words"),
    Sort.MEASURED: _measured,
}
_THIRDS: dict[str, Callable[[Row], TableCell]] = {
    "cost": lambda row: _cost(row, COLUMNS[Sort.COST]),
    "p50": lambda row: _cell(COLUMNS[Sort.P50], latency(row.figures.p50_ns)),
    "when": when_cell,
}
