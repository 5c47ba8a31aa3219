"""Reads what a badge shows: rows that were written beforehand, in two queries at most."""

from django.db.models import Case, OuterRef, Subquery, Value, When

from apps.badges.badge_facts import (
    Absence,
    BadgeFacts,
    BadgeInterval,
    BadgeLatency,
    MissingFigure,
    Proof,
    Protection,
)
from apps.badges.svg import NAME_CHARACTERS_MAX
from apps.drives.models import DriveFamily, PowerLossProtection
from apps.plans.models import Plan
from apps.plans.naming import SLUG
from apps.plans.regions import GROUPS
from apps.rankings.choice import headline, measurement_key
from apps.rankings.models import Evidence, Standing
from apps.runs.models import KeepsOut, Latency, Run, Upload
from apps.runs.published.services import published_month
from apps.runs.selectors import LABELS_GRAVEST_FIRST, uuid_of
from apps.runs.sides import COMMIT_SIDES
from apps.words.labels import english_text
from apps.words.standings import english_warning

NOT_FOUND = MissingFigure(absence=Absence.NOT_FOUND)

PROTECTIONS = {
    PowerLossProtection.FULL.value: Protection.FULL,
    PowerLossProtection.PARTIAL.value: Protection.NONE,  # not the writes it acknowledged
    PowerLossProtection.NONE.value: Protection.NONE,
}
# The latency of a measurement that holds the sync; else any.
BEST_SIDE = Latency.objects.filter(measurement=OuterRef("pk")).order_by(
    Case(
        *(When(side=side, then=Value(place)) for place, side in enumerate(COMMIT_SIDES)),
        default=Value(len(COMMIT_SIDES)),
    )
)


def run_facts(*, slug: str) -> BadgeFacts | MissingFigure:
    """Return the figures of one run, or the state of the upload that will become one."""
    if not _is_slug(slug):
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
        side=Subquery(BEST_SIDE.values("side")[:1]), p50_ns=Subquery(BEST_SIDE.values("p50_ns")[:1])
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
        workload_title=best.title,
        operation="commit" if best.is_durable_single_writer else best.operation,
        rate_per_s=best.rate_per_s,
        interval=_interval(best.rate_per_s_low, best.rate_per_s_high, between="samples"),
        latency=_latency(
            best.side,
            best.p50_ns,
            one_writer_rate_per_s=best.rate_per_s if best.is_durable_single_writer else None,
        ),
        protection=_protection(run.drive_family.plp if run.drive_family else ""),
        runs=1,
        uploaders=None,
        measured_at=run.measured_at,
        published=published_month(run.slug),
        excluded_because=english_text(run.excluded_because or ""),
        warning=citation.warning if citation is not None else "",
    )


def plan_facts(*, slug: str) -> BadgeFacts | MissingFigure:
    """Return where a plan stands by its measured runs, else by its published ones."""
    plan = _is_slug(slug) and Plan.objects.select_related("provider").filter(slug=slug).first()
    if not plan:
        return NOT_FOUND
    return _standing_facts(name=_plan_name(plan), cell={"plan": plan})


def drive_facts(*, slug: str) -> BadgeFacts | MissingFigure:
    """Return where a drive family stands by its measured runs, else by its published ones."""
    family = _is_slug(slug) and DriveFamily.objects.filter(slug=slug).first()
    if not family:
        return NOT_FOUND
    return _standing_facts(name=family.name, cell={"drive_family": family})


def _is_slug(slug: str) -> bool:
    return SLUG.fullmatch(slug) is not None


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


def _standing_facts(
    *, name: str, cell: dict[str, Plan | DriveFamily]
) -> BadgeFacts | MissingFigure:
    newest = Run.objects.filter(slug=OuterRef("newest_run_slug")).values("measured_at")[:1]
    standings = (
        Standing.objects.filter(**cell, is_durable_single_writer=True)
        .exclude(evidence=Evidence.EXAMPLE)
        .annotate(measured_at=Subquery(newest))
        .defer("curve")
    )
    standing = headline(standings)
    if standing is None:
        return MissingFigure(name=name, absence=Absence.NOT_MEASURED)
    return BadgeFacts(
        name=_name_in(name, region=GROUPS.get(standing.region_group, "")),
        proof=_proof_of(standing),
        workload_title=standing.workload_title,
        operation="commit",
        rate_per_s=standing.rate_per_s,
        interval=_interval(
            standing.rate_per_s_low, standing.rate_per_s_high, between=standing.interval_is
        ),
        latency=_latency(
            standing.latency_side, standing.p50_ns, one_writer_rate_per_s=standing.rate_per_s
        ),
        protection=_protection(standing.plp),
        runs=standing.n_runs,
        uploaders=standing.n_uploaders,
        kinds=tuple((n, rate) for n, rate, _drive in standing.kinds),
        measured_at=standing.measured_at,
        published=published_month(standing.newest_run_slug),
        warning=english_warning(standing),
    )


def _proof_of(standing: Standing) -> Proof:
    if standing.evidence == Evidence.LAB:
        return Proof.LAB
    if standing.evidence == Evidence.PUBLISHED:
        return Proof.PUBLISHED
    return Proof.REPRODUCED if standing.is_reproduced else Proof.WITNESSED


def _latency(
    side: str | None, p50_ns: int | None, *, one_writer_rate_per_s: float | None
) -> BadgeLatency | None:
    """Return the median where it is what the badge counts, else 1 / rate where one writer waits."""
    if one_writer_rate_per_s is None:
        return BadgeLatency(ns=p50_ns, side=side, is_median=True) if side and p50_ns else None
    if side in COMMIT_SIDES and p50_ns is not None:
        return BadgeLatency(ns=p50_ns, side=side, is_median=True)
    return BadgeLatency(ns=round(10**9 / one_writer_rate_per_s), side="commit", is_median=False)


def _interval(low: float | None, high: float | None, *, between: str) -> BadgeInterval | None:
    if low is None or high is None:
        return None
    return BadgeInterval(low_per_s=low, high_per_s=high, between=between)


def _protection(plp: str) -> Protection:
    return PROTECTIONS.get(plp, Protection.NOT_STATED)


def _run_name(run: Run) -> str:
    if run.plan is not None:
        name = _plan_name(run.plan)
        return f"claimed: {name}" if run.plan_in_doubt else name
    if run.drive_family is not None:
        return run.drive_family.name
    return run.drive_reported or "unnamed machine"


def _plan_name(plan: Plan) -> str:
    """Return provider and plan where a badge has room for both, else the plan."""
    return plan.full_name if len(plan.full_name) <= NAME_CHARACTERS_MAX else plan.name


def _name_in(name: str, *, region: str) -> str:
    """Return the name with its group of regions, where that is known and there is room for both."""
    both = f"{name} · {region}"
    return both if region and len(both) <= NAME_CHARACTERS_MAX else name
