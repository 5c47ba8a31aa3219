"""Judges plans by what was measured on them. Pure: no database, no clock.

It counts on the low end of an interval and not on the estimate, names what it assumes, and says so
where nobody has measured a plan.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from apps.stats.gates import needs_runs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import date
    from decimal import Decimal

    from apps.rankings.advice.needs import Need

# How far a device may be loaded before its tail grows many times over: rules of thumb of the
# article "SSD vs HDD vs NVMe vs persistent memory" (70-80 % NVMe, 60-70 % SATA SSD, 50 % hard
# disk), the careful end of each. Of network volumes nobody states one: the most careful of them.
UTILISATION: Final = {"local-nvme": 0.7, "local-sata": 0.6, "hdd": 0.5, "network": 0.5, "": 0.5}
PLP_FULL: Final = "full"


class Verdict(IntEnum):
    """Whether a plan carries the load; the better ones first."""

    MEETS = 0  # also at the low end of what was measured
    MAY = 1  # at the estimate, but not at the low end; or something decisive is not known
    FAILS = 2
    UNMEASURED = 3


class Confidence(IntEnum):
    """What a verdict rests on; the firmer ones first."""

    FIRM = 0  # enough to be ranked
    FEW = 1  # measured, by fewer
    PUBLISHED = 2  # somebody's article: unsigned, one machine
    NONE = 3


@dataclass(frozen=True, slots=True)
class Figure:
    """What stands of one workload on a plan. Rates a second, nanoseconds."""

    workload: str
    rate_per_s: float
    rate_low_per_s: float | None
    p99_ns: int | None
    n_uploaders: int
    n_machines: int
    is_published: bool = False

    @property
    def low_per_s(self) -> float:
        """The rate to count on."""
        return self.rate_low_per_s or self.rate_per_s

    @property
    def confidence(self) -> Confidence:
        """How firm it is."""
        if self.is_published:
            return Confidence.PUBLISHED
        is_weak = needs_runs(n_uploaders=self.n_uploaders, n_machines=self.n_machines)
        return Confidence.FEW if is_weak else Confidence.FIRM


@dataclass(frozen=True, slots=True)
class DriveSeen:
    """The drive lottery: a family that people really got, when, and what it did."""

    name: str
    plp: str
    n_machines: int
    first: date | None  # None where its source states no day
    last: date | None
    rate_low_per_s: float
    rate_high_per_s: float


@dataclass(frozen=True, slots=True)
class Candidate:
    """A plan with everything that an answer needs. The price is in the currency of the need."""

    slug: str
    name: str
    provider: str
    kind: str
    storage_kind: str
    regions: str
    capacity_gb: Decimal | None
    price_month: Decimal | None
    price_day: date | None
    figures: Mapping[str, Figure] = field(default_factory=dict)
    drives: tuple[DriveSeen, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What is said of one plan."""

    candidate: Candidate
    verdict: Verdict
    confidence: Confidence
    figure: Figure | None
    rate_low_per_s: float | None  # that it can be counted on for, of this software's transactions
    breaks_first: str
    reasons: tuple[str, ...]
    assumptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Limit:
    """One thing that was asked for: how much of it there is, 1 being just enough."""

    name: str
    margin: float | None  # None: not known
    margin_likely: float | None = None
    text: str = ""

    @property
    def verdict(self) -> Verdict:
        """Whether it is enough at the low end, likely, or not."""
        if self.margin is None:
            return Verdict.MAY
        if self.margin >= 1:
            return Verdict.MEETS
        return Verdict.MAY if (self.margin_likely or 0) >= 1 else Verdict.FAILS


def advise(need: Need, candidates: Iterable[Candidate]) -> list[Answer]:
    """Return an answer for every plan in question, the cheapest that meets the need first.

    Plans of other regions, kinds and providers, and those too small, are left out: they were not
    asked for.
    """
    answers = [_answer(need, each) for each in candidates if _is_asked_for(need, each)]
    return sorted(answers, key=_order)


def _order(answer: Answer) -> tuple[Verdict, bool, Decimal | int, Confidence, str]:
    price = answer.candidate.price_month
    return (
        answer.verdict,
        price is None,
        price if price is not None else 0,
        answer.confidence,
        answer.candidate.slug,
    )


def _is_asked_for(need: Need, plan: Candidate) -> bool:
    is_here = not need.region or need.region.lower() in plan.regions.lower()
    is_kind = not need.kind or need.kind == plan.kind
    is_theirs = not need.provider or need.provider == plan.provider
    is_large = not need.capacity_gb or (plan.capacity_gb or 0) >= need.capacity_gb
    return is_here and is_kind and is_theirs and is_large


