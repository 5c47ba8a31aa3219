"""The limits of a need against a plan: rate, p99, region, capacity, budget, protection.

Each has a verdict of `verdicts` and a margin. Pure, except that it reads the table of regions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.plans.regions import Offered, offered_in
from apps.rankings.advice.offers import NO_PRICE
from apps.rankings.advice.remarks import Remark, RemarkFigure, RemarkKind, remark
from apps.rankings.advice.verdicts import (
    Judgement,
    Verdict,
    judge_p99,
    judge_protection,
    judge_rate,
    protection_shares,
)
from apps.stats.standings.confidence import Margin

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from apps.rankings.advice.candidate import Candidate
    from apps.rankings.advice.evidence import WorkloadFigure
    from apps.rankings.advice.needs import Need
    from apps.rankings.advice.work import StandIn

REGION: Final = "region"
PLP: Final = "plp"
PERSISTENCE: Final = "kept"
DECIDES: Final = frozenset({PERSISTENCE, PLP})  # no figure makes up for these: they come first
STATED: Final = DECIDES | {"ram", "vcpus"}  # do not depend on the load, so never give way to it
UNDECIDED: Final = Judgement(Verdict.MAY)


@dataclass(frozen=True, slots=True)
class JudgedLimit:
    """One thing that was asked for: the verdict on it, and how much of it there is.

    The margin is what the plan has over what is needed: 1 is just enough. It is of what can be
    counted on, else of the estimate; None where nothing is known.
    """

    name: str
    judgement: Judgement
    margin: float | None
    remarks: tuple[Remark, ...] = ()
    span: Margin | None = None  # the margin with its interval, of what was measured

    @property
    def whole_margin(self) -> Margin | None:
        """The margin, with its interval where it has one; None where nothing is known."""
        return Margin(self.margin) if self.span is None and self.margin is not None else self.span


def stated_limit(name: str, margin: float | None, *remarks: Remark) -> JudgedLimit:
    """Return a limit on something that is stated and not measured; undecided without a margin."""
    if margin is None:
        return JudgedLimit(name, UNDECIDED, None, remarks)
    verdict = Verdict.PASSES if margin >= 1 else Verdict.FAILS
    return JudgedLimit(name, Judgement(verdict), margin, remarks)


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """The figure by which a plan is judged, its workload, and the share of its rate that counts."""

    figure: WorkloadFigure
    stand_in: StandIn
    share: float


def limits_of(need: Need, plan: Candidate, judged: JudgedFigure) -> list[JudgedLimit]:
    """Return every limit of the need for this plan, the rate first."""
    return [
        _rate(need, plan, judged),
        *_latency(need, judged),
        *_region(need, plan),
        *_capacity(need, plan),
        *_size("ram", need.ram_gb, plan.ram_gb),
        *_size("vcpus", need.vcpus, plan.vcpus),
        *_budget(need, plan),
        *_protection(need, plan, judged.figure),
        *_durability(need, plan),
    ]


def weakest(limits: Sequence[JudgedLimit]) -> JudgedLimit:
    """Return the limit that gives way first when the load grows: that of the smallest margin."""
    margins = [
        (limit.margin, limit)
        for limit in limits
        if limit.margin is not None and limit.name not in STATED
    ]
    return min(margins, key=lambda each: each[0])[1]


def measured_weakest(limits: Sequence[JudgedLimit]) -> JudgedLimit:
    """Return the limit of the smallest margin among rate and p99; there is always a rate."""
    spans = [(limit.span.worst, limit) for limit in limits if limit.span is not None]
    return min(spans, key=lambda each: each[0])[1]


def _rate(need: Need, plan: Candidate, judged: JudgedFigure) -> JudgedLimit:
    """Return the limit of the rate, named writers where more sessions do more on the same plan."""
    figure, share = judged.figure, judged.share
    low = figure.rate_low_per_s
    whole = figure.rate_per_s if low is None else low
    rate = whole * share
    figures: dict[str, RemarkFigure] = {
        "rate": rate,
        "operations": need.software.operations,
        "needed": need.syncs_per_s,
    }
    kind = RemarkKind.RATE_WITHOUT_INTERVAL if low is None else RemarkKind.RATE_COUNTED_ON
    if low is not None and not judged.stand_in.can_pass:
        kind = RemarkKind.RATE_OF_OTHER_WORK
    name, remarks = "rate", [Remark(kind, figures)]
    if (wider := _wider(need, plan, figure)) is not None:
        sessions, more = wider
        name = "writers"
        remarks.append(remark(RemarkKind.MORE_SESSIONS, n=sessions, rate=more))
    judgement = judge_rate(figure, judged.stand_in, need.syncs_per_s, share=share)
    factor = share / need.syncs_per_s
    high = figure.rate_high_per_s
    span = Margin(
        figure.rate_per_s * factor,
        None if low is None else low * factor,
        None if high is None else high * factor,
    )
    return JudgedLimit(name, judgement, rate / need.syncs_per_s, tuple(remarks), span)


def _wider(need: Need, plan: Candidate, figure: WorkloadFigure) -> tuple[int, float] | None:
    """Return the next larger number of sessions that share syncs, if their rate is higher."""
    larger = [
        (size, group)
        for size, group in plan.groups(need.software.groups)
        if size > need.sessions and group.rate_per_s > figure.rate_per_s
    ]
    if not larger:
        return None
    size, group = larger[0]
    return size, group.rate_per_s


def _latency(need: Need, judged: JudgedFigure) -> list[JudgedLimit]:
    limit, figure = need.latency_limit_ns, judged.figure
    if limit is None:
        return []
    n_syncs = need.software.syncs_per_transaction
    judgement = judge_p99(figure, judged.stand_in, limit, syncs_per_transaction=n_syncs)
    if figure.p99_limit_ns is not None:  # the rate was measured under it, so the rate gives way
        kept = remark(RemarkKind.P99_KEPT_BY_RATE, kept=figure.p99_limit_ns, allowed=limit)
        return [JudgedLimit("p99", judgement, math.inf, (kept,))]
    if (least_ns := figure.p99_shown(limit, n_syncs=n_syncs)) is None:
        unknown = [remark(RemarkKind.P99_UNKNOWN)]
        if judgement.is_miss:
            unknown.append(remark(RemarkKind.MEAN_OVER, mean=figure.mean_ns, allowed=limit))
        return [JudgedLimit("p99", judgement, None, tuple(unknown))]
    p99_ns = least_ns * n_syncs
    if figure.judged_p99_ns is None:
        return [_p99_by_parts(judgement, p99_ns, limit)]
    kind = RemarkKind.P99_OF_SYNCS if n_syncs > 1 else RemarkKind.P99
    p99 = remark(kind, p99=least_ns, all=p99_ns, n=n_syncs, allowed=limit)
    bound_ns = figure.pooled_p999_ns
    span = Margin(limit / p99_ns, limit / (bound_ns * n_syncs) if bound_ns else None)
    return [JudgedLimit("p99", judgement, span.middle, (p99, *_bound(figure)), span)]


def _p99_by_parts(judgement: Judgement, p99_ns: int, limit: int) -> JudgedLimit:
    """Return the limit where the p99 is not known: over it by a p50, or within it by a bound."""
    span = Margin(limit / p99_ns)
    if p99_ns > limit:
        over = remark(RemarkKind.P99_OVER, p99=p99_ns, allowed=limit)
        return JudgedLimit("p99", judgement, None, (over,), span)
    within = remark(RemarkKind.P99_AT_MOST, p99=p99_ns, allowed=limit)
    return JudgedLimit("p99", judgement, span.middle, (within,), span)


def _bound(figure: WorkloadFigure) -> tuple[Remark, ...]:
    """Return that it is typical, and the p99.9 of all commits together, which bounds it."""
    typical = remark(RemarkKind.P99_TYPICAL)
    if figure.pooled_p999_ns is None or not figure.is_firm:
        return (typical,)
    return (typical, remark(RemarkKind.POOLED_P999, time=figure.pooled_p999_ns))


def _capacity(need: Need, plan: Candidate) -> list[JudgedLimit]:
    offer = plan.offer
    if not need.capacity_gb:
        return []
    if offer.is_ordered:
        if offer.price_month is None:
            return [stated_limit("capacity", None, offer.problem or NO_PRICE)]
        ordered = remark(RemarkKind.CAPACITY_ORDERED, gb=need.capacity_gb)
        return [stated_limit("capacity", math.inf, ordered)]
    return _size("capacity", need.capacity_gb, offer.capacity_gb)


def _size(name: str, needed: int, has: Decimal | int | None) -> list[JudgedLimit]:
    """Return the limit of capacity, memory or processors, as the provider states them."""
    if not needed:
        return []
    if has is None:
        return [stated_limit(name, None, remark(RemarkKind.SIZE_NOT_STATED, size=name))]
    stated = remark(RemarkKind.SIZE, size=name, has=has, needed=needed)
    return [stated_limit(name, float(has / needed), stated)]


def _budget(need: Need, plan: Candidate) -> list[JudgedLimit]:
    price = plan.offer.price_month
    if need.budget_month is None or price is None:
        return []
    margin = float(need.budget_month / price) if price else math.inf
    cost = remark(RemarkKind.BUDGET, price=price, currency=need.currency, budget=need.budget_month)
    return [stated_limit("budget", margin, cost)]


def _region(need: Need, plan: Candidate) -> list[JudgedLimit]:
    """Return the limit of the region where it is not certain; other plans were left out before."""
    doubt = region_doubt(need, plan)
    return [stated_limit(REGION, None, doubt)] if doubt else []


def region_doubt(need: Need, plan: Candidate) -> Remark | None:
    """Return why it is not certain that a plan is offered in the region asked for, or None."""
    if where_offered(need, plan) is not Offered.UNSURE:
        return None
    return remark(RemarkKind.REGION_NOT_SURE, region=need.region)


def where_offered(need: Need, plan: Candidate) -> Offered:
    """Return whether a plan is offered in the region asked for."""
    place = need.place(plan.provider)
    return offered_in(plan.regions, region=place, provider=plan.provider)


def _durability(need: Need, plan: Candidate) -> list[JudgedLimit]:
    """Return what storage means to the software that is emptied when the machine stops."""
    judgement = need.software.if_emptied
    if judgement is None or not plan.is_ephemeral:
        return []
    margin = 0.0 if judgement.verdict is Verdict.FAILS else None
    return [JudgedLimit(PERSISTENCE, judgement, margin, (remark(RemarkKind.EMPTIED),))]


def _protection(need: Need, plan: Candidate, figure: WorkloadFigure) -> list[JudgedLimit]:
    if not need.needs_plp:
        return []
    judgement = judge_protection(plan.drives, stated=figure.plp)
    full, _stated_share = protection_shares(plan.drives, stated=figure.plp)
    if not plan.drives and judgement.verdict is Verdict.MAY:
        return [JudgedLimit(PLP, judgement, None, (remark(RemarkKind.DRIVES_UNKNOWN),))]
    protected = remark(RemarkKind.DRIVES_PROTECTED, share=float(full))
    return [JudgedLimit(PLP, judgement, float(full), (protected,))]
