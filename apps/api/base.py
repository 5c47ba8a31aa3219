"""What every view of the read API shares: JSON, problem documents, validators, any origin."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

from django.utils.cache import get_conditional_response
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.response import Response
from rest_framework.views import APIView

from apps.api.errors import problem_response
from apps.api.openapi.answers import ReadSchema

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpResponseBase
    from rest_framework.renderers import BaseRenderer
    from rest_framework.request import Request

CACHED: Final = "public, max-age=60, s-maxage=60"  # standings change with each run
NOT_CACHED: Final = "no-store"  # clients poll this until it changes
CROSS_ORIGIN: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": "ETag, Link",
    "Cross-Origin-Resource-Policy": "cross-origin",
}
ETAG_CHARACTERS: Final = 32  # 128 bits of SHA-256
PREFLIGHT: Final = {
    "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Max-Age": "86400",
    "Allow": "GET, HEAD, OPTIONS",
}


class AlwaysJson(BaseContentNegotiation):
    """Always JSON, whatever the Accept header says: there is no other representation."""

    def select_parser(self, _request: Request, parsers: Any) -> Any:
        """Return the first parser; nothing is sent to the read API."""
        return parsers[0]

    def select_renderer(
        self, _request: Request, renderers: Any, _format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return JSON."""
        return renderers[0], renderers[0].media_type


class ReadView(APIView):
    """What all views here share: JSON, problem documents, caching, any origin, no cookie."""

    content_negotiation_class = AlwaysJson
    schema = ReadSchema()

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        """Return the handler that makes problem documents of errors."""
        return problem_response

    def options(self, request: Request, *args: Any, **kwargs: Any) -> Response:  # type: ignore[override]  # noqa: ARG002 -- as DRF calls it
        """Answer a browser's preflight; If-None-Match makes one necessary."""
        return Response(status=HTTPStatus.NO_CONTENT, headers=PREFLIGHT)

    def finalize_response(
        self, request: Request, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Let pages of other origins read every response, refusals too."""
        response = super().finalize_response(request, response, *args, **kwargs)
        response.headers.setdefault("Cache-Control", CACHED)
        _open_to_all(response)
        response.add_post_render_callback(lambda rendered: _validated(request, rendered))
        return response


def _validated(request: Request, response: Response) -> HttpResponseBase:
    """Return the response with an ETag, or 304 if the client has it already.

    Django's middleware would drop the headers for other origins from a 304.
    """
    if response.status_code != HTTPStatus.OK:
        return response
    etag = f'"{hashlib.sha256(response.content).hexdigest()[:ETAG_CHARACTERS]}"'
    response.headers["ETag"] = etag
    answer = get_conditional_response(request, etag=etag, response=response) or response
    _open_to_all(answer)
    return answer


def _open_to_all(response: HttpResponseBase) -> None:
    for name, value in CROSS_ORIGIN.items():
        response.headers[name] = value
