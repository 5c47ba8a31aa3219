"""HTTP of the upload API: bounded bodies, gzip, and problem documents for every failure."""

from __future__ import annotations

import functools
import zlib
from typing import TYPE_CHECKING

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt

from apps.wire import problems
from apps.wire.dsse import CONTENT_TYPE
from apps.wire.limits import COMPRESSION_RATIO_MAX
from apps.wire.problems import Fault, ProblemType, Refusal, problem_document

if TYPE_CHECKING:
    from collections.abc import Callable

    View = Callable[..., HttpResponse]  # takes a request and the parameters of its address

DATABASE_RETRY_SECONDS = 10  # a failover or restart of PostgreSQL takes about that long
GZIP_WINDOW_BITS = 31  # for zlib: a gzip header, the largest window

log = structlog.get_logger(__name__)


def upload_view(*methods: str) -> Callable[[View], View]:
    """Make a view of the upload API: no CSRF token, and problem documents for all failures."""

    def decorate(view: View) -> View:
        @csrf_exempt
        @functools.wraps(view)
        def guarded(request: HttpRequest, **address: str) -> HttpResponse:
            if request.method not in methods:
                response = problem(request, problems.METHOD_NOT_ALLOWED, "")
                response.headers["Allow"] = ", ".join(methods)
                return response
            return _answered(view, request, **address)

        return guarded

    return decorate


def problem(
    request: HttpRequest,
    kind: ProblemType,
    detail: str,
    *,
    faults: tuple[Fault, ...] = (),
    retry_after_s: int | None = None,
) -> HttpResponse:
    """Return an RFC 9457 answer."""
    document = problem_document(
        Refusal(kind, detail, faults=faults),
        site_url=settings.SITE_URL,
        instance=request.path,
        is_read=request.method in ("GET", "HEAD"),
    )
    response = JsonResponse(document, status=kind.status, content_type=problems.CONTENT_TYPE)
    if retry_after_s is not None:
        response.headers["Retry-After"] = str(retry_after_s)
    return response


def read_body(request: HttpRequest, *, bytes_max: int, content_type: str = CONTENT_TYPE) -> bytes:
    """Return the body of a request of this type, unpacked, at most that many bytes.

    Raises Refusal.
    """
    if request.content_type != content_type:
        raise Refusal(problems.UNSUPPORTED_MEDIA_TYPE, "")
    if not request.headers.get("Content-Length"):
        raise Refusal(problems.LENGTH_REQUIRED, "")
    try:
        body: bytes = request.read(bytes_max + 1)
    except UnreadablePostError as error:
        raise Refusal(problems.BAD_ENVELOPE, "The body ended early.") from error
    if len(body) > bytes_max:
        raise Refusal(problems.TOO_LARGE, f"This address reads at most {bytes_max} bytes.")
    encoding = request.headers.get("Content-Encoding", "").strip().lower()
    if encoding in ("", "identity"):
        return body
    if encoding != "gzip":
        raise Refusal(problems.UNSUPPORTED_MEDIA_TYPE, "The only Content-Encoding is gzip.")
    return gunzip(body, bytes_max=bytes_max)


def gunzip(body: bytes, *, bytes_max: int) -> bytes:
    """Return one gzip member unpacked, without unpacking more than the limit. Raises Refusal."""
    unpacker = zlib.decompressobj(wbits=GZIP_WINDOW_BITS)
    most = min(bytes_max, COMPRESSION_RATIO_MAX * len(body))
    try:
        unpacked = unpacker.decompress(body, most + 1)
    except zlib.error as error:
        raise Refusal(problems.BAD_COMPRESSION, "The body is not gzip.") from error
    if len(unpacked) > most:
        raise Refusal(
            problems.TOO_LARGE,
            f"Unpacked, a body may have {bytes_max} bytes and {COMPRESSION_RATIO_MAX} times its"
            " compressed size.",
        )
    if not unpacker.eof or unpacker.unused_data:
        raise Refusal(problems.BAD_COMPRESSION, "The body is not one complete gzip member.")
    return unpacked


def _answered(view: View, request: HttpRequest, **address: str) -> HttpResponse:
    try:
        return view(request, **address)
    except Refusal as refusal:
        log.info("refused", path=request.path, problem=refusal.kind.slug)
        return problem(
            request,
            refusal.kind,
            refusal.detail,
            faults=refusal.faults,
            retry_after_s=refusal.retry_after_s,
        )
    except (OperationalError, InterfaceError):
        log.exception("database not available", path=request.path)
        return problem(request, problems.UNAVAILABLE, "", retry_after_s=DATABASE_RETRY_SECONDS)
    except Exception:
        log.exception("fault in the upload API", path=request.path)
        return problem(request, problems.INTERNAL_ERROR, "")
