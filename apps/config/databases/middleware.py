"""Answers what others may ask for too from the replica; the rest, and who just wrote, is for the
primary. What the replica does not have yet, or cannot say, is asked of the primary.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final, cast

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from psycopg.errors import QueryCanceled

from apps.config.databases.reading import (
    PRIMARY,
    READ_FROM,
    REPLICA,
    each_read_from,
    reading_from,
    reads_from,
)
from apps.config.databases.replica import REPLICA_OF_THIS_PROCESS, Replica
from apps.config.middleware import PERSONAL_ROUTE
from apps.pages.status.views import REPLICA as SHOWN_REPLICA

if TYPE_CHECKING:
    from collections.abc import Iterator

# By which a sender asks what became of the run that it just sent.
OF_SENDERS: Final = re.compile(r"api/v1/runs/[^/]+$")


class ReplicaMiddleware:
    """The last one before the view, so that it may be called again."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.replica: Replica | None = REPLICA_OF_THIS_PROCESS

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if self.replica is None:
            return self.get_response(request)
        request.META[SHOWN_REPLICA] = self.replica.is_away, self.replica.lag_s
        if self.replica.is_away or not may_be_older(request):
            return remembered(request, self.get_response(request))
        with reading_from(REPLICA):
            response = self.get_response(request)
        if response.status_code == HTTPStatus.NOT_FOUND:
            return self.get_response(request)
        if response.streaming:
            stream = cast("StreamingHttpResponse", response)
            parts = cast("Iterator[bytes]", stream.streaming_content)
            stream.streaming_content = each_read_from(REPLICA, parts)
        return response

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Ask the primary where the replica could not answer; a query that is too slow stays so."""
        is_slow = isinstance(exception.__cause__, QueryCanceled)
        is_of_connection = isinstance(exception, OperationalError | InterfaceError)
        if self.replica is None or reads_from() == PRIMARY or is_slow or not is_of_connection:
            return None
        self.replica.failed(exception)
        with reading_from(PRIMARY):
            return self.get_response(request)


def may_be_older(request: HttpRequest) -> bool:
    """Whether an answer may be as old as the replica is."""
    path = request.path_info.lstrip("/")
    is_own = PERSONAL_ROUTE.match(path) or OF_SENDERS.match(path)
    return request.META.get(READ_FROM) == REPLICA and not is_own


def remembered(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Have a browser that wrote ask the primary until the replica has it too; agents ask by id."""
    is_written = request.method not in ("GET", "HEAD", "OPTIONS")
    is_done = response.status_code < HTTPStatus.BAD_REQUEST
    if is_written and is_done and not request.path_info.startswith("/api/"):
        cookie: dict[str, Any] = {"secure": settings.IS_HTTPS, "httponly": True, "samesite": "Lax"}
        response.set_cookie(
            settings.WROTE_COOKIE_NAME, "1", max_age=settings.WROTE_COOKIE_AGE, **cookie
        )
    return response
