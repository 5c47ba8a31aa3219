"""/metrics: what Prometheus reads, for who has METRICS_TOKEN or asks from inside.

Numbers of the queue are of the whole site, those of requests of the process that answers: it is
named, and Prometheus adds them up. Who may not see them gets 404.
"""

from __future__ import annotations

import ipaddress
import os
import time
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import HttpResponse
from django.utils.crypto import constant_time_compare

from apps.config.alive import FOLDER, heartbeat_file
from apps.config.databases.replica import REPLICA_OF_THIS_PROCESS
from apps.config.edge.counting import counts
from apps.config.roles import Role
from apps.rankings.dumps.store import dump_age_seconds, dump_state
from apps.rankings.queue import poison_now, queue_now

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from django.http import HttpRequest

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
HEADERS: Final = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
Samples = list[tuple[dict[str, str], float]]


class MetricsMiddleware:
    """Answers /metrics before anything looks at host name or scheme."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info != "/metrics":
            return self.get_response(request)
        if not may_see(request):
            return HttpResponse(status=HTTPStatus.NOT_FOUND, headers=HEADERS)
        return HttpResponse("".join(lines()), content_type=CONTENT_TYPE, headers=HEADERS)


def may_see(request: HttpRequest) -> bool:
    """Whether it has the token; without one, whether it comes from inside and by no proxy.

    A proxy of ours says whom it asks for. What says so is never from inside: that header can be
    written by anybody.
    """
    if settings.METRICS_TOKEN:
        given = request.headers.get("Authorization", "")
        return constant_time_compare(given, f"Bearer {settings.METRICS_TOKEN}")
    if "X-Forwarded-For" in request.headers or "Forwarded" in request.headers:
        return False
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_private
    except ValueError:
        return False


def lines() -> Iterator[str]:
    """Everything there is to say, in Prometheus' text format."""
    for name, (kind, text, samples) in _metrics().items():
        yield f"# HELP {name} {text}\n# TYPE {name} {kind}\n"
        for labels, value in samples:
            inside = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
            yield f"{name}{{{inside}}} {value:g}\n" if inside else f"{name} {value:g}\n"


def _metrics() -> dict[str, tuple[str, str, Samples]]:
    process = {"process": str(os.getpid())}
    return {
        **_of_the_queue(),
        "fsyncmark_heartbeat_age_seconds": (
            "gauge", "Since a process beside this one went round.", _heartbeats(),
        ),
        **_of_the_replica(process),
        "fsyncmark_requests_total": (
            "counter", "Answers of Django, by view and status.",
            [
                ({"view": view, "status": str(status), **process}, float(n))
                for (view, status), n in sorted(counts.requests.copy().items())
            ],
        ),
        "fsyncmark_request_seconds_total": (
            "counter", "Time that Django took for them, by view.",
            [({"view": v, **process}, s) for v, s in sorted(counts.seconds.copy().items())],
        ),
        "fsyncmark_pages_total": (
            "counter", "Shared pages: kept ones came from memory, the others were rendered.",
            [({"source": s, **process}, float(n)) for s, n in sorted(counts.pages.copy().items())],
        ),
    }  # fmt: skip


def _of_the_queue() -> dict[str, tuple[str, str, Samples]]:
    up = "fsyncmark_database_up", "gauge", "Whether the database answered."
    try:
        queue, poison = queue_now(), poison_now()
        dump_seconds, has_failed = dump_age_seconds(), dump_state().has_failed
    except (DatabaseError, InterfaceError):
        return {up[0]: (*up[1:], [({}, 0.0)])}
    told = {
        "fsyncmark_uploads_waiting": ("Uploads that wait.", queue.waiting),
        "fsyncmark_upload_oldest_seconds": ("Age of the oldest.", queue.oldest_seconds),
        "fsyncmark_upload_attempts": ("Attempts at those that wait.", queue.attempts),
        "fsyncmark_uploads_poison": ("Uploads that staff must look at.", poison),
        "fsyncmark_marks_waiting": ("Marks of boards to be computed.", queue.marks),
        "fsyncmark_mark_oldest_seconds": ("Age of the oldest.", queue.oldest_mark_seconds),
        "fsyncmark_dump_failed": ("Whether the last try at a dump failed.", has_failed),
    }
    if dump_seconds is not None:
        told["fsyncmark_dump_age_seconds"] = ("Age of the newest dump.", dump_seconds)
    gauges: dict[str, tuple[str, str, Samples]] = {
        name: ("gauge", text, [({}, float(value))]) for name, (text, value) in told.items()
    }
    return {up[0]: (*up[1:], [({}, 1.0)]), **gauges}


def _of_the_replica(process: dict[str, str]) -> dict[str, tuple[str, str, Samples]]:
    replica = REPLICA_OF_THIS_PROCESS
    if replica is None:
        return {}
    return {
        "fsyncmark_replica_away": (
            "gauge", "Whether pages are read from the primary.",
            [(process, float(replica.is_away))],
        ),
        "fsyncmark_replica_lag_seconds": (
            "gauge", "Age of the oldest change that the replica lacks.", [(process, replica.lag_s)],
        ),
    }  # fmt: skip


def _heartbeats() -> Samples:
    ages: Samples = []
    for role in (Role.WORKER, Role.SWEEPER):
        file = heartbeat_file(role, os.environ.get(FOLDER, ""))
        if file is not None and file.exists():
            ages.append(({"role": role.value}, time.time() - file.stat().st_mtime))
    return ages


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
