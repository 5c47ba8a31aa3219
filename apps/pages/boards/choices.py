"""What a reader can choose on a board: values that have rows, and what is chosen, to be undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.pages.show.phrases import translate
from apps.pages.show.table.choices import Option, Pick, Token
from apps.pages.show.table.filter_words import (
    CURRENCY_CHOICES,
    EVIDENCE_CHOICES,
    INTERFACE_CHOICES,
    KIND_CHOICES,
    PLP_CHOICES,
    REGION_CHOICES,
    STORAGE_CHOICES,
)
from apps.pages.show.table.query import ALL_WORKLOADS, NOT_STATED
from apps.pages.show.workload_words import workload_title
from apps.rankings.models import Evidence

if TYPE_CHECKING:
    from apps.pages.boards.selectors.facets import Facet, Facets
    from apps.pages.show.table.filter_words import Choices
    from apps.pages.show.table.query import BoardQuery

CORES_STEPS = (2, 4, 8, 16, 32, 64, 128)
RAM_STEPS = (2, 4, 8, 16, 32, 64, 128, 256, 512)
N_STEPS = (2, 3, 5, 10, 20, 50)
P99_STEPS_MS = ("0.1", "0.2", "0.5", "1", "2", "5", "10", "20", "50")
# What each board can be filtered by, in this order.
FILTERS = {
    "plans": (
        "provider", "storage", "plp", "region", "evidence", "kind", "media", "arch", "cores",
        "ram", "price", "p99_ms", "uploaders", "machines",
    ),
    "providers": (
        "storage", "plp", "region", "evidence", "kind", "media", "arch", "cores", "ram", "price",
        "p99_ms", "uploaders", "machines",
    ),
    "drives": ("interface", "plp", "evidence", "media", "p99_ms", "uploaders", "machines"),
}  # fmt: skip
# Behind "More filters": what is asked for less often.
SELDOM = frozenset(
    ("evidence", "kind", "media", "arch", "cores", "ram", "p99_ms", "uploaders", "machines")
)


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a board: those of the line, those behind "More", and what is on."""

    main: tuple[Pick, ...]
    more: tuple[Pick, ...]
    tokens: tuple[Token, ...]
    n_more: int = 0  # how many of the seldom ones are on: then they are open
    currencies: Choices = ()  # where prices can be bounded


def workload_pick(query: BoardQuery, facets: Facets) -> Pick:
    """The workloads that have rows, each with how many pass the filters.

    The workload that the board chose by itself has no value in the address, so that a change of
    the filters may lead to another one.
    """
    unpinned = facets.workload if not query.workload else None
    choices = [
        Option(
            "" if each.workload == unpinned else each.workload,
            workload_title(each.workload, each.title),
            each.n_real,
            group_words(each),
            each.n_made_up,
        )
        for each in sorted(facets.offered, key=lambda each: (not each.is_commit, _place_of(each)))
    ]
    if len(choices) > 1:
        commits = [each for each in facets.offered if each.is_commit]
        n_real, n_made_up = (sum(getattr(each, of) for each in commits) for of in COUNTED)
        words = _("all with a sync, one writer")
        choices.insert(0, Option(ALL_WORKLOADS, words, n_real, n_made_up=n_made_up))
    if query.workload and query.workload not in {each.value for each in choices}:
        choices.append(Option(query.workload, query.workload, 0))
    return Pick("workload", _("Workload"), tuple(choices), query.workload)


def _place_of(facet: Facet) -> int:
    return [each.value for each in Evidence].index(facet.evidence)


def group_words(facet: Facet) -> str:
    """What a workload times, and the best evidence that there is of it."""
    evidence = str(dict(EVIDENCE_CHOICES)[facet.evidence])
    if facet.is_commit:
        return _("A sync after each write, one writer: %(evidence)s") % {"evidence": evidence}
    return _("Reads, several writers, no sync: %(evidence)s") % {"evidence": evidence}


def filters_of(kind: str, query: BoardQuery, facets: Facets) -> Filters:
    """The filters of a board that have something to choose between, or that are on."""
    names = FILTERS[kind]
    picks = [_PICKS[name](query, facets) for name in names if name != "price"]
    shown = [pick for pick in picks if len(pick.choices) >= pick.least or pick.is_on]
    has_prices = "price" in names and facets.has_prices
    tokens = [
        Token(pick.label, pick.words, query.without(pick.name)) for pick in shown if pick.is_on
    ]
    if query.q:
        tokens.insert(0, Token(_("Find"), query.q, query.without("q")))
    if "price" in names and query.has_price:
        tokens.append(Token(_("Price"), price_words(query), query.without(*PRICE_FIELDS)))
    more = tuple(pick for pick in shown if pick.name in SELDOM)
    return Filters(
        main=(workload_pick(query, facets), *(pick for pick in shown if pick.name not in SELDOM)),
        more=more,
        tokens=tuple(tokens),
        n_more=sum(pick.is_on for pick in more) + (query.has_price and "price" in names),
        currencies=CURRENCY_CHOICES if has_prices or query.has_price else (),
    )


