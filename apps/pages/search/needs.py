"""The plans that carry what a question asks for, as the advisor answers it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.search.grammar import SIDES_MIN
from apps.pages.search.results import ANSWER, Result, ResultGroup
from apps.pages.search.rows import row_of_advice
from apps.pages.search.selectors.best import advised, rate_of
from apps.pages.show import units
from apps.pages.show.phrases import join_facts
from apps.plans.models import PriceKind
from apps.plans.prices.currencies import EURO
from apps.rankings.cost import VOLUME
from apps.stats.figures import NARROW_SPACE
from apps.stats.standings.confidence import Confidence
from apps.words.catalogue import CHOSEN_KINDS
from apps.words.software import SOFTWARE_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from apps.pages.search.grammar import Budget, Question
    from apps.rankings.advice.engine import PlanAnswer

PROVIDERS_MAX: Final = 4  # that are held against each other at once
ROWS: Final = 3  # of an answer; the page that it leads to has all


def of_need(question: Question, providers: Mapping[str, str]) -> ResultGroup:
    """The plans that carry what is asked for: of several providers the first of each.

    Of a budget those within it; where none is, the cheapest that it misses. `providers` are slugs
    and their names.
    """
    says: tuple[str, ...] = ()
    is_of_several = len(question.providers) >= SIDES_MIN
    answers = _with_volumes(question) if is_of_several else advised(question)
    if answers and (budget := question.budget):
        within = [each for each in answers if _is_within(each, budget)]
        answers = within or _cheapest_first(answers)
        if answers and not within:
            limit = units.list_amount(budget.amount, budget.currency)
            says = (_("None under %(budget)s; the nearest:") % {"budget": limit},)
    if is_of_several:
        slugs = question.providers[:PROVIDERS_MAX]
        rows = [_of_provider(slug, providers[slug], answers) for slug in slugs]
    else:
        rows = [row_of_advice(each) for each in answers[:ROWS]]
        says = says if answers else (_("No measured plan reaches it."),)
    says = says or _winner(question, answers)
    return ResultGroup(ANSWER, join_facts(_in_words(question)), tuple(rows), _url(question), says)


def _winner(question: Question, answers: Sequence[PlanAnswer]) -> tuple[str, ...]:
    """The cheapest that does it: the first, where that is sure and can be rented as it is."""
    first = next(iter(answers), None)
    if first is None or first.sure.confidence not in {Confidence.FIRM, Confidence.LIKELY}:
        return ()
    priced = _cheapest_first(each for each in answers if _is_rentable(each))
    if not priced or priced[0] is not first:  # a cheaper one may do it as well
        return ()
    asked = f"{rate_of(question):,}/s"
    if question.p99_ms:
        time = f"{question.p99_ms}{NARROW_SPACE}ms"
        asked = _("%(rate)s within %(time)s") % {"rate": asked, "time": time}
    name = first.candidate.name
    return (_("%(name)s is the cheapest for %(asked)s.") % {"name": name, "asked": asked},)


def _is_rentable(answer: PlanAnswer) -> bool:
    """Whether all of it can be had at its price."""
    offer = answer.candidate.offer
    return not offer.is_part and offer.price_kind is not PriceKind.SUPERSEDED


def _with_volumes(question: Question) -> list[PlanAnswer]:
    """What keeps its data, then volumes without a server, then what loses its data on a stop.

    Volumes only where a provider has nothing else that keeps its data.
    """
    answers = advised(question)
    lost = [each for each in answers if each.candidate.is_ephemeral]
    kept = [each for each in answers if not each.candidate.is_ephemeral]
    missing = set(question.providers) - {each.candidate.provider for each in kept}
    if not missing or "kind" in question.filters:
        return [*kept, *lost]
    return [*kept, *advised(question, kind=VOLUME), *lost]


def _is_within(answer: PlanAnswer, budget: Budget) -> bool:
    """Whether a plan costs a month no more than that; its price is in the budget's currency."""
    month = answer.candidate.offer.price_month
    return month is not None and month <= budget.amount


def _cheapest_first(answers: Iterable[PlanAnswer]) -> list[PlanAnswer]:
    priced = [each for each in answers if each.candidate.offer.price_month is not None]
    return sorted(priced, key=lambda each: each.candidate.offer.price_month or 0)


def _of_provider(slug: str, name: str, answers: Iterable[PlanAnswer]) -> Result:
    """The first plan of one provider."""
    first = next((each for each in answers if each.candidate.provider == slug), None)
    if first is not None:
        return row_of_advice(first)
    url = reverse("pages:provider", args=[slug])
    return Result(ANSWER, name, url, _("No measured plan reaches it."))


def _url(question: Question) -> str:
    """The advisor with this need."""
    budget = question.budget
    pairs = [
        ("software", question.software.advisor if question.software else ""),
        ("rate", str(rate_of(question) or "")),
        ("p99", question.p99_ms),
        *(("provider", each) for each in question.providers),
        ("kind", question.filters.get("kind", "")),
        ("budget", str(budget.amount) if budget else ""),
        ("currency", budget.currency if budget and budget.currency != EURO else ""),
    ]
    query = urlencode([(name, value) for name, value in pairs if value])
    return f"{reverse('pages:advisor')}?{query}"


def _in_words(question: Question) -> Iterator[str]:
    """What is needed, with the rate that the advisor assumes where none is stated."""
    if question.software and question.software.advisor:
        yield str(SOFTWARE_WORDS[question.software.advisor].title)
    if kind := question.filters.get("kind"):
        yield str(CHOSEN_KINDS[kind])
    yield f"{rate_of(question):,} {_('commits/s')}"
    if question.p99_ms:
        yield f"p99 < {question.p99_ms} ms"
    if budget := question.budget:
        yield units.list_amount(budget.amount, budget.currency)
