"""Answers to a question in words: each leads to a page, and has the first rows of what it says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.drives.models import PowerLossProtection
from apps.pages.frame.questions import question_asked
from apps.pages.search.former_prices import then_and_now
from apps.pages.search.grammar import (
    CLOUD,
    COST,
    DRIVES,
    HARD_DISK,
    KINDS,
    PLANS,
    SIDES_MIN,
    VPS,
    Question,
)
from apps.pages.search.query import read_query
from apps.pages.search.results import ANSWER, Result, ResultGroup, results_of
from apps.pages.search.rows import row_of_advice, row_of_fit, row_of_nothing, row_of_standing
from apps.pages.search.selectors.best import OF_BOARD, advised, best_of, condition_of
from apps.pages.search.selectors.things import DRIVE, LIKE, NEAR_MIN, PLAN, search_things
from apps.pages.show.phrases import join_facts, join_names, with_name
from apps.words.catalogue import INTERFACES, PLAN_KINDS, SEGMENTS
from apps.words.software import SOFTWARE_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from django.utils.functional import _StrPromise

    from apps.pages.frame.search_entries import Index, Page
    from apps.rankings.advice.engine import PlanAnswer

PROVIDERS_MAX: Final = 4  # that are held against each other at once
ROWS: Final = 3  # of an answer; the page that it leads to has all
BOARDS: Final[Mapping[str, _StrPromise]] = {
    PLANS: gettext_lazy("Plans"),
    DRIVES: gettext_lazy("Drives"),
}
FILTER_WORDS: Final[Mapping[str, Mapping[str, str | _StrPromise]]] = {
    "kind": PLAN_KINDS,
    "segment": SEGMENTS,
    "storage": INTERFACES,
    "plp": {PowerLossProtection.FULL.value: "PLP"},
    "media": {HARD_DISK: gettext_lazy("Hard disk")},
}


@dataclass(frozen=True, slots=True)
class Answers:
    """What answers a question. `providers` are slugs and names; `pages` are by their addresses."""

    text: str
    question: Question
    providers: Mapping[str, str]
    pages: Mapping[str, Page]

    def all(self) -> tuple[ResultGroup, ...]:
        """Every answer, the most direct first; nothing where nothing is asked."""
        groups: dict[str, ResultGroup] = {}  # of one address; the place is that of the first
        for each in (*self._asked_on_home(), *self._asked()):
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
        elif question.is_asked:
            yield from self._of_need()
            yield from self._about_a_thing()
            wanted = condition_of(question) if question.kinds or question.providers else Q()
            board, guide = self._board(question), list(self._guide(wanted))
            if question.is_of_cost or not guide:  # nothing is known of what was asked for
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

    def _too_quick(self) -> Iterator[ResultGroup]:
        """The number that looks like a drive and is a cache."""
        page = self.pages.get(f"{reverse('pages:lies')}#668-ns")
        if page is not None:
            yield ResultGroup(ANSWER, page.title, url=page.url, says=(page.answer,))

    def _comparison(self) -> Iterator[ResultGroup]:
        """The comparison of what stands on the sides, where each side is one plan or drive."""
        things = [thing for side in self.question.sides if (thing := _side(side))]
        if len(things) == len(self.question.sides):
            yield _compared(things, things)

    def _providers(self) -> Iterator[ResultGroup]:
        """The fastest storage of each provider, that which keeps its data before any other."""
        rows = []
        for slug in self.question.providers[:PROVIDERS_MAX]:
            best = best_of(Question(providers=(slug,)))
            kept = (each for each in best if each.plan and not each.plan.is_ephemeral)
            first = next(kept, next(iter(best), None))
            rows.append(
                row_of_standing(first) if first else row_of_nothing(slug, self.providers[slug])
            )
        measured = [row for row in rows if row.figure]
        if len(measured) >= SIDES_MIN:
            names = [self.providers[slug] for slug in self.question.providers[:PROVIDERS_MAX]]
            head = with_name(_("Compare"), join_facts(names))
            yield replace(_compared(measured, rows), head=head)
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
        prices = then_and_now(thing.key, today=timezone.now().date())
        yield ResultGroup(
            ANSWER,
            with_name(thing.title, _("What does it cost?")),
            (thing,),
            f"{thing.url}#prices",
            prices or (_("No list price is known."),),
        )

    def _of_need(self) -> Iterator[ResultGroup]:
        """The plans that carry what is asked for: of several providers the first of each."""
        question = self.question
        if not question.is_of_need:
            return
        answers = advised(question)
        if len(question.providers) < SIDES_MIN:
            rows = [row_of_advice(each) for each in answers[:ROWS]]
        else:
            rows = [self._of_provider(slug, answers) for slug in question.providers[:PROVIDERS_MAX]]
        pairs = [
            ("software", question.software.advisor if question.software else ""),
            ("rate", str(question.needed_per_s or "")),
            ("p99", question.p99_ms),
            *(("provider", each) for each in question.providers),
            ("kind", question.filters.get("kind", "")),
        ]
        query = urlencode([(name, value) for name, value in pairs if value])
        yield ResultGroup(
            ANSWER,
            join_facts(self._need_words()),
            tuple(rows),
            f"{reverse('pages:advisor')}?{query}",
            () if rows else (_("No measured plan reaches it."),),
        )

    def _of_provider(self, slug: str, answers: Iterable[PlanAnswer]) -> Result:
        """The first plan of one provider."""
        first = next((each for each in answers if each.candidate.provider == slug), None)
        if first is not None:
            return row_of_advice(first)
        url = reverse("pages:provider", args=[slug])
        return Result(ANSWER, self.providers[slug], url, _("No measured plan reaches it."))

    def _need_words(self) -> Iterator[str]:
        """What is needed, in words."""
        question = self.question
        if question.software and question.software.advisor:
            yield str(SOFTWARE_WORDS[question.software.advisor].title)
        if question.needed_per_s is not None:
            yield f"{question.needed_per_s:,} {_('commits/s')}"
        if question.p99_ms:
            yield f"p99 < {question.p99_ms} ms"

    def _about_a_thing(self) -> Iterator[ResultGroup]:
        """Whether a plan or a drive is fit for software: the guide's answer to that."""
        page, name = self._page_of_guide(), self.question.name
        thing = _thing_called(name) if page and name else None
        if page is None or page.judge is None or thing is None:
            return
        fits = page.judge(Q(**{"plan" if thing.kind == PLAN else "drive_family": thing.key}))
        yield ResultGroup(
            ANSWER,
            with_name(thing.title, page.asks),
            tuple(map(row_of_fit, fits)) or (thing,),
            f"{page.url}?{urlencode({'q': thing.title})}#standings",
        )

    def _guide(self, wanted: Q) -> Iterator[ResultGroup]:
        """The best that the guide to the software knows; nothing where it knows nothing of that."""
        page, segment = self._page_of_guide(), self.question.filters.get("segment")
        fits = page.judge(wanted) if page and page.judge else ()
        if page is None or not (fits or wanted in (Q(), *OF_BOARD.values())):
            return
        yield ResultGroup(
            ANSWER,
            page.title,
            tuple(map(row_of_fit, fits[:ROWS])),
            f"{page.url}?{urlencode({'q': segment})}" if segment else page.url,
            (page.answer,),
        )

    def _page_of_guide(self) -> Page | None:
        software = self.question.software
        return self.pages.get(reverse("pages:guide", args=[software.guide])) if software else None

    def _board(self, question: Question) -> Iterator[ResultGroup]:
        """The board that is asked for, and what stands first on it.

        Where nobody measured a VPS, cloud instances too: the same by another name.
        """
        if question.is_of_need or not question.is_of_board:
            return
        query = dict(question.filters)
        if question.is_of_cost:
            query["sort"] = COST
        url = reverse(f"pages:{question.board}")
        best = best_of(question)[:ROWS]
        rows = [row_of_standing(each, is_by_cost=question.is_of_cost) for each in best]
        rows += [
            row_of_nothing(slug, self.providers[slug]) for slug in question.providers if not best
        ]
        yield ResultGroup(
            ANSWER,
            with_name(BOARDS[question.board], join_facts(self._filter_words(question))),
            tuple(rows),
            f"{url}?{urlencode(query)}" if query else url,
            () if rows else (_("Nobody has measured this."),),
        )
        if not best and VPS in question.kinds:
            yield from self._board(replace(question, kinds=(CLOUD,)))

    def _filter_words(self, question: Question) -> Iterator[str]:
        """What narrows and orders a board, in words."""
        for name, value in question.filters.items():
            yield self.providers[value] if name == "provider" else str(FILTER_WORDS[name][value])
        yield _("cost of a billion commits") if question.is_of_cost else _("fastest")


