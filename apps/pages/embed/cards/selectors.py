"""What the pictures of shared links show: one or two queries each, from rows written beforehand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Final

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery

from apps.drives.models import DriveFamily
from apps.pages.draw.axis import NS_PER_S
from apps.pages.embed.cards.card import Card
from apps.pages.show import words
from apps.pages.show.table.rows import run_name
from apps.pages.show.workload_words import workload_title
from apps.plans.models import HOME, UNLISTED, Plan, Provider
from apps.rankings.choice import (
    headline,
    headline_latency,
    headline_measurement,
)
from apps.rankings.models import Standing
from apps.runs.models import Measurement, Run
from apps.runs.published import published_month

COMMIT_SIDES: Final = frozenset({"commit", "sync"})
NOT_MEASURED: Final = "Nobody has measured its durable commits yet"


def card_of(kind: str, slug: str) -> Card | None:
    """The card of one thing; None where nothing of that kind has this name."""
    return CARDS[kind](slug)


def plan_card(slug: str) -> Card | None:
    plan = Plan.objects.select_related("provider").filter(slug=slug).first()
    if plan is None:
        return None
    is_company = plan.provider_id not in (HOME, UNLISTED)
    title = f"{plan.provider.name} {plan.name}" if is_company else plan.name
    return _standing_card(title, "plan", Standing.objects.filter(plan=plan))


def drive_card(slug: str) -> Card | None:
    drive = DriveFamily.objects.filter(slug=slug).first()
    if drive is None:
        return None
    return _standing_card(drive.name, "drive", Standing.objects.filter(drive_family=drive))


def provider_card(slug: str) -> Card | None:
    provider = Provider.objects.filter(slug=slug).first()
    if provider is None:
        return None
    listed = words.count(Plan.objects.filter(provider=provider).count(), "plan")
    return Card(title=provider.name, kind="provider", says=f"{listed} by durable commits/s")


def run_card(slug: str) -> Card | None:
    measured = Measurement.objects.defer("passes", "engine", "other_io")
    run = (
        Run.objects.select_related("plan__provider", "drive_family", "citation")
        .prefetch_related(Prefetch("measurements", measured.prefetch_related("latencies")))
        .filter(slug=slug)
        .first()
    )
    if run is None:
        return None
    level = words.level_words(run.shown_level).word
    day = run.measured_at.date() if run.measured_at else None
    measurement = headline_measurement(run)
    is_sample = hasattr(run, "citation") and run.citation.is_illustrative
    is_commit = measurement is not None and measurement.is_durable_single_writer
    if measurement is None or is_sample or not (is_commit and measurement.rate_per_s):
        return Card(
            title=run_name(run),
            kind="run",
            says=f"{level} run" + (", illustrative" if is_sample else ""),
            day=day,
            is_made_up=run.is_example,
        )
    latency = headline_latency(measurement)
    is_timed = latency is not None and latency.side in COMMIT_SIDES
    return Card(
        title=run_name(run),
        kind="run",
        workload=workload_title(measurement.workload, measurement.title),
        rate_per_s=measurement.rate_per_s,
        low_per_s=measurement.rate_per_s_low,
        high_per_s=measurement.rate_per_s_high,
        at_ns=(is_timed and latency and latency.p50_ns) or NS_PER_S / measurement.rate_per_s,
        p99_ns=latency.p99_ns if latency and is_timed else None,
        plp=run.drive_family.plp if run.drive_family else "",
        counts=f"{words.count(1, 'run')}, {level.lower()}",
        day=day,
        published=published_month(run.slug),
        is_made_up=run.is_example,
    )


def _standing_card(title: str, kind: str, standings: QuerySet[Standing]) -> Card:
    """The card of the row that stands for a plan or a drive."""
    newest = Run.objects.filter(slug=OuterRef("newest_run_slug")).values("measured_at")[:1]
    rows = list(
        standings.filter(is_durable_single_writer=True)
        .annotate(measured_at=Subquery(newest))
        .defer("curve", "points")
    )
    best = headline(rows)
    if best is None:
        return Card(title=title, kind=kind, says=NOT_MEASURED)
    is_commit = best.latency_side in COMMIT_SIDES
    when: dt.datetime | None = best.measured_at
    counts = words.evidence_note(
        evidence=best.evidence,
        n_runs=best.n_runs,
        n_machines=best.n_machines,
        n_uploaders=best.n_uploaders,
    )
    return Card(
        title=title,
        kind=kind,
        workload=workload_title(best.workload, best.workload_title),
        rate_per_s=best.rate_per_s,
        low_per_s=best.rate_per_s_low,
        high_per_s=best.rate_per_s_high,
        at_ns=(best.p50_ns if is_commit else None) or NS_PER_S / best.rate_per_s,
        p99_ns=best.p99_ns if is_commit else None,
        plp=best.plp,
        counts=f"{counts}, {best.evidence}",
        day=when.date() if when else None,
        published=published_month(best.newest_run_slug),
        is_made_up=words.is_made_up(best.evidence),
    )


CARDS: Final[Mapping[str, Callable[[str], Card | None]]] = {
    "plan": plan_card,
    "drive": drive_card,
    "provider": provider_card,
    "run": run_card,
}
