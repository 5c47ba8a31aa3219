"""What the views tell OpenAPI beside their serializers: pages, and the problems that may come."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from drf_spectacular.utils import OpenApiResponse, inline_serializer
from rest_framework import serializers

from apps.wire.problems import CONTENT_TYPE

if TYPE_CHECKING:
    from rest_framework.serializers import BaseSerializer

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
LIST_RESPONSES: Final = {(400, CONTENT_TYPE): _PROBLEM}
ONE_RESPONSES: Final = {(404, CONTENT_TYPE): _PROBLEM}


def page_serializer(
    name: str, serializer: type[BaseSerializer[Any]]
) -> serializers.Serializer[Any]:
    """Return the description of a page of rows."""
    page: serializers.Serializer[Any] = inline_serializer(
        f"{name}Page",
        {
            "results": serializer(many=True),
            "next": serializers.URLField(
                allow_null=True, help_text="The next page; also in the Link header."
            ),
        },
    )
    return page
