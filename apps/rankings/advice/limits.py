"""How much of each thing that was asked for a plan has: rate, p99, capacity, budget, protection.

Pure but for the table of regions. The verdicts are those of `verdicts`; the smallest margin is what
gives way first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.plans.regions import Offered, offered_in
from apps.rankings.advice.offers import NO_PRICE
from apps.rankings.advice.remarks import Remark, RemarkFigure, RemarkKind, remark
from apps.rankings.advice.verdicts import (
    EMPTIED,
    Judgement,
    Verdict,
    judge_p99,
    judge_protection,
    judge_rate,
    protection_shares,
)

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from apps.rankings.advice.candidate import Candidate
    from apps.rankings.advice.evidence import WorkloadFigure
    from apps.rankings.advice.needs import Need
    from apps.rankings.advice.work import StandIn

REGION: Final = "region"
PLP: Final = "plp"
KEPT: Final = "kept"
DECIDES: Final = frozenset({KEPT, PLP})  # what no figure makes good: said before any of them
STATED: Final = DECIDES | {"ram", "vcpus"}  # no matter of load: they never give way to it
OPEN: Final = Judgement(Verdict.MAY)
# What is said of a size that nobody states, and of one that is stated.
SIZES: Final = {
    "capacity": (RemarkKind.CAPACITY_NOT_STATED, RemarkKind.CAPACITY),
    "ram": (RemarkKind.RAM_NOT_STATED, RemarkKind.RAM),
    "vcpus": (RemarkKind.VCPUS_NOT_STATED, RemarkKind.VCPUS),
}


@dataclass(frozen=True, slots=True)
class JudgedLimit:
    """One thing that was asked for: the verdict on it, and how much of it there is.

    A margin of 1 is just enough; it is what can be counted on, else what is likely, else None.
    """

    name: str
    judgement: Judgement
    margin: float | None
    remarks: tuple[Remark, ...] = ()


def stated_limit(name: str, margin: float | None, *remarks: Remark) -> JudgedLimit:
    """A limit of something that is stated and not measured; without a margin it is open."""
    if margin is None:
        return JudgedLimit(name, OPEN, None, remarks)
    verdict = Verdict.PASSES if margin >= 1 else Verdict.FAILS
    return JudgedLimit(name, Judgement(verdict), margin, remarks)


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """The figure of a plan that is judged, what its workload shows, and the share that counts."""

    figure: WorkloadFigure
    stand: StandIn
    share: float


def limits_of(need: Need, plan: Candidate, known: JudgedFigure) -> list[JudgedLimit]:
    """Return every limit of a plan by a figure of which a share may be used; the rate first."""
    return [
        _rate(need, plan, known),
        *_latency(need, known),
        *_region(need, plan),
        *_capacity(need, plan),
        *_size("ram", need.ram_gb, plan.ram_gb),
        *_size("vcpus", need.vcpus, plan.vcpus),
        *_budget(need, plan),
        *_durability(need, plan),
        *_protection(need, plan, known.figure),
    ]


def weakest(limits: Sequence[JudgedLimit]) -> JudgedLimit:
    """Return what gives way first when the load grows: the smallest margin that is known."""
    found = [
        (limit.margin, limit)
        for limit in limits
        if limit.margin is not None and limit.name not in STATED
    ]
    return min(found, key=lambda each: each[0])[1]


def _rate(need: Need, plan: Candidate, known: JudgedFigure) -> JudgedLimit:
    """The rate; called writers where more sessions at once carry more on the same plan."""
    figure, share = known.figure, known.share
    low = figure.low_per_s
    whole = figure.rate_per_s if low is None else low
    rate = whole * share
    figures: dict[str, RemarkFigure] = {
        "rate": rate,
        "whole": whole,
        "share": share,
        "operations": need.software.operations,
        "needed": need.syncs_per_s,
    }
    name, remarks = "rate", [Remark(_rate_kind(known), figures)]
    if (wider := _wider(need, plan, figure)) is not None:
        sessions, more = wider
        name = "writers"
        remarks.append(remark(RemarkKind.MORE_SESSIONS, n=sessions, rate=more))
    judgement = judge_rate(figure, known.stand, need.syncs_per_s, share=share)
    return JudgedLimit(name, judgement, rate / need.syncs_per_s, tuple(remarks))


def _rate_kind(known: JudgedFigure) -> RemarkKind:
    """What is said of a rate; where only a share of it counts, the share beside what it is of."""
    is_whole = known.share == 1
    if known.figure.low_per_s is None:
        return RemarkKind.RATE_WITHOUT_INTERVAL if is_whole else RemarkKind.SHARE_WITHOUT_INTERVAL
    if not known.stand.can_pass:
        return RemarkKind.RATE_OF_OTHER_WORK if is_whole else RemarkKind.SHARE_OF_OTHER_WORK
    if is_whole:
        return RemarkKind.RATE_COUNTED_ON
    is_ranked = known.figure.at_least_per_s is not None
    return RemarkKind.SHARE_OF_RANKED if is_ranked else RemarkKind.SHARE_OF_LOW_END


def _wider(need: Need, plan: Candidate, figure: WorkloadFigure) -> tuple[int, float] | None:
    """The next larger number of sessions that share syncs, where they do more than this figure."""
    larger = [
        (size, group)
        for size, group in plan.groups(need.software.groups)
        if size > need.sessions and group.rate_per_s > figure.rate_per_s
    ]
    if not larger:
        return None
    size, group = larger[0]
    return size, group.rate_per_s


def _latency(need: Need, known: JudgedFigure) -> list[JudgedLimit]:
    limit, figure = need.latency_limit_ns, known.figure
    if limit is None:
        return []
    n_syncs = need.software.syncs_each
    judgement = judge_p99(figure, known.stand, limit, syncs_each=n_syncs)
    if figure.p99_limit_ns is not None:  # kept by the rate itself: what gives way is that
        kept = remark(RemarkKind.P99_KEPT_BY_RATE, kept=figure.p99_limit_ns, allowed=limit)
        return [JudgedLimit("p99", judgement, math.inf, (kept,))]
    if figure.p99_ns is None:
        return [JudgedLimit("p99", judgement, None, (remark(RemarkKind.P99_UNKNOWN),))]
    if judgement.verdict is Verdict.NOT_MEASURED:
        other = remark(RemarkKind.P99_OF_NO_SYNC, p99=figure.p99_ns)
        return [JudgedLimit("p99", judgement, None, (other,))]
    p99_ns = figure.p99_ns * n_syncs
    kind = RemarkKind.P99_OF_SYNCS if n_syncs > 1 else RemarkKind.P99
    p99 = remark(kind, p99=figure.p99_ns, all=p99_ns, n=n_syncs, allowed=limit)
    return [JudgedLimit("p99", judgement, limit / p99_ns, (p99, *_bound(figure)))]


def _bound(figure: WorkloadFigure) -> tuple[Remark, ...]:
    """What a p99 is, and what bounds it: the p99.9 of everybody's commits together."""
    if figure.pooled_p999_ns is None or not figure.is_firm:
        return (figure.p99_basis,)
    return (figure.p99_basis, remark(RemarkKind.POOLED_P999, time=figure.pooled_p999_ns))


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
    """Capacity, memory or processors: as the provider states them."""
    if not needed:
        return []
    missing, known = SIZES[name]
    if has is None:
        return [stated_limit(name, None, remark(missing))]
    return [stated_limit(name, float(has / needed), remark(known, has=has, needed=needed))]


