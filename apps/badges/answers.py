"""Answers of badges and cards: always an image where one is asked for, and cheap to ask again."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import http_date

from apps.badges.badge_facts import Absence, MissingFigure, Shown
from apps.badges.figures import figures_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

ETAG_CHARACTERS: Final = 32  # 128 bits of the content's SHA-256

# Five minutes: how long a withdrawn run may go on showing its figure. A week: the outage of ours
# that a proxy may bridge with the last picture it has.
CACHE_FIGURES: Final = (
    "public, max-age=300, s-maxage=300, stale-while-revalidate=86400, stale-if-error=604800"
)
# One minute: a badge that was embedded before its run arrived heals by itself.
CACHE_NOTHING: Final = "public, max-age=60"
CACHE_AWAY: Final = "no-store"

FOR_EVERYBODY: Final = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Access-Control-Allow-Origin": "*",
}


def figures_and_caching(kind: str, slug: str) -> tuple[Shown, str]:
    """Return what an address shows, and how long caches may keep that."""
    figures, is_current = figures_of(kind, slug)
    if not isinstance(figures, MissingFigure):
        return figures, CACHE_FIGURES if is_current else CACHE_NOTHING
    return figures, CACHE_AWAY if figures.absence is Absence.AWAY else CACHE_NOTHING


def shortest(caching: Iterable[str]) -> str:
    """Return how long caches may keep what is made of several figures."""
    known = set(caching)
    return next(
        (each for each in (CACHE_AWAY, CACHE_NOTHING, CACHE_FIGURES) if each in known),
        CACHE_NOTHING,
    )


def newest_of(figures: Iterable[Shown]) -> datetime | None:
    """Return when the newest measurement behind these was taken, where somebody knows."""
    days = [each.measured_at for each in figures if not isinstance(each, MissingFigure)]
    return max((day for day in days if day is not None), default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What an address answers."""

    body: bytes
    kind: str  # its media type
    caching: str
    policy: str  # what a browser may do that opens it alone
    modified: datetime | None = None  # when the newest measurement behind it was taken


def answer(request: HttpRequest, content: Content) -> HttpResponse:
    """Answer 200 with the content, or 304 to a client that has it."""
    _answer_as_is(request)
    etag = f'"{hashlib.sha256(content.body).hexdigest()[:ETAG_CHARACTERS]}"'
    headers = {"ETag": etag, "Cache-Control": content.caching}
    if content.modified is not None:
        headers["Last-Modified"] = http_date(content.modified.timestamp())
    whole = HttpResponse(content.body, content_type=content.kind, headers=headers)
    response = get_conditional_response(request, etag=etag, response=whole) or whole
    for header, value in (FOR_EVERYBODY | {"Content-Security-Policy": content.policy}).items():
        response[header] = value
    return response


def _answer_as_is(request: HttpRequest) -> None:
    """Keep the site's middleware from two things that are right for pages and wrong here.

    Compressing saves one kilobyte of two and weakens the ETag. Comparing If-Modified-Since would
    answer 304 for an old run that has just been given a label: only the ETag knows of that.
    """
    request.META.pop("HTTP_ACCEPT_ENCODING", None)
    request.META.pop("HTTP_IF_MODIFIED_SINCE", None)