COUNTED = ("n_real", "n_made_up")
PRICE_FIELDS = ("price_min", "price_max", "currency")


def price_words(query: BoardQuery) -> str:
    """The bounds of the price a month in one phrase."""
    bounds = {"low": query.price_min, "high": query.price_max, "currency": query.currency}
    if query.price_min and query.price_max:
        return _("%(low)s to %(high)s %(currency)s a month") % bounds
    if query.price_min:
        return _("from %(low)s %(currency)s a month") % bounds
    return _("up to %(high)s %(currency)s a month") % bounds


def _of_fixed_words(
    name: str, label: Callable[[], str], allowed: Choices
) -> Callable[[BoardQuery, Facets], Pick]:
    """A filter whose values have words of their own; those that some row has."""

    def pick(query: BoardQuery, facets: Facets) -> Pick:
        values = {each or NOT_STATED for each in facets.values(name)}
        if name == "plp" and NOT_STATED in values:
            values.add("unknown")
        current = getattr(query, name)
        choices = [Option(*each) for each in allowed if each[0] in values | {current}]
        is_known = values != {NOT_STATED}
        return Pick(name, label(), tuple(choices if is_known else ()), current, _("any"))

    return pick


def _of_stored_words(
    name: str, label: Callable[[], str], words: Callable[[str], str] = str
) -> Callable[[BoardQuery, Facets], Pick]:
    """A filter whose values and words both stand in the database: names, or texts to translate.

    What is chosen has its words from other workloads, where no row on the board has it.
    """

    def pick(query: BoardQuery, facets: Facets) -> Pick:
        current = getattr(query, name)
        every = (each for facet in facets.all for each in facet.values.get(name, ()))
        chosen = [each for each in every if each["value"] == current]
        found = [*facets.values(name), *chosen]
        pairs = sorted({(each["label"], each["value"]) for each in found})
        choices = tuple(Option(value, words(label)) for label, value in pairs)
        return Pick(name, label(), choices, current, _("any"))

    return pick


def _plain(name: str, label: Callable[[], str]) -> Callable[[BoardQuery, Facets], Pick]:
    """A filter whose values are words already."""

    def pick(query: BoardQuery, facets: Facets) -> Pick:
        values = sorted(each for each in facets.values(name) if each)
        choices = [Option(each, each) for each in values]
        if values and len(values) < len(facets.values(name)):
            choices.append(Option(NOT_STATED, _("not stated")))
        return Pick(name, label(), tuple(choices), getattr(query, name), _("any"))

    return pick


def _bound(
    name: str, label: Callable[[], str], steps: Iterable[int], words: Callable[[int], str]
) -> Callable[[BoardQuery, Facets], Pick]:
    """A lower bound of a count, in steps up to what some row reaches."""

    def pick(query: BoardQuery, facets: Facets) -> Pick:
        current, most = getattr(query, name), facets.most(name)
        values = sorted({*(step for step in steps if step <= most), *filter(None, (current,))})
        choices = [Option(str(each), words(each)) for each in values]
        return Pick(name, label(), tuple(choices), str(current or ""), _("any"), least=1)

    return pick


def _p99(query: BoardQuery, facets: Facets) -> Pick:
    """An upper bound of the p99, where some row has one."""
    steps = P99_STEPS_MS if facets.most("p99_ms") else ()
    values = sorted({*steps, *filter(None, (query.p99_ms,))}, key=float)
    choices = tuple(Option(each, _("%(n)s ms at most") % {"n": each}) for each in values)
    return Pick("p99_ms", "p99", choices, query.p99_ms, _("any"))


def _at_least(n: int) -> str:
    return _("%(n)s or more") % {"n": n}


def _gigabytes(n: int) -> str:
    return _("%(n)s GB or more") % {"n": n}


_PICKS: dict[str, Callable[[BoardQuery, Facets], Pick]] = {
    "provider": _of_stored_words("provider", lambda: _("Provider")),
    "storage": _of_fixed_words("storage", lambda: _("Storage"), STORAGE_CHOICES),
    "interface": _of_fixed_words("storage", lambda: _("Interface"), INTERFACE_CHOICES),
    "plp": _of_fixed_words("plp", lambda: "PLP", PLP_CHOICES),
    "region": _of_fixed_words("region", lambda: _("Region"), REGION_CHOICES),
    "evidence": _of_fixed_words("evidence", lambda: _("Evidence"), EVIDENCE_CHOICES),
    "kind": _of_fixed_words("kind", lambda: pgettext("of a plan", "Kind"), KIND_CHOICES),
    "media": _of_stored_words("media", lambda: _("Media class"), translate),
    "arch": _plain("arch", lambda: _("Architecture")),
    "cores": _bound("cores", lambda: _("vCPUs"), CORES_STEPS, _at_least),
    "ram": _bound("ram", lambda: _("RAM"), RAM_STEPS, _gigabytes),
    "p99_ms": _p99,
    "uploaders": _bound("uploaders", lambda: _("Uploaders"), N_STEPS, _at_least),
    "machines": _bound("machines", lambda: _("Machines"), N_STEPS, _at_least),
}
