"""Reads of runs that pages, badges and the API share."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Final

from django.db.models import (
    Case,
    Exists,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Value,
    When,
)

from apps.plans.held import UNSEEN_NAME
from apps.plans.models import Plan
from apps.runs.models import (
    LISTED,
    MAY_PUBLISH,
    NOT_EXAMPLE,
    Label,
    Measurement,
    Outcome,
    Run,
    Tombstone,
    Upload,
)
from apps.runs.rules import RULES, TABLE, RuleKind

if TYPE_CHECKING:
    from collections.abc import Iterable
    from uuid import UUID

_UNREAD: Final = (
    Q(claimed_provider=UNSEEN_NAME) | Q(claimed_plan=UNSEEN_NAME)
    | Q(claimed_region=UNSEEN_NAME) | Q(region=UNSEEN_NAME)
)  # fmt: skip


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

    Bytes without a run may have had one, of an upload that was restored, or in a rebuild: only
    those that no worker has taken yet have never been seen.
    """
    made = Run.objects.filter(pk=run_id)
    if made.exists():
        return made.filter(environment__consent__publish_envelope=True).exists()
    return Upload.objects.filter(pk=run_id).exclude(state=Upload.State.RECEIVED).exists()


def runs_with_envelopes() -> QuerySet[Run]:
    """Return the runs whose signed bytes everybody may have: few of all, which an index finds.

    `agrees_to_publish` and `envelope_is_held` say the same of one run.
    """
    return Run.objects.filter(NOT_EXAMPLE, MAY_PUBLISH).exclude(_UNREAD)


def agrees_to_publish(run: Run) -> bool:
    """Whether the sender said yes to publishing the signed envelope."""
    consent = run.environment.get("consent")
    return isinstance(consent, dict) and consent.get("publish_envelope") is True


def envelope_is_held(run: Run) -> bool:
    """Whether the signed bytes wait: they hold names that nobody has read, or a run taken out.

    The bytes are handed out as they came or not at all: nothing can be taken out of them.
    """
    named = (run.claimed_provider, run.claimed_plan, run.claimed_region, run.region)
    return UNSEEN_NAME in named or not run.is_listed


def known_plans() -> QuerySet[Plan]:
    """Return the plans of the catalogue, and the machines of runs that are there for everybody."""
    runs = Run.objects.filter(LISTED, plan=OuterRef("pk"))
    return Plan.objects.filter(Q(is_listed=True) | Exists(runs))


def find_tombstone(slug: str) -> Tombstone | None:
    """Return what is left of a deleted run, by the slug in its address, or None."""
    run_id = uuid_of(slug)
    return None if run_id is None else Tombstone.objects.filter(pk=run_id).first()


NEWEST_FIRST = ("-listed_at", "-id")


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


def with_things(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Return runs with what they are of."""
    return runs.select_related("plan", "provider", "drive_family", "expected_class", "citation")


def with_measurements(runs: QuerySet[Run]) -> QuerySet[Run]:
    """Return runs with everything but the latencies and samples of their measurements."""
    light = Measurement.objects.defer("passes", "extra")  # most of the bytes of a long run
    return with_things(runs).prefetch_related(Prefetch("measurements", light))


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
