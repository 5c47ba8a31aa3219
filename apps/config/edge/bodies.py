"""Refuses bodies by what their headers say, before a byte of them is read or put on disk."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from apps.config.edge.routes import route_of
from apps.wire import problems
from apps.wire.problems import Refusal, problem_document

if TYPE_CHECKING:
    from apps.wire.problems import ProblemType


def check_headers(method: str, path: str, headers: Mapping[str, str]) -> int:
    """Return the length of the body that is announced. Raises Refusal.

    `headers` are of lowercase names. A body without a length is refused: nobody knows where it ends
    before it has ended.
    """
    if headers.get("transfer-encoding"):
        raise Refusal(problems.LENGTH_REQUIRED, "")
    announced = headers.get("content-length", "").strip() or "0"
    if not (announced.isascii() and announced.isdigit()):
        raise Refusal(problems.LENGTH_REQUIRED, "")
    most = route_of(method, path).body_bytes_max
    length = int(announced[:20])
    if length > most:
        raise Refusal(problems.TOO_LARGE, f"This address reads at most {most} bytes.")
    return length


def refusal_document(refusal: Refusal, path: str) -> dict[str, object]:
    """Return the problem document of a refusal at a path."""
    return problem_document(refusal, site_url=settings.SITE_URL, instance=path)


def refused(kind: ProblemType, detail: str, path: str) -> HttpResponse:
    """Return the answer of a refusal."""
    document = refusal_document(Refusal(kind, detail), path)
    response = JsonResponse(document, status=kind.status, content_type=problems.CONTENT_TYPE)
    response.headers["Cache-Control"] = "no-store"
    return response


class BodyLimitMiddleware:
    """Refuses what its headers announce as too long, whichever server is in front of Django."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        headers = {name.lower(): value for name, value in request.headers.items()}
        try:
            check_headers(str(request.method), request.path_info, headers)
        except Refusal as refusal:
            return refused(refusal.kind, refusal.detail, request.path)
        return self.get_response(request)
