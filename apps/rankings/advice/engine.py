"""Judges plans by what was measured on them. No database, no clock.

It counts on the lower bound of a figure and not on the estimate, names what it assumes, and says so
where nobody has measured a plan, or how low a figure falls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.plans.regions import Offered
from apps.rankings.advice.candidate import Candidate
from apps.rankings.advice.evidence import Confidence, WorkloadFigure
from apps.rankings.advice.limits import (
    DECIDES,
    JudgedFigure,
    limits_of,
    region_doubt,
    weakest,
    where_offered,
)
from apps.rankings.advice.remarks import Remark, RemarkKind, remark
from apps.rankings.advice.stands import search_of
from apps.rankings.advice.verdicts import Verdict, VerdictDoubt, combine, usable_share
from apps.rankings.advice.work import StandIn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from decimal import Decimal

    from apps.rankings.advice.needs import Need


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """What is said of one plan."""

    candidate: Candidate
    verdict: Verdict
    confidence: Confidence
    figure: WorkloadFigure | None
    rate_low_per_s: float | None  # that it can be counted on for, of this software's transactions
    breaks_first: str  # rate, writers, p99, capacity or budget
    reasons: tuple[tuple[Remark, ...], ...]  # for each limit what belongs together
    assumptions: tuple[Remark, ...]
    why: VerdictDoubt | None = None  # what keeps the verdict from being a better one
    is_miss: bool = False  # a figure lies beyond its limit, and what it is of leaves that open
    is_short: bool = False  # what can be counted on, else the estimate, is less than is needed
    reach: float | None = None  # the smallest margin that is known; 1 is just enough
    # How often the rate that is needed fits into it: by what can be counted on, else by the
    # estimate. None where nobody measured it with a workload that can show it.
    headroom: float | None = None
    unknown: tuple[str, ...] = ()  # limits of which nothing is known: rate, p99, region, ...

    @property
    def falls_short(self) -> bool:
        """Whether it is less than is asked for, by a figure or by what of it can be counted on."""
        return self.is_miss or self.is_short


def advise(need: Need, candidates: Iterable[Candidate]) -> list[PlanAnswer]:
    """Return an answer for every plan in question, the cheapest that meets the need first.

    Plans that are certainly in other regions, of other kinds or providers are left out: they were
    not asked for. A volume comes after what can be rented by itself, for a server is not in its
    price. Of one verdict that comes last of which a figure lies beyond its limit, before it what
    cannot be counted on for the rate, of both the nearest first; and before these what has a limit
    of which nothing is known.
    """
    answers = [_answer(need, each) for each in candidates if _is_asked_for(need, each)]
    return sorted(answers, key=_order)


def _order(
    answer: PlanAnswer,
) -> tuple[Verdict, bool, bool, float, bool, bool, bool, Decimal | int, Confidence, str]:
    offer = answer.candidate.offer
    return (
        answer.verdict,
        answer.is_miss,
        answer.falls_short,
        -(answer.reach or 0) if answer.falls_short else 0,
        bool(answer.unknown),
        offer.price_month is None,
        offer.is_part,
        offer.price_month if offer.price_month is not None else 0,
        answer.confidence,
        answer.candidate.slug,
    )


def _is_asked_for(need: Need, plan: Candidate) -> bool:
    is_here = where_offered(need, plan) is not Offered.NO
    is_kind = not need.kind or need.kind == plan.kind
    is_theirs = not need.provider or need.provider == plan.provider
    is_one_of_them = not need.providers or plan.provider in need.providers
    return is_here and is_kind and is_theirs and is_one_of_them


def _answer(need: Need, plan: Candidate) -> PlanAnswer:
    known = _evidence_for(need, plan)
    if known is None:
        doubts = [region_doubt(need, plan)]
        return PlanAnswer(
            plan, Verdict.NOT_MEASURED, Confidence.NONE, None, None, "",
            ((remark(RemarkKind.NOT_MEASURED),), *((doubt,) for doubt in doubts if doubt)),
            plan.offer.assumptions,
        )  # fmt: skip
    limits, figure = limits_of(need, plan, known), known.figure
    decisive_first = sorted(limits, key=lambda limit: limit.name not in DECIDES)
    judgement = combine(limit.judgement for limit in decisive_first)
    low = figure.low_per_s if known.stand.can_pass else None
    rate, least = limits[0], weakest(limits)
    return PlanAnswer(
        candidate=plan,
        verdict=judgement.verdict,
        why=judgement.why,
        is_miss=judgement.is_miss,
        is_short=rate.margin is not None and rate.margin < 1,
        reach=least.margin,
        confidence=figure.confidence,
        figure=figure,
        rate_low_per_s=None if low is None else low * known.share / need.software.syncs_each,
        breaks_first=least.name,
        reasons=tuple(limit.remarks for limit in limits),
        assumptions=(*_assumptions(need, plan, known), *plan.offer.assumptions),
        headroom=rate.margin if known.stand.can_pass else None,
        unknown=tuple(limit.name for limit in limits if limit.margin is None),
    )


def _evidence_for(need: Need, plan: Candidate) -> JudgedFigure | None:
    """The workload that stands for the software.

    Useful IOPS where it is a matter of p99, shared syncs where sessions commit at once.
    """
    found = _useful(need, plan) or _grouped(need, plan) or _nearest(need, plan)
    if found is None:
        return None
    figure, stand = found
    p99_asked = need.latency_limit_ns is not None
    return JudgedFigure(figure, stand, usable_share(figure, plan.storage_kind, p99_asked=p99_asked))


def _grouped(need: Need, plan: Candidate) -> tuple[WorkloadFigure, StandIn] | None:
    """The most sessions that share syncs and are no more than were asked for."""
    groups = plan.groups(need.software.groups) if need.sessions > 1 else []
    fitting = [each for each in groups if each[0] <= need.sessions]
    if not fitting:
        return None
    size, figure = fitting[-1]
    stand = StandIn(figure.workload)
    return figure, stand if size == need.sessions else stand.for_more_sessions()


def _nearest(need: Need, plan: Candidate) -> tuple[WorkloadFigure, StandIn] | None:
    """The first of the software's workloads that somebody ran."""
    for stand in need.software.stands:
        figure = plan.figures.get(stand.workload)
        if figure is not None:
            return figure, stand.for_more_sessions() if need.sessions > 1 else stand
    return None


