"""Answers one badge: 200 and a picture, as image proxies turn anything else into a hole.

Only while the database is away it is 503, so that a proxy goes on showing the picture that it has.
"""

import hashlib
from collections.abc import Callable
from http import HTTPStatus

import structlog
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from apps.badges import selectors
from apps.badges.badge_facts import Absence, BadgeFacts, MissingFigure
from apps.badges.svg import render
from apps.badges.wording import badge_of

CONTENT_TYPE = "image/svg+xml; charset=utf-8"
ETAG_CHARACTERS = 32  # 128 bits of the picture's SHA-256

# Five minutes: how long a withdrawn run may go on showing its figure. A week: the outage of ours
# that a proxy may bridge with the last picture it has.
CACHE_FIGURES = (
    "public, max-age=300, s-maxage=300, stale-while-revalidate=86400, stale-if-error=604800"
)
# One minute: a badge that was embedded before its run arrived heals by itself.
CACHE_NOTHING = "public, max-age=60"
RETRY_AFTER_SECONDS = 10  # a failover or restart of PostgreSQL takes about that long

log = structlog.get_logger(__name__)

HEADERS = {
    # The picture holds no style, script or link; a browser that opens it alone may run nothing.
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}


@xframe_options_exempt
@require_safe
def run(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer the badge of one run."""
    return _answer(request, lambda: selectors.run_facts(slug=slug))


@xframe_options_exempt
@require_safe
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer the badge of a plan: where its measured runs stand, else its published ones."""
    return _answer(request, lambda: selectors.plan_facts(slug=slug))


@xframe_options_exempt
@require_safe
def drive(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer the badge of a drive family."""
    return _answer(request, lambda: selectors.drive_facts(slug=slug))


def _answer_as_is(request: HttpRequest) -> None:
    """Keep the site's middleware from two things that are right for pages and wrong here.

    Compressing saves one kilobyte of two and weakens the ETag. Comparing If-Modified-Since would
    answer 304 for an old run that has just been given a label: only the ETag knows of that.
    """
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    request.META.pop("HTTP_IF_MODIFIED_SINCE", None)


def _answer(
    request: HttpRequest, read_facts: Callable[[], BadgeFacts | MissingFigure]
) -> HttpResponse:
    """Answer a picture, or 304 to a client that names it by its ETag.

    Last-Modified is when the newest measurement behind the figure was taken.
    """
    _answer_as_is(request)
    try:
        facts = read_facts()
    except (OperationalError, InterfaceError):
        log.warning("badge without its database", exc_info=True)
        return _answer_away()
    svg = render(badge_of(facts)).encode()
    etag = f'"{hashlib.sha256(svg).hexdigest()[:ETAG_CHARACTERS]}"'
    headers = {"ETag": etag, "Cache-Control": CACHE_NOTHING}
    if isinstance(facts, BadgeFacts):
        headers["Cache-Control"] = CACHE_FIGURES
        if facts.measured_at is not None:
            headers["Last-Modified"] = http_date(facts.measured_at.timestamp())
    picture = HttpResponse(svg, content_type=CONTENT_TYPE, headers=headers)
    response = get_conditional_response(request, etag=etag, response=picture) or picture
    return _with_headers(response)


def _answer_away() -> HttpResponse:
    """Say in a picture that nobody knows the figure just now; no cache keeps that."""
    return _with_headers(
        HttpResponse(
            render(badge_of(MissingFigure(absence=Absence.AWAY))).encode(),
            content_type=CONTENT_TYPE,
            status=HTTPStatus.SERVICE_UNAVAILABLE,
            headers={"Cache-Control": "no-store", "Retry-After": str(RETRY_AFTER_SECONDS)},
        )
    )


def _with_headers(response: HttpResponse) -> HttpResponse:
    for header, value in HEADERS.items():
        response[header] = value
    return response
