"""What the views add to OpenAPI beside their serializers: pages and problem documents."""

from __future__ import annotations

from typing import Any, Final

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, inline_serializer
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin

from apps.wire.problems import CONTENT_TYPE

_FAULT: Final = inline_serializer(
    "ProblemFault",
    {
        "pointer": serializers.CharField(help_text="JSON pointer (RFC 6901)."),
        "detail": serializers.CharField(),
    },
    many=True,
)
_PROBLEM: Final = OpenApiResponse(
    inline_serializer(
        "Problem",
        {
            "type": serializers.URLField(),
            "title": serializers.CharField(),
            "status": serializers.IntegerField(),
            "detail": serializers.CharField(),
            "instance": serializers.CharField(),
            "errors": _FAULT,
        },
    ),
    description="Why a request was refused (RFC 9457).",
)
ROOT: Final = inline_serializer(
    "Root",
    {
        "title": serializers.CharField(),
        "version": serializers.CharField(),
        "method_version": serializers.IntegerField(),
        "documentation": serializers.URLField(),
        "addresses": serializers.DictField(child=serializers.URLField()),
        "feeds": serializers.DictField(child=serializers.URLField()),
        "licences": inline_serializer(
            "Licence",
            {
                "id": serializers.CharField(help_text="What `licence` of a row names."),
                "url": serializers.CharField(help_text="Empty where there is no document."),
                "text": serializers.CharField(),
            },
            many=True,
        ),
    },
)
ANY_RESPONSES: Final = {(429, CONTENT_TYPE): _PROBLEM}
LIST_RESPONSES: Final = {(400, CONTENT_TYPE): _PROBLEM, **ANY_RESPONSES}
ONE_RESPONSES: Final = {(404, CONTENT_TYPE): _PROBLEM, **ANY_RESPONSES}


class ReadSchema(AutoSchema):
    """The OpenAPI schema of the views of lists and of single resources."""

    def get_operation_id(self) -> str:
        """Return `list_plans` of /plans and `get_plan` of /plans/{slug}."""
        (things,) = self.get_tags()
        return f"list_{things}" if self._is_list else f"get_{things.removesuffix('s')}"

    def get_override_parameters(self) -> list[Any]:
        """Return the query of a list, or the name of a thing without the limits of its column."""
        if query := getattr(self.view, "query", None):
            return [query]
        name = getattr(self.view, "lookup_field", None)
        return [OpenApiParameter(name, str, OpenApiParameter.PATH)] if name else []

    def get_response_serializers(self) -> Any:
        """Return the response and the problem document that may come instead."""
        problems = LIST_RESPONSES if self._is_list else ONE_RESPONSES
        return {200: super().get_response_serializers(), **problems}

    def get_paginated_name(self, serializer_name: str) -> str:
        """Return PlanPage for the page of PlanSummary."""
        return f"{serializer_name.removesuffix('Summary')}Page"

    @property
    def _is_list(self) -> bool:
        return isinstance(self.view, ListModelMixin)