def _useful(need: Need, plan: Candidate) -> tuple[WorkloadFigure, StandIn] | None:
    """The search under the loosest limit that still keeps the one that was asked for."""
    limit_ns = need.latency_limit_ns
    if limit_ns is None and not need.software.arrives:
        return None
    found = [plan.figures[name] for name in need.software.searches if name in plan.figures]
    n_syncs = need.software.syncs_each
    keeping = [
        each for each in found if limit_ns is None or (each.p99_limit_ns or 0) * n_syncs <= limit_ns
    ]
    best = max(keeping, key=lambda each: each.p99_limit_ns or 0, default=None)
    return (best, search_of(best.workload)) if best else None


def _assumptions(need: Need, plan: Candidate, known: JudgedFigure) -> Iterator[Remark]:
    """The rule of the software, what stands for it, and what the lower bound is."""
    yield remark(RemarkKind.SOFTWARE_RULE, software=need.software.id)
    yield from _stand_in(need, known)
    if need.region and not known.figure.region_group:
        yield remark(RemarkKind.REGION_OF_FIGURE_UNKNOWN)
    yield known.figure.low_end
    if known.share != 1:
        yield remark(RemarkKind.LOADED_TO_SHARE, medium=plan.storage_kind, share=known.share)


def _stand_in(need: Need, known: JudgedFigure) -> Iterator[Remark]:
    """Which workload stands for the software's own, where it is another one."""
    software, figure = need.software, known.figure
    if figure.p99_limit_ns is not None:
        yield remark(RemarkKind.USEFUL_IOPS, workload=figure.workload, ms=figure.p99_limit_ns)
        if need.latency_limit_ns is None:
            yield remark(RemarkKind.LOOSEST_LIMIT, ms=figure.p99_limit_ns)
    elif (size := software.groups.get(figure.workload)) is not None:
        yield remark(RemarkKind.SHARED_SYNCS, n=need.sessions, size=size)
    elif need.sessions > 1:
        yield remark(RemarkKind.NO_SHARED_SYNCS)
    elif software.arrives:
        yield remark(RemarkKind.NO_USEFUL_IOPS, workload=figure.workload)
    elif figure.workload != software.workloads[0]:
        yield remark(
            RemarkKind.OTHER_WORKLOAD, wanted=software.workloads[0], other=figure.workload,
            why=known.stand.likeness,
        )  # fmt: skip
