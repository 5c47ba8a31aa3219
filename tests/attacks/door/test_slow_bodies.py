"""Bodies that trickle in: they hold a place in the event loop, and never a thread."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import pytest

from apps.config.edge.server import (
    BODIES_BYTES_MAX,
    BODIES_PER_NETWORK_MAX,
    NETWORK_BYTES_MAX,
    Server,
)
from apps.config.processes import WEB_THREADS
from apps.wire.problems import Refusal
from tests.attacks import weakened as servers

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from tests.attacks.conftest import Weakened
    from tests.support.live_site import LiveSite

pytestmark = pytest.mark.attack

ANSWER_SECONDS: Final = 5  # in which a server answers that is not stopped
ANSWERS_MAX: Final = 50  # before each thread has a slow body
SLOW: Final = 2 * WEB_THREADS  # as many as stopped a site of two workers


def open_request(url: str, line: str, rest: str = "\r\n") -> socket.socket:
    """Send the head of a request, and what follows."""
    parts = urlsplit(url)
    address = (str(parts.hostname), int(parts.port or 0))
    connection = socket.create_connection(address, timeout=ANSWER_SECONDS)
    connection.sendall(f"{line} HTTP/1.1\r\nHost: {parts.netloc}\r\n{rest}".encode())
    return connection


def slow_request(url: str) -> socket.socket:
    """Announce a body and send its first byte."""
    return open_request(
        url, "POST /api/v1/challenges",
        "Content-Length: 4000\r\nContent-Type: application/vnd.fsyncmark.dsse.v1+json\r\n\r\n{",
    )  # fmt: skip


def first_answer(url: str, line: str, rest: str = "\r\n") -> bytes:
    """What a request is answered with at first. Raises TimeoutError."""
    with open_request(url, line, rest) as connection:
        return connection.recv(4096)


def read_again_and_again(url: str) -> None:
    """Read a page until no thread is left to answer. Raises TimeoutError."""
    for _ in range(ANSWERS_MAX):
        first_answer(url, "GET /")


@contextlib.contextmanager
def slow_requests(url: str, count: int) -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as stack:
        yield [stack.enter_context(slow_request(url)) for _ in range(count)]


def test_slow_bodies_on_every_thread_stop_no_reader(
    weakened: Weakened, shared_site: LiveSite
) -> None:
    with slow_requests(shared_site.url, SLOW):
        assert first_answer(shared_site.url, "GET /").startswith(b"HTTP/1.1 200")
    with (
        weakened.serving_by_threads() as url,
        slow_requests(url, SLOW),
        pytest.raises(TimeoutError),
    ):
        read_again_and_again(url)


def test_a_body_that_is_never_complete_is_given_up(weakened: Weakened) -> None:
    with servers.serving(BODY_SECONDS_MAX="0.5") as url, slow_request(url) as slow:
        assert slow.recv(4096).startswith(b"HTTP/1.1 408")
    with (
        weakened.serving(BODY_SECONDS_MAX="3600") as url,
        slow_request(url) as slow,
        pytest.raises(TimeoutError),
    ):
        slow.recv(1)


def test_more_slow_bodies_than_a_network_may_send_are_refused(
    weakened: Weakened, shared_site: LiveSite
) -> None:
    with (
        slow_requests(shared_site.url, BODIES_PER_NETWORK_MAX),
        slow_request(shared_site.url) as one_more,
    ):
        answer = one_more.recv(4096)
        assert answer.startswith(b"HTTP/1.1 429"), answer
        assert b"retry-after:" in answer.lower()
    with (
        weakened.serving_without("limit of bodies") as url,
        slow_requests(url, BODIES_PER_NETWORK_MAX),
        slow_request(url) as one_more,
        pytest.raises(TimeoutError),
    ):
        one_more.recv(4096)


def test_bodies_of_one_network_leave_room_for_those_of_others(weakened: Weakened) -> None:
    def is_refused(network: str, *, stalled: int) -> bool:
        server = Server(lambda *_: (), threads=1)
        server.arrived_bytes["greedy"] = stalled
        try:
            asyncio.run(server._read(one_byte(), 1, network))
        except Refusal:
            return True
        return False

    assert is_refused("greedy", stalled=NETWORK_BYTES_MAX)
    assert not is_refused("another", stalled=NETWORK_BYTES_MAX)
    with weakened.without_room_for_others():
        assert not is_refused("greedy", stalled=NETWORK_BYTES_MAX)
        assert is_refused("another", stalled=BODIES_BYTES_MAX)


async def one_byte() -> AsyncIterator[bytes]:
    yield b"x"


CHUNKED = "Transfer-Encoding: chunked\r\n\r\n5\r\n"
LONG = "Content-Length: 200000000\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n--x\r\n"


def test_a_body_without_a_length_is_refused_before_it_is_read(
    weakened: Weakened, shared_site: LiveSite
) -> None:
    answer = first_answer(shared_site.url, "POST /import/", CHUNKED)
    assert answer.startswith(b"HTTP/1.1 411")
    with weakened.serving_without("look at headers") as url, pytest.raises(TimeoutError):
        first_answer(url, "POST /import/", CHUNKED)  # it waits for the rest


def test_a_long_body_to_an_address_without_a_page_is_refused_before_it_is_read(
    weakened: Weakened, shared_site: LiveSite
) -> None:
    answer = first_answer(shared_site.url, "POST /nowhere/", LONG)
    assert answer.startswith(b"HTTP/1.1 413")
    with weakened.serving_without("look at headers") as url, pytest.raises(TimeoutError):
        first_answer(url, "POST /nowhere/", LONG)
