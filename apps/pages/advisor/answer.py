"""The answer of the advisor: a sentence, then the plans as rows, grouped by verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.pages.advisor.groups import (
    AdviceEvidence,
    AdviceFigures,
    AdviceGroup,
    AdvicePrice,
    AdviceRow,
    AdviceVerdict,
)
from apps.pages.advisor.words import sentence_of
from apps.pages.draw.axis import AxisPlace, place_of_ns, place_of_rate
from apps.pages.draw.spot import Spot, draw_spot
from apps.pages.draw.trace import TraceFigures
from apps.pages.show import units, words
from apps.pages.show.dates import figure_day
from apps.pages.show.phrases import translate
from apps.plans.models import Price
from apps.rankings.advice.verdicts import Verdict
from apps.rankings.cost import cost_per_billion
from apps.runs.models import Level
from apps.stats.figures import NARROW_SPACE, significant
from apps.words.advice import doubt_words, reason_of, sentences_of
from apps.words.standings import RANKED_FROM

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from decimal import Decimal

    from django.utils.functional import Promise

    from apps.rankings.advice.engine import PlanAnswer
    from apps.rankings.advice.evidence import WorkloadFigure
    from apps.rankings.advice.needs import Need
    from apps.rankings.advice.offers import Offer

# Rows shown for each verdict. "May" shows as many as "yes", since readers look there next.
SHOWN_MAX: Final = {"yes": 30, "may": 30, "no": 8}
UNMEASURED_MAX: Final = 12
STATES: Final = {Verdict.PASSES: "yes", Verdict.MAY: "may", Verdict.FAILS: "no"}
# With this much headroom in every limit, the page does not say which of them gives way first.
AMPLE: Final = 2
HEADROOM_DIGITS: Final = 2  # significant digits; a third would be finer than the interval
LOST_ON_STOP: Final = gettext_lazy(
    "Its storage is emptied when the machine is stopped or moved: a commit is as durable as that "
    "machine, whatever it syncs."
)

HEADS: Final[Mapping[str, tuple[str | Promise, str | Promise]]] = {
    "yes": (
        gettext_lazy("Yes"),
        gettext_lazy("Also at the low end of what at least %(uploaders)s uploaders measured."),
    ),
    "may": (
        gettext_lazy("May"),
        gettext_lazy("The low end does not show it, too few measured it, or something that "
                     "decides is not known."),
    ),
    "no": (
        gettext_lazy("No"),
        gettext_lazy("Not even at the high end of what at least %(uploaders)s uploaders measured."),
    ),
}  # fmt: skip
GIVES_WAY: Final[Mapping[str, str | Promise]] = {
    "rate": gettext_lazy("First to give way: the rate."),
    "writers": gettext_lazy("First to give way: the rate of so few writers."),
    "p99": gettext_lazy("First to give way: the p99."),
    "capacity": gettext_lazy("First to give way: the capacity."),
    "budget": gettext_lazy("First to give way: the budget."),
}


@dataclass(frozen=True, slots=True)
class UnmeasuredPlan:
    """A plan that nobody measured, with its price."""

    name: str
    provider: str
    url: str
    price_month: Decimal | None


@dataclass(frozen=True, slots=True)
class CheaperPlan:
    """A plan with the same verdict that costs less than the first row but is listed below it.

    Either its guaranteed rate is too low, or `why` says which fact about it is missing.
    """

    name: str
    url: str
    price_month: Decimal
    offer: Offer
    why: str | Promise
    is_rate_short: bool


@dataclass(frozen=True, slots=True)
class Advice:
    """Everything that the page shows below the form."""

    groups: tuple[AdviceGroup, ...]
    best: AdviceRow | None  # the plan that the sentence names
    cheaper: CheaperPlan | None
    sentence: str
    unmeasured: tuple[UnmeasuredPlan, ...]
    n_unmeasured: int
    n_plans: int
    is_published_only: bool
    lines: tuple[LimitLine, ...]  # one for each limit, drawn through all rows


@dataclass(frozen=True, slots=True)
class LimitLine:
    """A limit drawn as a vertical line across all rows."""

    place: AxisPlace
    words: str
    kind: str  # p99 or rate


def advice_of(need: Need, answers: Sequence[PlanAnswer]) -> Advice:
    """Turn the answers of the engine into rows and sentences; no query."""
    measured = [each for each in answers if each.figure is not None]
    waiting = [each for each in answers if each.figure is None]
    groups_by_state = (_group(need, state, measured) for state in STATES.values())
    groups = tuple(group for group in groups_by_state if group)
    best = groups[0].rows[0] if groups else None
    return Advice(
        groups=groups,
        best=best,
        cheaper=_cheaper(measured[0], measured) if measured else None,
        sentence=sentence_of(groups, len(answers)),
        unmeasured=tuple(_unmeasured(each) for each in waiting[:UNMEASURED_MAX]),
        n_unmeasured=len(waiting),
        n_plans=len(answers),
        is_published_only=bool(measured)
        and all(each.figure is None or each.figure.is_published for each in measured),
        lines=tuple(_lines(need)),
    )


def state_of(answer: PlanAnswer) -> str:
    """The verdict of a plan that somebody measured, as the page has it."""
    return STATES[answer.verdict]


def _group(need: Need, state: str, measured: Sequence[PlanAnswer]) -> AdviceGroup | None:
    answers = [each for each in measured if state_of(each) == state]
    if not answers:
        return None
    if state == "no":  # nearest to the limit first: a cheap plan that fails by far helps nobody
        answers.sort(key=lambda each: -(each.headroom or 0))
    word, note = HEADS[state]
    first = answers[: SHOWN_MAX[state]]
    rows = tuple(_row(need, each, state) for each in first)
    n_ephemeral = sum(each.candidate.is_ephemeral for each in answers)
    n_missed = sum(each.is_miss for each in answers)
    return AdviceGroup(
        state, str(word), str(note) % RANKED_FROM, rows, len(answers), n_ephemeral, n_missed
    )


def _row(need: Need, answer: PlanAnswer, state: str) -> AdviceRow:
    plan, figure = answer.candidate, answer.figure
    if figure is None:
        raise AssertionError("a row is of a plan that was measured")
    return AdviceRow(
        slug=plan.slug,
        name=plan.name,
        url=reverse("pages:plan", args=[plan.slug]),
        under=" \u00b7 ".join(filter(None, (plan.provider_name, translate(plan.regions)))),
        is_ephemeral=plan.is_ephemeral,
        verdict=_verdict(answer, state),
        figures=_figures(figure),
        price=AdvicePrice(
            offer=plan.offer,
            currency=need.currency,
            per_billion=_per_billion(need, figure, plan.offer.price_month),
        ),
        evidence=_evidence(figure),
    )


def _verdict(answer: PlanAnswer, state: str) -> AdviceVerdict:
    return AdviceVerdict(
        state=state,
        word=str(HEADS[state][0]),
        headroom=_headroom(answer),
        reasons=tuple(_reasons(answer)),
        assumptions=tuple(sentences_of(answer.assumptions)),
        is_miss=answer.is_miss,
        falls_short=answer.falls_short,
    )


def _figures(figure: WorkloadFigure) -> AdviceFigures:
    return AdviceFigures(
        workload=figure.workload,
        rate_per_s=figure.rate_per_s,
        low=figure.rate_low_per_s,
        high=figure.rate_high_per_s,
        interval=str(words.INTERVALS.get(figure.interval_is, "")),
        p99_ns=figure.p99_ns,
        p99_limit_ns=figure.p99_limit_ns,
        spot=_spot(figure),
        is_illustrative=figure.is_illustrative,
    )


def _evidence(figure: WorkloadFigure) -> AdviceEvidence:
    return AdviceEvidence(
        level=Level.PUBLISHED if figure.is_published else Level.WITNESSED,
        count=_count(figure),
        when=figure_day(figure.measured_on, figure.run_slug),
        run_url=reverse("pages:run", args=[figure.run_slug]) if figure.run_slug else "",
        source=figure.source.title if figure.source else "",
    )


def _cheaper(first: PlanAnswer, answers: Sequence[PlanAnswer]) -> CheaperPlan | None:
    """The cheapest plan with the verdict of the first row; None unless one costs less than it."""
    most = first.candidate.offer.price_month
    if most is None or first.falls_short or first.verdict is Verdict.FAILS:
        return None
    cheaper = [
        (offer.price_month, each)
        for each in answers
        if each.verdict == first.verdict and not each.is_miss
        and (offer := each.candidate.offer).price_month is not None
        and not offer.is_part and offer.price_month < most
    ]  # fmt: skip
    if not cheaper:
        return None
    price, answer = min(cheaper, key=lambda each: each[0])
    plan = answer.candidate
    url = reverse("pages:plan", args=[plan.slug])
    return CheaperPlan(
        plan.name, url, price, plan.offer, doubt_words(answer.doubt), answer.is_rate_short
    )


def _reasons(answer: PlanAnswer) -> list[str]:
    """The reasons of a verdict: what decides it, every limit, and which limit gives way first."""
    is_ample = answer.smallest_margin is not None and answer.smallest_margin >= AMPLE
    weakest = "" if is_ample else GIVES_WAY.get(answer.breaks_first)
    doubt = doubt_words(answer.doubt)
    why = f"{doubt[:1].upper()}{doubt[1:]}"
    decides = _("%(why)s.") % {"why": why} if why else ""
    lost = str(LOST_ON_STOP) if answer.candidate.is_ephemeral else ""
    return list(filter(None, (lost, decides, *map(reason_of, answer.reasons), str(weakest or ""))))


def _headroom(answer: PlanAnswer) -> str:
    """The available rate divided by the needed one; 1 is just enough."""
    if answer.headroom is None:
        return ""
    values = {"times": significant(answer.headroom, HEADROOM_DIGITS)}
    if answer.rate_low_per_s is None:
        return _("%(times)s times the need, if typical") % values
    return _("%(times)s times the need") % values


def _per_billion(need: Need, figure: WorkloadFigure, month: Decimal | None) -> Decimal | None:
    """The cost of a billion commits at the price of the answer; None for other operations."""
    is_commit = figure.p99_limit_ns is None and not figure.is_read
    if month is None or not is_commit or not figure.rate_per_s:
        return None
    price = Price(amount=month, period=Price.Period.MONTH, currency=need.currency)
    return (
        cost_per_billion(price, rate_per_s=figure.rate_per_s) * need.software.syncs_per_transaction
    )


def _count(figure: WorkloadFigure) -> str:
    if figure.is_published:
        return words.count(figure.n_runs, "published run")
    machines = words.count(figure.n_machines, "machine")
    return f"{machines} / {words.count(figure.n_uploaders, 'uploader')}"


def _spot(figure: WorkloadFigure) -> Spot | None:
    """The drawing of a figure; None where it has no latency of its own."""
    if figure.p99_limit_ns is not None:
        return None
    return draw_spot(
        TraceFigures(
            rate_per_s=figure.rate_per_s,
            low=figure.rate_low_per_s,
            high=figure.rate_high_per_s,
            p50_ns=figure.p50_ns,
            p99_ns=figure.p99_ns,
            plp=figure.plp,
        )
    )


def _lines(need: Need) -> list[LimitLine]:
    """The limits that lie on the latency axis: the p99, and the mean latency of a single writer."""
    lines = []
    limit_ns = need.latency_limit_ns
    if limit_ns is not None:
        figure, unit = units.stated_duration(limit_ns)
        label = _("p99 at most %(time)s") % {"time": f"{figure}{NARROW_SPACE}{unit}"}
        lines.append(LimitLine(place_of_ns(limit_ns), label, "p99"))
    if need.sessions == 1 and not need.software.is_open_loop:
        label = _("%(rate)s/s") % {"rate": f"{need.syncs_per_s:,}"}
        lines.append(LimitLine(place_of_rate(need.syncs_per_s), label, "rate"))
    return lines


def _unmeasured(answer: PlanAnswer) -> UnmeasuredPlan:
    plan = answer.candidate
    return UnmeasuredPlan(
        name=plan.name,
        provider=plan.provider_name,
        url=reverse("pages:plan", args=[plan.slug]),
        price_month=plan.offer.price_month,
    )
