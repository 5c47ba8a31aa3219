"""Reads what the advisor judges: listed plans, their standings, prices and drives. Four queries."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any

from django.db.models import OuterRef, Q, Subquery

from apps.plans.models import HOME_KIND, HOME_PROVIDER, Plan, Price, StorageKind
from apps.rankings.advice.candidate import Candidate
from apps.rankings.advice.evidence import Article, WorkloadFigure
from apps.rankings.advice.lottery import drive_lottery
from apps.rankings.advice.offers import Market, offer_for
from apps.rankings.choice import slowest_kind
from apps.rankings.cost import is_orderable, priced_slugs
from apps.rankings.models import Evidence, Standing
from apps.rankings.standings.confidence import support_of_standing
from apps.runs.models import Run
from apps.wire.suites import is_read, p99_limit_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.db.models import QuerySet

    from apps.plans.prices.currencies import RateTable
    from apps.rankings.advice.needs import Need


def candidates_for(need: Need, *, rates: RateTable) -> list[Candidate]:
    """Return every plan for rent that the need does not rule out by provider or kind."""
    listed = Plan.objects.rentable()
    is_home = need.kind == HOME_KIND or need.provider == HOME_PROVIDER
    if is_home:  # machines of people's own, only where they are asked for; they have no price
        listed = Plan.objects.filter(is_listed=True, provider=HOME_PROVIDER)
    if need.provider:
        listed = listed.filter(provider=need.provider)
    if need.providers:
        listed = listed.filter(provider__in=need.providers)
    plans = list(listed.select_related("provider").order_by("slug"))  # volumes, to price servers
    plans_of_kind = [plan for plan in plans if need.asks_for_kind(plan.kind)]
    slugs = [plan.slug for plan in plans_of_kind]
    market = Market(rates=rates, prices=_prices(plans), volumes=_volumes(plans))
    figures, drives = _figures(need, plans_of_kind), drive_lottery(slugs)
    return [
        Candidate(
            slug=plan.slug,
            name=plan.name,
            provider=plan.provider_id,
            kind=plan.kind,
            storage_kind=plan.storage_kind,
            regions=plan.regions,
            offer=offer_for(need, plan, market, measured_in=_measured_in(need, figures[plan.slug])),
            figures=figures[plan.slug],
            drives=drives.get(plan.slug, ()),
            provider_name=plan.provider.name,
            ram_gb=plan.ram_gb,
            vcpus=plan.vcpus,
            is_ephemeral=plan.is_ephemeral,
        )
        for plan in plans_of_kind
    ]


def _measured_in(need: Need, figures: Mapping[str, WorkloadFigure]) -> str:
    """Return the group of regions of the nearest figure; empty where it is not known."""
    nearest = (figures[each] for each in need.software.workloads if each in figures)
    return next((each.region_group for each in nearest), "")


def _figures(need: Need, plans: list[Plan]) -> dict[str, dict[str, WorkloadFigure]]:
    """Return one figure by plan and workload, for the workloads of the software."""
    software = need.software
    has_workload = Q(workload__in=(*software.workloads, *software.searches, *software.groups))
    groups = {plan.slug: need.place(plan.provider_id).group for plan in plans}
    standings = [
        row
        for row in with_sources(
            Standing.objects.filter(has_workload, plan__in=groups).exclude(
                evidence__in=(Evidence.EXAMPLE, Evidence.LAB)
            )
        ).defer("curve", "points")
        # a standing without a region may be of the region asked for
        if not groups[row.plan_id or ""] or row.region_group in ("", groups[row.plan_id or ""])
    ]
    # A measured row speaks before published ones, then the newest version, then the region asked
    # for before an unknown one.
    best: dict[tuple[str, str], list[Any]] = defaultdict(list)
    rank: dict[tuple[str, str], tuple[bool, int, bool]] = {}
    for row in standings:
        key = row.plan_id or "", row.workload
        is_asked_for = row.region_group == (groups[key[0]] or None)
        own = row.evidence == Evidence.MEASURED, row.version, is_asked_for
        if own > rank.get(key, own):
            best[key].clear()
        if own >= rank.get(key, own):
            rank[key] = own
            best[key].append(row)
    figures: dict[str, dict[str, WorkloadFigure]] = defaultdict(dict)
    for (plan, workload), rows in best.items():
        figures[plan][workload] = figure_of(slowest_kind(rows))
    return figures


def with_sources(standings: QuerySet[Standing]) -> QuerySet[Any]:
    """Add to standings the time, the article and its author of their newest run."""
    newest = Run.objects.filter(slug=OuterRef("newest_run_slug")).order_by()
    return standings.annotate(
        measured_at=Subquery(newest.values("measured_at")[:1]),
        source_title=Subquery(newest.values("citation__title")[:1]),
        source_author=Subquery(newest.values("citation__author")[:1]),
        source_url=Subquery(newest.values("citation__url")[:1]),
    )


def figure_of(row: Any) -> WorkloadFigure:
    """Return the figures of a standing; day and article only if it was read by `with_sources`."""
    measured_at = getattr(row, "measured_at", None)
    title = getattr(row, "source_title", None)
    return WorkloadFigure(
        workload=row.workload,
        rate_per_s=row.rate_per_s,
        rate_low_per_s=row.rate_per_s_low,
        rate_high_per_s=row.rate_per_s_high,
        p50_ns=row.p50_ns,
        p99_ns=row.p99_ns,
        n_uploaders=row.n_uploaders,
        n_machines=row.n_machines,
        n_runs=row.n_runs,
        needs_runs=row.needs_runs,
        is_published=row.evidence == Evidence.PUBLISHED,
        interval_is=row.interval_is,
        is_one_writer=row.is_durable_single_writer,
        is_read=is_read(row.workload, version=row.version),
        p99_limit_ns=p99_limit_of(row.workload, version=row.version),
        region_group=row.region_group,
        run_slug=row.newest_run_slug,
        measured_on=measured_at.date() if measured_at else None,
        source=Article(title, row.source_url) if title else None,
        is_illustrative=row.is_illustrative,
        plp=row.plp,
        kinds=tuple((n, rate, drive) for n, rate, drive in row.kinds),
        p99_bound_ns=row.p99_bound_ns,
        latency_side=row.latency_side,
        pooled_p999_ns=row.pooled_p999_ns,
        support=support_of_standing(row),
    )


def _prices(plans: list[Plan]) -> dict[str, list[Price]]:
    """Return all prices of these plans and of the extras of their volumes, by plan."""
    slugs = {plan.slug for plan in plans}
    slugs |= {slug for plan in plans if is_orderable(plan) for slug in priced_slugs(plan)}
    prices: dict[str, list[Price]] = defaultdict(list)
    for price in Price.objects.filter(plan__in=slugs):
        prices[price.plan_id].append(price)
    return prices


def _volumes(plans: list[Plan]) -> dict[str, list[Plan]]:
    """Return the network volumes that are sold in any size, by provider."""
    volumes: dict[str, list[Plan]] = defaultdict(list)
    for plan in plans:
        if is_orderable(plan) and plan.storage_kind == StorageKind.NETWORK:
            volumes[plan.provider_id].append(plan)
    return volumes
