"""What a board could show: its workloads with their counts, and the values that rows have."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

from django.contrib.postgres.aggregates import ArrayAgg, BoolOr
from django.db.models import Count, Max, Q, Subquery, Value
from django.db.models.functions import JSONObject

from apps.pages.boards.filters import (
    AtLeast,
    AtMostMs,
    Choice,
    PlainChoice,
    StoredChoice,
    filters_of,
)
from apps.pages.boards.selectors.conditions import of_workload
from apps.pages.show.table.columns import OF_PLANS
from apps.plans.models import NOT_FOR_RENT, ExchangeRate
from apps.rankings.comparable.order import headline_place, headline_places
from apps.rankings.models import Evidence
from apps.rankings.selectors import newest_run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import date, datetime

    from django.db.models import Aggregate, QuerySet
    from django.db.models.expressions import Combinable

    from apps.pages.boards.query import BoardQuery

    # Makes an aggregate of the rows that a condition leaves; an empty one leaves all.
    Collected = Callable[[Q], ArrayAgg]

IS_EXAMPLE = Q(evidence=Evidence.EXAMPLE)


@dataclass(frozen=True, slots=True)
class Facet:
    """One workload of a board, and what its rows are of."""

    workload: str
    title: str
    is_commit: bool
    n_matching: int  # rows that pass the filters
    n_real: int  # of these the ones that nobody made up
    n_all: int
    n_all_real: int
    holds_row: bool  # whether the row that the address names is one of them

    @property
    def n_made_up(self) -> int:
        """How many made-up rows pass the filters."""
        return self.n_matching - self.n_real

    @property
    def n_shown(self) -> int:
        """How many rows it has where it is shown alone: made-up ones only where all are."""
        return self.n_real if self.n_all_real else self.n_matching

    @property
    def may_lead(self) -> bool:
        """Whether its rows may represent a thing."""
        return self.workload in headline_places()


@dataclass(frozen=True, slots=True)
class ThingCounts:
    """How many things a board without a workload could show: those that pass the filters."""

    n_all: int = 0
    n_real: int = 0  # that have a row which nobody made up
    n_made_up: int = 0  # that have a made-up row


@dataclass(frozen=True, slots=True)
class OfferedValues:
    """What the rows on a board have, whatever its filters are, so that lists can offer it."""

    rates_day: date | None = None  # of the exchange rates by which prices are compared
    newest_at: datetime | None = None  # when the newest run was measured; examples are not fresh
    # By the name of a filter: the values that some row has, each once; the highest count
    values: dict[str, list[Any]] = field(default_factory=dict)
    most: dict[str, int | None] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)  # of a value that no row on the board has
    # By the stand-in for a provider: how many machines that nobody rents out would pass the filters
    not_for_rent: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Facets:
    """All workloads of a board, and what is shown of them."""

    all: tuple[Facet, ...]
    workload: str  # shown alone; empty: each thing once, by the figure that represents it
    may_hide_examples: bool = True  # nobody asked for an evidence or for the row of an example
    row_workload: str = ""  # of the row that the address names
    row_page: int | None = None  # on which that row stands
    things: ThingCounts = ThingCounts()
    offered: OfferedValues = OfferedValues()

    @property
    def on_board(self) -> tuple[Facet, ...]:
        """The workloads on the board."""
        if not self.workload:
            return tuple(each for each in self.all if each.may_lead)
        return tuple(each for each in self.all if each.workload == self.workload)

    @property
    def hides_examples(self) -> bool:
        """Whether made-up rows are left out: what was measured or published stands alone.

        Whatever the filters are: where they leave only what is made up, they leave nothing.
        """
        is_real = (each.n_all_real or each.n_real for each in self.on_board)
        return self.may_hide_examples and any(is_real)

    @property
    def n_made_up(self) -> int:
        """How many made-up rows can be shown instead of what is on the board."""
        if not self.hides_examples:
            return 0
        if self.workload:
            return sum(each.n_made_up for each in self.on_board)
        return self.things.n_made_up

    @property
    def total(self) -> int:
        """How many rows the board has on all its pages."""
        if not self.workload:
            return self.things.n_real if self.hides_examples else self.things.n_all
        return sum(each.n_matching for each in self.on_board) - self.n_made_up

    @property
    def is_wanted(self) -> Q:
        """The rows that stand on the board, of those that pass the filters."""
        real = ~IS_EXAMPLE if self.hides_examples else Q()
        return of_workload(self.workload) & real

    @property
    def has_prices(self) -> bool:
        """Whether some row on the board has a list price."""
        return bool(self.most("price"))

    def values(self, name: str) -> list[Any]:
        """The values of a filter that lead to some row on the board, each once."""
        return self.offered.values.get(name, [])

    def most(self, name: str) -> int:
        """The highest count that a row on the board has."""
        return self.offered.most.get(name) or 0


def distinct(name: str) -> Collected:
    """The distinct values of a column, as an aggregate of the rows of a condition."""
    return lambda of: ArrayAgg(name, distinct=True, filter=of or None, default=[])


def value_label_pairs(value: str, label: str) -> Collected:
    """Distinct pairs of an address and its words, as an aggregate of the rows of a condition."""
    has_value = Q(**{f"{value}__isnull": False})
    pair = JSONObject(value=value, label=label)
    return lambda of: ArrayAgg(pair, distinct=True, filter=has_value & of, default=[])


def values_of(board: str) -> dict[str, Collected]:
    """Which values the rows of a board have, by the name of the filter that offers them."""
    return {
        each.name: value_label_pairs(each.column.path, each.words_column)
        if isinstance(each, StoredChoice)
        else distinct(each.column.path)
        for each in filters_of(board)
        if isinstance(each, Choice | PlainChoice | StoredChoice) and each.unlisted_on != board
    }


def bounds_of(board: str) -> dict[str, str]:
    """The columns of a board that can be bounded, by the name of the filter; and the price."""
    bounds = {
        each.name: each.column.path
        for each in filters_of(board)
        if isinstance(each, AtLeast | AtMostMs)
    }
    return {**bounds, "price": "price__amount"} if board in OF_PLANS else bounds


@dataclass(frozen=True, slots=True)
class FacetColumns:
    """The columns that are aggregated for each workload of a board, and its conditions."""

    values: dict[str, Collected]  # by the name of a filter: the values that some row has
    most: dict[str, str]  # by the name of a filter: the column whose maximum is read
    key: Combinable | None = None  # the key of a row, where rows can be linked
    row_id: Combinable | None = None  # what makes one row of the board; None: each of the table's
    thing: str = "plan"  # what stands once on a board without a workload
    eligible: Q = field(default_factory=Q)  # the rows that this address may show at all
    usual: Q = field(default_factory=Q)  # the rows that a board shows whatever is asked for


def read_facets(
    rows: QuerySet[Any], query: BoardQuery, *, condition: Q, facet_columns: FacetColumns
) -> Facets:
    """Every workload of a board with its counts: 1 query. `with_offered` reads the rest.

    `condition` is that of the active filters, without the workload.
    """
    counts = _counts(facet_columns, condition)
    if facet_columns.key is not None and query.row:
        rows = rows.annotate(own_key=facet_columns.key)
        is_named = condition & facet_columns.eligible & Q(own_key=query.row)
        counts["n_named"] = Count("pk", filter=is_named)
        counts["n_named_example"] = Count("pk", filter=is_named & IS_EXAMPLE)
    workloads = list(rows.values("workload").annotate(**counts))
    facets = tuple(_facet(each) for each in workloads)
    return Facets(
        in_order(facets),
        query.workload,
        may_hide_examples=not query.value("evidence")
        and not any(each.get("n_named_example") for each in workloads),
        row_workload=next((each.workload for each in facets if each.holds_row), ""),
    )


def with_offered(
    facets: Facets,
    rows: QuerySet[Any],
    query: BoardQuery,
    *,
    condition: Q,
    facet_columns: FacetColumns,
) -> Facets:
    """The facets with what the rows on the board have, and its things counted: 1 query.

    One more for each stored value that is asked for and that no row on the board has.
    """
    on_board = rows.filter(of_workload(facets.workload)).order_by()
    day = ExchangeRate.objects.order_by("-day").values("day")[:1]
    aggregates = {
        "newest": Max(newest_run(), filter=facet_columns.eligible & ~IS_EXAMPLE),
        **_values_and_most(facet_columns),
        **_not_for_rent(query, facet_columns, condition),
        **({} if facets.workload else _things(facet_columns, condition)),
        "rates_day": Subquery(day),
    }
    of_one_group = on_board.annotate(one=Value(1)).values("one").annotate(**aggregates)
    found = of_one_group.get()
    values = {name: found[f"values_{name}"] for name in facet_columns.values}
    offered = OfferedValues(
        rates_day=found["rates_day"],
        newest_at=found["newest"],
        values=values,
        most={name: found[f"most_{name}"] for name in facet_columns.most},
        words=_words_asked_for(rows.filter(facet_columns.eligible), query, values),
        not_for_rent={slug: found[name] for slug in NOT_FOR_RENT if (name := f"n_{slug}") in found},
    )
    counts = {each.name: found[each.name] for each in fields(ThingCounts) if each.name in found}
    return replace(facets, offered=offered, things=ThingCounts(**counts))


def _words_asked_for(
    rows: QuerySet[Any], query: BoardQuery, values: dict[str, list[Any]]
) -> dict[str, str]:
    """By the name of a filter: the words of the value that is on, where rows on the board lack it.

    They come from rows of other work. One query for each; mostly there is none.
    """
    words: dict[str, str] = {}
    for each, value in query.filters_on():
        if not isinstance(each, StoredChoice) or each.unlisted_on == query.board:
            continue
        if any(pair["value"] == value for pair in values[each.name]):
            continue
        having = rows.filter(each.condition(value, each.column)).order_by()
        for label in having.values_list(each.words_column, flat=True)[:1]:
            words[each.name] = label
    return words


def _counts(facet_columns: FacetColumns, condition: Q) -> dict[str, Aggregate]:
    """The aggregates that make a `Facet` of the rows of a workload."""
    offered, usual = facet_columns.eligible, facet_columns.usual
    return {
        "title": Max("workload_title"),
        "is_commit": BoolOr("is_durable_single_writer"),
        "n_all": _count(facet_columns, usual),
        "n_all_real": _count(facet_columns, usual & ~IS_EXAMPLE),
        "n_matching": _count(facet_columns, condition & offered),
        "n_real": _count(facet_columns, condition & offered & ~IS_EXAMPLE),
    }


def _count(facet_columns: FacetColumns, condition: Q | None = None) -> Count:
    """How many rows the board has of a workload; of those that pass a filter, if there is one."""
    if facet_columns.row_id is None:
        return Count("workload", filter=condition or None)
    return Count(facet_columns.row_id, distinct=True, filter=condition or None)


def _values_and_most(facet_columns: FacetColumns) -> dict[str, Aggregate]:
    """The values and the highest counts of the rows that this address may show."""
    offered = facet_columns.eligible
    return {
        **{f"values_{name}": made(offered) for name, made in facet_columns.values.items()},
        **{
            f"most_{name}": Max(of, filter=offered or None)
            for name, of in facet_columns.most.items()
        },
    }


def _not_for_rent(
    query: BoardQuery, facet_columns: FacetColumns, condition: Q
) -> dict[str, Aggregate]:
    """How many machines that pass the filters are left out, by their stand-in for a provider.

    None made up, unless that was asked for.
    """
    if not facet_columns.eligible:
        return {}
    is_left_out = condition & ~facet_columns.eligible
    if not query.value("evidence"):
        is_left_out &= ~IS_EXAMPLE
    return {
        f"n_{slug}": Count("plan", distinct=True, filter=is_left_out & Q(plan__provider=slug))
        for slug in NOT_FOR_RENT
    }


def _things(facet_columns: FacetColumns, condition: Q) -> dict[str, Aggregate]:
    """How many things pass the filters with comparable work, as `ThingCounts` has them."""
    matching = condition & facet_columns.eligible
    return {
        name: Count(facet_columns.thing, distinct=True, filter=matching & of or None)
        for name, of in (("n_all", Q()), ("n_real", ~IS_EXAMPLE), ("n_made_up", IS_EXAMPLE))
    }


def _facet(row: dict[str, Any]) -> Facet:
    return Facet(
        workload=row["workload"],
        title=row["title"],
        is_commit=row["is_commit"],
        n_matching=row["n_matching"],
        n_real=row["n_real"],
        n_all=row["n_all"],
        n_all_real=row["n_all_real"],
        holds_row=bool(row.get("n_named")),
    )


def in_order(facets: Sequence[Facet]) -> tuple[Facet, ...]:
    """Workloads in the order in which a reader wants them."""
    return tuple(sorted(facets, key=_place))


def _place(facet: Facet) -> tuple[int, bool, str]:
    return headline_place(facet.workload), not facet.is_commit, facet.workload
