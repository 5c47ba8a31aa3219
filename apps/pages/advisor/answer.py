"""The answer of the advisor: a sentence with its word, a picture, then the plans as rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from apps.pages.advisor.rows import AdviceRow, budget_words, is_gone, over_budget, row_of
from apps.pages.draw.axis import AxisPlace, place_of_ns, place_of_rate
from apps.pages.show import phrases, units
from apps.pages.show.answer import WORDS_MAX, Answer
from apps.pages.show.fit_words import fit_sentence
from apps.pages.show.list_prices import caution_on, offer_day
from apps.plans.models import PriceKind
from apps.rankings.advice.software import Operation
from apps.stats.figures import NARROW_SPACE, significant
from apps.stats.standings.confidence import UNKNOWN, Confidence, Sureness
from apps.words import confidence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from apps.rankings.advice.engine import PlanAnswer
    from apps.rankings.advice.needs import Need

ROWS_MAX: Final = 12  # before the fold: what is read at a glance
OTHERS_MAX: Final = 60  # in the fold; the API has the rest
UNMEASURED_MAX: Final = 12
LANES_MAX: Final = 5  # of the picture beside the answer
LANE_PX: Final = 44
WORDS_PERCENT: Final = 36.0  # what a name with its rate takes of the field
LANES_TOP_PX: Final = 76  # below the words of the limits
FIRM: Final = Sureness(Confidence.FIRM)
LIKELY: Final = Sureness(Confidence.LIKELY)
BORDERLINE: Final = Sureness(Confidence.BORDERLINE)


@dataclass(frozen=True, slots=True)
class UnmeasuredPlan:
    """A plan that nobody measured, with its price."""

    name: str
    provider: str
    url: str
    price_month: Decimal | None


@dataclass(frozen=True, slots=True)
class LimitLine:
    """A limit drawn as a vertical line across picture and rows."""

    place: AxisPlace
    words: str
    kind: str  # p99 or rate


@dataclass(frozen=True, slots=True)
class NeedLane:
    """One of the first rows in the picture; heights are pixels."""

    row: AdviceRow
    top: int

    @property
    def words_left(self) -> bool:
        """Whether its words stand left of its mark, away from what is needed."""
        return self.row.spot is not None and self.row.spot.dot.percent > WORDS_PERCENT


@dataclass(frozen=True, slots=True)
class Advice:
    """Everything that the page shows below the form."""

    answer: Answer
    best: AdviceRow | None  # the plan that the sentence names
    basis: str  # its figure, its work and its day; empty where no plan was measured
    gone: str  # a plan that was cheaper, at a price that nobody can have; empty: none
    rows: tuple[AdviceRow, ...]
    others: tuple[AdviceRow, ...]
    n_measured: int
    unmeasured: tuple[UnmeasuredPlan, ...]
    n_plans: int
    lines: tuple[LimitLine, ...]  # one for each limit
    lanes: tuple[NeedLane, ...]

    @property
    def n_unmeasured(self) -> int:
        """How many plans in question have no figure."""
        return self.n_plans - self.n_measured

    @property
    def n_others(self) -> int:
        """How many plans were measured beside the first rows."""
        return self.n_measured - len(self.rows)

    @property
    def height(self) -> int:
        """How high the picture is, in pixels."""
        return LANES_TOP_PX + LANE_PX * max(len(self.lanes), 1)


def advice_of(need: Need, answers: Sequence[PlanAnswer]) -> Advice:
    """Turn the answers of the engine into a sentence and rows; no query."""
    measured = [each for each in answers if each.figure is not None]
    waiting = [each for each in answers if each.figure is None]
    shown = [row_of(need, each) for each in measured[: ROWS_MAX + OTHERS_MAX]]
    best = shown[0] if shown else None
    drawn = [row for row in shown[: ROWS_MAX + 1] if row.spot is not None]
    return Advice(
        answer=answer_of(need, measured, n_plans=len(answers)),
        best=best,
        basis=_basis(best, need) if best else "",
        gone=_gone_before(measured[0], measured, need) if measured else "",
        rows=tuple(shown[:ROWS_MAX]),
        others=tuple(shown[ROWS_MAX:]),
        n_measured=len(measured),
        unmeasured=tuple(_unmeasured(each) for each in waiting[:UNMEASURED_MAX]),
        n_plans=len(answers),
        lines=tuple(_lines(need)),
        lanes=tuple(
            NeedLane(row, LANES_TOP_PX + LANE_PX * n) for n, row in enumerate(_drawn(drawn))
        ),
    )


def _drawn(rows: Sequence[AdviceRow]) -> list[AdviceRow]:
    """The rows of the picture: what reaches the need, and where nothing does the nearest."""
    reaching = [row for row in rows if row.state not in {"unlikely", "fails"}]
    return list(reaching or rows)[:LANES_MAX]


def answer_of(need: Need, measured: Sequence[PlanAnswer], *, n_plans: int) -> Answer:
    """The sentence on the first plan, its price, and how sure it is that it carries the load.

    `measured` are the answers with a figure, in the order of the engine.
    """
    best = next(iter(measured), None)
    if best is None or best.figure is None:
        return Answer(sentence=_nothing(n_plans), sure=confidence.line(UNKNOWN, basis=_none()))
    offer = best.candidate.offer
    figure, unit = significant(best.figure.rate_per_s), _per_second(need)
    if _is_no(best):  # the price of what does not do it is no answer
        figure, unit = "", ""
    elif offer.price_month is not None and not is_gone(offer):
        figure, unit = units.money(offer.price_month, need.currency), _("a month")
    return Answer(
        sentence=_sentence(need, best, measured),
        sure=confidence.line(best.sure, _stands_on(need, best), best.margin),
        figure=figure,
        unit=unit,
    )


def _stands_on(need: Need, best: PlanAnswer) -> str:
    """What stands behind the word: the runs, or where the price alone fails that and its day."""
    if over := over_budget(need, best):
        return phrases.join_facts((over, offer_day(best.candidate.offer)))
    return confidence.basis_of(best.figure)


def _gone_before(best: PlanAnswer, measured: Sequence[PlanAnswer], need: Need) -> str:
    """The cheapest plan that does it too, was cheaper, and cannot be had any more at its price."""
    price = best.candidate.offer.price_month
    gone = [
        each
        for each in measured
        if each.sure in (FIRM, LIKELY) and is_gone(each.candidate.offer) and not each.falls_short
    ]
    first = next(iter(gone), None)
    month = first.candidate.offer.price_month if first else None
    if first is None or price is None or month is None or month >= price:
        return ""
    return caution_on(
        [(f"{first.candidate.name}, {units.money(month, need.currency)}", PriceKind.SUPERSEDED)]
    )


def _none() -> str:
    return confidence.basis_of(None)


def _nothing(n_plans: int) -> str:
    if not n_plans:
        return _("No listed plan is left of this provider, kind and region.")
    return ngettext(
        "The %(n)s plan in question was not measured with such work.",
        "None of the %(n)s plans in question was measured with such work.",
        n_plans,
    ) % {"n": n_plans}


def _sentence(need: Need, best: PlanAnswer, measured: Sequence[PlanAnswer]) -> str:
    """Whether the first plan does what is needed, and whether it is the cheapest."""
    name, offer, asked = best.candidate.name, best.candidate.offer, asked_of(need)
    if best.sure.confidence is Confidence.UNKNOWN:
        return _("Nobody knows whether %(name)s does %(asked)s.") % {"name": name, "asked": asked}
    if _is_no(best):
        return _("None does %(asked)s; the nearest is %(name)s.") % {"name": name, "asked": asked}
    if offer.price_month is None:
        sentence = _("%(name)s does %(asked)s; its price is not known.")
        return sentence % {"name": name, "asked": asked}
    return _cheapest(need, best, measured)


def _cheapest(need: Need, best: PlanAnswer, measured: Sequence[PlanAnswer]) -> str:
    """Whether the first plan, which has a price, is the cheapest, and which is surer.

    Where the cheapest is likely, a firm one is named too; where a cheaper one is borderline, that:
    without it nothing is called the cheapest, nor at a price that nobody can have.
    """
    name, offer, asked = best.candidate.name, best.candidate.offer, asked_of(need)
    fit = phrases.with_name(name, fit_sentence(best.sure, asked))
    if is_gone(offer):
        return fit
    sentence = _("%(name)s is the cheapest for %(asked)s.")
    if offer.is_part:
        sentence = _("%(name)s is the cheapest for %(asked)s; a server comes on top.")
    plain = sentence % {"name": name, "asked": asked}
    beside = None if offer.is_part else _beside(best, measured)
    if beside is None:
        return plain
    both = _("%(name)s is the cheapest for %(asked)s; %(other)s, %(price)s, is %(word)s.") % {
        "name": name,
        "asked": asked,
        "other": beside.candidate.name,
        "price": units.money(beside.candidate.offer.price_month or 0, need.currency),
        "word": confidence.word(beside.sure).lower(),
    }
    if len(both.split()) <= WORDS_MAX:
        return both
    # Of one that is borderline itself the other may do it as well, so it is not the cheapest.
    return fit if best.sure == BORDERLINE else plain


def _is_no(best: PlanAnswer) -> bool:
    """Whether the first plan does not do it, so that none does."""
    if best.sure.confidence is Confidence.UNKNOWN:
        return False
    is_unlikely = best.sure.fails or best.sure.confidence is Confidence.UNLIKELY
    return is_unlikely or best.falls_short


def asked_of(need: Need) -> str:
    """What is asked for in short, as "5,000/s within 2 ms and €10"."""
    rate = f"{need.rate_per_s:,}/s"
    budget = budget_words(need)
    if need.latency_limit_ns is None:
        within = _("%(rate)s within %(budget)s") if budget else "%(rate)s"
        return within % {"rate": rate, "budget": budget}
    figure, unit = units.stated_duration(need.latency_limit_ns)
    time = f"{figure}{NARROW_SPACE}{unit}"
    within = _("%(rate)s within %(time)s")
    if budget:
        within = _("%(rate)s within %(time)s and %(budget)s")
    return within % {"rate": rate, "time": time, "budget": budget}


def _beside(best: PlanAnswer, measured: Sequence[PlanAnswer]) -> PlanAnswer | None:
    """The plan to name beside the first: of a likely one a firm one, else a cheaper borderline.

    Of a borderline one too: one of which less is known stands behind it whatever it costs.
    """
    price = best.candidate.offer.price_month or 0
    if best.sure == LIKELY:
        firm = next((each for each in measured if each.sure == FIRM and _is_rentable(each)), None)
        if firm is not None:
            return firm
    borderline = (each for each in measured if each.sure == BORDERLINE and not each.falls_short)
    return next(
        (
            each
            for each in borderline
            if _is_rentable(each) and (each.candidate.offer.price_month or 0) < price
        ),
        None,
    )


def _is_rentable(answer: PlanAnswer) -> bool:
    """Whether a plan has a price of today that is for all of it."""
    offer = answer.candidate.offer
    return offer.price_month is not None and not offer.is_part and not is_gone(offer)


def _basis(best: AdviceRow, need: Need) -> str:
    """What the first plan does, with what work, and when that was measured."""
    rate = f"{significant(best.rate_per_s)} {_per_second(need)}"
    p99 = f"p99 {units.latency(best.p99_ns)}" if best.p99_ns else ""
    if best.p99_bound_ns:
        p99 = _("p99 at most %(time)s") % {"time": units.latency(best.p99_bound_ns)}
    return phrases.join_facts((rate, p99, best.work, best.when))


def _per_second(need: Need) -> str:
    is_of_syncs = need.software.operations is Operation.SYNCS
    return _("durable commits/s") if is_of_syncs else "/s"


def _lines(need: Need) -> list[LimitLine]:
    """The limits that lie on the latency axis: the p99, and the mean latency of a single writer."""
    lines = []
    limit_ns = need.latency_limit_ns
    if limit_ns is not None:
        figure, unit = units.stated_duration(limit_ns)
        label = _("p99 at most %(time)s") % {"time": f"{figure}{NARROW_SPACE}{unit}"}
        lines.append(LimitLine(place_of_ns(limit_ns), label, "p99"))
    if need.sessions == 1 and not need.software.is_open_loop:
        label = _("%(rate)s/s needed") % {"rate": f"{need.syncs_per_s:,}"}
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
