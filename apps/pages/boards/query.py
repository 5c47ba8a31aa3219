"""What a reader asked of a board: everything that the address holds, checked, with defaults."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, Self

from apps.pages.boards.filters import BUDGETS, FILTERS, KEPT_OR_LOST, Filter, filters_of
from apps.pages.show.address.query_string import (
    TEXT_CHARACTERS_MAX,
    page_number,
    plain,
    query_string,
)
from apps.pages.show.table.columns import OFFERED, PLANS, PROVIDERS, REVERSED, USUAL, Sort
from apps.plans.prices.currencies import EURO
from apps.runs.published.comparable import OVERWRITE, WITH_METADATA

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from django.http import QueryDict

    from apps.wire.suites import ComparableClass

# Names in the address of the classes of comparable work; a workload has none of these names.
WORK_CLASSES: Final[Mapping[str, ComparableClass]] = {
    "overwrites": OVERWRITE,
    "metadata": WITH_METADATA,
}
KEY_CHARACTERS_MAX: Final = 300  # of a row: a slug, a workload, an evidence, a region, two numbers


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """The state of a board."""

    board: str = PLANS
    q: str = ""
    workload: str = ""  # shown alone; empty: the best of each thing
    work: str = ""  # the class of comparable work that is shown alone, by its name in the address
    filters: Mapping[str, str] = field(default_factory=dict)  # those that are on: name and value
    cols: str = ""  # names of columns with commas; empty: the usual ones
    sort: str = Sort.RATE.value
    page: int = 1
    needs: int = 1  # page of the "Needs runs" list below the board
    row: str = ""  # key of the row whose page is to be opened

    @classmethod
    def read(cls, address: QueryDict, board: str) -> Self:
        """Read the address of a board; what is not understood counts as not asked."""
        columns = OFFERED[board]
        values = {each.name: each.read(address.get(each.name, "")) for each in filters_of(board)}
        work = plain(address.get("workload", ""), TEXT_CHARACTERS_MAX)
        is_class = work in WORK_CLASSES
        return cls(
            board=board,
            q=plain(address.get("q", ""), TEXT_CHARACTERS_MAX),
            workload="" if is_class else work,
            work=work if is_class else "",
            filters={name: value for name, value in values.items() if value},
            cols=columns_of(address.getlist("cols"), columns, USUAL[board]),
            sort=order_of(address.get("sort", ""), (Sort.NAME.value, *columns)),
            page=page_number(address.get("page", "")),
            needs=page_number(address.get("needs", "")),
            row=plain(address.get("row", ""), KEY_CHARACTERS_MAX),
        )

    @property
    def address(self) -> str:
        """The shortest query string that says the same, with its question mark."""
        before = {"q": self.q, "workload": self.workload or self.work}
        filters = {each.name: self.value(each.name) for each in FILTERS}
        after = {
            name: getattr(self, name)
            for name in ("cols", "sort", "page", "needs", "row")
            if getattr(self, name) != DEFAULTS[name]
        }
        values = {**before, **filters, **after}
        return query_string({name: value for name, value in values.items() if value})

    def value(self, name: str) -> str:
        """The value of a filter; empty where it is off."""
        return self.filters.get(name, "")

    def filters_on(self) -> Iterator[tuple[Filter, str]]:
        """The filters that are on, each with its value."""
        for each in filters_of(self.board):
            if value := self.value(each.name):
                yield each, value

    @property
    def currency(self) -> str:
        """The currency of the bounds that a reader typed."""
        return self.value("currency") or EURO

    @property
    def column(self) -> str:
        """The column that orders the board."""
        return self.sort.removeprefix(REVERSED)

    @property
    def is_reversed(self) -> bool:
        """Whether the worst comes first."""
        return self.sort.startswith(REVERSED)

    @property
    def is_by_money(self) -> bool:
        """Whether the order is by cost or price: heavier work can only be cheaper than said."""
        return self.column in (Sort.COST, Sort.PRICE)

    @property
    def has_price(self) -> bool:
        """Whether a reader typed bounds of the price."""
        return bool(self.value("price_min") or self.value("price_max"))

    @property
    def budget_euros(self) -> tuple[str, str]:
        """The lowest and the highest price a month of the budget; empty where it has no bound."""
        return BUDGETS.get(self.value("budget"), ("", ""))

    @property
    def keeps_data(self) -> bool:
        """Whether only storage that outlives a stop may speak: of providers, unless asked."""
        return self.board == PROVIDERS and self.value("kept") != KEPT_OR_LOST

    @property
    def is_filtered(self) -> bool:
        """Whether anything narrows the board below one workload."""
        return bool(self.q or self.filters.keys() - {"currency"})

    @property
    def asks_of_figures(self) -> bool:
        """Whether something is asked for that nobody knows of what has no run."""
        return any(each.is_of_figures for each, _value in self.filters_on())

    def but(self, **changes: Any) -> str:
        """The address of this board with other filters or another state, from its first page."""
        state: dict[str, Any] = {"page": 1, "needs": 1, "row": ""}
        filters = dict(self.filters)
        for name, value in changes.items():
            (state if name in DEFAULTS else filters)[name] = value
        return replace(self, filters=filters, **state).address or "?"

    def without(self, *names: str) -> str:
        """The address of this board without some of its filters."""
        return self.but(**{name: DEFAULTS.get(name, "") for name in names})

    def unfiltered(self) -> str:
        """The address of this board without any filter; columns, workload and order stay."""
        return self.without("q", *self.filters)

    def sorted_by(self, sort: str) -> str:
        """The address of this board in an order, from its first page."""
        return self.but(sort=str(sort))

    def toggled(self, column: str) -> str:
        """Where a click on the head of a column leads: best first, then the other way round."""
        return self.sorted_by(f"{REVERSED}{column}" if self.sort == column else column)

    def on_page(self, page: int) -> str:
        """The address of another page."""
        return replace(self, page=page, row="").address or "?"

    def on_needs_page(self, needs: int) -> str:
        """The address with another page of what needs runs."""
        return replace(self, needs=needs).address or "?"

    def of_row(self, key: str) -> str:
        """The address of one row of this board, wherever it stands later."""
        return f"{replace(self, page=1, needs=1, row=key).address}#{key}"


DEFAULTS: Final[Mapping[str, object]] = {
    "q": "", "workload": "", "work": "", "cols": "", "sort": Sort.RATE.value, "page": 1,
    "needs": 1, "row": "",
}  # fmt: skip


def order_of(value: str, columns: Collection[str]) -> str:
    """A column of the board, reversed or not; any other order is that by rate."""
    return value if value.removeprefix(REVERSED) in columns else Sort.RATE.value


def columns_of(values: list[str], columns: Collection[str], usual: Collection[str]) -> str:
    """The columns that were chosen, in the order of the board; nothing where they are the usual."""
    names = {name for value in values for name in value.split(",")}
    in_order = tuple(name for name in columns if name in names)
    return "" if in_order == tuple(usual) else ",".join(in_order)


def unread(address: QueryDict, query: BoardQuery) -> tuple[tuple[str, str], ...]:
    """Conditions of an address that the board did not understand: their names and values.

    Nothing is narrowed or ordered by them. Names of providers and workloads are looked for in the
    database: one that nothing has leaves the board empty, and stands among the active filters.
    """
    lost = []
    sort = plain(address.get("sort", ""), TEXT_CHARACTERS_MAX)
    if sort and sort != query.sort:
        lost.append(("sort", sort))
    here = {each.name: each for each in filters_of(query.board)}
    for name in dict.fromkeys(each.name for each in FILTERS):
        value = plain(address.get(name, ""), TEXT_CHARACTERS_MAX)
        if value and (name not in here or here[name].read(value) is None):
            lost.append((name, value))
    return tuple(lost)