def _answer(need: Need, plan: Candidate) -> Answer:
    figure = _figure_for(need, plan)
    if figure is None:
        return Answer(
            plan, Verdict.UNMEASURED, Confidence.NONE, None, None, "",
            ("Nobody has measured this.",), (),
        )  # fmt: skip
    share, assumptions = _usable_share(need, plan)
    limits = [
        _rate_limit(need, figure, share),
        *_latency_limit(need, figure),
        *_budget_limit(need, plan),
        *_plp_limit(need, plan),
    ]
    worst = max(limit.verdict for limit in limits)
    return Answer(
        candidate=plan,
        verdict=worst,
        confidence=figure.confidence,
        figure=figure,
        rate_low_per_s=figure.low_per_s * share / need.software.syncs_each,
        breaks_first=_weakest(limits),
        reasons=tuple(limit.text for limit in limits),
        assumptions=(*_assumptions(need, figure), *assumptions),
    )


def _figure_for(need: Need, plan: Candidate) -> Figure | None:
    """The workload that stands for the software: shared syncs where sessions commit at once."""
    if need.software.groups and need.sessions > 1:
        sizes = sorted(
            (int(name.removeprefix(need.software.groups)), figure)
            for name, figure in plan.figures.items()
            if name.startswith(need.software.groups)
        )
        fitting = [figure for size, figure in sizes if size <= need.sessions]
        if fitting:
            return fitting[-1]
    known = (plan.figures.get(name) for name in need.software.workloads)
    return next((figure for figure in known if figure is not None), None)


def _usable_share(need: Need, plan: Candidate) -> tuple[float, tuple[str, ...]]:
    """How much of the rate may be used: all of it, unless the tail is asked for."""
    if need.latency_limit_ns is None:
        return 1.0, ()
    share = UTILISATION.get(plan.storage_kind, UTILISATION[""])
    medium = plan.storage_kind or "storage that is not stated"
    said = f"Under a limit of p99 {medium} is loaded to {share:.0%} of its rate: a rule of thumb."
    return share, (said,)


def _rate_limit(need: Need, figure: Figure, share: float) -> _Limit:
    low, likely = figure.low_per_s * share, figure.rate_per_s * share
    return _Limit(
        "rate",
        low / need.syncs_per_s,
        likely / need.syncs_per_s,
        f"{low:,.0f} syncs a second can be counted on, {need.syncs_per_s:,} are needed.",
    )


def _latency_limit(need: Need, figure: Figure) -> list[_Limit]:
    limit = need.latency_limit_ns
    if limit is None:
        return []
    if figure.p99_ns is None:
        return [_Limit("p99", None, text="Its p99 is not known.")]
    margin = limit / figure.p99_ns
    text = f"p99 is {figure.p99_ns / 1e6:.3g} ms, {limit / 1e6:.3g} ms are allowed."
    return [_Limit("p99", margin, margin, text)]


def _budget_limit(need: Need, plan: Candidate) -> list[_Limit]:
    if need.budget_month is None:
        return []
    if plan.price_month is None:
        return [_Limit("budget", None, text="No price is known.")]
    margin = float(need.budget_month / plan.price_month) if plan.price_month else float("inf")
    text = f"It costs {plan.price_month:.2f} {need.currency} a month of {need.budget_month:.2f}."
    return [_Limit("budget", margin, margin, text)]


def _plp_limit(need: Need, plan: Candidate) -> list[_Limit]:
    if not need.software.wants_plp:
        return []
    seen = {drive.plp for drive in plan.drives}
    if not seen:
        return [
            _Limit("plp", None, text="Which drive one gets is not known, nor whether it has PLP.")
        ]
    if seen == {PLP_FULL}:
        return [_Limit("plp", 1.0, 1.0, "Every drive that was seen has power-loss protection.")]
    some = 1.0 if PLP_FULL in seen else 0.0
    text = "Not every drive that was seen has power-loss protection."
    return [_Limit("plp", 0.0, some, text)]


def _weakest(limits: list[_Limit]) -> str:
    """What gives way first when the load grows: the smallest known margin of rate and p99."""
    known = [
        limit for limit in limits if limit.name in {"rate", "p99"} and limit.margin is not None
    ]
    return min(known, key=lambda limit: limit.margin or 0).name


def _assumptions(need: Need, figure: Figure) -> tuple[str, ...]:
    software = need.software
    said = [software.rule]
    if figure.workload.startswith(software.groups or "\0"):
        size = figure.workload.removeprefix(software.groups)
        said.append(f"{need.sessions} sessions get at least what {size} got that share syncs.")
    elif need.sessions > 1:
        said.append(
            "Nobody measured sessions that share syncs here: one writer's rate is counted on."
        )
    elif figure.workload != software.workloads[0]:
        said.append(f"{software.workloads[0]} was not measured: {figure.workload} stands for it.")
    if figure.rate_low_per_s is None:
        said.append("There is no interval: the one figure that is known is counted on.")
    return tuple(said)
