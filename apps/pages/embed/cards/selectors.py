"""What the pictures of shared links are of: a few queries each, of rows written beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db.models import OuterRef, Prefetch, Q, Subquery

from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Provider
from apps.rankings.choice import headline
from apps.rankings.models import Evidence, ProviderStanding, Standing
from apps.runs.models import Measurement, Run

# When the newest run behind a row was measured.
NEWEST_AT: Final = Run.objects.filter(slug=OuterRef("newest_run_slug")).values("measured_at")[:1]


@dataclass(frozen=True, slots=True)
class PlanOrDriveRows:
    """A plan or a drive family, and the standing that stands for it."""

    subject: Plan | DriveFamily
    standing: Standing | None  # with the day of its newest run as `measured_at`


@dataclass(frozen=True, slots=True)
class ProviderRows:
    """A provider, how many plans of it are listed, and the row of its fastest plan."""

    provider: Provider
    n_plans: int
    best: Standing | None


def find_plan(slug: str) -> PlanOrDriveRows | None:
    """A plan: 2 queries."""
    plan = Plan.objects.select_related("provider").filter(slug=slug).first()
    return PlanOrDriveRows(plan, best_standing(Q(plan=plan))) if plan else None


def find_drive(slug: str) -> PlanOrDriveRows | None:
    """A drive family: 2 queries."""
    drive = DriveFamily.objects.filter(slug=slug).first()
    return PlanOrDriveRows(drive, best_standing(Q(drive_family=drive))) if drive else None


def find_provider(slug: str) -> ProviderRows | None:
    """A provider: 3 queries."""
    provider = Provider.objects.filter(slug=slug).first()
    if provider is None:
        return None
    n_plans = Plan.objects.filter(provider=provider).count()
    return ProviderRows(provider, n_plans, fastest_of(provider))


def fastest_of(provider: Provider) -> Standing | None:
    """The row that stands for a provider, with the day of its newest run: 1 query."""
    of_provider = ProviderStanding.objects.filter(provider=provider).exclude(
        evidence=Evidence.EXAMPLE
    )
    rows = (
        Standing.objects.filter(pk__in=of_provider.values("best"), is_durable_single_writer=True)
        .select_related("plan")
        .annotate(measured_at=Subquery(NEWEST_AT))
        .defer("curve", "points")
    )
    return headline(list(rows))


def find_run(slug: str) -> Run | None:
    """A run with its measurements: 3 queries."""
    measured = Measurement.objects.defer("passes", "engine")
    return (
        Run.objects.select_related("plan__provider", "drive_family", "citation")
        .prefetch_related(Prefetch("measurements", measured.prefetch_related("latencies")))
        .filter(slug=slug)
        .first()
    )


def best_standing(condition: Q) -> Standing | None:
    """The row that stands for a plan or a drive: 1 query."""
    rows = (
        Standing.objects.filter(condition, is_durable_single_writer=True)
        .annotate(measured_at=Subquery(NEWEST_AT))
        .defer("curve", "points")
    )
    return headline(list(rows))
