"""Judges plans by what was measured on them. No database, no clock.

It counts on the lower bound of a figure and not on the estimate. It names its assumptions, and says
where nobody measured a plan or where a figure has no lower bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.plans.models import PriceKind
from apps.plans.regions import Offered
from apps.rankings.advice.candidate import Candidate
from apps.rankings.advice.evidence import Grounds, WorkloadFigure
from apps.rankings.advice.limits import (
    DECIDES,
    JudgedFigure,
    JudgedLimit,
    limits_of,
    measured_weakest,
    region_doubt,
    weakest,
    where_offered,
)
from apps.rankings.advice.remarks import Remark, RemarkKind, remark
from apps.rankings.advice.stand_ins import search_of
from apps.rankings.advice.verdicts import (
    Judgement,
    Verdict,
    VerdictDoubt,
    combine,
    judged_sureness,
    usable_share,
)
from apps.rankings.advice.work import StandIn, Work
from apps.stats.standings.confidence import UNKNOWN, Confidence, Margin, Sureness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from decimal import Decimal

    from apps.rankings.advice.needs import Need


# The order of the words: from a yes to a firm no; what nobody knows may be enough, so it goes
# before what is unlikely. Firm and likely are one place: who asks for the cheapest that does it is
# told both, and the word beside it.
PLACES: Final = {
    Sureness(Confidence.FIRM): 0,
    Sureness(Confidence.LIKELY): 0,
    Sureness(Confidence.BORDERLINE): 1,
    UNKNOWN: 2,
    Sureness(Confidence.UNLIKELY): 3,
    Sureness(Confidence.FIRM, fails=True): 4,
}
MEASURED: Final = frozenset({"rate", "writers", "p99"})  # limits whose margin is one of the load


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """What is said of one plan."""

    candidate: Candidate
    verdict: Verdict
    confidence: Grounds
    figure: WorkloadFigure | None
    rate_low_per_s: float | None  # transactions of this software that can be counted on
    breaks_first: str  # rate, writers, p99, capacity or budget
    reasons: tuple[tuple[Remark, ...], ...]  # the remarks on each limit
    assumptions: tuple[Remark, ...]
    doubt: VerdictDoubt | None = None  # what keeps the verdict from being a better one
    is_miss: bool = False  # a figure lies beyond its limit, but does not decide
    is_rate_short: bool = False  # the rate to count on, else the estimate, is less than needed
    smallest_margin: float | None = None  # of those that are known; 1 is just enough
    # The rate to count on, else the estimate, over the rate that is needed. None where no workload
    # was measured that can show a pass.
    headroom: float | None = None
    unknown: tuple[str, ...] = ()  # limits of which nothing is known: rate, p99, region, ...
    sure: Sureness = UNKNOWN  # that the plan meets the need
    margin: Margin | None = None  # of the limit that decides: what it has over what is needed
    margin_of: str = ""  # that limit
    share: float = 1.0  # of the rate that counts: under a limit of p99 a drive is not loaded full

    @property
    def falls_short(self) -> bool:
        """Whether a figure, or what of it can be counted on, is less than is asked for."""
        return self.is_miss or self.is_rate_short


def advise(need: Need, candidates: Iterable[Candidate]) -> list[PlanAnswer]:
    """Return an answer for every plan in question: the cheapest that reaches the need first.

    Left out are plans that are certainly of another region, kind or provider, volumes that nobody
    asked for, and under a budget what has no price. The order is by the word of confidence: firm
    and likely, then borderline, unknown, unlikely, and firm that fails. Of these, in this order:

    1. plans that do not fall short and of which every limit is known,
    2. plans with a limit of which nothing is known,
    3. plans whose rate cannot be counted on, the nearest to enough first,
    4. plans with a figure beyond its limit, the nearest to enough first.

    Within each of these, plans without a price are last, then those that cannot be had any more at
    theirs, then volumes, because their price is without a server, then the dearer ones; of one
    price the better evidence is first.
    """
    answers = [_answer(need, each) for each in candidates if _is_asked_for(need, each)]
    return sorted(answers, key=_place_of)


def _place_of(
    answer: PlanAnswer,
) -> tuple[bool, int, bool, bool, bool, float, bool, bool, bool, Decimal | int, Grounds, str]:
    """Return the key of that order."""
    offer = answer.candidate.offer
    return (
        answer.figure is None,
        PLACES[answer.sure],
        answer.is_miss,
        answer.falls_short,
        bool(answer.unknown),
        -(answer.smallest_margin or 0) if answer.falls_short else 0,
        offer.price_month is None,
        offer.price_kind is PriceKind.SUPERSEDED,
        offer.is_part,
        offer.price_month if offer.price_month is not None else 0,
        answer.confidence,
        answer.candidate.slug,
    )


def _is_asked_for(need: Need, plan: Candidate) -> bool:
    is_here = where_offered(need, plan) is not Offered.NO
    is_theirs = not need.provider or need.provider == plan.provider
    is_one_of_them = not need.providers or plan.provider in need.providers
    is_priced = need.budget_month is None or plan.offer.price_month is not None
    is_wanted = is_here and is_theirs and is_one_of_them
    return is_wanted and is_priced and need.asks_for_kind(plan.kind)


def _answer(need: Need, plan: Candidate) -> PlanAnswer:
    judged = _evidence_for(need, plan)
    if judged is None:
        doubts = [region_doubt(need, plan)]
        return PlanAnswer(
            plan, Verdict.NOT_MEASURED, Grounds.NONE, None, None, "",
            ((remark(RemarkKind.NOT_MEASURED),), *((doubt,) for doubt in doubts if doubt)),
            plan.offer.assumptions,
        )  # fmt: skip
    limits, figure = limits_of(need, plan, judged), judged.figure
    decisive_first = sorted(limits, key=lambda limit: limit.name not in DECIDES)
    judgement = combine(limit.judgement for limit in decisive_first)
    low = figure.rate_low_per_s if judged.stand_in.can_pass else None
    rate, least = limits[0], weakest(limits)
    decisive = _decisive(judgement, decisive_first)
    return PlanAnswer(
        candidate=plan,
        verdict=judgement.verdict,
        doubt=judgement.doubt,
        is_miss=judgement.is_miss,
        is_rate_short=rate.margin is not None and rate.margin < 1,
        smallest_margin=least.margin,
        confidence=figure.confidence,
        figure=figure,
        rate_low_per_s=None
        if low is None
        else low * judged.share / need.software.syncs_per_transaction,
        breaks_first=least.name,
        reasons=tuple(limit.remarks for limit in limits),
        assumptions=(*_assumptions(need, judged), *plan.offer.assumptions),
        headroom=rate.margin if judged.stand_in.can_pass else None,
        unknown=tuple(limit.name for limit in limits if limit.margin is None),
        sure=_sureness(judgement, limits, figure),
        margin=decisive.whole_margin if decisive.name in MEASURED else None,
        margin_of=decisive.name,
        share=judged.share,
    )


def _decisive(judgement: Judgement, limits: Sequence[JudgedLimit]) -> JudgedLimit:
    """Return the limit that a plan fails, else that of the smallest margin of what was measured."""
    if judgement.verdict is Verdict.FAILS:
        return next(limit for limit in limits if limit.judgement == judgement)
    return measured_weakest(limits)


def _sureness(
    judgement: Judgement, limits: Sequence[JudgedLimit], figure: WorkloadFigure
) -> Sureness:
    """Return the word: unknown without a p99 where one is asked for, unless the rate is too low.

    With another limit of which nothing is known it is borderline at best.
    """
    unknown = {limit.name for limit in limits if limit.margin is None}
    span = measured_weakest(limits).span
    if "p99" in unknown and span is not None and span.best >= 1:
        span = None
    sure = judged_sureness(judgement, figure.support, span)
    is_open = bool(unknown)
    if is_open and sure.confidence in {Confidence.FIRM, Confidence.LIKELY} and not sure.fails:
        return Sureness(Confidence.BORDERLINE)
    return sure


def _evidence_for(need: Need, plan: Candidate) -> JudgedFigure | None:
    """Return the figure of the workload that stands for the software, or None without any.

    Useful IOPS come first under a limit of p99, then shared syncs where sessions commit at once.
    """
    best = _useful(need, plan) or _grouped(need, plan) or _nearest(need, plan)
    if best is None:
        return None
    figure, stand_in = best
    is_p99_limited = need.latency_limit_ns is not None
    return JudgedFigure(
        figure, stand_in, usable_share(figure, plan.storage_kind, is_p99_limited=is_p99_limited)
    )


def _grouped(need: Need, plan: Candidate) -> tuple[WorkloadFigure, StandIn] | None:
    """Return the figure of the most sessions that share syncs, up to the number asked for."""
    groups = plan.groups(need.software.groups) if need.sessions > 1 else []
    fitting = [each for each in groups if each[0] <= need.sessions]
    if not fitting:
        return None
    size, figure = fitting[-1]
    stand_in = StandIn(figure.workload)
    return figure, stand_in if size == need.sessions else stand_in.for_more_sessions()


def _nearest(need: Need, plan: Candidate) -> tuple[WorkloadFigure, StandIn] | None:
    """Return the figure of the first of the software's workloads that somebody measured."""
    for stand_in in need.software.stand_ins:
        figure = plan.figures.get(stand_in.workload)
        if figure is not None:
            return figure, stand_in.for_more_sessions() if need.sessions > 1 else stand_in
    return None


