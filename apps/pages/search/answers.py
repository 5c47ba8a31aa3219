"""Answers to a question in words: each one line that leads to a board, a guide or a comparison."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.frame.questions import question_asked
from apps.pages.search.former_prices import then_and_now
from apps.pages.search.grammar import CLOUD, COST, DRIVES, PLANS, SIDES_MIN, VPS, read_question
from apps.pages.search.query import read_query
from apps.pages.search.results import ANSWER, Result, results_of
from apps.pages.search.selectors.best import advised, best_of
from apps.pages.search.selectors.things import DRIVE, LIKE, NEAR_MIN, PLAN, search_things
from apps.pages.show import units
from apps.pages.show.known_figure import known_figure
from apps.pages.show.phrases import (
    in_brackets,
    join_clauses,
    join_facts,
    join_names,
    with_name,
)
from apps.pages.show.table.rows import subject_of
from apps.plans.prices.currencies import EURO
from apps.rankings.standings.confidence import sureness_of
from apps.stats.figures import significant
from apps.words import confidence
from apps.words.catalogue import INTERFACES, PLAN_KINDS, SEGMENTS
from apps.words.software import SOFTWARE_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from django.utils.functional import _StrPromise

    from apps.pages.frame.search_entries import Index, Page
    from apps.pages.search.grammar import Question
    from apps.rankings.advice.engine import PlanAnswer
    from apps.rankings.models import Standing

PROVIDERS_MAX: Final = 4  # that a line has room for
BOARDS: Final[Mapping[str, _StrPromise]] = {
    PLANS: gettext_lazy("Plans"),
    DRIVES: gettext_lazy("Drives"),
}


def answers_of(
    text: str, *, providers: Mapping[str, str], indexes: Iterable[Index]
) -> tuple[Result, ...]:
    """The answers to a question, the most direct first; nothing where nothing is asked.

    `providers` are slugs and their names.
    """
    question = read_question(text, {name.casefold(): slug for slug, name in providers.items()})
    pages = {page.url: page for index in indexes for page in index()}
    found = [*_asked_on_home(text, pages)]
    if question.is_of_a_doubtful_latency:
        found += _too_quick(pages)
    elif question.sides:
        found += _comparison(question.sides)
    elif question.is_of_price and question.name:
        found += _price(question)
    elif question.is_asked:
        found += _about_a_thing(question, pages)
        guide = list(_guide(question, pages))
        if question.software and question.board == DRIVES:  # the fastest need not be the fittest
            found += guide
        found += _board(question, providers)
        advised = list(_advised(question, providers))
        found += guide + advised if question.is_of_software_alone else advised + guide
    fullest: dict[str, Result] = {}  # of one address; the place is that of the first
    for each in found:
        before = fullest.get(each.url)
        if (
            before is None
            or (each.under and not before.under)
            or (each.figure and not before.figure)
        ):
            fullest[each.url] = each
    return tuple(fullest.values())


def _asked_on_home(text: str, pages: Mapping[str, Page]) -> Iterator[Result]:
    """The page that answers one of home's questions."""
    if asked := question_asked(text):
        page = pages.get(asked.url)
        title = page.title if page else str(asked.text)
        yield Result(ANSWER, title, asked.url, page.answer if page else "")


def _too_quick(pages: Mapping[str, Page]) -> Iterator[Result]:
    """The number that looks like a drive and is a cache."""
    page = pages.get(f"{reverse('pages:lies')}#668-ns")
    if page is not None:
        yield Result(ANSWER, page.title, page.url, page.answer)


def _comparison(sides: tuple[str, ...]) -> Iterator[Result]:
    """The comparison of what stands on the sides, where each side is one plan or drive."""
    things = [thing for side in sides if (thing := _thing_called(side))]
    if len(things) < len(sides):
        return
    pairs = [("on", f"{thing.kind}:{thing.key}") for thing in things]
    says = [with_name(thing.title, _figure_words(thing.standing)) for thing in things]
    title = with_name(_("Compare"), join_facts(thing.title for thing in things))
    yield Result(
        ANSWER,
        title,
        f"{reverse('pages:compare')}?{urlencode(pairs, safe=':')}",
        join_clauses(says),
    )
    yield from things


