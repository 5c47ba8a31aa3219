"""The one queue of moderators: everything that waits, of every kind, oldest first."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from django.db.models import (
    CharField,
    DateTimeField,
    Exists,
    F,
    Max,
    Min,
    OuterRef,
    Q,
    Subquery,
    Value,
)
from django.db.models.functions import Cast, Coalesce

from apps.drives.models import DriveName
from apps.moderation.models import Decision, Report, Subject
from apps.moderation.selectors.standing import is_decided, is_label_decided
from apps.plans.held import UNSEEN_NAME
from apps.plans.models import Plan, Price
from apps.runs.clusters.selectors import clusters_waiting
from apps.runs.models import LISTED, NOT_EXAMPLE, Label, Measurement, Outcome, Run, UploaderCluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from django.db.models import QuerySet


class QueueKind(StrEnum):
    """Why something waits. A new kind has a place in `_QUERIES` and in the words of the desk."""

    QUARANTINED = "quarantined"
    DISPUTED = "disputed"
    REPORTED = "reported"
    NAME = "name"
    PLAN = "plan"
    OUTPUT = "output"  # of another benchmark, whose names the catalogue lacks
    PRICE = "price"
    CLUSTER = "cluster"  # of uploaders


def kind_named(name: str) -> QueueKind | None:
    """Return the kind of a name, or None."""
    return next((each for each in QueueKind if each == name), None)


ITEMS_A_PAGE: Final = 50  # what a bulk decision can be read through
# Labels that say that what a run claims and what it is are two things.
DISPUTING_RULES: Final = (
    "placement-conflict", "network-elsewhere", "unlisted-for-plan", "plan-contradicted",
    "far-from-peers", "near-copy",
)  # fmt: skip
# A person decided already: nobody has to look at what follows from it.
DECIDED_RULES: Final = ("revoked-key",)
OF_RUNS: Final = (QueueKind.QUARANTINED, QueueKind.DISPUTED, QueueKind.OUTPUT)


@dataclass(frozen=True, slots=True)
class Item:
    """Something that waits, with the row that it is."""

    kind: QueueKind
    key: str  # slug, number or id
    since: datetime | None
    row: Any  # Run, Report, DriveName, Plan, Price or UploaderCluster

    @property
    def token(self) -> str:
        """What names it in a form."""
        return f"{self.kind}:{self.key}"


def counts() -> dict[QueueKind, int]:
    """Return how much waits of each kind: a query each."""
    return {kind: query().count() for kind, query in _QUERIES.items()}


def waiting(kind: QueueKind | None, *, span: slice) -> list[Item]:
    """Return a stretch of the queue, of one kind or of all, oldest first: 10 queries at most."""
    kinds = (kind,) if kind else tuple(_QUERIES)
    first, *others = (_rows(each) for each in kinds)
    rows = first.union(*others, all=True) if others else first
    found = list(rows.order_by("item_since", "item_kind", "item_key")[span])
    return _with_rows(found)


def find_item(kind: QueueKind, key: str) -> Item | None:
    """Return one thing that waits or waited, by its kind and key."""
    return next(iter(_with_rows([(kind, key, None)])), None)


def _rows(kind: QueueKind) -> QuerySet[Any, Any]:
    column = _KEYS[kind]
    rows = _QUERIES[kind]().order_by().annotate(
        item_kind=Value(kind.value, CharField()),
        item_key=Cast(column, CharField()),
        item_since=_SINCE[kind],
    )  # fmt: skip
    values: QuerySet[Any, Any] = rows.values_list("item_kind", "item_key", "item_since")
    return values


def _with_rows(found: Iterable[tuple[str, str, datetime | None]]) -> list[Item]:
    found = list(found)
    rows: dict[str, dict[str, Any]] = {}
    for kind in QueueKind:
        keys = [key for each, key, _since in found if each == kind]
        if keys:
            rows[kind] = _BY_KEY[kind](keys)
    return [
        Item(QueueKind(kind), key, since, rows[kind][key])
        for kind, key, since in found
        if key in rows[kind]
    ]


# --- what waits


def _quarantined() -> QuerySet[Run]:
    why = Q(outcome=Outcome.QUARANTINE) & ~Q(rule__in=DECIDED_RULES)
    return _labelled(why).filter(outcome=Outcome.QUARANTINE)


def _disputed() -> QuerySet[Run]:
    return _labelled(Q(rule__in=DISPUTING_RULES)).exclude(outcome=Outcome.QUARANTINE)


def _labelled(why: Q) -> QuerySet[Run]:
    """Return the runs with such a label that nobody has decided about."""
    labels = Label.objects.filter(why, run=OuterRef("pk")).exclude(is_label_decided())
    return Run.objects.filter(NOT_EXAMPLE, LISTED, Exists(labels))


def _reported() -> QuerySet[Report]:
    return Report.objects.filter(state=Report.State.OPEN)


def _names() -> QuerySet[DriveName]:
    unknown = DriveName.objects.filter(family__isnull=True, is_set_aside=False)
    return unknown.exclude(is_decided(Subject.NAME, "key")).filter(
        Exists(Run.objects.filter(NOT_EXAMPLE, drives__name=OuterRef("pk")))
    )


def _plans() -> QuerySet[Plan]:
    unseen = Plan.objects.filter(is_listed=False, is_seen=False)
    return unseen.exclude(is_decided(Subject.PLAN, "slug")).filter(
        Exists(Run.objects.filter(NOT_EXAMPLE, plan=OuterRef("pk")))
    )


def _outputs() -> QuerySet[Run]:
    unread = Q(claimed_provider=UNSEEN_NAME) | Q(claimed_plan=UNSEEN_NAME)
    found = Run.objects.filter(unread | Q(drive_reported=UNSEEN_NAME))
    unseen = found.filter(NOT_EXAMPLE, LISTED, imported_file__names_seen=False)
    return unseen.exclude(is_decided(Subject.RUN, "slug"))


def _clusters() -> QuerySet[UploaderCluster]:
    return clusters_waiting()


def _prices() -> QuerySet[Price]:
    return Price.objects.filter(is_disputed=True)


_DISPUTED_AT: Final = Subquery(
    Decision.objects.filter(
        subject=Subject.PLAN, subject_id=OuterRef("plan"), action=Decision.Action.CORRECT
    )
    .order_by()
    .values("subject_id")
    .annotate(last=Max("at"))
    .values("last"),
    output_field=DateTimeField(),
)
_RECEIVED: Final = Coalesce(
    "upload__received_at", "imported_file__received_at", "measured_at", output_field=DateTimeField()
)
_QUERIES: Final[dict[QueueKind, Callable[[], QuerySet[Any]]]] = {
    QueueKind.QUARANTINED: _quarantined,
    QueueKind.DISPUTED: _disputed,
    QueueKind.REPORTED: _reported,
    QueueKind.NAME: _names,
    QueueKind.PLAN: _plans,
    QueueKind.OUTPUT: _outputs,
    QueueKind.PRICE: _prices,
    QueueKind.CLUSTER: _clusters,
}
_KEYS: Final = {
    QueueKind.QUARANTINED: "slug",
    QueueKind.DISPUTED: "slug",
    QueueKind.REPORTED: "id",
    QueueKind.NAME: "key",
    QueueKind.PLAN: "slug",
    QueueKind.OUTPUT: "slug",
    QueueKind.PRICE: "id",
    QueueKind.CLUSTER: "id",
}
_SINCE: Final[dict[QueueKind, Any]] = {
    QueueKind.QUARANTINED: _RECEIVED,
    QueueKind.DISPUTED: _RECEIVED,
    QueueKind.REPORTED: F("created_at"),
    QueueKind.NAME: Min("run_drives__run__measured_at"),
    QueueKind.PLAN: Min("runs__measured_at"),
    QueueKind.OUTPUT: _RECEIVED,
    QueueKind.PRICE: _DISPUTED_AT,
    QueueKind.CLUSTER: F("found_at"),
}


# --- the rows of what waits


def _runs_by_slug(slugs: list[str]) -> dict[str, Any]:
    rate = Measurement.objects.filter(run=OuterRef("pk"), is_durable_single_writer=True)
    runs = (
        Run.objects.filter(slug__in=slugs)
        .select_related(
            "plan__provider", "provider", "drive_family", "citation", "imported_file", "upload__key"
        )
        .defer("imported_file__content", "upload__packed_payload")
        .prefetch_related("labels")
        .annotate(rate_per_s=Subquery(rate.order_by("pk").values("rate_per_s")[:1]))
    )
    return {run.slug: run for run in runs}


def _reports_by_id(ids: list[str]) -> dict[str, Any]:
    """Return reports, each with its run where it is about one, as `run`."""
    reports: dict[str, Any] = {str(row.pk): row for row in Report.objects.filter(pk__in=ids)}
    slugs = [each.subject_id for each in reports.values() if each.subject == Subject.RUN]
    named = Run.objects.select_related("plan", "citation", "drive_family")
    runs = {run.slug: run for run in named.filter(slug__in=slugs)} if slugs else {}
    for report in reports.values():
        report.run = runs.get(report.subject_id) if report.subject == Subject.RUN else None
    return reports


def _names_by_key(keys: list[str]) -> dict[str, Any]:
    return {row.key: row for row in DriveName.objects.filter(key__in=keys)}


def _plans_by_slug(slugs: list[str]) -> dict[str, Any]:
    return {row.slug: row for row in Plan.objects.filter(pk__in=slugs).select_related("provider")}


def _prices_by_number(numbers: list[str]) -> dict[str, Any]:
    known = [number for number in numbers if number.isdecimal()]
    rows = Price.objects.filter(pk__in=known).select_related("plan__provider")
    return {str(row.pk): row for row in rows}


def _clusters_by_number(numbers: list[str]) -> dict[str, Any]:
    known = [number for number in numbers if number.isdecimal()]
    return {str(row.pk): row for row in UploaderCluster.objects.filter(pk__in=known)}


_BY_KEY: Final[dict[QueueKind, Callable[[list[str]], dict[str, Any]]]] = {
    QueueKind.QUARANTINED: _runs_by_slug,
    QueueKind.DISPUTED: _runs_by_slug,
    QueueKind.REPORTED: _reports_by_id,
    QueueKind.NAME: _names_by_key,
    QueueKind.PLAN: _plans_by_slug,
    QueueKind.OUTPUT: _runs_by_slug,
    QueueKind.PRICE: _prices_by_number,
    QueueKind.CLUSTER: _clusters_by_number,
}
