"""How much of each thing that was asked for a plan has: rate, p99, capacity, budget, protection.

Pure. A margin of 1 is just enough; the smallest margin is what gives way first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from apps.rankings.advice.evidence import Verdict
from apps.rankings.advice.needs import MS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from apps.rankings.advice.evidence import Candidate, Figure
    from apps.rankings.advice.needs import Need

PLP_FULL: Final = "full"
PLP: Final = "plp"  # not a matter of load: it never gives way when that grows


@dataclass(frozen=True, slots=True)
class Limit:
    """One thing that was asked for: how much of it there is, 1 being just enough."""

    name: str
    margin: float | None  # to be counted on; None: not known
    margin_likely: float | None = None
    text: str = ""

    @property
    def verdict(self) -> Verdict:
        """Whether it is enough at the low end, likely, or not."""
        if self.margin is not None and self.margin >= 1:
            return Verdict.MEETS
        if self.margin_likely is None:
            return Verdict.MAY if self.margin is None else Verdict.FAILS
        return Verdict.MAY if self.margin_likely >= 1 else Verdict.FAILS

    @property
    def known(self) -> float | None:
        """The margin, or where it is not known the likely one."""
        return self.margin_likely if self.margin is None else self.margin


def limits_of(need: Need, plan: Candidate, figure: Figure, *, share: float) -> list[Limit]:
    """Return every limit of a plan by a figure of which a share may be used."""
    return [
        _rate(need, plan, figure, share),
        *_latency(need, figure),
        *_capacity(need, plan),
        *_budget(need, plan),
        *_protection(need, plan),
    ]


def weakest(limits: Sequence[Limit]) -> str:
    """Return what gives way first when the load grows: the smallest margin that is known."""
    known = {limit.name: limit.known for limit in limits if limit.name != PLP}
    found = {name: margin for name, margin in known.items() if margin is not None}
    return min(found, key=lambda name: found[name])


def _rate(need: Need, plan: Candidate, figure: Figure, share: float) -> Limit:
    """The rate; called writers where more sessions at once carry more on the same plan."""
    low, likely = figure.low_per_s, figure.rate_per_s * share
    what, needed = need.software.operations, f"{need.syncs_per_s:,} are needed."
    if low is None:
        said = (
            f"One figure without an interval, {likely:,.0f} {what} a second: nobody has measured "
            f"how low it falls; {needed}"
        )
    else:
        said = f"{low * share:,.0f} {what} a second can be counted on, {needed}"
    margin = None if low is None else low * share / need.syncs_per_s
    name = "rate"
    if (wider := _wider(need, plan, figure)) is not None:
        sessions, more = wider
        name = "writers"
        said += f" {sessions} sessions at once got {more:,.0f}: with more of them it carries more."
    return Limit(name, margin, likely / need.syncs_per_s, said)


def _wider(need: Need, plan: Candidate, figure: Figure) -> tuple[int, float] | None:
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


def _latency(need: Need, figure: Figure) -> list[Limit]:
    limit = need.latency_limit_ns
    if limit is None:
        return []
    allowed = f"{limit / MS:.3g} ms are allowed."
    if figure.p99_limit_ns is not None:  # kept by the rate itself: what gives way is that
        text = f"At this rate 99 of 100 are answered within {figure.p99_limit_ns / MS:.3g} ms, "
        return [Limit("p99", math.inf, math.inf, text + allowed)]
    if figure.p99_ns is None:
        return [Limit("p99", None, text="Its p99 is not known.")]
    margin = limit / figure.p99_ns
    return [Limit("p99", margin, margin, f"p99 is {figure.p99_ns / MS:.3g} ms, {allowed}")]


def _capacity(need: Need, plan: Candidate) -> list[Limit]:
    offer = plan.offer
    if not need.capacity_gb:
        return []
    if offer.is_ordered:
        if offer.price_month is None:
            return [Limit("capacity", None, text=offer.problem)]
        text = f"Its volume is ordered with {need.capacity_gb:,} GB."
        return [Limit("capacity", math.inf, math.inf, text)]
    if offer.capacity_gb is None:
        return [Limit("capacity", None, text="Its capacity is not stated.")]
    margin = float(offer.capacity_gb / need.capacity_gb)
    text = f"It holds {offer.capacity_gb:,.0f} GB, {need.capacity_gb:,} are needed."
    return [Limit("capacity", margin, margin, text)]


def _budget(need: Need, plan: Candidate) -> list[Limit]:
    price = plan.offer.price_month
    if need.budget_month is None:
        return []
    if price is None:
        return [Limit("budget", None, text=plan.offer.problem)]
    margin = float(need.budget_month / price) if price else math.inf
    text = f"It costs {price:.2f} {need.currency} a month of {need.budget_month:.2f}."
    return [Limit("budget", margin, margin, text)]


def _protection(need: Need, plan: Candidate) -> list[Limit]:
    if not need.software.wants_plp:
        return []
    seen = {drive.plp for drive in plan.drives}
    if not seen:
        return [Limit(PLP, None, text="Which drive one gets is not known, nor whether it has PLP.")]
    if seen == {PLP_FULL}:
        return [Limit(PLP, 1.0, 1.0, "Every drive that was seen has power-loss protection.")]
    some = 1.0 if PLP_FULL in seen else 0.0
    return [Limit(PLP, 0.0, some, "Not every drive that was seen has power-loss protection.")]
