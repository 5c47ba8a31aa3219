"""One address, two apps: the method of the request decides which of them answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

View = Callable[..., HttpResponseBase]


def by_method(*, reading: View, writing: View) -> View:
    """`reading` answers GET, HEAD and OPTIONS; `writing` the rest, and refuses what it does not know.

    Exempt from CSRF tokens because neither side accepts a cookie.
    """

    @csrf_exempt
    def dispatch(request: HttpRequest, **arguments: Any) -> HttpResponseBase:
        view = reading if request.method in {"GET", "HEAD", "OPTIONS"} else writing
        return view(request, **arguments)

    return dispatch
