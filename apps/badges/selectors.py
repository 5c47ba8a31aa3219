"""Reads what the badge of a run shows: rows that were written beforehand, in three queries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Case, OuterRef, Subquery, Value, When

from apps.badges.badge_facts import (
    Absence,
    BadgeCost,
    BadgeFacts,
    Figures,
    MissingFigure,
    Proof,
)
from apps.badges.standings import (
    NOT_FOUND,
    interval_of,
    is_slug,
    latency_of,
    plan_name,
    protection_of,
    tail_of,
)
from apps.plans.models import PriceKind
from apps.plans.regions import place_of
from apps.rankings.choice import choice_key, measurement_key
from apps.rankings.cost import cost_per_billion
from apps.rankings.models import Evidence, Standing
from apps.runs.models import KeepsOut, Latency, Run, Upload
from apps.runs.published.services import published_month
from apps.runs.selectors import LABELS_GRAVEST_FIRST, uuid_of
from apps.runs.sides import COMMIT_SIDES
from apps.words.labels import english_text

if TYPE_CHECKING:
    from apps.runs.models import Measurement

# The latency of a measurement that holds the sync; else any.
BEST_SIDE = Latency.objects.filter(measurement=OuterRef("pk")).order_by(
    Case(
        *(When(side=side, then=Value(place)) for place, side in enumerate(COMMIT_SIDES)),
        default=Value(len(COMMIT_SIDES)),
    )
)


def run_facts(*, slug: str) -> Figures:
    """Return the figures of one run, or the state of the upload that will become one."""
    if not is_slug(slug):
        return NOT_FOUND
    keeping_out = (KeepsOut.RUN, KeepsOut.PLAN)  # its name is that of its plan
    reason = LABELS_GRAVEST_FIRST.filter(run=OuterRef("pk"), keeps_out__in=keeping_out)
    run = (
        Run.objects.select_related("plan__provider", "drive_family", "citation")
        .annotate(excluded_because=Subquery(reason.values("rule")[:1]))
        .filter(slug=slug)
        .first()
    )
    if run is None:
        return _upload_state(slug=slug)
    name = _run_name(run)
    timed = run.measurements.filter(rate_per_s__gt=0).annotate(
        side=Subquery(BEST_SIDE.values("side")[:1]),
        p50_ns=Subquery(BEST_SIDE.values("p50_ns")[:1]),
        p99_ns=Subquery(BEST_SIDE.values("p99_ns")[:1]),
    )
    best = min(timed, key=measurement_key, default=None)
    if best is None or best.rate_per_s is None:
        return MissingFigure(name=name, absence=Absence.NO_RATE)
    citation = run.citation if hasattr(run, "citation") else None
    if citation is not None and citation.is_illustrative:
        return MissingFigure(name=name, absence=Absence.ILLUSTRATIVE)
    return BadgeFacts(
        name=name,
        proof=Proof(run.shown_level),
        workload=best.workload,
        workload_title=best.title,
        operation="commit" if best.is_durable_single_writer else best.operation,
        rate_per_s=best.rate_per_s,
        interval=interval_of(best.rate_per_s_low, best.rate_per_s_high, between="samples"),
        latency=latency_of(
            best.side,
            best.p50_ns,
            one_writer_rate_per_s=best.rate_per_s if best.is_durable_single_writer else None,
        ),
        tail=tail_of(best.side, best.p99_ns),
        cost=_cost_of(run, best),
        protection=protection_of(run.drive_family.plp if run.drive_family else ""),
        runs=1,
        uploaders=None,
        measured_at=run.measured_at,
        published=published_month(run.slug),
        excluded_because=english_text(run.excluded_because or ""),
        warning=citation.warning if citation is not None else "",
    )


def _upload_state(*, slug: str) -> MissingFigure:
    """Return why an upload has no run yet."""
    run_id = uuid_of(slug)
    if run_id is None:
        return NOT_FOUND
    state = Upload.objects.filter(run_id=run_id).values_list("state", flat=True).first()
    if state is None:
        return NOT_FOUND
    poisoned = state == Upload.State.POISON
    return MissingFigure(absence=Absence.SET_ASIDE if poisoned else Absence.MEASURING)


def _cost_of(run: Run, measurement: Measurement) -> BadgeCost | None:
    """Return what commits cost at the rate of this run, by the price of its plan's standing.

    That of the run's region, where there is one. None of a run that does not count.
    """
    if not (run.plan_id and measurement.is_durable_single_writer) or run.plan_in_doubt:
        return None
    standings = Standing.objects.filter(
        plan=run.plan_id,
        workload=measurement.workload,
        version=measurement.version,
        cost_per_billion__isnull=False,
    ).exclude(evidence=Evidence.EXAMPLE)
    here = place_of(run.region, provider=run.provider_id or "").group
    own = min(
        standings.select_related("price").defer("curve", "points"),
        key=lambda row: (row.region_group != here, *choice_key(row)),
        default=None,
    )
    if own is None or own.price is None or measurement.rate_per_s is None:
        return None
    return BadgeCost(
        per_billion=cost_per_billion(own.price, rate_per_s=measurement.rate_per_s),
        currency=own.currency,
        priced_on=own.price.valid_from,
        is_superseded=own.price.kind == PriceKind.SUPERSEDED,
    )


def _run_name(run: Run) -> str:
    if run.plan is not None:
        name = plan_name(run.plan)
        return f"claimed: {name}" if run.plan_in_doubt else name
    if run.drive_family is not None:
        return run.drive_family.name
    return run.drive_reported or "unnamed machine"
