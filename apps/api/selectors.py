"""Reads what the API shows, a bounded number of queries an answer."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from uuid import UUID

from django.db.models import (
    Case,
    DateTimeField,
    Exists,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Value,
    When,
)
from django.db.models.functions import Coalesce

from apps.api.paging import SortKey
from apps.api.queries import NOT_STATED
from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Price, Provider
from apps.rankings.models import ProviderStanding, Standing
from apps.runs.models import SHOWN_LEVEL, Latency, Measurement, Run, Upload

if TYPE_CHECKING:
    from collections.abc import Mapping

BY_SLUG: Final = (SortKey("slug"),)
# As on the boards: what ranks first, by the rate that orders it.
AS_RANKED: Final = (
    SortKey("unranked"),
    SortKey("ordered", descending=True),
    SortKey("id"),
)
NEWEST_FIRST: Final = (SortKey("dated", descending=True), SortKey("id", descending=True))
_NOT_DATED: Final = Value(datetime(1970, 1, 1, tzinfo=UTC), output_field=DateTimeField())


def runs(query: Mapping[str, Any]) -> QuerySet[Run]:
    """Return the runs that a query asks for, with their measurements: 2 queries."""
    rows = Run.objects.annotate(dated=Coalesce("measured_at", _NOT_DATED), level_shown=SHOWN_LEVEL)
    for parameter, column in (
        ("level", "level_shown"),
        ("provider", "provider_id"),
        ("plan", "plan_id"),
        ("drive", "drive_family_id"),
    ):
        if parameter in query:
            rows = rows.filter(**{column: query[parameter]})
    if "workload" in query:
        measured = Measurement.objects.filter(run=OuterRef("pk"), workload=query["workload"])
        rows = rows.filter(Exists(measured))
    measurements = Measurement.objects.defer("passes", "extra").order_by("pk")
    return (
        rows.select_related("citation")
        .defer("environment")
        .prefetch_related(Prefetch("measurements", queryset=measurements))
    )


def find_run(name: str) -> Run | None:
    """Return a run by slug, or by its id, with everything that hangs from it: 4 queries."""
    latencies = Latency.objects.defer("buckets", "counts").order_by("pk")
    measurements = Measurement.objects.order_by("pk").prefetch_related(
        Prefetch("latencies", queryset=latencies)
    )
    rows = Run.objects.select_related("citation", "upload").defer(
        "upload__envelope", "upload__payload"
    )
    run_id = as_uuid(name)
    wanted = Q(slug=name) if run_id is None else Q(slug=name) | Q(pk=run_id)
    return (
        rows.filter(wanted)
        .prefetch_related(Prefetch("measurements", queryset=measurements), "labels")
        .first()
    )


def find_upload(name: str) -> Upload | None:
    """Return an upload by its run id, without its bytes."""
    run_id = as_uuid(name)
    if run_id is None:
        return None
    return Upload.objects.defer("envelope", "payload").filter(pk=run_id).first()


def plans(query: Mapping[str, Any]) -> QuerySet[Plan]:
    """Return the plans that a query asks for."""
    rows = Plan.objects.all()
    if "provider" in query:
        rows = rows.filter(provider_id=query["provider"])
    if "storage_kind" in query:
        rows = rows.filter(storage_kind=_storage_kind(query))
    return rows


def find_plan(slug: str) -> Plan | None:
    """Return a plan with its prices and standings: 3 queries."""
    prices = Price.objects.order_by("-valid_from", "region", "period", "pk")
    related = (Prefetch("prices", queryset=prices), Prefetch("standings", queryset=standings({})))
    return Plan.objects.filter(pk=slug).prefetch_related(*related).first()


def providers() -> QuerySet[Provider]:
    """Return all providers."""
    return Provider.objects.all()


def find_provider(slug: str) -> Provider | None:
    """Return a provider with its best and its cheapest plan of each workload: 2 queries."""
    shown = ProviderStanding.objects.select_related(
        "best__plan", "cheapest__plan", "best__price", "cheapest__price"
    ).order_by("evidence", "workload", "version")
    return (
        Provider.objects.filter(pk=slug)
        .prefetch_related(Prefetch("standings", queryset=shown))
        .first()
    )


def drives(query: Mapping[str, Any]) -> QuerySet[DriveFamily]:
    """Return the drive families that a query asks for."""
    rows = DriveFamily.objects.all()
    for parameter, column in (
        ("plp", "plp"),
        ("kind", "kind"),
        ("ladder_class", "ladder_class_id"),
    ):
        if parameter in query:
            rows = rows.filter(**{column: query[parameter]})
    return rows


def find_drive(slug: str) -> DriveFamily | None:
    """Return a drive family with its standings: 2 queries."""
    related = Prefetch("standings", queryset=standings({}))
    return DriveFamily.objects.filter(pk=slug).prefetch_related(related).first()


def standings(query: Mapping[str, Any]) -> QuerySet[Standing]:
    """Return the standings that a query asks for, as the boards order them, with plan and price."""
    rows = (
        Standing.objects.select_related("plan", "price")
        .annotate(
            unranked=Case(When(tier__isnull=True, then=1), default=0),
            ordered=Coalesce("order_rate_per_s", "rate_per_s"),
        )
        .order_by(*(key.order for key in AS_RANKED))
    )
    conditions: dict[str, Any] = {
        column: query[parameter]
        for parameter, column in (
            ("workload", "workload"),
            ("evidence", "evidence"),
            ("provider", "plan__provider_id"),
            ("plp", "plp"),
        )
        if parameter in query
    }
    if "storage_kind" in query:
        conditions |= {"plan__isnull": False, "plan__storage_kind": _storage_kind(query)}
    if "region_group" in query:
        rows = rows.filter(plan__isnull=False, region_group=_region_group(query))
    if "subject" in query:
        conditions["plan__isnull"] = query["subject"] == "drive"
    return rows.filter(**conditions)


def as_uuid(text: str) -> UUID | None:
    """Return a UUID that is written in its usual form, or None."""
    try:
        found = UUID(text)
    except ValueError:
        return None
    return found if str(found) == text.lower() else None


def _storage_kind(query: Mapping[str, Any]) -> str:
    kind: str = query["storage_kind"]
    return "" if kind == NOT_STATED else kind


def _region_group(query: Mapping[str, Any]) -> str:
    group: str = query["region_group"]
    return "" if group == NOT_STATED else group
