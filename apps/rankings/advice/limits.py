"""How much of each thing that was asked for a plan has: rate, p99, capacity, budget, protection.

Pure but for the table of regions. The verdicts are those of `verdicts`; the smallest margin is what
gives way first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _

from apps.plans.regions import Offered, offered_in
from apps.rankings.advice.needs import MS
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

    from apps.rankings.advice.evidence import Candidate, Figure
    from apps.rankings.advice.needs import Need
    from apps.rankings.advice.verdicts import Stand

REGION: Final = "region"
PLP: Final = "plp"
KEPT: Final = "kept"
DECIDES: Final = frozenset({KEPT, PLP})  # what no figure makes good: said before any of them
STATED: Final = DECIDES | {"ram", "vcpus"}  # no matter of load: they never give way to it
OPEN: Final = Judgement(Verdict.MAY)


@dataclass(frozen=True, slots=True)
class Limit:
    """One thing that was asked for: the verdict on it, and how much of it there is.

    A margin of 1 is just enough; it is what can be counted on, else what is likely, else None.
    """

    name: str
    judgement: Judgement
    margin: float | None
    text: str = ""


def stated(name: str, margin: float | None, text: str) -> Limit:
    """A limit of something that is stated and not measured; without a margin it is open."""
    if margin is None:
        return Limit(name, OPEN, None, text)
    return Limit(name, Judgement(Verdict.PASSES if margin >= 1 else Verdict.FAILS), margin, text)


@dataclass(frozen=True, slots=True)
class JudgedFigure:
    """The figure of a plan that is judged, what its workload shows, and the share that counts."""

    figure: Figure
    stand: Stand
    share: float


def limits_of(need: Need, plan: Candidate, known: JudgedFigure) -> list[Limit]:
    """Return every limit of a plan by a figure of which a share may be used; the rate first."""
    return [
        _rate(need, plan, known),
        *_latency(need, known),
        *_region(need, plan),
        *_capacity(need, plan),
        *_size("ram", need.ram_gb, plan.ram_gb),
        *_size("vcpus", need.vcpus, plan.vcpus),
        *_budget(need, plan),
        *_kept(need, plan),
        *_protection(need, plan, known.figure),
    ]


def weakest(limits: Sequence[Limit]) -> Limit:
    """Return what gives way first when the load grows: the smallest margin that is known."""
    found = [
        (limit.margin, limit)
        for limit in limits
        if limit.margin is not None and limit.name not in STATED
    ]
    return min(found, key=lambda each: each[0])[1]


def _rate(need: Need, plan: Candidate, known: JudgedFigure) -> Limit:
    """The rate; called writers where more sessions at once carry more on the same plan."""
    figure, share = known.figure, known.share
    low = figure.low_per_s
    whole = figure.rate_per_s if low is None else low
    rate = whole * share
    values = {
        "rate": f"{rate:,.0f}",
        "whole": f"{whole:,.0f}",
        "share": f"{share:.0%}",
        "operations": need.software.operations,
        "needed": f"{need.syncs_per_s:,}",
    }
    said = (_rate_words(known) if share == 1 else _share_words(known)) % values
    name = "rate"
    if (wider := _wider(need, plan, figure)) is not None:
        sessions, more = wider
        name = "writers"
        more_words = _(
            "%(n)s sessions at once got %(rate)s: with more of them it carries more."
        ) % {"n": sessions, "rate": f"{more:,.0f}"}
        said = f"{said} {more_words}"
    judgement = judge_rate(figure, known.stand, need.syncs_per_s, share=share)
    return Limit(name, judgement, rate / need.syncs_per_s, said)


def _rate_words(known: JudgedFigure) -> str:
    if known.figure.low_per_s is None:
        return _no_bound()
    return _counted_on() if known.stand.can_pass else _other_work()


def _share_words(known: JudgedFigure) -> str:
    """The words where only a share of a figure counts: the share beside what it is of."""
    if known.figure.low_per_s is None:
        return _(
            "One figure without an interval, %(whole)s %(operations)s a second, of which %(share)s "
            "is %(rate)s: nobody has measured how low it falls; %(needed)s are needed."
        )
    if not known.stand.can_pass:
        return _(
            "%(share)s of the low end of what was measured with other work, %(whole)s: %(rate)s "
            "%(operations)s a second, %(needed)s are needed."
        )
    if known.figure.at_least_per_s is not None:
        return _(
            "%(share)s of what nine in ten such plans exceed, %(whole)s: %(rate)s %(operations)s a "
            "second can be counted on, %(needed)s are needed."
        )
    return _(
        "%(share)s of the low end, %(whole)s: %(rate)s %(operations)s a second can be counted on, "
        "%(needed)s are needed."
    )


def _other_work() -> str:
    return _(
        "%(rate)s %(operations)s a second are the low end of what was measured with other work, "
        "%(needed)s are needed."
    )


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


def _latency(need: Need, known: JudgedFigure) -> list[Limit]:
    limit, figure = need.latency_limit_ns, known.figure
    if limit is None:
        return []
    n_syncs = need.software.syncs_each
    judgement = judge_p99(figure, known.stand, limit, syncs_each=n_syncs)
    values = {"allowed": f"{limit / MS:.3g}", "n": n_syncs}
    if figure.p99_limit_ns is not None:  # kept by the rate itself: what gives way is that
        text = _(
            "At this rate 99 of 100 are answered within %(kept)s ms, %(allowed)s ms are allowed."
        )
        kept = {"kept": f"{figure.p99_limit_ns / MS:.3g}", **values}
        return [Limit("p99", judgement, math.inf, text % kept)]
    if judgement.verdict is Verdict.NOT_MEASURED or figure.p99_ns is None:
        missing = _("Its p99 is not known.") if figure.p99_ns is None else _not_of_a_sync(figure)
        return [Limit("p99", judgement, None, missing)]
    p99_ns = figure.p99_ns * n_syncs
    values |= {"p99": f"{figure.p99_ns / MS:.3g}", "all": f"{p99_ns / MS:.3g}"}
    if n_syncs > 1:
        text = _(
            "p99 is %(p99)s ms a sync, %(all)s ms for %(n)s in a row, %(allowed)s ms are allowed."
        )
    else:
        text = _("p99 is %(p99)s ms, %(allowed)s ms are allowed.")
    return [Limit("p99", judgement, limit / p99_ns, f"{text % values} {_bound(figure)}")]


def _not_of_a_sync(figure: Figure) -> str:
    return _("Its p99 of %(p99)s ms is not of a sync: it ends before the sync begins.") % {
        "p99": f"{(figure.p99_ns or 0) / MS:.3g}"
    }


def _bound(figure: Figure) -> str:
    """What a p99 is, and what bounds it: the p99.9 of everybody's commits together."""
    if figure.pooled_p999_ns is None or not figure.is_firm:
        return figure.p99_is
    bound = _("Of all commits of all uploaders together 99.9 %% ended within %(time)s ms.") % {
        "time": f"{figure.pooled_p999_ns / MS:.3g}"
    }
    return f"{figure.p99_is} {bound}"


