"""Reads what the API shows, with a bounded number of queries for each response."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from django.db.models import (
    Case,
    Exists,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    When,
)
from django.db.models.functions import Coalesce

from apps.api.paging import SortKey
from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Price, Provider
from apps.rankings.models import ProviderStanding, Standing
from apps.rankings.standing_columns import REGION_GROUP
from apps.runs.models import (
    LISTED,
    SHORT_CHARACTERS,
    SHOWN_LEVEL,
    Latency,
    Measurement,
    Run,
    Upload,
)
from apps.runs.selectors import known_plans, uuid_of

if TYPE_CHECKING:
    from uuid import UUID

BY_SLUG: Final = (SortKey("slug"),)
# The order of the boards: ranked standings first, by the rate that orders them.
AS_RANKED: Final = (
    SortKey("unranked"),
    SortKey("ordered", descending=True),
    SortKey("id"),
)
NEWEST_FIRST: Final = (SortKey("listed_at", descending=True), SortKey("id", descending=True))


def runs(*, workload: str = "", **lookups: str) -> QuerySet[Run]:
    """Return the runs of these lookups that measured a workload, 2 queries with measurements."""
    rows = Run.objects.filter(LISTED).annotate(level_shown=SHOWN_LEVEL)
    if workload:
        measured = Measurement.objects.filter(run=OuterRef("pk"), workload=workload)
        rows = rows.filter(Exists(measured))
    measurements = Measurement.objects.defer("passes", "extra").order_by("pk")
    return (
        rows.filter(**lookups)
        .select_related("citation")
        .defer("environment")
        .prefetch_related(Prefetch("measurements", queryset=measurements))
    )


def find_run(name: str) -> Run | None:
    """Return a run by slug, id or short code with all related rows: 4 queries, of a code 5."""
    latencies = Latency.objects.order_by("pk")
    measurements = Measurement.objects.order_by("pk").prefetch_related(
        Prefetch("latencies", queryset=latencies)
    )
    rows = Run.objects.select_related("citation", "upload").defer("upload__packed_payload")
    run_id = _run_id_of(name)
    is_named = Q(slug=name) if run_id is None else Q(slug=name) | Q(pk=run_id)
    return (
        rows.filter(is_named)
        .prefetch_related(Prefetch("measurements", queryset=measurements), "labels")
        .first()
    )


def find_upload(name: str) -> Upload | None:
    """Return an upload by its run id or short code, without its bytes."""
    run_id = _run_id_of(name)
    if run_id is None:
        return None
    return Upload.objects.defer("packed_payload").filter(pk=run_id).first()


def _run_id_of(name: str) -> UUID | None:
    """Return the id that a name is, or that the code of a short address stands for."""
    run_id = uuid_of(name.lower())
    if run_id is None and len(name) == SHORT_CHARACTERS:
        return Upload.objects.filter(short_code=name).values_list("pk", flat=True).first()
    return run_id


def plans(**lookups: Any) -> QuerySet[Plan]:
    """Return the plans of these lookups."""
    return known_plans().filter(**lookups)


def plans_in_full() -> QuerySet[Plan]:
    """Return plans with their prices and standings: 3 queries."""
    prices = Price.objects.order_by("-valid_from", "region", "period", "pk")
    related = (Prefetch("prices", queryset=prices), Prefetch("standings", queryset=standings()))
    return known_plans().prefetch_related(*related)


def providers() -> QuerySet[Provider]:
    """Return all providers."""
    return Provider.objects.all()


def providers_in_full() -> QuerySet[Provider]:
    """Return providers with their best and their cheapest plan of each workload: 2 queries."""
    shown = ProviderStanding.objects.select_related(
        "best__plan", "cheapest__plan", "best__price", "cheapest__price"
    ).order_by("evidence", "workload", "version")
    return Provider.objects.prefetch_related(Prefetch("standings", queryset=shown))


def drives(**lookups: Any) -> QuerySet[DriveFamily]:
    """Return the drive families of these lookups."""
    return DriveFamily.objects.filter(**lookups)


def drives_in_full() -> QuerySet[DriveFamily]:
    """Return drive families with their standings: 2 queries."""
    return DriveFamily.objects.prefetch_related(Prefetch("standings", queryset=standings()))


def standings(**lookups: Any) -> QuerySet[Standing]:
    """Return the standings of these lookups, as the boards order them, with plan and price."""
    rows = Standing.objects.all()
    # A region group is blank for drive families too, which have none.
    if REGION_GROUP.lookup in lookups:
        rows = rows.filter(plan__isnull=False)
    return (
        rows.select_related("plan", "price")
        .annotate(
            unranked=Case(When(tier__isnull=True, then=1), default=0),
            ordered=Coalesce("order_rate_per_s", "rate_per_s"),
        )
        .filter(**lookups)
        .order_by(*(key.order for key in AS_RANKED))
    )
