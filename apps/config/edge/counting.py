"""Counts what this process answers, for /metrics: requests by view, pages from memory."""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

NO_VIEW = "none"  # no address of ours, or refused before its view


class Counts:
    """Numbers that only grow, until the process ends."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.requests: Counter[tuple[str, int]] = Counter()  # by view and status
        self.seconds: defaultdict[str, float] = defaultdict(float)  # by view
        self.pages: Counter[str] = Counter()  # shared pages: kept or rendered

    def add_request(self, view: str, status: int, seconds: float) -> None:
        """Count an answer of Django."""
        with self._lock:
            self.requests[view, status] += 1
            self.seconds[view] += seconds

    def add_page(self, source: str) -> None:
        """Count a shared page that was given."""
        with self._lock:
            self.pages[source] += 1


counts = Counts()


class CountingMiddleware:
    """Counts each request that reaches Django, with its time."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        view = match.view_name if match and match.view_name else NO_VIEW
        counts.add_request(view, response.status_code, time.perf_counter() - began)
        return response
