"""How much of each thing that was asked for a plan has: rate, p99, capacity, budget, protection.

Pure but for the table of regions. A margin of 1 is just enough; the smallest margin is what gives
way first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.plans.regions import Offered, offered_in
from apps.rankings.advice.evidence import Verdict
from apps.rankings.advice.needs import MS
from apps.rankings.advice.said import tail_doubt
from apps.rankings.tails import TailVerdict, judge_tail

if TYPE_CHECKING:
    from collections.abc import Sequence
    from decimal import Decimal

    from apps.rankings.advice.evidence import Candidate, Figure
    from apps.rankings.advice.needs import Need

PLP_FULL: Final = "full"
PLP_UNKNOWN: Final = "unknown"
# Who differs with more than a fifth of the uploaders is no exception; as of far uploaders.
EXCEPTION: Final = Fraction(1, 5)
REGION: Final = "region"
PLP: Final = "plp"
STATED: Final = frozenset({PLP, "ram", "vcpus"})  # no matter of load: they never give way to it


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
        *_region(need, plan),
        *_capacity(need, plan),
        *_size("ram", need.ram_gb, plan.ram_gb),
        *_size("vcpus", need.vcpus, plan.vcpus),
        *_budget(need, plan),
        *_protection(need, plan),
    ]


def weakest(limits: Sequence[Limit]) -> str:
    """Return what gives way first when the load grows: the smallest margin that is known."""
    known = {limit.name: limit.known for limit in limits if limit.name not in STATED}
    found = {name: margin for name, margin in known.items() if margin is not None}
    return min(found, key=lambda name: found[name])


def _rate(need: Need, plan: Candidate, figure: Figure, share: float) -> Limit:
    """The rate; called writers where more sessions at once carry more on the same plan."""
    low, likely = figure.low_per_s, figure.rate_per_s * share
    rate = likely if low is None else low * share
    values = {
        "rate": f"{rate:,.0f}",
        "operations": need.software.operations,
        "needed": f"{need.syncs_per_s:,}",
    }
    said = (_no_bound() if low is None else _counted_on()) % values
    margin = None if low is None else low * share / need.syncs_per_s
    name = "rate"
    if (wider := _wider(need, plan, figure)) is not None:
        sessions, more = wider
        name = "writers"
        more_words = _(
            "%(n)s sessions at once got %(rate)s: with more of them it carries more."
        ) % {"n": sessions, "rate": f"{more:,.0f}"}
        said = f"{said} {more_words}"
    return Limit(name, margin, likely / need.syncs_per_s, said)


def _no_bound() -> str:
    return _(
        "One figure without an interval, %(rate)s %(operations)s a second: nobody has measured "
        "how low it falls; %(needed)s are needed."
    )


def _counted_on() -> str:
    return _("%(rate)s %(operations)s a second can be counted on, %(needed)s are needed.")


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
    """The p99: kept by a search at its very rate, else judged by the rule of `tails`."""
    limit = need.latency_limit_ns
    if limit is None:
        return []
    if figure.p99_limit_ns is not None:  # kept by the rate itself: what gives way is that
        text = _(
            "At this rate 99 of 100 are answered within %(kept)s ms, %(allowed)s ms are allowed."
        )
        said = text % {"kept": _ms(figure.p99_limit_ns), "allowed": _ms(limit)}
        return [Limit("p99", math.inf, math.inf, said)]
    return [_tail(need, figure, limit)]


def _tail(need: Need, figure: Figure, limit_ns: int) -> Limit:
    """The p99 that was measured; to be counted on is the bound of it, likely the median."""
    in_a_row, work = need.software.syncs_each, need.software.work_of(figure.workload)
    judged = judge_tail(figure.tail, limit_ns, work=work, in_a_row=in_a_row)
    if judged.verdict is TailVerdict.UNKNOWN:
        return Limit("p99", None, text=tail_doubt(figure, judged.doubt))
    p99_ns = (figure.p99_ns or 0) * in_a_row
    values = {
        "p99": _ms(figure.p99_ns or 0),
        "all": _ms(p99_ns),
        "n": in_a_row,
        "allowed": _ms(limit_ns),
    }
    if in_a_row > 1:
        text = _(
            "p99 is %(p99)s ms a sync, %(all)s ms for %(n)s in a row, %(allowed)s ms are allowed."
        )
    else:
        text = _("p99 is %(p99)s ms, %(allowed)s ms are allowed.")
    said = " ".join((text % values, tail_doubt(figure, judged.doubt, in_a_row=in_a_row))).strip()
    bound = (figure.pooled_p999_ns or 0) * in_a_row
    is_kept = judged.verdict is TailVerdict.PASSES and bound
    return Limit("p99", limit_ns / bound if is_kept else None, limit_ns * work.times / p99_ns, said)


def _ms(ns: int) -> str:
    return f"{ns / MS:.3g}"


def _capacity(need: Need, plan: Candidate) -> list[Limit]:
    offer = plan.offer
    if not need.capacity_gb:
        return []
    if offer.is_ordered:
        if offer.price_month is None:
            return [Limit("capacity", None, text=offer.problem)]
        text = _("Its volume is ordered with %(gb)s GB.") % {"gb": f"{need.capacity_gb:,}"}
        return [Limit("capacity", math.inf, math.inf, text)]
    if offer.capacity_gb is None:
        return [Limit("capacity", None, text=_("Its capacity is not stated."))]
    margin = float(offer.capacity_gb / need.capacity_gb)
    text = _("It holds %(has)s GB, %(needed)s are needed.") % {
        "has": f"{offer.capacity_gb:,.0f}",
        "needed": f"{need.capacity_gb:,}",
    }
    return [Limit("capacity", margin, margin, text)]


def _size(name: str, needed: int, has: Decimal | int | None) -> list[Limit]:
    """Memory or processors: as the provider states them, so they do not give way under load."""
    if not needed:
        return []
    texts = {
        "ram": (
            _("Its memory is not stated."),
            _("It has %(has)s GB of memory, %(needed)s are needed."),
        ),
        "vcpus": (
            _("Its processors are not stated."),
            _("It has %(has)s vCPUs, %(needed)s are needed."),
        ),
    }
    missing, text = texts[name]
    if has is None:
        return [Limit(name, None, text=missing)]
    margin = float(has / needed)
    said = text % {"has": f"{has:,.0f}", "needed": f"{needed:,}"}
    return [Limit(name, margin, margin, said)]


def _budget(need: Need, plan: Candidate) -> list[Limit]:
    price = plan.offer.price_month
    if need.budget_month is None:
        return []
    if price is None:
        return [Limit("budget", None, text=plan.offer.problem)]
    margin = float(need.budget_month / price) if price else math.inf
    text = _("It costs %(price)s %(currency)s a month of %(budget)s.") % {
        "price": f"{price:.2f}",
        "currency": need.currency,
        "budget": f"{need.budget_month:.2f}",
    }
    return [Limit("budget", margin, margin, text)]


def _region(need: Need, plan: Candidate) -> list[Limit]:
    """What is not certain of the region; a plan that is certainly elsewhere was not asked for."""
    said = region_doubt(need, plan)
    return [Limit(REGION, None, text=said)] if said else []


def region_doubt(need: Need, plan: Candidate) -> str:
    """Return why it is not certain that a plan is to be had in the wanted region, or nothing."""
    if where_offered(need, plan) is not Offered.UNSURE:
        return ""
    if not plan.regions:
        return _("In which regions it is offered is not stated: %(region)s may not be one.") % {
            "region": need.region
        }
    return _('Its regions are stated as "%(stated)s": whether it is in %(region)s is not sure.') % {
        "stated": plan.regions,
        "region": need.region,
    }


def where_offered(need: Need, plan: Candidate) -> Offered:
    """Return whether a plan is to be had where it is asked for."""
    place = need.place(plan.provider)
    return offered_in(plan.regions, region=place, provider=plan.provider)


def _protection(need: Need, plan: Candidate) -> list[Limit]:
    if not need.wants_plp:
        return []
    if not plan.drives:
        text = _("Which drive one gets is not known, nor whether it has PLP.")
        return [Limit(PLP, None, text=text)]
    full = sum(drive.share for drive in plan.drives if drive.plp == PLP_FULL)
    stated = sum(drive.share for drive in plan.drives if drive.plp != PLP_UNKNOWN)
    if full == 1:
        return [Limit(PLP, 1.0, 1.0, _("Every drive that was seen has power-loss protection."))]
    text = _(
        "Not every drive that was seen has power-loss protection: those of %(share)s of the "
        "uploaders have it for certain."
    ) % {"share": f"{float(full):.0%}"}
    is_rule, is_some = 1 - full <= EXCEPTION, full + 1 - stated > EXCEPTION
    return [Limit(PLP, float(is_rule), float(is_some), text)]
