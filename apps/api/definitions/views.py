"""Lists of definitions, each whole in one answer, and the drive family of a reported name."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.response import Response

from apps.api import selectors
from apps.api.base import ReadView
from apps.api.definitions.serializers import (
    MethodSerializer,
    RecognisedSerializer,
    RuleSerializer,
    WorkloadSerializer,
)
from apps.api.definitions.workload_list import defined_workloads
from apps.api.openapi.answers import LIST_RESPONSES
from apps.api.paging import WholeList
from apps.api.queries import StrictQuery
from apps.drives.recognition import recognise
from apps.rankings.versions.changes import method_changes
from apps.rankings.versions.method import METHOD_VERSION
from apps.runs.rules import TABLE

if TYPE_CHECKING:
    from rest_framework.request import Request

PRINTABLE = r"^[^\x00-\x1f]*$"
NAME_CHARACTERS_MAX = 64  # of the column that holds what a device reports


class DefinitionsView(ReadView, ListAPIView[Any]):
    """A list that grows with the program and not with data."""

    pagination_class = WholeList

    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Return all of it. Raises DRF's ValidationError for any parameter."""
        StrictQuery(data=request.query_params.dict()).is_valid(raise_exception=True)
        return super().list(request, *args, **kwargs)


class WorkloadsView(DefinitionsView):
    """Workloads by id and version: what each one does, and what it compares with."""

    serializer_class = WorkloadSerializer

    def get_queryset(self) -> Any:  # of no table
        return defined_workloads()


class RulesView(DefinitionsView):
    """Rules that every run is judged by, in the order of their kinds."""

    serializer_class = RuleSerializer

    def get_queryset(self) -> Any:  # of no table
        return TABLE


class MethodsView(DefinitionsView):
    """Versions of the method, the newest first."""

    serializer_class = MethodSerializer

    def get_queryset(self) -> Any:  # of no table
        return [
            {**asdict(each), "is_current": each.version == METHOD_VERSION}
            for each in method_changes()
        ]


class RecogniseQuery(StrictQuery):
    """What a device calls itself."""

    vendor = serializers.RegexField(
        PRINTABLE, required=False, default="", trim_whitespace=False,
        max_length=NAME_CHARACTERS_MAX,
    )  # fmt: skip
    model = serializers.RegexField(
        PRINTABLE, trim_whitespace=False, max_length=NAME_CHARACTERS_MAX,
        help_text="As it reports it.",
    )  # fmt: skip


class RecogniseView(ReadView):
    """The drive family of a reported name."""

    @extend_schema(
        operation_id="recognise_drive",
        parameters=[RecogniseQuery],
        responses={200: RecognisedSerializer, **LIST_RESPONSES},
    )
    def get(self, request: Request) -> Response:
        """Which drive family a reported vendor and model are taken for."""
        query = RecogniseQuery(data=request.query_params.dict())
        query.is_valid(raise_exception=True)
        named = dict(query.validated_data)
        family = recognise(**named)
        drive = selectors.drives(slug=family).first() if family else None
        return Response(RecognisedSerializer({**named, "drive": drive}).data)