def _figure_words(standing: Standing | None) -> str:
    """A rate with what stands behind it; that there is none."""
    if standing is None:
        return confidence.basis_of(None)
    return _rate_words(standing) + in_brackets(_sure(standing))


def _bare_figure(standing: Standing | None) -> str:
    """A rate with what stands behind it, where the guide says how sure the answer is."""
    rate = _rate_words(standing) if standing else ""
    return join_facts([rate, confidence.basis_of(standing)])


def _rate_words(standing: Standing) -> str:
    return f"{significant(standing.rate_per_s)} {_('durable commits/s')}"


def _sure(standing: Standing) -> str:
    return confidence.line(sureness_of(standing), confidence.basis_of(standing))


def _thing_called(name: str) -> Result | None:
    """The plan or drive that a name means, a measured variant of it before itself."""
    query = read_query(name)
    hits = [
        hit
        for hit in search_things(query)
        if hit.kind in (PLAN, DRIVE) and (hit.fit < LIKE or hit.likeness >= NEAR_MIN)
    ]
    groups = results_of(query, hits, ()).groups
    return groups[0].results[0].lead if groups else None


def _price(question: Question) -> Iterator[Result]:
    """What a plan costs and what it cost a year ago: the prices of its page."""
    thing = _thing_called(join_names([*question.providers, question.name]))
    if thing is None:
        return
    if thing.kind == PLAN:
        prices = then_and_now(thing.key, today=timezone.now().date())
        yield Result(
            ANSWER,
            with_name(thing.title, _("What does it cost?")),
            f"{thing.url}#prices",
            prices or _("No list price is known."),
        )
    yield thing


def _about_a_thing(question: Question, pages: Mapping[str, Page]) -> Iterator[Result]:
    """Whether a plan or a drive is fit for software: the guide, with the row of that thing."""
    if not question.name or not question.software or len(question.providers) > 1:
        return
    thing = _thing_called(question.name)
    guide = reverse("pages:guide", args=[question.software.guide])
    if thing is None or guide not in pages:
        return
    yield Result(
        ANSWER,
        with_name(thing.title, pages[guide].asks),
        f"{guide}?{urlencode({'q': thing.title})}#standings",
        _bare_figure(thing.standing),
        figure=thing.figure,
        standing=thing.standing,
    )
    yield thing


def _board(question: Question, providers: Mapping[str, str]) -> Iterator[Result]:
    """The board that is asked for, and what stands first on it.

    Where nobody measured a VPS, cloud instances too: the same by another name.
    """
    if len(question.providers) > 1 or question.name or question.rate_per_s is not None:
        return
    query = dict(question.filters)
    if question.order == COST and question.board == PLANS:
        query["sort"] = COST
    url = reverse(f"pages:{question.board}")
    best = best_of(question)
    yield Result(
        ANSWER,
        with_name(BOARDS[question.board], join_facts(_filter_words(question, providers))),
        f"{url}?{urlencode(query)}" if query else url,
        _first(best, question) if best else _("nobody measured it"),
        figure=known_figure(best) if best else None,
        standing=best,
    )
    if best is None and VPS in question.kinds:
        yield from _board(replace(question, kinds=(CLOUD,)), providers)


def _filter_words(question: Question, providers: Mapping[str, str]) -> Iterator[str]:
    """What narrows and orders a board, in words."""
    for name, value in question.filters.items():
        if name == "provider":
            yield providers[value]
        elif name == "kind":
            yield str(PLAN_KINDS[value])
        elif name == "segment":
            yield str(SEGMENTS[value])
        else:
            yield str(INTERFACES[value])
    is_by_cost = question.order == COST and question.board == PLANS
    yield _("cost of a billion commits") if is_by_cost else _("fastest")


