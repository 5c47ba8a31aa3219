"""Counts the requests of each network before any work, and says in headers what is left.

The counts are in Valkey, by a keyed hash of the network, and go with their window. Where a network
has had its quota, a key with history has one of its own (`known_sender`). While Valkey is away
nothing is counted: limits of stored rows, which the database counts, hold then too.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import structlog
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template import loader
from redis import Redis
from redis.exceptions import RedisError

from apps.config.edge.bodies import refused
from apps.config.edge.routes import Quota, route_of
from apps.intake.networks import networks_of
from apps.intake.services.senders import known_sender
from apps.wire import problems

if TYPE_CHECKING:
    from typing import Any

REFUSALS: Final = range(400, 500)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Spent:
    """What a network has spent of a quota in the current window, with this request."""

    quota: Quota
    requests: int
    refusals: int
    body_bytes: int
    ends_in_s: int  # until the window is over

    @property
    def is_over(self) -> bool:
        """Whether this request is one too many."""
        return (
            self.requests > self.quota.most
            or _is_above(self.refusals, self.quota.refusals)
            or _is_above(self.body_bytes, self.quota.body_bytes)
        )


class QuotaMiddleware:
    """Answers 429 to a network that has used its quota of an address."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        quota = route_of(str(request.method), request.path_info).quota
        if quota is None:
            return self.get_response(request)
        whose = networks_of(request).quota
        spent = spend(quota, whose, body_bytes=_announced(request))
        if spent is not None and spent.is_over and (sender := known_sender(request)):
            whose = sender  # its neighbours keep no key with history out
            spent = spend(quota, whose, body_bytes=_announced(request))
        if spent is not None and spent.is_over:
            return _too_many(request, spent)
        response = self.get_response(request)
        if quota.refusals is not None and response.status_code in REFUSALS:
            _add(quota, whose, refusals=1)
        if spent is not None and quota.refusals is not None:
            _say(response, spent)
        return response


def spend(quota: Quota, whose: str, *, body_bytes: int) -> Spent | None:
    """Count a request of a network, or of a key; None while nothing can be counted."""
    counted = _add(quota, whose, requests=1, refusals=0, bytes=body_bytes)
    if counted is None:
        return None
    requests, refusals, bodies = counted
    ends_in_s = math.ceil(quota.window_s - time.time() % quota.window_s)
    return Spent(quota, requests, refusals, bodies, ends_in_s)


def _add(quota: Quota, whose: str, **counts: int) -> list[int] | None:
    """Return counts of the window with these added; None while Valkey is away. One round trip."""
    window = int(time.time() // quota.window_s)
    try:
        pipeline = _valkey().pipeline(transaction=False)
        for what, count in counts.items():
            key = cache.make_key(f"quota:{quota.name}:{what}:{whose}:{window}")
            pipeline.set(key, 0, nx=True, ex=quota.window_s)
            pipeline.incrby(key, count)
        return [int(each) for each in pipeline.execute()[1::2]]
    except RedisError:
        log.warning("a request was not counted", quota=quota.name)
        return None


@functools.cache
def _valkey() -> Redis:
    """Return the client of a process: the cache's makes a new one for each command."""
    where = settings.CACHES["default"]
    return Redis.from_url(where["LOCATION"], **where["OPTIONS"])


def _announced(request: HttpRequest) -> int:
    return int(request.headers.get("Content-Length") or 0)


def _too_many(request: HttpRequest, spent: Spent) -> HttpResponse:
    """Answer programs with a problem document and people with a page."""
    if request.path.startswith("/api/"):
        detail = f"This network had its {spent.quota.name} of this time."
        response = refused(problems.TOO_MANY_REQUESTS, detail, request.path)
        response.headers["Access-Control-Allow-Origin"] = "*"
    else:
        context: dict[str, Any] = {"wait_s": spent.ends_in_s}
        body = loader.render_to_string("429.html", context, request)
        response = HttpResponse(body, status=HTTPStatus.TOO_MANY_REQUESTS)
        response.headers["Cache-Control"] = "no-store"
    response.headers["Retry-After"] = str(spent.ends_in_s)
    _say(response, spent)
    return response


def _say(response: HttpResponse, spent: Spent) -> None:
    """Add the headers of draft-ietf-httpapi-ratelimit-headers: a hint, as the draft still moves."""
    quota = spent.quota
    left = 0 if spent.is_over else quota.most - spent.requests
    policy = f'"{quota.name}";q={quota.most};w={quota.window_s}'
    response.headers.setdefault("RateLimit-Policy", policy)
    response.headers.setdefault("RateLimit", f'"{quota.name}";r={left};t={spent.ends_in_s}')


def _is_above(count: int, most: int | None) -> bool:
    return most is not None and count > most
