"""Which database a request is answered from, and who asks the primary."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import OperationalError, connections, transaction
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.test import RequestFactory, override_settings
from psycopg.errors import QueryCanceled

from apps.config.databases.middleware import ReplicaMiddleware
from apps.config.databases.reading import (
    PRIMARY,
    READ_FROM,
    REPLICA,
    ReplicaRouter,
    reading_from,
    reads_from,
)
from apps.config.databases.replica import Replica

View = Callable[[HttpRequest], Any]


def middleware(view: View) -> ReplicaMiddleware:
    """Before a view, with a replica that answers."""

    def guarded(request: HttpRequest) -> Any:
        """As Django calls a view: what it raises is offered to the middleware first."""
        try:
            return view(request)
        except Http404:
            return HttpResponse(status=404)
        except OperationalError as error:
            answer = found.process_exception(request, error)
            return answer or HttpResponse(status=503)

    found = ReplicaMiddleware(guarded)
    found.replica = Replica(str, 5.0, is_away=False)
    return found


def asked(path: str, *, method: str = "GET", stand: str = REPLICA) -> HttpRequest:
    request = RequestFactory().generic(method, path)
    request.META[READ_FROM] = stand
    return request


def where(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(reads_from())


@pytest.mark.parametrize("path", ["/", "/plans/", "/badge/plan/a.svg", "/api/v1/plans", "/runs/x/"])
def test_what_others_may_ask_for_too_is_read_from_the_replica(path: str) -> None:
    assert middleware(where)(asked(path)).content.decode() == REPLICA
    assert reads_from() == PRIMARY


@pytest.mark.parametrize(
    "path", ["/account/login/", "/zh-hans/account/login/", "/desk/", "/staff/", "/api/v1/runs/x"]
)
def test_what_is_ones_own_is_read_from_the_primary(path: str) -> None:
    assert middleware(where)(asked(path)).content.decode() == PRIMARY


def test_the_server_decides() -> None:
    assert middleware(where)(asked("/plans/", stand=PRIMARY)).content.decode() == PRIMARY


def test_a_replica_that_failed_is_left_alone() -> None:
    before = middleware(where)
    assert before.replica
    before.replica.failed(OperationalError("gone"))
    assert before(asked("/plans/")).content.decode() == PRIMARY


def test_what_the_replica_does_not_have_yet_the_primary_has() -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        if reads_from() == REPLICA:
            raise Http404
        return HttpResponse("stored a moment ago")

    assert middleware(view)(asked("/runs/new/")).content == b"stored a moment ago"


def test_when_the_replica_dies_in_a_view_the_primary_answers_and_it_is_left_alone() -> None:
    def view(_request: HttpRequest) -> HttpResponse:
        if reads_from() == REPLICA:
            raise OperationalError("server closed the connection")
        return HttpResponse(reads_from())

    before = middleware(view)
    assert before(asked("/plans/")).content.decode() == PRIMARY
    assert before.replica
    assert before.replica.is_away


def test_a_query_that_is_too_slow_is_not_asked_twice() -> None:
    calls: list[str] = []

    def view(_request: HttpRequest) -> HttpResponse:
        calls.append(reads_from())
        raise OperationalError("canceled") from QueryCanceled("statement timeout")

    assert middleware(view)(asked("/plans/")).status_code == 503
    assert calls == [REPLICA]


def test_a_stream_is_read_from_the_replica_to_its_end() -> None:
    def parts() -> Iterator[bytes]:
        for _ in range(3):
            yield f"{reads_from()} ".encode()

    answer: Any = middleware(lambda _: StreamingHttpResponse(parts()))(asked("/runs.csv"))
    assert answer.getvalue() == f"{REPLICA} ".encode() * 3
    assert reads_from() == PRIMARY


def test_who_wrote_by_a_form_is_remembered_until_the_replica_has_it() -> None:
    before = middleware(lambda _: HttpResponse())
    written = before(asked("/import/", method="POST", stand=""))
    cookie = written.cookies[settings.WROTE_COOKIE_NAME]
    assert cookie["max-age"] > settings.REPLICA_LAG_SECONDS_MAX
    assert cookie["httponly"]
    assert not before(asked("/import/", stand="")).cookies
    assert not before(asked("/api/v1/runs/x", method="PUT", stand="")).cookies
    refused = middleware(lambda _: HttpResponse(status=400))
    assert not refused(asked("/import/", method="POST", stand="")).cookies


@pytest.mark.django_db
@override_settings(DATABASE_ROUTERS=["apps.config.databases.reading.ReplicaRouter"])
def test_a_transaction_reads_where_it_writes() -> None:
    router = ReplicaRouter()
    with reading_from(REPLICA):
        assert connections[PRIMARY].in_atomic_block  # each test is in one
        assert ContentType.objects.all().db == PRIMARY
        with transaction.atomic():
            assert router.db_for_read(ContentType) == PRIMARY
    assert router.db_for_write(ContentType) == PRIMARY
    assert not router.allow_migrate(REPLICA, "runs")


def test_outside_of_a_transaction_models_are_read_from_the_replica() -> None:
    with override_settings(DATABASE_ROUTERS=["apps.config.databases.reading.ReplicaRouter"]):
        with reading_from(REPLICA):
            assert ContentType.objects.all().db == REPLICA
        assert ContentType.objects.all().db == PRIMARY
