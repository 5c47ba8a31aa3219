"""The read API: runs, plans, providers, drives and standings as JSON, for anybody, anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.http import Http404
from django.utils.functional import cached_property
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.generics import ListAPIView, RetrieveAPIView
from rest_framework.response import Response

from apps.api import selectors
from apps.api.base import NOT_CACHED, ReadView
from apps.api.openapi.answers import ONE_RESPONSES
from apps.api.openapi.description import openapi_document
from apps.api.paging import KeyPagination, SortKey
from apps.api.queries import (
    CheckedQuery,
    DrivesQuery,
    ListQuery,
    PlansQuery,
    RunsQuery,
    StandingsQuery,
    read_query,
)
from apps.api.run_serializers import PendingRunSerializer, RunSerializer, RunSummarySerializer
from apps.api.serializers import (
    DriveSerializer,
    DriveSummarySerializer,
    PlanSerializer,
    PlanSummarySerializer,
    ProviderSerializer,
    ProviderSummarySerializer,
    StandingSerializer,
)
from apps.drives.models import DriveFamily
from apps.plans.models import Plan, Provider
from apps.rankings.models import Standing
from apps.runs.models import Run, Upload
from apps.runs.selectors import find_tombstone
from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import QuerySet
    from rest_framework.request import Request


class ListView(ReadView, ListAPIView[Any]):
    """A list, page by page."""

    pagination_class = KeyPagination
    query: ClassVar[type[ListQuery]]
    keys: ClassVar[Sequence[SortKey]] = selectors.BY_SLUG

    @cached_property
    def checked_query(self) -> CheckedQuery:
        """The checked parameters of the request. Raises DRF's ValidationError."""
        return read_query(self.query, self.request)


class OneView(ReadView, RetrieveAPIView[Any]):
    """One thing by its slug."""

    lookup_field = "slug"

    def get_object(self) -> Any:
        """Return the row. Raises Http404."""
        checked_name(self.kwargs["slug"])
        return super().get_object()


class RunsView(ListView):
    """Runs, newest first; published ones without a date come last."""

    query, keys, serializer_class = RunsQuery, selectors.NEWEST_FIRST, RunSummarySerializer

    def get_queryset(self) -> QuerySet[Run]:
        return selectors.runs(**self.checked_query.conditions)


class RunView(ReadView):
    """One run, or the state of the upload that will become one."""

    @extend_schema(
        operation_id="get_run",
        responses={
            200: PolymorphicProxySerializer(
                component_name="RunOrPending",
                serializers=[RunSerializer, PendingRunSerializer],
                resource_type_field_name=None,
            ),
            **ONE_RESPONSES,
        },
    )
    def get(self, _request: Request, run_id: str) -> Response:
        """One run by id or slug; of an upload that waits, its state."""
        name = checked_name(run_id)
        run = selectors.find_run(name)
        if run is not None and (run.upload is None or run.upload.state == Upload.State.DONE):
            return Response(RunSerializer(run).data)
        upload = run.upload if run is not None else selectors.find_upload(name)
        if upload is None:
            if find_tombstone(name) is not None:
                raise Refusal(problems.RUN_DELETED, f"The run {name} was deleted.")
            raise Http404
        return Response(PendingRunSerializer(upload).data, headers={"Cache-Control": NOT_CACHED})


class PlansView(ListView):
    """Plans by slug."""

    query, serializer_class = PlansQuery, PlanSummarySerializer

    def get_queryset(self) -> QuerySet[Plan]:
        return selectors.plans(**self.checked_query.conditions)


class PlanView(OneView):
    """One plan with its dated prices and its standings."""

    queryset, serializer_class = selectors.plans_in_full(), PlanSerializer


class ProvidersView(ListView):
    """Providers by slug."""

    query, serializer_class = ListQuery, ProviderSummarySerializer

    def get_queryset(self) -> QuerySet[Provider]:
        return selectors.providers()


class ProviderView(OneView):
    """One provider: its best and its cheapest plan of each workload."""

    queryset, serializer_class = selectors.providers_in_full(), ProviderSerializer


class DrivesView(ListView):
    """Drive families by slug."""

    query, serializer_class = DrivesQuery, DriveSummarySerializer

    def get_queryset(self) -> QuerySet[DriveFamily]:
        return selectors.drives(**self.checked_query.conditions)


class DriveView(OneView):
    """One drive family with its standings."""

    queryset, serializer_class = selectors.drives_in_full(), DriveSerializer


class StandingsView(ListView):
    """Standings, highest rate first. Ask for one workload: rates of others do not compare."""

    query, keys, serializer_class = StandingsQuery, selectors.AS_RANKED, StandingSerializer

    def get_queryset(self) -> QuerySet[Standing]:
        return selectors.standings(**self.checked_query.conditions)


class SchemaView(ReadView):
    """This description."""

    @extend_schema(exclude=True)
    def get(self, _request: Request) -> Response:
        """Return the OpenAPI 3.1 document."""
        return Response(openapi_document(), content_type="application/vnd.oai.openapi+json")


def checked_name(name: str) -> str:
    """Return a name of an address if a row could have it. Raises Http404."""
    if not name.isprintable() or not name.isascii():
        raise Http404
    return name
