"""Bodies that trickle in: they hold a place in the event loop, and never a thread."""

from __future__ import annotations

import contextlib
import http
import socket
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import pytest

from apps.config.edge.server import BODIES_PER_NETWORK_MAX
from apps.config.processes import WEB_THREADS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.live_site import LiveSite

pytestmark = pytest.mark.attack

SLOW: Final = 2 * WEB_THREADS  # as many as stopped a site of two workers


def slow_request(site: LiveSite, *, path: str = "/api/v1/challenges") -> socket.socket:
    """Announce a body and send its first byte."""
    parts = urlsplit(site.url)
    connection = socket.create_connection((str(parts.hostname), int(parts.port or 0)), timeout=10)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: 4000\r\n"
        "Content-Type: application/vnd.fsyncmark.dsse.v1+json\r\n\r\n{"
    )
    connection.sendall(head.encode())
    return connection


@contextlib.contextmanager
def slow_requests(site: LiveSite, count: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(slow_request(site)) for _ in range(count)]


def test_slow_bodies_on_every_thread_stop_no_reader(shared_site: LiveSite) -> None:
    with slow_requests(shared_site, SLOW):
        status, _ = shared_site.get("/")
        assert status == http.HTTPStatus.OK


def test_more_slow_bodies_than_a_network_may_send_are_refused(shared_site: LiveSite) -> None:
    with (
        slow_requests(shared_site, BODIES_PER_NETWORK_MAX),
        slow_request(shared_site) as one_more,
    ):
        answer = one_more.recv(4096)
        assert answer.startswith(b"HTTP/1.1 429"), answer
        assert b"retry-after:" in answer.lower()


def test_a_body_without_a_length_is_refused_before_it_is_read(shared_site: LiveSite) -> None:
    parts = urlsplit(shared_site.url)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), 10) as connection:
        head = (
            f"POST /import/ HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            "Transfer-Encoding: chunked\r\n\r\n5\r\n"
        )
        connection.sendall(head.encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 411")


def test_a_long_body_to_an_address_without_a_page_is_refused_before_it_is_read(
    shared_site: LiveSite,
) -> None:
    parts = urlsplit(shared_site.url)
    with socket.create_connection((str(parts.hostname), int(parts.port or 0)), 10) as connection:
        head = (
            f"POST /nowhere/ HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Length: 200000000\r\n"
            "Content-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"
        )
        connection.sendall(head.encode())
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")
