"""An application behind the web server's own code, without a socket between."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from apps.config.databases.replica import Stand
from apps.config.edge.server import Server

Told = TypeVar("Told")
GATE_SECONDS: Final = 60.0  # reached only where a test fails
SHARED: Final = ("Cache-Control", "public, max-age=0, s-maxage=60")
PAGE: Final = "/plans/"


@dataclass
class Protocol:
    """What granian hands to an application; it writes down what was sent."""

    sent: list[tuple[int, dict[str, str], bytes]] = field(default_factory=list)

    def response_bytes(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        self.sent.append((status, {name.lower(): value for name, value in headers}, body))


@dataclass
class Scope:
    path: str = PAGE
    method: str = "GET"
    query_string: str = ""
    sent_headers: dict[str, str] = field(default_factory=dict)
    server: str = "127.0.0.1:8000"
    client: str = "192.0.2.1:4000"
    http_version: str = "1.1"
    scheme: str = "http"
    authority: str = ""

    @property
    def headers(self) -> dict[str, str]:
        return {"host": "site.example", **self.sent_headers}


@dataclass
class Site:
    """An application that counts its answers, behind the server."""

    headers: list[tuple[str, str]] = field(default_factory=lambda: [SHARED, ("ETag", 'W/"1"')])
    status: str = "200 OK"
    calls: int = 0
    gate: threading.Event = field(default_factory=threading.Event)  # no answer before it is set
    version: str = "1"

    def __post_init__(self) -> None:
        self.gate.set()
        self.server = Server(self, threads=4, pages_bytes=10_000)
        self.server.pages.stand = Stand(self.version)

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        self.calls += 1
        self.gate.wait(GATE_SECONDS)
        start_response(self.status, self.headers)
        return [self.body_of(environ)]

    def body_of(self, environ: dict[str, Any]) -> bytes:
        """Return a body that no other call has."""
        return f"answer {self.calls} to {environ['REQUEST_METHOD']}".encode()

    async def ask(self, scope: Scope | None = None) -> tuple[int, dict[str, str], bytes]:
        protocol = Protocol()
        await self.server.__rsgi__(scope or Scope(), protocol)
        (answer,) = protocol.sent
        return answer


def in_a_loop_of_its_own(conversation: Coroutine[Any, Any, Told]) -> Told:
    """Run it in a thread: a browser of other tests may have left a loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, conversation).result()
