"""What a search shows of each hit: its words, its address, and the figure that it is known for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.search.pages import BODY, CALLED, pages_of
from apps.pages.search.selectors.things import (
    DRIVE,
    EXACT,
    LIKE,
    NAME,
    PART,
    PATTERN,
    PLAN,
    PROVIDER,
)
from apps.pages.show import words
from apps.pages.show.known_figure import known_figure
from apps.pages.show.table.rows import subject_of
from apps.plans.naming import base_name
from apps.words import confidence

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from django.utils.functional import Promise

    from apps.pages.frame.search_entries import Index, Page
    from apps.pages.search.query import Query
    from apps.pages.search.selectors.things import Hit
    from apps.pages.show.known_figure import KnownFigure

ANSWER: Final = "answer"
PAGE: Final = "page"
RUN: Final = "run"
LIST_MAX: Final = 8  # in the list below the field: more is a page
HEADS: Final[Mapping[str, str | Promise]] = {
    RUN: gettext_lazy("Runs"),
    PROVIDER: gettext_lazy("Providers"),
    PLAN: gettext_lazy("Plans"),
    DRIVE: gettext_lazy("Drives"),
    NAME: gettext_lazy("Names that drives report"),
    PAGE: gettext_lazy("Pages"),
}


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the results."""

    kind: str
    title: str
    url: str
    under: str
    reason: str = ""
    plp: str = ""
    sure: str = ""  # what stands behind its figure; beside a need the word and margin too
    figure: KnownFigure | None = None
    value: str = ""  # what is said in place of its rate
    unit: str = ""
    has_examples: bool = False  # made-up figures, which are not shown
    has_runs: bool = False  # of any workload, examples aside
    key: str = ""  # slug of a thing
    standing: Any = None  # that its figure is of
    variants: tuple[Result, ...] = ()  # the same plan with something added; measured ones first

    @property
    def lead(self) -> Result:
        """What a reader wants of it: itself, or where only a variant has figures, that one."""
        if self.figure is not None:
            return self
        return next((each for each in self.variants if each.figure is not None), self)

    @property
    def lines(self) -> tuple[Result, ...]:
        """It and its variants, the one that leads first."""
        return (self.lead, *(each for each in (self, *self.variants) if each is not self.lead))


@dataclass(frozen=True, slots=True)
class ResultGroup:
    """The results of one kind, or an answer with its rows."""

    kind: str
    head: str
    results: tuple[Result, ...] = ()
    url: str = ""  # of an answer: the page that has it
    says: tuple[str, ...] = ()  # of an answer: in a line or two

    @property
    def total(self) -> int:
        """How many results it is: an answer without rows is one."""
        return len(self.lines) or int(bool(self.url))

    @property
    def lines(self) -> tuple[Result, ...]:
        """Every result, variants too, in the order in which a list has them."""
        return tuple(line for result in self.results for line in result.lines)


@dataclass(frozen=True, slots=True)
class Results:
    """Everything that a search shows."""

    groups: tuple[ResultGroup, ...]
    only: Result | None = None  # the one thing that was named exactly
    meant: str = ""  # the words that were looked for, where they are not what was typed

    @classmethod
    def of_one(cls, one: Result) -> Results:
        """The one thing whose id was typed."""
        return cls((ResultGroup(one.kind, str(HEADS[one.kind]), (one,)),), one)

    def after(self, answers: tuple[ResultGroup, ...]) -> Results:
        """These below answers, without the pages that the answers lead to."""
        urls = {each.url for each in answers}
        groups = [
            replace(group, results=tuple(each for each in group.results if each.url not in urls))
            for group in self.groups
        ]
        return replace(self, groups=(*answers, *(group for group in groups if group.results)))

    @property
    def total(self) -> int:
        """How many there are."""
        return sum(group.total for group in self.groups)

    @property
    def short(self) -> tuple[ResultGroup, ...]:
        """The first of them, for the list below the field; each kind keeps its first."""
        room = LIST_MAX
        cut = []
        for place, group in enumerate(self.groups):
            waiting = len(self.groups) - place - 1
            first = group.lines[: max(1, room - waiting)]
            room -= len(first)
            cut.append(replace(group, results=first))
        return tuple(cut)


