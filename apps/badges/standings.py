"""Reads what the badges of plans, drives and providers show: standings, in two queries at most."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import OuterRef, Subquery

from apps.badges.badge_facts import (
    Absence,
    BadgeCost,
    BadgeFacts,
    BadgeInterval,
    BadgeLatency,
    BadgeTail,
    BadgeTier,
    Figures,
    MissingFigure,
    Proof,
    Protection,
)
from apps.badges.drawing.text import NAME_CHARACTERS_MAX
from apps.drives.models import DriveFamily, PowerLossProtection
from apps.plans.models import NOT_FOR_RENT, Plan, PriceKind, Provider
from apps.plans.naming import SLUG
from apps.plans.regions import GROUPS
from apps.rankings.choice import headline
from apps.rankings.models import Evidence, ProviderStanding, Standing
from apps.runs.models import Run
from apps.runs.published.services import published_month
from apps.runs.sides import COMMIT_SIDES
from apps.words.standings import english_warning

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

NOT_FOUND = MissingFigure(absence=Absence.NOT_FOUND)

PROTECTIONS = {
    PowerLossProtection.FULL.value: Protection.FULL,
    PowerLossProtection.PARTIAL.value: Protection.NONE,  # not the writes it acknowledged
    PowerLossProtection.NONE.value: Protection.NONE,
}


def plan_facts(*, slug: str) -> Figures:
    """Return where a plan stands by its measured runs, else by its published ones."""
    plan = is_slug(slug) and Plan.objects.select_related("provider").filter(slug=slug).first()
    if not plan:
        return NOT_FOUND
    return _cell_facts(name=plan_name(plan), cell={"plan": plan})


def drive_facts(*, slug: str) -> Figures:
    """Return where a drive family stands by its measured runs, else by its published ones."""
    family = is_slug(slug) and DriveFamily.objects.filter(slug=slug).first()
    if not family:
        return NOT_FOUND
    return _cell_facts(name=family.name, cell={"drive_family": family})


def provider_facts(*, slug: str) -> Figures:
    """Return the fastest plan of a provider, with its cheapest per commit: it has no rate itself.

    Those of one workload: the one that would represent the fastest plan on its own badge.
    """
    known = Provider.objects.exclude(slug__in=NOT_FOR_RENT)
    provider = is_slug(slug) and known.filter(slug=slug).first()
    if not provider:
        return NOT_FOUND
    rows = (
        ProviderStanding.objects.filter(provider=provider, best__is_durable_single_writer=True)
        .exclude(evidence=Evidence.EXAMPLE)
        .select_related("best__plan", "best__price", "cheapest__plan", "cheapest__price")
        .defer("best__curve", "best__points", "cheapest__curve", "cheapest__points")
        .annotate(
            best_at=Subquery(_newest("best__newest_run_slug")),
            cheapest_at=Subquery(_newest("cheapest__newest_run_slug")),
        )
    )
    by_best = {row.best_id: row for row in rows}
    best = headline(row.best for row in by_best.values())
    if best is None:
        return MissingFigure(name=provider.name, absence=Absence.NOT_MEASURED)
    row = by_best[best.pk]
    cheapest = None
    if row.cheapest is not None:
        plan = row.cheapest.plan
        cheapest = _facts_of(row.cheapest, provider.name, row.cheapest_at, plan=plan)
    return _facts_of(best, provider.name, row.best_at, plan=best.plan, cheapest=cheapest)


def is_slug(slug: str) -> bool:
    """Whether something can have this address."""
    return SLUG.fullmatch(slug) is not None


def _newest(slug: str) -> QuerySet[Run, Any]:
    return Run.objects.filter(slug=OuterRef(slug)).values("measured_at")[:1]


def _cell_facts(*, name: str, cell: dict[str, Plan | DriveFamily]) -> Figures:
    standings = (
        Standing.objects.filter(**cell, is_durable_single_writer=True)
        .exclude(evidence=Evidence.EXAMPLE)
        .select_related("price")
        .annotate(measured_at=Subquery(_newest("newest_run_slug")))
        .defer("curve", "points")
    )
    standing = headline(standings)
    if standing is None:
        return MissingFigure(name=name, absence=Absence.NOT_MEASURED)
    in_region = _name_in(name, region=GROUPS.get(standing.region_group, ""))
    return _facts_of(standing, in_region, standing.measured_at)


def _facts_of(
    standing: Standing,
    name: str,
    measured_at: datetime | None,
    *,
    plan: Plan | None = None,
    cheapest: BadgeFacts | None = None,
) -> BadgeFacts:
    return BadgeFacts(
        name=name,
        plan=plan.name if plan else "",
        proof=_proof_of(standing),
        workload=standing.workload,
        workload_title=standing.workload_title,
        operation="commit",
        rate_per_s=standing.rate_per_s,
        interval=interval_of(
            standing.rate_per_s_low, standing.rate_per_s_high, between=standing.interval_is
        ),
        latency=latency_of(
            standing.latency_side, standing.p50_ns, one_writer_rate_per_s=standing.rate_per_s
        ),
        tail=tail_of(
            standing.latency_side,
            standing.p99_ns,
            low_ns=standing.p99_low_ns,
            high_ns=standing.p99_high_ns,
        ),
        cost=_cost_of(standing),
        tier=_tier_of(standing),
        protection=protection_of(standing.plp),
        runs=standing.n_runs,
        uploaders=standing.n_uploaders,
        kinds=tuple((n, rate) for n, rate, _drive in standing.kinds),
        measured_at=measured_at,
        published=published_month(standing.newest_run_slug),
        needs_runs=standing.needs_runs,
        warning=english_warning(standing),
        cheapest=cheapest,
    )


def _proof_of(standing: Standing) -> Proof:
    if standing.evidence == Evidence.LAB:
        return Proof.LAB
    if standing.evidence == Evidence.PUBLISHED:
        return Proof.PUBLISHED
    return Proof.REPRODUCED if standing.is_reproduced else Proof.WITNESSED


def latency_of(
    side: str | None, p50_ns: int | None, *, one_writer_rate_per_s: float | None
) -> BadgeLatency | None:
    """Return the median where it is what the badge counts, else 1 / rate where one writer waits."""
    if one_writer_rate_per_s is None:
        return BadgeLatency(ns=p50_ns, side=side, is_median=True) if side and p50_ns else None
    if side in COMMIT_SIDES and p50_ns is not None:
        return BadgeLatency(ns=p50_ns, side=side, is_median=True)
    return BadgeLatency(ns=round(10**9 / one_writer_rate_per_s), side="commit", is_median=False)


def tail_of(
    side: str | None,
    p99_ns: int | None,
    *,
    low_ns: int | None = None,
    high_ns: int | None = None,
) -> BadgeTail | None:
    """Return the p99 of a side that holds the sync."""
    if side not in COMMIT_SIDES or p99_ns is None:
        return None
    return BadgeTail(ns=p99_ns, side=side, low_ns=low_ns, high_ns=high_ns)


def interval_of(low: float | None, high: float | None, *, between: str) -> BadgeInterval | None:
    """Return the interval of a rate, where both ends are known."""
    if low is None or high is None:
        return None
    return BadgeInterval(low_per_s=low, high_per_s=high, between=between)


def protection_of(plp: str) -> Protection:
    """Return what a badge says of the drive's cache."""
    return PROTECTIONS.get(plp, Protection.NOT_STATED)


def _cost_of(standing: Standing) -> BadgeCost | None:
    price = standing.price
    if standing.cost_per_billion is None or price is None:
        return None
    return BadgeCost(
        per_billion=standing.cost_per_billion,
        currency=standing.currency,
        priced_on=price.valid_from,
        is_superseded=price.kind == PriceKind.SUPERSEDED,
    )


def _tier_of(standing: Standing) -> BadgeTier | None:
    if standing.tier is None or standing.rank_low is None or standing.rank_high is None:
        return None
    return BadgeTier(tier=standing.tier, rank_low=standing.rank_low, rank_high=standing.rank_high)


def plan_name(plan: Plan) -> str:
    """Return provider and plan where a badge has room for both, else the plan."""
    return plan.full_name if len(plan.full_name) <= NAME_CHARACTERS_MAX else plan.name


def _name_in(name: str, *, region: str) -> str:
    """Return the name with its group of regions, where that is known and there is room for both."""
    both = f"{name} · {region}"
    return both if region and len(both) <= NAME_CHARACTERS_MAX else name
