"""What shared caches may do with a page that says nothing of it itself."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Final

from django.http import HttpRequest, HttpResponse

# Browsers ask each time whether their copy is good; caches of others may keep it for a minute, so
# that what is hidden is gone from them a minute later.
SHARED: Final = "public, max-age=0, s-maxage=60"
PRIVATE: Final = "private, no-store"


class SharedPagesMiddleware:
    """Says how long a page may be kept, and keeps answers with a cookie out of every cache."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.cookies:
            response.headers["Cache-Control"] = PRIVATE
        elif response.status_code == HTTPStatus.OK and request.method in ("GET", "HEAD"):
            is_personal = "Cookie" in response.headers.get("Vary", "")
            response.headers.setdefault("Cache-Control", PRIVATE if is_personal else SHARED)
        else:
            response.headers.setdefault("Cache-Control", "no-store")
        return response
