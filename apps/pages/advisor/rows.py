"""Plans as rows: the word with its margin, the figures, and behind a mark the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.urls import reverse
from django.utils.translation import gettext as _

from apps.pages.show import phrases, units, words
from apps.pages.show.dates import figure_day
from apps.pages.show.list_prices import KINDS, offer_day, offer_size
from apps.pages.show.table.rows import spot_of_advice
from apps.plans.models import Price, PriceKind
from apps.rankings.advice.verdicts import VerdictDoubt
from apps.rankings.cost import cost_per_billion
from apps.stats.standings.confidence import UNKNOWN
from apps.words import confidence
from apps.words.advice import SIZES, doubt_words, load_words, reason_of, sentences_of
from apps.words.facts import note_in_words
from apps.words.workloads import workload_short

if TYPE_CHECKING:
    from collections.abc import Mapping
    from decimal import Decimal

    from apps.pages.draw.spot import Spot
    from apps.rankings.advice.engine import PlanAnswer
    from apps.rankings.advice.evidence import WorkloadFigure
    from apps.rankings.advice.needs import Need
    from apps.rankings.advice.offers import Offer

# The limits of a need that carry a name of their own on the page, by the name that they have there.
NAMES: Final[Mapping[str, str]] = {"p99": "p99"}


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """A plan with the word for it and the figures behind it. Rates a second, times nanoseconds."""

    slug: str
    name: str
    url: str
    under: str
    lost: str  # that a stop of its machine loses the data, and what that asks for
    state: str  # firm, likely, borderline, unlikely or fails
    word: str
    margin: str  # over what is needed; empty where nothing can make up for what is missing
    margin_of: str  # the limit that it is of, else what is missing; empty for the rate
    loaded_to: str  # the share of its rate that counts, where that decides; else empty
    work: str  # in three words
    when: str  # it was measured, or published
    rate_per_s: float
    low: float | None
    high: float | None
    interval: str  # of what the two are the ends
    p99_ns: int | None
    p99_bound_ns: int | None  # of a commit, where its two sides alone are known
    p99_limit_ns: int | None  # of useful IOPS: the limit that their rate keeps
    spot: Spot | None
    is_illustrative: bool  # the source calls the figure a sample
    offer: Offer
    price_is: str  # what its price is, where it is none that anybody can have today
    currency: str
    about: tuple[tuple[str, tuple[str, ...]], ...]  # a head, and its sentences
    run_url: str
    source: str  # title of an article; empty where it was measured with the agent

    @property
    def kept_ns(self) -> int | None:
        """Its p99: of useful IOPS the limit that their rate keeps."""
        return self.p99_limit_ns or self.p99_ns


def row_of(need: Need, answer: PlanAnswer) -> AdviceRow:
    """A plan that was measured, as a row."""
    plan, figure = answer.candidate, answer.figure
    if figure is None:
        raise AssertionError("a row is of a plan that was measured")
    return AdviceRow(
        slug=plan.slug,
        name=plan.name,
        url=reverse("pages:plan", args=[plan.slug]),
        under=phrases.join_facts((plan.provider_name, _volume(plan.offer))),
        lost=_lost(answer),
        state=answer.sure.shape,
        word=confidence.word(answer.sure),
        margin=margin_words(answer),
        margin_of=_margin_of(need, answer),
        loaded_to=_loaded_to(answer),
        work=workload_short(figure.workload),
        when=figure_day(figure.measured_on, figure.run_slug),
        rate_per_s=figure.rate_per_s,
        low=figure.rate_low_per_s,
        high=figure.rate_high_per_s,
        interval=str(words.INTERVALS.get(figure.interval_is, "")),
        p99_ns=figure.p99_ns,
        p99_bound_ns=None if figure.p99_ns else figure.p99_bound_ns,
        p99_limit_ns=figure.p99_limit_ns,
        spot=spot_of_advice(figure),
        is_illustrative=figure.is_illustrative,
        offer=plan.offer,
        price_is=str(KINDS[PriceKind.SUPERSEDED]) if is_gone(plan.offer) else "",
        currency=need.currency,
        about=tuple(_about(need, answer, figure)),
        run_url=reverse("pages:run", args=[figure.run_slug]) if figure.run_slug else "",
        source=figure.source.title if figure.source else "",
    )


def _lost(answer: PlanAnswer) -> str:
    if answer.doubt is VerdictDoubt.NEEDS_REPLICA:
        return doubt_words(answer.doubt)
    return _("data lost on stop") if answer.candidate.is_ephemeral else ""


def margin_words(answer: PlanAnswer) -> str:
    """What can be counted on over what is needed; of a firm no what cannot be beaten.

    Nothing of what nobody knows: then a limit decides that has no figure.
    """
    if answer.margin is None or answer.sure == UNKNOWN:
        return ""
    times = answer.margin.best if answer.sure.fails else answer.margin.worst
    return f"{confidence.times_words(times)}\u00d7"


def is_gone(offer: Offer) -> bool:
    """Whether nobody can rent at this price any more."""
    return offer.price_kind is PriceKind.SUPERSEDED


def budget_words(need: Need) -> str:
    """What may be spent a month, without cents where it has none; empty where nobody said."""
    if need.budget_month is None:
        return ""
    return units.money(need.budget_month, need.currency).removesuffix(".00")


def over_budget(need: Need, answer: PlanAnswer) -> str:
    """What a plan costs beside the budget that it fails; empty where the budget does not decide."""
    price = answer.candidate.offer.price_month
    if answer.margin_of != "budget" or price is None:
        return ""
    return _("%(price)s, over %(budget)s") % {
        "price": units.money(price, need.currency),
        "budget": budget_words(need),
    }


def _volume(offer: Offer) -> str:
    """What the price of a volume is for; empty of what is rented with a server."""
    return phrases.join_facts((offer_size(offer), _("without a server"))) if offer.is_part else ""


def _loaded_to(answer: PlanAnswer) -> str:
    """How much of its rate counts, where that decides."""
    return load_words(answer).replace(" ", "\u00a0")  # it is as wide as the word above it


def _margin_of(need: Need, answer: PlanAnswer) -> str:
    """The limit that the margin is of; without a margin what is missing."""
    if answer.sure == UNKNOWN and "p99" in answer.unknown:
        return _("its p99 is not known")
    if over := over_budget(need, answer):
        return over
    if answer.margin is None and answer.doubt is not None:
        return doubt_words(answer.doubt)
    return str(SIZES.get(answer.margin_of) or NAMES.get(answer.margin_of, ""))


def _about(
    need: Need, answer: PlanAnswer, figure: WorkloadFigure
) -> list[tuple[str, tuple[str, ...]]]:
    """Why the row has its word, what it counts on, and of when its price and figure are."""
    offer = answer.candidate.offer
    doubt = doubt_words(answer.doubt)
    doubted = f"{doubt[:1].upper()}{doubt[1:]}{_('.')}" if doubt else ""
    why = (doubted, *map(reason_of, answer.reasons))
    billion = _per_billion(need, figure, offer.price_month)
    cost = (
        ""
        if billion is None
        else phrases.with_name(_("Per billion"), units.money(billion, need.currency))
    )
    price = phrases.join_facts((offer_size(offer), offer_day(offer), cost))
    measured = phrases.join_facts(
        (confidence.basis_of(figure), figure_day(figure.measured_on, figure.run_slug))
    )
    regions = note_in_words(answer.candidate.regions)
    lines = (
        (_("Why"), tuple(filter(None, why))),
        (_("Counts on"), tuple(sentences_of(answer.assumptions))),
        (_("Price"), tuple(filter(None, (price,)))),
        (_("Region"), tuple(filter(None, (regions,)))),
        (_("Measured"), (measured,)),
    )
    return [line for line in lines if line[1]]


def _per_billion(need: Need, figure: WorkloadFigure, month: Decimal | None) -> Decimal | None:
    """The cost of a billion commits at the price of the answer; None for other operations."""
    is_commit = figure.p99_limit_ns is None and not figure.is_read
    if month is None or not is_commit or not figure.rate_per_s:
        return None
    price = Price(amount=month, period=Price.Period.MONTH, currency=need.currency)
    return (
        cost_per_billion(price, rate_per_s=figure.rate_per_s) * need.software.syncs_per_transaction
    )
