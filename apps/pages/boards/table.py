"""What the template of a board needs beside its rows: heads, columns to choose, links of rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.boards.choices import class_words
from apps.pages.boards.exports import EXPORT_ROWS_MAX
from apps.pages.boards.query import BoardQuery
from apps.pages.boards.rows import board_groups
from apps.pages.show import phrases
from apps.pages.show.address.query_string import query_string
from apps.pages.show.phrases import translate
from apps.pages.show.table.cells import cells_of
from apps.pages.show.table.columns import (
    BESIDE_PICTURE_MAX,
    COLUMNS,
    NAME,
    REVERSED,
    USUAL,
    Sort,
    columns_offered,
    columns_shown,
)
from apps.pages.show.table.groups import holds_useful
from apps.pages.show.words import page_words
from apps.plans.models import NOT_FOR_RENT
from apps.rankings.models import Evidence
from apps.words.workloads import workload_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from django_stubs_ext import StrOrPromise

    from apps.pages.boards.runs_query import RunListQuery
    from apps.pages.boards.selectors.boards import BoardRows
    from apps.pages.show.table.choices import Token
    from apps.pages.show.table.columns import Column
    from apps.pages.show.table.groups import Group
    from apps.pages.show.table.paging import Pages
    from apps.pages.show.table.row import Row

# Widths of the columns beside the picture, by how many there are.
PLACES = {1: ("third",), 2: ("rate", "third"), 3: ("rate", "p99", "third")}
P99: Final = COLUMNS[Sort.P99.value]
COMPARED_MIN = 2
COMPARED_MAX = 6  # more lines than that cannot be told apart in one picture


def span_of(columns: Sequence[object], *, has_picture: bool) -> int:
    """How many columns a line over a whole table spans, with mark, name and picture."""
    return len(columns) + (4 if has_picture else 3)


@dataclass(frozen=True, slots=True)
class ColumnHead:
    """The head of a column: a link that orders the board by it."""

    key: str
    words: StrOrPromise
    to: str  # query string; empty where no row has anything in it
    direction: str  # of aria-sort; empty where the board is ordered by another
    place: str  # class of its width beside the picture
    is_text: bool
    below: ColumnHead | None = None  # of a figure that stands below that of the column

    @property
    def sorted(self) -> str:
        """Which way the board is ordered by one of its figures; nothing where it is not."""
        return self.direction or (self.below.direction if self.below else "")


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """A column that can be chosen."""

    key: str
    name: StrOrPromise
    is_shown: bool


@dataclass(frozen=True, slots=True)
class SortChoice:
    """An order of the board, for a list of choices where there are no heads."""

    value: str
    words: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class Table:
    """How a board is laid out."""

    groups: tuple[Group, ...]
    name_head: ColumnHead
    heads: tuple[ColumnHead, ...]
    offers: tuple[ColumnChoice, ...]
    orders: tuple[SortChoice, ...]
    sorted_by: str
    is_by_money: bool  # ranks, which are by rate, are no answer then
    has_picture: bool
    usual: str  # the columns that the board opens with

    @property
    def is_wide(self) -> bool:
        """Whether its columns take the place of the picture."""
        return not self.has_picture

    @property
    def span(self) -> int:
        """How many columns a line over the whole table spans."""
        return span_of(self.heads, has_picture=self.has_picture)

    @property
    def is_mixed(self) -> bool:
        """Whether rows of several workloads stand together, and each draws how far they differ."""
        rows = (row for group in self.groups for row in group.rows)
        return any(row.trace is not None and row.trace.doubt is not None for row in rows)

    @property
    def holds_useful(self) -> bool:
        """Whether its rates are useful IOPS."""
        return holds_useful(self.groups)


def table_of(
    kind: str, board: BoardRows, query: BoardQuery, *, address: str, name_words: StrOrPromise
) -> Table:
    """Lay out a board with the columns that were chosen; `name_words` head that of names."""
    columns = columns_shown(kind, query.cols)
    has_picture = len(columns) <= BESIDE_PICTURE_MAX
    groups = tuple(
        replace(
            group,
            rows=tuple(
                replace(
                    row,
                    cells=cells_of(row, columns),
                    link=f"{address}{query.of_row(row.key)}",
                    figures_url=figures_url(row, query),
                )
                for row in group.rows
            ),
        )
        for group in board_groups(kind, board, query)
    )
    shown_keys = {column.key for column in columns}
    filled = filled_of(columns, groups, board.pages)
    has_p99_below = P99 not in columns and _has_p99(groups, board.pages)
    return Table(
        groups=groups,
        name_head=head_of(NAME, query, words=name_words),
        heads=tuple(
            replace(
                head,
                to=head.to if column in filled else "",
                below=head_of(P99, query, words=P99.head)
                if has_p99_below and column.key == Sort.RATE
                else None,
            )
            for column, head in zip(
                columns, heads_of(columns, query, is_useful=holds_useful(groups)), strict=True
            )
        ),
        offers=tuple(
            ColumnChoice(each.key.value, translate(each.head), each.key in shown_keys)
            for each in columns_offered(kind)
        ),
        orders=orders_of((*filled, P99) if has_p99_below else filled, query),
        sorted_by=order_words(query.sort),
        is_by_money=query.is_by_money,
        has_picture=has_picture,
        usual=",".join(USUAL[kind]),
    )


def figures_url(row: Row, query: BoardQuery) -> str:
    """The address of the other figures of a row's thing, as the board shows its rows."""
    sort = query.sort if query.is_by_money else ""
    state: dict[str, object] = {"cols": query.cols, "sort": sort, "row": row.key}
    return row.url + "figures/" + query_string({name: of for name, of in state.items() if of})


