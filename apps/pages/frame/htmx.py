"""Whole pages, and the parts of them that htmx asks for."""

from collections.abc import Mapping
from typing import TypeVar, cast

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.middleware import HtmxDetails

Answer = TypeVar("Answer", bound=HttpResponseBase)


class HtmxHttpRequest(HttpRequest):
    """A request as django-htmx's middleware leaves it."""

    htmx: HtmxDetails


def wants_part(request: HttpRequest) -> bool:
    """Whether htmx asks for a part; going back in the history needs the whole page."""
    htmx = cast("HtmxHttpRequest", request).htmx
    return bool(htmx) and not htmx.history_restore_request


def page_or_part(
    request: HttpRequest, template: str, part: str, context: Mapping[str, object]
) -> HttpResponse:
    """The page, or the named part of it for htmx; caches keep the two apart."""
    name = f"{template}#{part}" if wants_part(request) else template
    response = render(request, name, context)
    patch_vary_headers(response, ("HX-Request", "HX-History-Restore-Request"))
    return response


REFRESH_SECONDS = 3  # how often a page that waits for a run asks again


NO_CONTENT = 204  # htmx then leaves the page as it is


def no_store(response: Answer) -> Answer:
    """Forbid caches to keep an answer that is another in a moment."""
    response["Cache-Control"] = "no-store"
    return response
