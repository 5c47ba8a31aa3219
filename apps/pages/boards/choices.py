"""The filters of a board as lists of values that have rows, and the active ones as tokens."""

from __future__ import annotations

from dataclasses import dataclass
from operator import attrgetter
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.pages.boards.filters import (
    KEPT_OR_LOST,
    PRICE_FIELDS,
    AtLeast,
    AtMostMs,
    Band,
    Choice,
    PlainChoice,
    StoredChoice,
    filters_of,
)
from apps.pages.boards.query import WORK_CLASSES
from apps.pages.show.phrases import translate
from apps.pages.show.table.choices import Option, Pick, Token
from apps.pages.show.units import with_period
from apps.plans.models import Price
from apps.plans.prices.currencies import CURRENCY_SIGNS, EURO
from apps.rankings.standing_columns import NOT_STATED
from apps.words.workloads import COMPARABLE, workload_title

if TYPE_CHECKING:
    from collections.abc import Iterable

    from apps.pages.boards.filters import Filter
    from apps.pages.boards.query import BoardQuery
    from apps.pages.boards.selectors.facets import Facets

# The euro is left out of addresses.
CURRENCIES: Final = tuple(("" if code == EURO else code, code) for code in CURRENCY_SIGNS)


@dataclass(frozen=True, slots=True)
class SingleWorkload:
    """A workload that can be shown alone."""

    workload: str
    title: str
    n: int  # of its rows that pass the filters
    to: str = ""  # query string
    group: str = ""


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a board: in the line, behind "More", and tokens of the active ones."""

    main: tuple[Pick, ...]
    more: tuple[Pick, ...]
    tokens: tuple[Token, ...]
    unasked: tuple[Token, ...] = ()  # on without being asked for
    singles: tuple[SingleWorkload, ...] = ()
    n_more: int = 0  # active filters behind "More", which is open if there are any
    has_typed_words: bool = False  # anybody's words stand among what narrows the board
    # Value in the address and code of each currency; empty where no row has a price.
    currencies: tuple[tuple[str, str], ...] = ()


def work_pick(query: BoardQuery, singles: Iterable[SingleWorkload]) -> Pick:
    """The best of each thing, of all comparable work or of one class; a workload only if chosen."""
    choices = [Option(name, class_words(name)) for name in WORK_CLASSES]
    if query.workload:
        chosen = (each for each in singles if each.workload == query.workload)
        one = next(chosen, SingleWorkload(query.workload, workload_title(query.workload), 0))
        choices.append(Option(one.workload, one.title, one.n))
    current = query.workload or query.work
    return Pick("workload", _("Work"), tuple(choices), current, _("best of each"))


def class_words(work: str) -> str:
    """A class of comparable work, as the groups of a board are headed."""
    title, _note = COMPARABLE[WORK_CLASSES[work]]
    return translate(title)


def single_workloads(query: BoardQuery, facets: Facets) -> tuple[SingleWorkload, ...]:
    """The workloads of which some row passes the filters, commits of one writer first."""
    return tuple(
        SingleWorkload(
            each.workload,
            workload_title(each.workload, each.title),
            each.n_shown,
            query.but(workload=each.workload, work=""),
            _("Durable commits, one writer") if each.is_commit else _("Other work"),
        )
        for each in sorted(facets.all, key=lambda each: not each.is_commit)
        if each.n_shown
    )


def choices_of(query: BoardQuery, facets: Facets) -> Filters:
    """The filters of a board that are active or offer a choice."""
    line = [each for each in filters_of(query.board) if each.place]
    rare = [each for each in filters_of(query.board) if not each.place]
    main = _shown(sorted(line, key=attrgetter("place")), query, facets)
    more = _shown(rare, query, facets)
    tokens = [
        Token(pick.label, pick.words, query.without(pick.name))
        for pick in (*main, *more)
        if pick.is_on
    ]
    if query.q:
        tokens.insert(0, Token(_("Find"), query.q, query.without("q")))
    if query.has_price:
        tokens.append(Token(_("Price"), price_words(query), query.without(*PRICE_FIELDS)))
    singles = single_workloads(query, facets)
    return Filters(
        main=(work_pick(query, singles), *main),
        more=more,
        singles=singles,
        tokens=tuple(tokens),
        unasked=unasked_of(query, main),
        has_typed_words=bool(query.q)
        or not all(pick.is_known for pick in (*main, *more) if pick.is_on)
        or query.workload not in {"", *(each.workload for each in facets.all)},
        n_more=sum(pick.is_on for pick in more) + query.has_price + bool(query.value("currency")),
        currencies=CURRENCIES if facets.has_prices or query.has_price else (),
    )


def unasked_of(query: BoardQuery, picks: Iterable[Pick]) -> tuple[Token, ...]:
    """What narrows a board before anything is chosen: providers by storage that keeps its data."""
    kept = (pick for pick in picks if pick.name == "kept" and query.keeps_data)
    return tuple(Token(each.label, each.any_words, query.but(kept=KEPT_OR_LOST)) for each in kept)


def _shown(filters: Iterable[Filter], query: BoardQuery, facets: Facets) -> tuple[Pick, ...]:
    picks = (_pick(each, query, facets) for each in filters if each.unlisted_on != query.board)
    return tuple(pick for pick in picks if pick and (len(pick.choices) >= pick.least or pick.is_on))


def _pick(declaration: Filter, query: BoardQuery, facets: Facets) -> Pick | None:
    """A filter as a list of choices; None for the price, which has two text fields instead."""
    current = query.value(declaration.name)
    least = 2
    if isinstance(declaration, Choice):
        options = _with_words(declaration, current, facets)
    elif isinstance(declaration, StoredChoice):
        options = _stored(declaration, current, facets)
    elif isinstance(declaration, PlainChoice):
        options = _plain(declaration, facets)
    elif isinstance(declaration, AtLeast):
        options, least = _lower_bounds(declaration, current, facets), 1
    elif isinstance(declaration, AtMostMs):
        options = _upper_bounds(declaration, current, facets)
    elif isinstance(declaration, Band):
        options = [Option(value, translate(of)) for value, of in declaration.words.items()]
        least = 1
    else:
        return None
    return Pick(
        declaration.name,
        translate(declaration.label),
        tuple(options),
        current,
        translate(declaration.any_words) if isinstance(declaration, Band) else _("any"),
        least=least,
    )


def price_words(query: BoardQuery) -> str:
    """The bounds of the price a month in one phrase."""
    low, high = query.value("price_min"), query.value("price_max")
    bounds = f"{low}\u2013{high}" if low and high else f"≥ {low}" if low else f"≤ {high}"
    return with_period(f"{bounds} {query.currency}", Price.Period.MONTH)


def _with_words(declaration: Choice, current: str, facets: Facets) -> list[Option]:
    """The values that some row has, and the chosen one, with the words of the declaration."""
    words = dict(declaration.words)
    blank = declaration.column.blank
    if blank:
        words.setdefault(blank, _("not stated"))
    values = {declaration.read(each) or blank for each in facets.values(declaration.name)}
    if values == {NOT_STATED}:
        return []
    return [Option(value, words[value]) for value in words if value in values | {current}]


def _stored(declaration: StoredChoice, current: str, facets: Facets) -> list[Option]:
    """The values that some row has, with their words out of the database.

    Where no row of the board has the chosen value, its words come from another workload.
    """
    pairs = {(each["label"], each["value"]) for each in facets.values(declaration.name)}
    if words := facets.offered.words.get(declaration.name):
        pairs.add((words, current))
    return [
        Option(value, translate(label) if declaration.is_translated else label)
        for label, value in sorted(pairs)
    ]


def _plain(declaration: PlainChoice, facets: Facets) -> list[Option]:
    """The values that some row has, which are shown as they are."""
    values = sorted(each for each in facets.values(declaration.name) if each)
    options = [Option(each, each) for each in values]
    if values and len(values) < len(facets.values(declaration.name)):
        options.append(Option(NOT_STATED, _("not stated")))
    return options


def _lower_bounds(declaration: AtLeast, current: str, facets: Facets) -> list[Option]:
    """The steps that at least one row reaches, and the chosen bound."""
    reached = {step for step in declaration.steps if step <= facets.most(declaration.name)}
    values = sorted(reached | ({int(current)} if current else set()))
    return [Option(str(each), f"≥ {each} {declaration.unit}".rstrip()) for each in values]


def _upper_bounds(declaration: AtMostMs, current: str, facets: Facets) -> list[Option]:
    """The steps in milliseconds if any row has this latency, and the chosen bound."""
    steps = declaration.steps if facets.most(declaration.name) else ()
    values = sorted({*steps, *filter(None, (current,))}, key=float)
    return [Option(each, f"≤ {each} ms") for each in values]
