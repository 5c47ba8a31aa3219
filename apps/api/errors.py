"""Makes an RFC 9457 problem document of every error in the read API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.core.exceptions import ValidationError as DjangoValidationError
from django.db import InterfaceError, OperationalError
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response

from apps.wire import problems
from apps.wire.problems import ProblemType, Refusal, problem_document

if TYPE_CHECKING:
    from rest_framework.request import Request

RETRY_AFTER_SECONDS: Final = 10  # a failover or restart of PostgreSQL takes about that long

log = structlog.get_logger(__name__)


def problem_response(error: Exception, context: dict[str, Any]) -> Response:
    """Return the answer to an error: DRF's exception handler for every view of the read API."""
    request: Request = context["request"]
    kind, detail = _kind_of(error)
    if kind in (problems.INTERNAL_ERROR, problems.UNAVAILABLE):
        log.error("fault in the read API", path=request.path, exc_info=error)
    document = problem_document(
        Refusal(kind, detail), site_url=settings.SITE_URL, instance=request.path, is_read=True
    )
    headers = {"Cache-Control": "no-store"}
    if kind is problems.UNAVAILABLE:
        headers["Retry-After"] = str(RETRY_AFTER_SECONDS)
    if isinstance(error, exceptions.MethodNotAllowed):
        headers["Allow"] = "GET, HEAD, OPTIONS"
    return Response(
        document, status=int(kind.status), headers=headers, content_type=problems.CONTENT_TYPE
    )


def _kind_of(error: Exception) -> tuple[ProblemType, str]:
    match error:
        case Refusal():
            return error.kind, error.detail
        case exceptions.ValidationError():
            return problems.BAD_QUERY, _first_faults(error.detail)
        case SuspiciousOperation():  # more parameters than Django reads
            return problems.BAD_QUERY, "There are too many parameters."
        case Http404() | exceptions.NotFound() | DjangoValidationError():
            return problems.NOT_FOUND, "Nothing has that name."
        case _:
            return _kind_without_detail(error), ""


def _kind_without_detail(error: Exception) -> ProblemType:
    match error:
        case exceptions.MethodNotAllowed():
            return problems.METHOD_NOT_ALLOWED
        case OperationalError() | InterfaceError():
            return problems.UNAVAILABLE
        case _:
            return problems.INTERNAL_ERROR


def _first_faults(detail: Any) -> str:
    """Return the faults of each query parameter, in one line."""
    return " ".join(f"{name}: {' '.join(map(str, faults))}" for name, faults in detail.items())
