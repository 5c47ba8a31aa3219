"""Lets views of different apps answer different methods of one address."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
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
