"""Answers one badge: 200 and a picture, as image proxies turn anything else into a hole.

While the database is away it shows what it showed last.
"""

import hashlib
from datetime import UTC, datetime
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from apps.badges.badge_facts import Absence, BadgeFacts, Figures, MissingFigure
from apps.badges.drawing.badge import Badge
from apps.badges.drawing.png import png_of
from apps.badges.drawing.render import render
from apps.badges.drawing.theme import SHEET_HASH
from apps.badges.figures import figures_of
from apps.badges.options import BadgeOptions, options_of
from apps.badges.shields import endpoint_json
from apps.badges.wording import badge_of

CONTENT_TYPES: Final = {
    "svg": "image/svg+xml; charset=utf-8",
    "png": "image/png",
    "json": "application/json",
}
ETAG_CHARACTERS: Final = 32  # 128 bits of the picture's SHA-256

# Five minutes: how long a withdrawn run may go on showing its figure. A week: the outage of ours
# that a proxy may bridge with the last picture it has.
CACHE_FIGURES: Final = (
    "public, max-age=300, s-maxage=300, stale-while-revalidate=86400, stale-if-error=604800"
)
# One minute: a badge that was embedded before its run arrived heals by itself.
CACHE_NOTHING: Final = "public, max-age=60"
CACHE_AWAY: Final = "no-store"

HEADERS: Final = {
    # The picture holds no script and no link, and one style sheet at most, which is always the
    # same; a browser that opens it alone may run nothing.
    "Content-Security-Policy": f"default-src 'none'; style-src '{SHEET_HASH}'; sandbox",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}


@xframe_options_exempt
@require_safe
def badge(request: HttpRequest, slug: str, kind: str, form: str) -> HttpResponse:
    """Answer the badge of a run, plan, drive or provider, or 304 to a client that has it.

    Last-Modified is when the newest measurement behind the figure was taken.
    """
    _answer_as_is(request)
    options = options_of(request.META.get("QUERY_STRING", ""))
    figures, caching = _figures_of(kind, slug)
    drawn = badge_of(figures, metric=options.metric, today=datetime.now(UTC).date())
    content = _content(drawn, options, form, is_error=isinstance(figures, MissingFigure))
    etag = f'"{hashlib.sha256(content).hexdigest()[:ETAG_CHARACTERS]}"'
    headers = {"ETag": etag, "Cache-Control": caching}
    if isinstance(figures, BadgeFacts) and figures.measured_at is not None:
        headers["Last-Modified"] = http_date(figures.measured_at.timestamp())
    whole = HttpResponse(content, content_type=CONTENT_TYPES[form], headers=headers)
    response = get_conditional_response(request, etag=etag, response=whole) or whole
    for header, value in HEADERS.items():
        response[header] = value
    return response


def _answer_as_is(request: HttpRequest) -> None:
    """Keep the site's middleware from two things that are right for pages and wrong here.

    Compressing saves one kilobyte of two and weakens the ETag. Comparing If-Modified-Since would
    answer 304 for an old run that has just been given a label: only the ETag knows of that.
    """
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    request.META.pop("HTTP_IF_MODIFIED_SINCE", None)


def _figures_of(kind: str, slug: str) -> tuple[Figures, str]:
    """Return what an address shows, and how long caches may keep that."""
    figures, is_current = figures_of(kind, slug)
    if isinstance(figures, BadgeFacts):
        return figures, CACHE_FIGURES if is_current else CACHE_NOTHING
    return figures, CACHE_AWAY if figures.absence is Absence.AWAY else CACHE_NOTHING


def _content(drawn: Badge, options: BadgeOptions, form: str, *, is_error: bool) -> bytes:
    if form == "json":
        return endpoint_json(drawn, options, is_error=is_error)
    svg = render(drawn, options)
    return png_of(svg) if form == "png" else svg.encode()