def _useful(need: Need, plan: Candidate) -> tuple[WorkloadFigure, StandIn] | None:
    """Return the search under the loosest limit that is within the one that was asked for."""
    limit_ns = need.latency_limit_ns
    if limit_ns is None and not need.software.is_open_loop:
        return None
    searches = [plan.figures[name] for name in need.software.searches if name in plan.figures]
    n_syncs = need.software.syncs_per_transaction
    within = [
        each
        for each in searches
        if limit_ns is None or (each.p99_limit_ns or 0) * n_syncs <= limit_ns
    ]
    best = max(within, key=lambda each: each.p99_limit_ns or 0, default=None)
    return (best, search_of(best.workload)) if best else None


def _assumptions(need: Need, judged: JudgedFigure) -> Iterator[Remark]:
    """Yield the rule of the software, the workload that stands for it and the lower bound."""
    yield remark(RemarkKind.SOFTWARE_RULE, software=need.software.id)
    if judged.figure.kinds:
        yield remark(RemarkKind.KINDS, kinds=judged.figure.kinds)
    yield from _stand_in(need, judged)
    if need.region and not judged.figure.region_group:
        yield remark(RemarkKind.REGION_OF_FIGURE_UNKNOWN)
    yield judged.figure.low_end
    if judged.share != 1:
        yield remark(RemarkKind.LOADED_TO_SHARE, share=judged.share)


