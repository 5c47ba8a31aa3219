"""What is asked by whoever keeps the site running: /healthz and /readyz.

They are answered before everything else: who asks from inside knows neither the host name nor the
scheme of the site, and gets no cookie, no page and nothing that a stranger could use.
"""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as LookTimeoutError
from functools import cache
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import structlog
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, HttpResponse, JsonResponse

if TYPE_CHECKING:
    from collections.abc import Callable

ANSWER_SECONDS: Final = 1.0  # a database that needs longer for a word serves nobody
KEPT_SECONDS: Final = 1.0  # so many strangers cost one look a second and one connection

log = structlog.get_logger(__name__)


class HealthMiddleware:
    """/healthz: this process answers. /readyz: it can serve, or what is missing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self.readiness = Readiness()

    def __call__(self, request: HttpRequest) -> HttpResponse:
        match request.path_info:
            case "/healthz":
                return _answer(())
            case "/readyz":
                return _answer(self.readiness.missing())
            case _:
                return self.get_response(request)


class Readiness:
    """One look at the database at a time, in a thread of its own: nobody waits for long."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(1, thread_name_prefix="readiness")
        self._lock = threading.Lock()
        self._look: Future[tuple[str, ...]] | None = None
        self._began = 0.0
        self._is_migrated = False  # what was applied once stays so while this code runs

    def missing(self) -> tuple[str, ...]:
        """What is missing, by name; empty where all is there."""
        migrations_of_the_code()  # outside of the second: it reads files
        with self._lock:
            is_old = time.monotonic() - self._began >= KEPT_SECONDS
            if self._look is None or (self._look.done() and is_old):
                self._look, self._began = self._threads.submit(self._missing), time.monotonic()
            look = self._look
        try:
            return look.result(timeout=ANSWER_SECONDS)
        except LookTimeoutError:
            return ("database",)

    def _missing(self) -> tuple[str, ...]:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
            if not self._is_migrated:
                applied = MigrationRecorder(connection).applied_migrations()
                self._is_migrated = migrations_of_the_code() <= applied.keys()
        except (DatabaseError, InterfaceError) as error:
            log.warning("not ready", error=str(error).strip())
            return ("database",)
        finally:
            connection.close()
        return () if self._is_migrated else ("migrations",)


@cache
def migrations_of_the_code() -> frozenset[tuple[str, str]]:
    """Every migration that this code comes with, by app and name."""
    return frozenset(MigrationLoader(None, ignore_no_migrations=True).disk_migrations)


def _answer(missing: tuple[str, ...]) -> HttpResponse:
    status = HTTPStatus.SERVICE_UNAVAILABLE if missing else HTTPStatus.OK
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return JsonResponse({"missing": missing}, status=status, headers=headers)
