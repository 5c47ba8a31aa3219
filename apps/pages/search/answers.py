"""Answers to a question in words: each leads to a page, and has the first rows of what it says."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from apps.pages.frame.questions import question_asked
from apps.pages.search.board_words import head_of_board
from apps.pages.search.former_prices import then_and_now
from apps.pages.search.grammar import (
    COST,
    DRIVES,
    KINDS,
    PLANS,
    SIDES_MIN,
    Question,
)
from apps.pages.search.needs import PROVIDERS_MAX, ROWS, of_need
from apps.pages.search.query import read_query
from apps.pages.search.results import ANSWER, Result, ResultGroup, results_of
from apps.pages.search.rows import row_of_fit, row_of_nothing, row_of_standing
from apps.pages.search.selectors.best import (
    OF_BOARD,
    best_of,
    condition_of,
    has_past_price,
    in_order,
    leads_of,
    within_budget,
)
from apps.pages.search.selectors.things import DRIVE, EXACT, LIKE, NEAR_MIN, PLAN, search_things
from apps.pages.search.terms import term_asked
from apps.pages.show.list_prices import caution
from apps.pages.show.phrases import join_facts, join_names, stands_for, with_name
from apps.plans.prices.currencies import EURO
from apps.words.imports import TOOLS_IN_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from apps.pages.frame.search_entries import Compare, Index, Page
    from apps.pages.search.grammar import Budget
    from apps.rankings.models import Standing

TOOLS: Final = frozenset({"fio", "yabs", "pgbench", "pg_test_fsync", "pg test fsync"})
PRICED_MAX: Final = 8  # plans of a provider, with their prices
SENTENCE: Final = re.compile(r".+?(?:\.(?=\s|$)|\u3002)")
LINK: Final = re.compile(r"\[([^\]]+)\]\([^)]*\)")


@dataclass(frozen=True, slots=True)
class Answers:
    """What answers a question. `providers` are slugs and names; `pages` are by their addresses."""

    text: str
    question: Question
    providers: Mapping[str, str]
    pages: Mapping[str, Page]
    compare: Compare

    def all(self) -> tuple[ResultGroup, ...]:
        """Every answer, the most direct first; nothing where nothing is asked."""
        if is_a_tool(self.text):
            return tuple(self._of_a_tool())
        groups: dict[str, ResultGroup] = {}  # of one address; the place is that of the first
        every = (self._asked_on_home(), self._defined(), self._two_named(), self._asked())
        for each in chain.from_iterable(every):
            before = groups.get(each.url)
            if before is None or (each.results and not before.results):
                groups[each.url] = each
        return tuple(groups.values())

    def _asked(self) -> Iterator[ResultGroup]:
        question = self.question
        if question.is_of_a_doubtful_latency:
            yield from self._too_quick()
        elif question.sides:
            yield from self._comparison()
        elif len(question.providers) >= SIDES_MIN and not question.is_of_need:
            yield from self._providers()
        elif question.is_of_price and question.name:
            yield from self._price()
        elif question.is_of_price and question.is_of_plans:
            yield from self._prices()
        elif question.is_asked:
            if question.is_of_need:
                yield of_need(question, self.providers)
            about = list(self._about_a_thing())
            yield from about
            if question.software and question.name and not about:
                yield from self._guide_alone()
                return
            wanted = condition_of(question) if question.kinds or question.providers else Q()
            board, guide = self._board(), list(self._guide(wanted))
            # Nothing is known of what was asked for, or its guide is one to other software.
            if question.is_of_cost or not guide or question.is_of_other_software:
                yield from board
                yield from guide or self._guide(OF_BOARD[question.board])
            else:
                yield from guide
                yield from board

    def _asked_on_home(self) -> Iterator[ResultGroup]:
        """The page that answers one of home's questions."""
        if asked := question_asked(self.text):
            page = self.pages.get(asked.url)
            title = page.title if page else str(asked.text)
            yield ResultGroup(ANSWER, title, url=asked.url, says=(page.answer,) if page else ())

    def _of_a_tool(self) -> Iterator[ResultGroup]:
        """Where the output of a tool can be given in."""
        if page := self.pages.get(reverse("uploads:import")):
            yield ResultGroup(ANSWER, page.title, url=page.url, says=(str(TOOLS_IN_WORDS),))

    def _defined(self) -> Iterator[ResultGroup]:
        """What a word means that the method explains: the first sentence of its part."""
        if not (term := term_asked(self.text)):
            return
        method = reverse("pages:method")
        for page in self.pages.values():
            is_meant = term in (page.title.casefold(), page.called)
            if is_meant and page.answer and page.url.startswith(method):
                first = SENTENCE.match(page.answer)
                says = LINK.sub(r"\1", first[0] if first else page.answer)
                yield ResultGroup(ANSWER, page.title, url=page.url, says=(says,))

    def _too_quick(self) -> Iterator[ResultGroup]:
        """The numbers that look like a drive and are a cache: of a sync first where it asks so."""
        anchors = ("memory", "668-ns") if self.question.is_of_sync else ("668-ns",)
        for anchor in anchors:
            page = self.pages.get(f"{reverse('pages:lies')}#{anchor}")
            if page is not None:
                yield ResultGroup(ANSWER, page.title, url=page.url, says=(page.answer,))

    def _comparison(self) -> Iterator[ResultGroup]:
        """The comparison of what stands on the sides, where each side is one plan or drive."""
        things = [thing for side in self.question.sides if (thing := _side(side))]
        if len(things) == len(self.question.sides):
            yield self._compared(things, things)

    def _two_named(self) -> Iterator[ResultGroup]:
        """Two things named side by side, "CCX33 AX102": each word begins the name of one."""
        question, words = self.question, self.question.name.split()
        if len(words) != SIDES_MIN or question.is_asked:
            return
        if not all(re.search(r"[a-z]", word) and re.search(r"[0-9]", word) for word in words):
            return
        things = [_thing_called(word, like=False) for word in words]
        found = [thing for thing in things if thing]
        if len({thing.key for thing in found}) == SIDES_MIN:
            yield self._compared(found, found)

    def _compared(self, things: Sequence[Result], rows: Iterable[Result]) -> ResultGroup:
        """What the comparison of things answers, each with the figure that it has there."""
        refs = [f"{thing.kind}:{thing.key}" for thing in things]
        said = self.compare(refs)
        there = {each.key: said.standings.get(ref) for each, ref in zip(things, refs, strict=True)}
        shown = (
            replace(row_of_standing(standing), reason=row.reason)
            if (standing := there.get(row.key))
            else row
            for row in rows
        )
        return ResultGroup(
            ANSWER,
            with_name(_("Compare"), join_facts(thing.title for thing in things)),
            tuple(shown),
            f"{reverse('pages:compare')}?{urlencode([('on', ref) for ref in refs], safe=':')}",
            said.lines,
        )

    def _providers(self) -> Iterator[ResultGroup]:
        """The fastest storage of each provider, that which keeps its data before any other."""
        slugs = self.question.providers[:PROVIDERS_MAX]
        first: dict[str, Standing] = {}
        # stable: of each the best first
        best = sorted(best_of(Question(providers=slugs)), key=_is_lost)
        for each in best:
            first.setdefault(each.plan.provider_id if each.plan else "", each)
        rows = [
            row_of_standing(first[slug])
            if slug in first
            else row_of_nothing(slug, self.providers[slug])
            for slug in slugs
        ]
        measured = [row for row in rows if row.figure]
        if len(measured) >= SIDES_MIN:
            names = [self.providers[slug] for slug in slugs]
            head = with_name(_("Compare"), join_facts(names))
            yield replace(self._compared(measured, rows), head=head)
        else:
            yield ResultGroup(ANSWER, _("Providers"), tuple(rows), reverse("pages:providers"))

    def _price(self) -> Iterator[ResultGroup]:
        """What a plan costs and what it cost a year ago: the prices of its page."""
        thing = _thing_called(join_names([*self.question.providers, self.question.name]))
        if thing is None:
            return
        if thing.kind != PLAN:
            yield ResultGroup(ANSWER, thing.title, (thing,), thing.url)
            return
        prices = then_and_now([thing.key], today=timezone.now().date())[thing.key]
        yield ResultGroup(
            ANSWER,
            with_name(thing.title, _("What does it cost?")),
            (thing,),
            f"{thing.url}#prices",
            prices or (_("No list price is known."),),
        )

    def _prices(self) -> Iterator[ResultGroup]:
        """What measured plans, of a provider where one is named, cost now and a year ago."""
        question = replace(self.question, order="", budget=None)
        best = [each for each in best_of(question) if each.plan_id]
        prices = then_and_now([each.plan_id or "" for each in best], today=timezone.now().date())
        rows = [
            replace(row_of_standing(each), under=priced[0], reason=join_facts(priced[1:]))
            for each in best
            if (priced := prices[each.plan_id or ""])
        ]
        rows.sort(key=lambda row: not row.reason)  # stable: those whose price has a past first
        yield ResultGroup(
            ANSWER,
            with_name(self._whose(), _("What does it cost?")),
            tuple(rows[:PRICED_MAX]),
            self._url_of_prices(),
            () if rows else (_("No list price is known."),),
        )

    def _whose(self) -> str:
        """Whose plans are asked about: those of a provider, else all."""
        return self.providers[self.question.providers[0]] if self.question.providers else _("Plans")

    def _url_of_prices(self) -> str:
        if self.question.providers:
            return reverse("pages:provider", args=[self.question.providers[0]])
        return f"{reverse('pages:plans')}?{urlencode({**self.question.filters, 'sort': 'price'})}"

    def _about_a_thing(self) -> Iterator[ResultGroup]:
        """Whether a plan or a drive is fit for software: the guide's answer to that."""
        page, name = self._page_of_guide(), self.question.name
        thing = _thing_called(name) if page and name else None
        if page is None or page.judge is None or thing is None:
            return
        column = "plan" if thing.kind == PLAN else "drive_family"
        fits = page.judge(Q(**{column: thing.key}), self.question.needed_per_s)
        yield ResultGroup(
            ANSWER,
            with_name(thing.title, page.asks),
            tuple(map(row_of_fit, fits)) or (thing,),
            f"{page.url}?{urlencode({'q': thing.title, **self._asked_rate()})}#standings",
        )

    def _asked_rate(self) -> dict[str, int]:
        """The rate that is asked for, as a guide's address has it."""
        rate = self.question.needed_per_s
        return {} if rate is None else {"rate": rate}

    def _guide_alone(self) -> Iterator[ResultGroup]:
        """The guide without its best, where the question names what nobody knows."""
        if page := self._page_of_guide():
            nothing = with_name(_("Nothing matches"), self.question.name)
            yield ResultGroup(ANSWER, page.title, url=page.url, says=(nothing, page.answer))

    def _guide(self, wanted: Q) -> Iterator[ResultGroup]:
        """The best that the guide to the software knows; nothing where it knows nothing of that.

        Below a need that is answered it judges nothing: one need a page.
        """
        page, segment = self._page_of_guide(), self.question.filters.get("segment")
        is_open = not self.question.is_of_need
        fits = page.judge(wanted, None) if page and page.judge and is_open else ()
        if page is None or not (fits or wanted in (Q(), *OF_BOARD.values())):
            return
        query = {**({"q": segment} if segment else {}), **self._asked_rate()}
        yield ResultGroup(
            ANSWER,
            page.title,
            tuple(map(row_of_fit, fits[:ROWS])),
            f"{page.url}?{urlencode(query)}" if query else page.url,
            (page.answer,),
        )

    def _page_of_guide(self) -> Page | None:
        software = self.question.software
        return self.pages.get(reverse("pages:guide", args=[software.guide])) if software else None

    def _board(self) -> Iterator[ResultGroup]:
        """The board that is asked for, and what stands first on it."""
        question = self.question
        if question.is_of_need or not question.is_of_board:
            return
        query = dict(question.filters)
        if question.budget is not None and question.board == PLANS:
            query |= _price_max(question.budget)
        if question.is_of_cost:
            query["sort"] = COST
        url = reverse(f"pages:{question.board}")
        leads = within_budget(leads_of(question), question)
        best = in_order(leads, question)[:ROWS]
        rows = [row_of_standing(each, is_by_cost=question.is_of_cost) for each in best]
        rows += [
            row_of_nothing(slug, self.providers[slug]) for slug in question.providers if not best
        ]
        yield ResultGroup(
            ANSWER,
            head_of_board(question, self.providers),
            tuple(rows),
            f"{url}?{urlencode(query)}" if query else url,
            self._caution(leads) if rows else (_("Nobody has measured this."),),
        )

    def _caution(self, leads: Iterable[Standing]) -> tuple[str, ...]:
        """Which plans are missing by cost: one cannot have them any more at their price."""
        missing = [each for each in leads if self.question.is_of_cost and has_past_price(each)]
        sentence = caution((each.plan.name, each.price) for each in missing if each.plan)
        return (sentence,) if sentence else ()