def answers_of(
    text: str, question: Question, *, providers: Mapping[str, str], indexes: Iterable[Index]
) -> tuple[ResultGroup, ...]:
    """The answers to a question, the most direct first; nothing where nothing is asked.

    `providers` are slugs and their names.
    """
    pages = {page.url: page for index in indexes for page in index()}
    return Answers(text, question, providers, pages).all()


def _compared(things: Iterable[Result], rows: Iterable[Result]) -> ResultGroup:
    """The comparison of things, and what was measured of each."""
    things = list(things)
    pairs = [("on", f"{thing.kind}:{thing.key}") for thing in things]
    return ResultGroup(
        ANSWER,
        with_name(_("Compare"), join_facts(thing.title for thing in things)),
        tuple(rows),
        f"{reverse('pages:compare')}?{urlencode(pairs, safe=':')}",
    )


def _side(text: str) -> Result | None:
    """What one side of a comparison means: the fastest of a kind of drives, else what is named."""
    if (kind := KINDS.get(text)) and kind.board == DRIVES:
        best = best_of(Question(kinds=(kind,)))
        return row_of_standing(best[0]) if best else None
    return _thing_called(text)


def _thing_called(name: str) -> Result | None:
    """The plan or drive that a name means, one with a figure before those that fit no better."""
    query = read_query(name)
    hits = [
        hit
        for hit in search_things(query)
        if hit.kind in (PLAN, DRIVE) and (hit.fit < LIKE or hit.likeness >= NEAR_MIN)
    ]
    if not hits:
        return None
    equal = [hit for hit in hits if (hit.kind, hit.fit) == (hits[0].kind, hits[0].fit)]
    first = next((hit for hit in equal if hit.standing), hits[0]) if hits[0].fit else hits[0]
    hits.remove(first)
    return results_of(query, [first, *hits], ()).groups[0].results[0].lead