def _first(best: Standing, question: Question) -> str:
    """What stands first, with its cost where that was asked for, and how sure it is."""
    name = subject_of(best).name
    facts = [_("First: %(name)s") % {"name": name}]
    if question.order == COST and best.cost_per_billion is not None:
        cost = units.money(best.cost_per_billion, best.currency)
        facts.append(f"{cost} {_('a billion commits')}")
    return join_facts(facts) + in_brackets(_sure(best))


def _advised(question: Question, providers: Mapping[str, str]) -> Iterator[Result]:
    """The advisor with what is asked for, where plans are in question."""
    is_of_many = len(question.providers) > 1
    is_of_plans = question.board == PLANS and question.software and not question.name
    if question.rate_per_s is None and not is_of_many and not is_of_plans:
        return
    pairs = [
        ("software", question.software.advisor if question.software else ""),
        ("rate", str(question.needed_per_s or "")),
        ("p99", question.p99_ms),
        *(("provider", each) for each in question.providers),
        ("kind", question.filters.get("kind", "")),
    ]
    query = urlencode([(name, value) for name, value in pairs if value])
    title = with_name(_("Advisor"), join_facts(_need_words(question)))
    says = ""
    if question.needed_per_s is not None:
        says = _advice(question, providers)
    elif is_of_many:
        says = join_clauses(
            with_name(providers[each], _best_words(replace(question, providers=(each,))))
            for each in question.providers[:PROVIDERS_MAX]
        )
    yield Result(ANSWER, title, f"{reverse('pages:advisor')}?{query}", says)


def _best_words(question: Question) -> str:
    """What stands first of one provider, with its figure."""
    best = best_of(question)
    return join_facts([subject_of(best).name if best else "", _figure_words(best)])


def _need_words(question: Question) -> Iterator[str]:
    """What is needed, in words."""
    if question.software and question.software.advisor:
        yield str(SOFTWARE_WORDS[question.software.advisor].title)
    if question.needed_per_s is not None:
        yield f"{question.needed_per_s:,} {_('commits/s')}"
    if question.p99_ms:
        yield f"p99 < {question.p99_ms} ms"


def _advice(question: Question, providers: Mapping[str, str]) -> str:
    """The first plan that the advisor names; of several providers the first of each.

    What keeps its data comes before what a stop empties.
    """
    reaching = sorted(advised(question), key=lambda each: each.candidate.is_ephemeral)
    if len(question.providers) < SIDES_MIN:
        return _first_words(reaching, with_provider=True)
    return join_clauses(
        with_name(
            providers[slug],
            _first_words([each for each in reaching if each.candidate.provider == slug]),
        )
        for slug in question.providers[:PROVIDERS_MAX]
    )


def _first_words(answers: Sequence[PlanAnswer], *, with_provider: bool = False) -> str:
    """The first of these plans with its rate, price and how sure it is that it does."""
    if not answers or (figure := answers[0].figure) is None:
        return _("No measured plan reaches it.")
    first, plan = answers[0], answers[0].candidate
    price = plan.offer.price_month
    facts = [
        f"{plan.provider_name} {plan.name}" if with_provider else plan.name,
        f"{significant(figure.rate_per_s)} {_('commits/s')}",
        _("%(amount)s a month") % {"amount": units.money(price, EURO)} if price is not None else "",
    ]
    if plan.offer.is_part:
        facts.append(_("without a server"))
    if plan.is_ephemeral:
        facts.append(_("data lost on stop"))
    sure = confidence.line(first.sure, confidence.basis_of(figure), first.margin)
    return join_facts(facts) + in_brackets(sure)


def _guide(question: Question, pages: Mapping[str, Page]) -> Iterator[Result]:
    """The guide to the software, with its answer in a sentence."""
    if question.software is None:
        return
    page = pages.get(reverse("pages:guide", args=[question.software.guide]))
    if page is not None:
        segment = question.filters.get("segment")
        url = f"{page.url}?{urlencode({'q': segment})}" if segment else page.url
        yield Result(ANSWER, page.title, url, page.answer)