def _budget(need: Need, plan: Candidate) -> list[JudgedLimit]:
    price = plan.offer.price_month
    if need.budget_month is None:
        return []
    if price is None:
        return [stated_limit("budget", None, plan.offer.problem or NO_PRICE)]
    margin = float(need.budget_month / price) if price else math.inf
    cost = remark(RemarkKind.BUDGET, price=price, currency=need.currency, budget=need.budget_month)
    return [stated_limit("budget", margin, cost)]


def _region(need: Need, plan: Candidate) -> list[JudgedLimit]:
    """What is not certain of the region; a plan that is certainly elsewhere was not asked for."""
    doubt = region_doubt(need, plan)
    return [stated_limit(REGION, None, doubt)] if doubt else []


def region_doubt(need: Need, plan: Candidate) -> Remark | None:
    """Return why it is not certain that a plan is to be had in the wanted region, or None."""
    if where_offered(need, plan) is not Offered.UNSURE:
        return None
    if not plan.regions:
        return remark(RemarkKind.REGIONS_NOT_STATED, region=need.region)
    return remark(RemarkKind.REGION_NOT_SURE, stated=plan.regions, region=need.region)


def where_offered(need: Need, plan: Candidate) -> Offered:
    """Return whether a plan is to be had where it is asked for."""
    place = need.place(plan.provider)
    return offered_in(plan.regions, region=place, provider=plan.provider)


def _durability(need: Need, plan: Candidate) -> list[JudgedLimit]:
    """What software keeps for the time after a crash is lost on storage that a stop empties."""
    if not (need.software.wants_kept and plan.is_ephemeral):
        return []
    return [JudgedLimit(KEPT, EMPTIED, 0.0, (remark(RemarkKind.EMPTIED),))]


def _protection(need: Need, plan: Candidate, figure: WorkloadFigure) -> list[JudgedLimit]:
    if not need.wants_plp:
        return []
    judgement = judge_protection(plan.drives, stated=figure.plp)
    full, _known = protection_shares(plan.drives, stated=figure.plp)
    if not plan.drives and judgement.verdict is Verdict.MAY:
        return [JudgedLimit(PLP, judgement, None, (remark(RemarkKind.DRIVES_UNKNOWN),))]
    kind = RemarkKind.DRIVES_PROTECTED if full == 1 else RemarkKind.DRIVES_MIXED
    return [JudgedLimit(PLP, judgement, float(full), (remark(kind, share=float(full)),))]
