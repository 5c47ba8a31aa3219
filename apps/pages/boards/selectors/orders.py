"""How boards are ordered in the database: groups, rows by any column, and the key of a row."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from django.db.models import (
    Case,
    CharField,
    DecimalField,
    ExpressionWrapper,
    F,
    FloatField,
    Func,
    OrderBy,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Cast, Coalesce, Collate, Concat, Lower, NullIf
from django.db.models.lookups import IsNull

from apps.pages.show.table.columns import COLUMNS, REVERSED, Sort
from apps.plans.models import Price, PriceKind
from apps.plans.prices.rates import per_euro
from apps.rankings.cost import HOURS_A_MONTH
from apps.rankings.selectors import RATE, UNRANKED_LAST, newest_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.db.models import Expression
    from django.db.models.expressions import CombinedExpression

ROW_NAME = Coalesce("plan__name", "drive_family__name")
DIGITS_MAX = 12  # of one number in a name; of a longer one the last count
MONEY: DecimalField[Decimal, Decimal] = DecimalField(max_digits=24, decimal_places=8)


SUPERSEDED_LAST: Final = OrderBy(
    Case(When(price__kind=PriceKind.SUPERSEDED, then=Value(1)), default=Value(0))
)


def sort_order(
    sort: str, *, name: Coalesce | F = ROW_NAME, is_mixed: bool = False
) -> tuple[Expression, ...]:
    """The order by one column: rows without a value come last, rows without a rank after all.

    Where kinds of evidence are mixed, each row stands where its figure puts it.

    A column by itself puts the best first, with a "-" before it the worst. By cost, as by rate,
    what rests on little is drawn towards its class first, and what cannot be had any more at its
    price stands behind the rest. `name` is what a row is called.
    """
    column = COLUMNS[sort.removeprefix(REVERSED)]
    is_falling = column.is_best_high != sort.startswith(REVERSED)
    rate, unranked_last = RATE.desc(), () if is_mixed else (UNRANKED_LAST,)
    if column.key == Sort.NAME:  # an alphabet mixes what ranks with what does not
        return OrderBy(_natural(name), descending=is_falling), rate
    by = OrderBy(figure(column.key), descending=is_falling, nulls_last=True)
    if column.key in (Sort.COST, Sort.PRICE):
        return SUPERSEDED_LAST, *unranked_last, by, rate
    return (*unranked_last, by) if column.key == Sort.RATE else (*unranked_last, by, rate)


def without_figure_last(sort: str) -> tuple[OrderBy, ...]:
    """What has no figure in the column of an order stands behind every class of work that has."""
    column = COLUMNS[sort.removeprefix(REVERSED)]
    return () if column.is_text else (OrderBy(IsNull(figure(column.key), True)),)


def figure(key: Sort) -> Expression | F | Subquery:
    """What a column is ordered by: its field, or what is made here where it names none."""
    column = COLUMNS[key]
    if column.field:
        return NullIf(F(column.field), Value("")) if column.is_text else F(column.field)
    return _MADE[key]()


def _interval() -> ExpressionWrapper[CombinedExpression]:
    """The width of the interval as a share of the rate: the narrowest is best."""
    width = F("rate_per_s_high") - F("rate_per_s_low")
    return ExpressionWrapper(width / F("rate_per_s"), output_field=FloatField())


def _natural(name: Coalesce | F) -> Collate:
    """The name as a text by which "CCX3" comes before "CCX13", whatever the case of their letters.

    Every run of digits gets the same width, filled up with zeros.
    """
    filled = _replaced(Lower(name), r"(\d+)", rf"{'0' * DIGITS_MAX}\1")
    even = _replaced(filled, rf"\d*(\d{{{DIGITS_MAX}}})", r"\1")
    return Collate(even, "C")


def _replaced(text: Expression, pattern: str, by: str) -> Func:
    return Func(
        text, Value(pattern), Value(by), Value("g"), function="regexp_replace",
        output_field=CharField(),
    )  # fmt: skip


def _cost() -> ExpressionWrapper[CombinedExpression]:
    """The cost in euros at the rate that orders: of a billion commits, or of useful IOPS a month.

    A group holds one kind of the two.
    """
    cost = Coalesce("cost_per_billion", "price_month_per_1000")
    shrunk = F("rate_per_s") / RATE
    share = Cast(shrunk, DecimalField(max_digits=20, decimal_places=8))
    return ExpressionWrapper(cost / per_euro("currency") * share, output_field=MONEY)


def price_month_in_euro(prefix: str) -> ExpressionWrapper[CombinedExpression]:
    """The list price of a month in euros at the newest rates; null without a price or a rate."""
    period = f"{prefix}period"
    months = Case(
        When(**{period: Price.Period.HOUR}, then=Value(Decimal(HOURS_A_MONTH))),
        default=Value(Decimal(1)),
        output_field=MONEY,
    )
    amount = ExpressionWrapper(F(f"{prefix}amount") * months, output_field=MONEY)
    return ExpressionWrapper(amount / per_euro(f"{prefix}currency"), output_field=MONEY)


def row_key() -> Concat:
    """The key of the row of a standing, as `rows.key_of` makes it."""
    dash = Value("-")
    return Concat(
        Coalesce("plan_id", "drive_family_id"),
        dash,
        "workload",
        _part("version", Value("-v"), without=1),
        dash,
        "evidence",
        _part("region_group", dash, without=""),
        _part("variant", dash, without=0),
        output_field=CharField(),
    )


def _part(name: str, before: Value, *, without: str | int) -> Case:
    return Case(
        When(**{name: without}, then=Value("")),
        default=Concat(before, Cast(name, CharField())),
        output_field=CharField(),
    )


_MADE: Final[dict[Sort, Callable[[], Expression | F | Subquery]]] = {
    Sort.RATE: lambda: RATE,
    Sort.INTERVAL: _interval,
    Sort.COST: _cost,
    Sort.PRICE: lambda: price_month_in_euro("price__"),
    Sort.MEASURED: newest_run,
}