def answers_of(
    text: str,
    question: Question,
    *,
    providers: Mapping[str, str],
    indexes: Iterable[Index],
    compare: Compare,
) -> tuple[ResultGroup, ...]:
    """The answers to a question, the most direct first; nothing where nothing is asked.

    `providers` are slugs and their names.
    """
    pages = {page.url: page for index in indexes for page in index()}
    return Answers(text, question, providers, pages, compare).all()


def _price_max(budget: Budget) -> dict[str, str]:
    """The bound of the price a month, as the board's address has it."""
    currency = {} if budget.currency == EURO else {"currency": budget.currency}
    return {"price_max": str(budget.amount), **currency}


def _side(text: str) -> Result | None:
    """What one side of a comparison means: the fastest of a kind of drives, else what is named."""
    if (kind := KINDS.get(text)) and kind.board == DRIVES:
        best = best_of(Question(kinds=(kind,)))
        return row_of_standing(best[0]) if best else None
    return _thing_called(text)


def _is_lost(standing: Standing) -> bool:
    """Whether a stop of the machine empties what it was measured on."""
    return standing.plan is not None and standing.plan.is_ephemeral


def is_a_tool(text: str) -> bool:
    """Whether a text is the name of a benchmark whose output can be given in."""
    return text.strip(" ?.").casefold() in TOOLS


def _thing_called(name: str, *, like: bool = True) -> Result | None:
    """The plan or drive that a name means, one with a figure before those that fit no better.

    `like`: a name that is only alike is meant too.
    """
    query = read_query(name)
    hits = [
        hit
        for hit in search_things(query)
        if hit.kind in (PLAN, DRIVE) and (hit.fit < LIKE or (like and hit.likeness >= NEAR_MIN))
    ]
    if not hits:
        return None
    equal = [hit for hit in hits if (hit.kind, hit.fit) == (hits[0].kind, hits[0].fit)]
    known = next((hit for hit in equal if hit.standing), hits[0])
    first = hits[0] if hits[0].fit == EXACT else known
    hits.remove(first)
    named = results_of(query, [first, *hits], ()).groups[0].results[0]
    if named.lead is named:
        return named
    return replace(named.lead, reason=stands_for(named.lead.title, named.title))