def filled_of(
    columns: tuple[Column, ...], groups: Sequence[Group], pages: Pages
) -> tuple[Column, ...]:
    """The columns in which some row has something; all of them where not all rows are seen."""
    rows = [row for group in groups for row in group.rows]
    if not rows or pages.last > 1:
        return columns
    return tuple(
        column
        for place, column in enumerate(columns)
        if not all(row.cells[place].is_missing for row in rows)
    )


def _has_p99(groups: Sequence[Group], pages: Pages) -> bool:
    """Whether some row has a p99; taken for granted where not all rows are seen."""
    rows = (row for group in groups for row in group.rows)
    return pages.last > 1 or any(row.figures.p99_ns is not None for row in rows)


def title_of(title: StrOrPromise, tokens: Iterable[Token], query: BoardQuery) -> str:
    """The title of a board, which no other address of it has."""
    state = [f"{token.label} {token.words}" for token in tokens]
    if query.workload or query.work:
        work = class_words(query.work) if query.work else workload_title(query.workload)
        state.append(work)
    if query.sort != Sort.RATE:
        state.append(phrases.with_name(_("Sort"), order_words(query.sort)))
    state.append(page_words(query.page))
    if query.needs > 1:
        state.append(phrases.with_name(_("Waiting for a first run"), page_words(query.needs)))
    of = phrases.with_name(title, _("Durable commits/s"))
    return phrases.join_facts((of, *state))


def links_to_others(query: BoardQuery) -> dict[str, str]:
    """Where the rows are that pass the filters and are left out of the board."""
    return {
        "examples_url": query.but(evidence=Evidence.EXAMPLE.value),
        **{
            f"{slug}_url": reverse("pages:plans") + query.but(provider=slug, cols="")
            for slug in NOT_FOR_RENT
        },
    }


def heads_of(
    columns: tuple[Column, ...], query: BoardQuery, *, is_useful: bool
) -> tuple[ColumnHead, ...]:
    """The heads of the columns; the first click on one puts the best first."""
    useful = {Sort.RATE: _("Useful IOPS"), Sort.COST: _("1,000 a month")} if is_useful else {}
    places = PLACES.get(len(columns), ())
    return tuple(
        head_of(
            column,
            query,
            words=useful.get(column.key) or translate(column.head),
            place=f"c-{places[place]}" if place < len(places) else "",
        )
        for place, column in enumerate(columns)
    )


def head_of(
    column: Column, query: BoardQuery, *, words: StrOrPromise, place: str = ""
) -> ColumnHead:
    """The head of one column."""
    return ColumnHead(
        key=column.key.value,
        words=words,
        to=query.toggled(column.key.value),
        direction=direction_of(column, query),
        place=place,
        is_text=column.is_text,
    )


def direction_of(column: Column, query: BoardQuery) -> str:
    """Which way the board is ordered by a column; nothing where it is not."""
    if query.column != column.key:
        return ""
    return "descending" if column.is_best_high != query.is_reversed else "ascending"


def orders_of(columns: tuple[Column, ...], query: BoardQuery) -> tuple[SortChoice, ...]:
    """Each column best first, and the current one the other way round."""
    values = [*(column.key.value for column in columns), NAME.key.value]
    if query.column not in values:
        values.append(query.column)
    values.append(f"{REVERSED}{query.column}")
    return tuple(
        SortChoice(
            "" if value == Sort.RATE else value,
            order_words(value),
            value == query.sort,
        )
        for value in values
    )


def order_words(sort: str) -> str:
    """An order in words."""
    words = translate(COLUMNS[sort.removeprefix(REVERSED)].head)
    return _("%(column)s, reversed") % {"column": words} if sort.startswith(REVERSED) else words


def export_addresses(name: str, query: BoardQuery | RunListQuery) -> dict[str, str]:
    """The addresses of a list in this state as files, all its pages in one.

    A row that was asked for stays: it may have chosen the workload, and what is left out.
    """
    if isinstance(query, BoardQuery):
        address = replace(query, page=1, needs=1).address
    else:
        address = replace(query, before="").address
    return {f"{form}_url": reverse(f"files:{name}-{form}") + address for form in ("csv", "json")}


def export_words(total: int) -> str:
    """That an export does not hold every row; nothing where it does."""
    if total <= EXPORT_ROWS_MAX:
        return ""
    return _("the first %(n)s rows under these filters") % {"n": f"{EXPORT_ROWS_MAX:,}"}
