"""Reads of runs that pages, badges and the API share."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import TYPE_CHECKING, Final

from django.db.models import (
    Case,
    F,
    OuterRef,
    Prefetch,
    QuerySet,
    Value,
    When,
)

from apps.accounts.clock import database_now
from apps.runs.models import Label, Latency, Measurement, Outcome, Run, Tombstone, Upload
from apps.runs.rules import RULES, TABLE, RuleKind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

FIRST_MADE_WITHIN: Final = timedelta(minutes=5)  # the run of a new upload, with what comes before


def level_of(run_id: UUID) -> str | None:
    """Return the level of a run, or None before it is normalised."""
    return Run.objects.filter(pk=run_id).values_list("level", flat=True).first()


def keeping_out(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Return the labels that keep their run out: what people decided first, then quarantine."""
    return tuple(sorted((each for each in labels if each.keeps_run_out), key=_weight))


def _weight(label: Label) -> tuple[bool, bool]:
    rule = RULES.get(label.rule)  # an older rule may be gone
    is_decision = rule is not None and rule.kind is RuleKind.DECISION
    return not is_decision, label.outcome != Outcome.QUARANTINE


def is_envelope_public(run_id: UUID) -> bool:
    """Whether everybody can have the signed bytes of a run: whoever sends them need not own it.

    Bytes that have no run for longer than its first making takes may have had one: it is made
    again, of an upload that was restored, or in a rebuild.
    """
    made = Run.objects.filter(pk=run_id)
    if made.exists():
        return made.filter(environment__consent__publish_envelope=True).exists()
    old = Upload.objects.filter(pk=run_id, received_at__lt=database_now() - FIRST_MADE_WITHIN)
    return old.exists()


def find_tombstone(slug: str) -> Tombstone | None:
    """Return what is left of a deleted run, by the slug in its address, or None."""
    run_id = uuid_of(slug)
    return None if run_id is None else Tombstone.objects.filter(pk=run_id).first()


NEWEST_FIRST = (F("measured_at").desc(nulls_last=True), F("id").desc())


# The gravest label of a run first: quarantine, then the order of the rules.
LABELS_GRAVEST_FIRST = Label.objects.order_by(
    Case(When(outcome=Outcome.QUARANTINE, then=Value(0)), default=Value(1)),
    Case(
        *(When(rule=rule.id, then=Value(place)) for place, rule in enumerate(TABLE)),
        default=Value(len(TABLE)),
    ),
    "rule",
)


COMMITS = Measurement.objects.filter(run=OuterRef("pk"), is_durable_single_writer=True)


# Without samples and buckets, which are most of the bytes of a long run.
MEASUREMENTS = Prefetch("measurements", Measurement.objects.defer("passes", "extra"))


LATENCIES = Prefetch("latencies", Latency.objects.defer("buckets", "counts"))


def with_measurements(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Return runs with everything but the latencies of their measurements."""
    return runs.select_related(
        "plan", "provider", "drive_family", "expected_class", "citation"
    ).prefetch_related(MEASUREMENTS)


def find_by_slug(slug: str) -> Run | None:
    """Return a run by the slug in its address, or None: one query."""
    runs = Run.objects.filter(slug=slug).select_related("plan", "drive_family", "citation")
    return runs.defer("environment").first()


def uuid_of(slug: str) -> uuid.UUID | None:
    """Return the id that a slug is in its one form, lower case with hyphens, or None."""
    try:
        run_id = uuid.UUID(slug)
    except ValueError:
        return None
    return run_id if str(run_id) == slug else None