def _stand_in(need: Need, judged: JudgedFigure) -> Iterator[Remark]:
    """Yield which workload stands for the software's own, where it is another one."""
    software, figure = need.software, judged.figure
    if figure.p99_limit_ns is not None:
        yield remark(RemarkKind.USEFUL_IOPS, workload=figure.workload, ms=figure.p99_limit_ns)
    elif (size := software.groups.get(figure.workload)) is not None:
        yield remark(RemarkKind.SHARED_SYNCS, n=need.sessions, size=size)
    else:
        yield from _other_work(need, judged)


def _other_work(need: Need, judged: JudgedFigure) -> Iterator[Remark]:
    """Yield that one writer stands for sessions, and the workload where it does other work."""
    figure = judged.figure
    if need.sessions > 1:
        yield remark(RemarkKind.NO_SHARED_SYNCS)
    if figure.workload != _wanted(need) and judged.stand_in.work is not Work.SAME:
        yield remark(
            RemarkKind.OTHER_WORKLOAD, work=_wanted(need), other=figure.workload,
            why=judged.stand_in.likeness,
        )  # fmt: skip


def _wanted(need: Need) -> str:
    """Return the workload that is nearest to the software: of requests that arrive a search."""
    software = need.software
    return software.searches[-1] if software.is_open_loop else software.workloads[0]
