"""The read API: runs, plans, providers, drives and standings as JSON, for anybody, anywhere."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest
from drf_spectacular.utils import PolymorphicProxySerializer, extend_schema
from rest_framework.response import Response

from apps.api import selectors
from apps.api.answers import LIST_RESPONSES, ONE_RESPONSES, page_serializer
from apps.api.base import NOT_CACHED, ReadView
from apps.api.openapi import openapi_document
from apps.api.paging import Page, SortKey, page_of
from apps.api.queries import (
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
from apps.runs.models import Upload

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.db.models import Model, QuerySet
    from rest_framework.request import Request
    from rest_framework.serializers import BaseSerializer

Row = TypeVar("Row", bound="Model")


class ListView(ReadView):
    """A list, page by page."""

    query: ClassVar[type[ListQuery]]
    keys: ClassVar[Sequence[SortKey]]
    serializer: ClassVar[type[BaseSerializer[Any]]]

    def answer(self, request: Request, rows: QuerySet[Any], query: dict[str, Any]) -> Response:
        """Return the page that a query asks for, with the address of the next one."""
        page: Page[Any] = page_of(
            rows, keys=self.keys, limit=query["limit"], cursor=query.get("cursor")
        )
        following = _next_url(request, page.next_cursor)
        body = {"results": self.serializer(page.rows, many=True).data, "next": following}
        headers = {"Link": f'<{following}>; rel="next"'} if following else {}
        return Response(body, headers=headers)


class RunsView(ListView):
    """Runs, newest first; published ones without a date come last."""

    query, keys, serializer = RunsQuery, selectors.NEWEST_FIRST, RunSummarySerializer

    @extend_schema(
        operation_id="list_runs",
        parameters=[RunsQuery],
        responses={200: page_serializer("Run", RunSummarySerializer), **LIST_RESPONSES},
    )
    def get(self, request: Request) -> Response:
        """Runs, newest first; published ones without a date come last."""
        query = read_query(self.query, request)
        return self.answer(request, selectors.runs(query), query)


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
            raise Http404
        return Response(PendingRunSerializer(upload).data, headers={"Cache-Control": NOT_CACHED})


class PlansView(ListView):
    """Plans by slug."""

    query, keys, serializer = PlansQuery, selectors.BY_SLUG, PlanSummarySerializer

    @extend_schema(
        operation_id="list_plans",
        parameters=[PlansQuery],
        responses={200: page_serializer("Plan", PlanSummarySerializer), **LIST_RESPONSES},
    )
    def get(self, request: Request) -> Response:
        """Plans by slug."""
        query = read_query(self.query, request)
        return self.answer(request, selectors.plans(query), query)


class PlanView(ReadView):
    """One plan with its prices and standings."""

    @extend_schema(operation_id="get_plan", responses={200: PlanSerializer, **ONE_RESPONSES})
    def get(self, _request: Request, slug: str) -> Response:
        """One plan with its dated prices and its standings."""
        return one(selectors.find_plan(checked_name(slug)), PlanSerializer)


class ProvidersView(ListView):
    """Providers by slug."""

    query, keys, serializer = ListQuery, selectors.BY_SLUG, ProviderSummarySerializer

    @extend_schema(
        operation_id="list_providers",
        parameters=[ListQuery],
        responses={200: page_serializer("Provider", ProviderSummarySerializer), **LIST_RESPONSES},
    )
    def get(self, request: Request) -> Response:
        """Providers by slug."""
        query = read_query(self.query, request)
        return self.answer(request, selectors.providers(), query)


class ProviderView(ReadView):
    """One provider with its best and cheapest plans."""

    @extend_schema(
        operation_id="get_provider", responses={200: ProviderSerializer, **ONE_RESPONSES}
    )
    def get(self, _request: Request, slug: str) -> Response:
        """One provider: its best and its cheapest plan of each workload."""
        return one(selectors.find_provider(checked_name(slug)), ProviderSerializer)


class DrivesView(ListView):
    """Drive families by slug."""

    query, keys, serializer = DrivesQuery, selectors.BY_SLUG, DriveSummarySerializer

    @extend_schema(
        operation_id="list_drives",
        parameters=[DrivesQuery],
        responses={200: page_serializer("Drive", DriveSummarySerializer), **LIST_RESPONSES},
    )
    def get(self, request: Request) -> Response:
        """Drive families by slug."""
        query = read_query(self.query, request)
        return self.answer(request, selectors.drives(query), query)


class DriveView(ReadView):
    """One drive family with its standings."""

    @extend_schema(operation_id="get_drive", responses={200: DriveSerializer, **ONE_RESPONSES})
    def get(self, _request: Request, slug: str) -> Response:
        """One drive family with its standings."""
        return one(selectors.find_drive(checked_name(slug)), DriveSerializer)


class StandingsView(ListView):
    """The boards, highest rate first."""

    query, keys, serializer = StandingsQuery, selectors.AS_RANKED, StandingSerializer

    @extend_schema(
        operation_id="list_standings",
        parameters=[StandingsQuery],
        responses={200: page_serializer("Standing", StandingSerializer), **LIST_RESPONSES},
    )
    def get(self, request: Request) -> Response:
        """Standings, highest rate first. Ask for one workload: rates of others do not compare."""
        query = read_query(self.query, request)
        return self.answer(request, selectors.standings(query), query)


class SchemaView(ReadView):
    """This description."""

    @extend_schema(exclude=True)
    def get(self, _request: Request) -> Response:
        """Return the OpenAPI 3.1 document."""
        return Response(openapi_document(), content_type="application/vnd.oai.openapi+json")


def checked_name(name: str) -> str:
    """Return a name from an address if it can be one of ours. Raises Http404."""
    if not name.isprintable() or not name.isascii():
        raise Http404
    return name


def one(row: Row | None, serializer: type[BaseSerializer[Row]]) -> Response:
    """Return the answer for one thing. Raises Http404 where there is none."""
    if row is None:
        raise Http404
    return Response(serializer(row).data)


def _next_url(request: HttpRequest | Request, cursor: str | None) -> str | None:
    """Return the public address of the next page: the same query from another cursor."""
    if cursor is None:
        return None
    query = {**request.GET.dict(), "cursor": cursor}
    return f"{settings.SITE_URL}{request.path}?{urlencode(sorted(query.items()))}"