def _capacity(need: Need, plan: Candidate) -> list[Limit]:
    offer = plan.offer
    if not need.capacity_gb:
        return []
    if offer.is_ordered:
        if offer.price_month is None:
            return [stated("capacity", None, offer.problem)]
        text = _("Its volume is ordered with %(gb)s GB.") % {"gb": f"{need.capacity_gb:,}"}
        return [stated("capacity", math.inf, text)]
    if offer.capacity_gb is None:
        return [stated("capacity", None, _("Its capacity is not stated."))]
    margin = float(offer.capacity_gb / need.capacity_gb)
    text = _("It holds %(has)s GB, %(needed)s are needed.") % {
        "has": f"{offer.capacity_gb:,.0f}",
        "needed": f"{need.capacity_gb:,}",
    }
    return [stated("capacity", margin, text)]


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
        return [stated(name, None, missing)]
    margin = float(has / needed)
    said = text % {"has": f"{has:,.0f}", "needed": f"{needed:,}"}
    return [stated(name, margin, said)]


def _budget(need: Need, plan: Candidate) -> list[Limit]:
    price = plan.offer.price_month
    if need.budget_month is None:
        return []
    if price is None:
        return [stated("budget", None, plan.offer.problem)]
    margin = float(need.budget_month / price) if price else math.inf
    text = _("It costs %(price)s %(currency)s a month of %(budget)s.") % {
        "price": f"{price:.2f}",
        "currency": need.currency,
        "budget": f"{need.budget_month:.2f}",
    }
    return [stated("budget", margin, text)]


def _region(need: Need, plan: Candidate) -> list[Limit]:
    """What is not certain of the region; a plan that is certainly elsewhere was not asked for."""
    said = region_doubt(need, plan)
    return [stated(REGION, None, said)] if said else []


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


def _kept(need: Need, plan: Candidate) -> list[Limit]:
    """What software keeps for the time after a crash is lost on storage that a stop empties."""
    if not (need.software.wants_kept and plan.is_ephemeral):
        return []
    text = _("What it keeps must outlive a stop of the machine, and here it does not.")
    return [Limit(KEPT, EMPTIED, 0.0, text)]


def _protection(need: Need, plan: Candidate, figure: Figure) -> list[Limit]:
    if not need.wants_plp:
        return []
    judgement = judge_protection(plan.drives, stated=figure.plp)
    full, _known = protection_shares(plan.drives, stated=figure.plp)
    if not plan.drives and judgement.verdict is Verdict.MAY:
        text = _("Which drive one gets is not known, nor whether it has PLP.")
        return [Limit(PLP, judgement, None, text)]
    if full == 1:
        text = _("Every drive that was seen has power-loss protection.")
    else:
        text = _(
            "Not every drive that was seen has power-loss protection: those of %(share)s of the "
            "uploaders have it for certain."
        ) % {"share": f"{float(full):.0%}"}
    return [Limit(PLP, judgement, float(full), text)]