def results_of(
    query: Query, hits: Sequence[Hit], indexes: Iterable[Index], *, is_answered: bool = False
) -> Results:
    """Hits as results in groups, the group of the best hit first.

    Below an answer stand only things and pages that are called so.
    """
    if is_answered:
        hits = [hit for hit in hits if hit.fit < LIKE]
    kinds = list(dict.fromkeys(hit.kind for hit in hits))
    ordered = sorted(hits, key=lambda hit: kinds.index(hit.kind))
    groups = [
        ResultGroup(kind, str(HEADS[kind]), _under_their_base(query, list(of_kind)))
        for kind, of_kind in groupby(ordered, key=lambda hit: hit.kind)
    ]
    is_guessed = not is_answered and all(hit.fit == LIKE for hit in hits)
    last = CALLED if is_answered else BODY
    found = pages_of(query.words, indexes, is_guessed=is_guessed, last=last)
    pages = tuple(map(_page, found))
    if pages:
        groups.append(ResultGroup(PAGE, str(HEADS[PAGE]), pages))
    exact = [_address(hit) for hit in hits if hit.fit == EXACT]
    every = (result for group in groups for result in (*group.results, *group.lines))
    only = next((each for each in every if exact == [each.url]), None)
    return Results(tuple(groups), only)


def _page(page: Page) -> Result:
    """A page; a guide with the best that it knows."""
    fits = page.judge(Q(), None) if page.judge else ()
    if not fits:
        return Result(PAGE, page.title, page.url, page.is_what)
    best = fits[0]
    return Result(
        PAGE,
        page.title,
        page.url,
        subject_of(best.standing).name,
        sure=best.sure,
        figure=known_figure(best.standing),
        value=best.figure,
        unit=best.unit,
    )


def _under_their_base(query: Query, hits: Sequence[Hit]) -> tuple[Result, ...]:
    """Results in their order, but variants of a plan under it where it was found too."""
    by_name = {(hit.under, hit.title) for hit in hits if hit.kind == PLAN}
    variants: dict[tuple[str, str], list[Result]] = {}
    things: list[Hit] = []
    for hit in hits:
        base = hit.under, base_name(hit.title)
        if hit.kind == PLAN and base in by_name:
            variants.setdefault(base, []).append(_result(query, hit))
        else:
            things.append(hit)
    return tuple(
        replace(
            _result(query, hit),
            variants=tuple(
                sorted(
                    variants.get((hit.under, hit.title), ()),
                    key=lambda each: each.figure is None,  # stable: measured ones first
                )
            ),
        )
        for hit in things
    )


def _result(query: Query, hit: Hit) -> Result:
    return Result(
        kind=hit.kind,
        title=hit.title.strip(),
        url=_address(hit),
        under=_under(hit),
        reason=_reason(query, hit),
        plp=hit.under if hit.kind == DRIVE else "",
        sure=confidence.basis_of(hit.standing) if hit.standing else "",
        figure=known_figure(hit.standing) if hit.standing else None,
        has_examples=hit.has_examples,
        has_runs=hit.has_runs,
        key=hit.key,
        standing=hit.standing,
    )


def _address(hit: Hit) -> str:
    if hit.kind == NAME:
        if hit.under:
            return reverse("pages:drive", args=[hit.under])
        return reverse("pages:unknown-drive", args=[hit.key])
    return reverse(f"pages:{hit.kind}", args=[hit.key])


def _under(hit: Hit) -> str:
    if hit.kind == DRIVE:
        return str(words.plp_words(hit.under))
    if hit.kind == NAME:
        return "" if hit.under else _("nobody has named it yet")
    if hit.kind == PROVIDER and hit.standing is not None and hit.standing.plan is not None:
        return _("fastest: %(plan)s") % {"plan": hit.standing.plan.name}
    return hit.under


def _reason(query: Query, hit: Hit) -> str:
    if hit.reason == PART:
        return _("Shops call it %(text)s.") % {"text": query.text}
    if hit.reason == PATTERN:
        return _("It reports itself as %(text)s.") % {"text": query.text}
    return ""
