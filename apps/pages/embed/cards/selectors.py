"""What the pictures of shared links are of: a few queries each, of rows written beforehand."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import OuterRef, Prefetch, Q, Subquery

from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Provider
from apps.rankings.choice import headline
from apps.rankings.models import Standing
from apps.runs.models import Measurement, Run


@dataclass(frozen=True, slots=True)
class PlanOrDriveRows:
    """A plan or a drive family, and the standing that stands for it."""

    subject: Plan | DriveFamily
    standing: Standing | None  # with the day of its newest run as `measured_at`


@dataclass(frozen=True, slots=True)
class ProviderRows:
    """A provider, and how many plans of it are listed."""

    provider: Provider
    n_plans: int


def find_plan(slug: str) -> PlanOrDriveRows | None:
    """A plan: 2 queries."""
    plan = Plan.objects.select_related("provider").filter(slug=slug).first()
    return PlanOrDriveRows(plan, best_standing(Q(plan=plan))) if plan else None


def find_drive(slug: str) -> PlanOrDriveRows | None:
    """A drive family: 2 queries."""
    drive = DriveFamily.objects.filter(slug=slug).first()
    return PlanOrDriveRows(drive, best_standing(Q(drive_family=drive))) if drive else None


def find_provider(slug: str) -> ProviderRows | None:
    """A provider: 2 queries."""
    provider = Provider.objects.filter(slug=slug).first()
    if provider is None:
        return None
    return ProviderRows(provider, Plan.objects.filter(provider=provider).count())


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
    newest = Run.objects.filter(slug=OuterRef("newest_run_slug")).values("measured_at")[:1]
    rows = (
        Standing.objects.filter(condition, is_durable_single_writer=True)
        .annotate(measured_at=Subquery(newest))
        .defer("curve", "points")
    )
    return headline(list(rows))
