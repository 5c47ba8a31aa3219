"""Lets views of different apps answer one address: by the method, or by what is accepted."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

View = Callable[..., HttpResponse]


def by_method(views: Mapping[str, View]) -> View:
    """A view that calls the view of the request's method; HEAD is answered as GET is.

    Any other method goes to the first of them, which refuses it in the manner of its app; the
    refusal names the methods of all. The views must not rely on a CSRF token: none of the API does,
    since it accepts no session.
    """
    methods = sorted({*views, "HEAD"} if "GET" in views else views)

    @csrf_exempt
    def dispatch(request: HttpRequest, **address: Any) -> HttpResponse:
        method = "GET" if request.method == "HEAD" else request.method
        view = views.get(str(method)) or next(iter(views.values()))
        response = view(request, **address)
        if "Allow" in response.headers:  # of the resource, not of the view that answered
            response.headers["Allow"] = ", ".join(methods)
        return response

    return dispatch


def by_accept(*, page: View, data: View) -> View:
    """A view that answers who asks for HTML with a page, and everybody else with data.

    Browsers name `text/html` and programs do not: `*/*` alone is a program's. The answers are for
    the one who asked, since some shared caches keep one answer for all of an address.
    """

    @csrf_exempt
    def dispatch(request: HttpRequest, **address: Any) -> HttpResponse:
        wants_page = "text/html" in request.headers.get("Accept", "")
        response = (page if wants_page else data)(request, **address)
        patch_vary_headers(response, ("Accept",))
        if response.status_code in (HTTPStatus.OK, HTTPStatus.NOT_MODIFIED):
            response.headers["Cache-Control"] = "private, max-age=60"
        return response

    return dispatch
