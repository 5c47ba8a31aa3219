"""What granian serves: reads each request whole under a deadline, then gives it to a thread.

A server that calls WSGI at the first byte gives a thread to each body that trickles in, and a few
of those stop the site. Here bodies arrive in the event loop, which has room for thousands, and only
a request that is complete takes one of the threads.
"""

from __future__ import annotations

import asyncio
import gc
import io
import json
import os
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import structlog
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections

from apps.accounts.networks import QUOTA_IPV6_PREFIX, address_behind_proxies, network_of
from apps.config.databases.reading import READ_FROM
from apps.config.databases.replica import REPLICA_OF_THIS_PROCESS, Stand, stand_now
from apps.config.edge.bodies import check_headers, refusal_document
from apps.config.edge.counting import counts
from apps.config.edge.pages import (
    PageCache,
    Reply,
    VersionWatch,
    for_request,
    key_of,
    unconditional,
)
from apps.config.processes import WEB_THREADS
from apps.wire import problems
from apps.wire.problems import Refusal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from apps.config.edge.pages import Headers, Key

# for the largest envelope: 100 kB a second
BODY_SECONDS_MAX: Final = float(os.environ.get("BODY_SECONDS_MAX", "60"))
BODIES_PER_NETWORK_MAX: Final = 16  # at once in a process: a campaign uploads one after the other
BODIES_BYTES_MAX: Final = 64 * 1024 * 1024  # of all bodies that are arriving in a process
NETWORK_BYTES_MAX: Final = BODIES_BYTES_MAX // 4  # of those of one network: it stops no other
RETRY_SECONDS: Final = 5

log = structlog.get_logger(__name__)


class FileWrapper:
    """A file that the server sends by itself: PEP 3333's wsgi.file_wrapper."""

    def __init__(self, file: Any, block_bytes: int = 64 * 1024) -> None:
        self.file = file
        self.block_bytes = block_bytes
        self.close = getattr(file, "close", lambda: None)

    def __iter__(self) -> FileWrapper:
        return self

    def __next__(self) -> bytes:
        if block := self.file.read(self.block_bytes):
            return bytes(block)
        raise StopIteration


class Server:
    """A WSGI application behind granian's own interface, RSGI."""

    def __init__(
        self,
        application: Callable[..., Iterable[bytes]],
        *,
        threads: int,
        pages_bytes: int = 0,
        read_stand: Callable[[], Stand] = Stand,
    ) -> None:
        self.application = application
        self.pages = PageCache(pages_bytes)
        self.watch = VersionWatch(read_stand)
        self.threads = ThreadPoolExecutor(threads, thread_name_prefix="web")
        self.renewing: set[asyncio.Task[None]] = set()
        self.renewal = asyncio.Semaphore(1)
        self.arriving: Counter[str] = Counter()  # bodies by network
        self.arrived_bytes: Counter[str] = Counter()  # of bodies that are not complete, by network

    def __rsgi_init__(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to follow the version of the data, if pages are kept or read from a replica."""
        if self.pages.bytes_max or REPLICA_OF_THIS_PROCESS is not None:
            self.following = loop.create_task(self.watch.follow(self.pages))

    async def __rsgi__(self, scope: Any, protocol: Any) -> None:
        """Reply one request."""
        headers = joined_headers(scope.headers.items())
        try:
            body = await self._body(scope, protocol, headers)
        except Refusal as refusal:
            refuse(protocol, refusal, scope.path)
            return
        environ = environ_of(scope, headers, body)
        key = key_of(scope.method, scope.path, scope.query_string, headers)
        if key is not None:
            await self._shared(key, environ, headers, protocol)
        elif (answer := await self._call(environ, protocol)) is not None:
            give(protocol, answer)

    async def _shared(
        self, key: Key, environ: dict[str, Any], headers: dict[str, str], protocol: Any
    ) -> None:
        """Reply what others may ask for too: from memory, or by one call for all who wait."""
        kept = self.pages.fresh(key) or self.pages.usable(key)
        if kept is None and await self.pages.wait(key):
            kept = self.pages.fresh(key)
        counts.add_page("rendered" if kept is None else "kept")
        if kept is None:
            answer = await self._keep(key, environ, protocol)
        else:
            answer = kept.aged()
        if answer is not None:
            give(protocol, for_request(answer, headers, method=environ["REQUEST_METHOD"]))
        if kept is not None and self.pages.is_due(key):
            # Beside the connection, whose next request would wait for it.
            task = asyncio.get_running_loop().create_task(self._renew(key, environ, protocol))
            self.renewing.add(task)
            task.add_done_callback(self.renewing.discard)

    async def _renew(self, key: Key, environ: dict[str, Any], protocol: Any) -> None:
        """Render again what was given, one at a time: whoever waits for an answer comes first."""
        async with self.renewal:
            await self._keep(key, environ, protocol)

    async def _keep(self, key: Key, environ: dict[str, Any], protocol: Any) -> Reply | None:
        """Call the application and keep what it answers; while it fails, what it answered."""
        stand = self.pages.stand  # from before: a change meanwhile makes it an older one
        try:
            environ[READ_FROM] = stand.database
            answer = await self._call(unconditional(environ), protocol)
        finally:
            self.pages.done(key)
        if answer is None:
            return None
        if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            kept = self.pages.last(key)
            return kept.aged() if kept is not None else answer
        self.pages.keep(key, answer, version=stand.version)
        return answer

    async def _body(self, scope: Any, protocol: Any, headers: dict[str, str]) -> bytes:
        """Return the whole body. Raises Refusal."""
        length = check_headers(scope.method, scope.path, headers)
        if not length:
            return b""
        address = address_behind_proxies(headers.get("x-forwarded-for", ""), peer_of(scope))
        network = network_of(address, ipv6_prefix=QUOTA_IPV6_PREFIX)
        if self.arriving[network] >= BODIES_PER_NETWORK_MAX:
            raise Refusal(
                problems.TOO_MANY_REQUESTS,
                f"{BODIES_PER_NETWORK_MAX} bodies of this network are arriving.",
                retry_after_s=RETRY_SECONDS,
            )
        self.arriving[network] += 1
        try:
            return await asyncio.wait_for(self._read(protocol, length, network), BODY_SECONDS_MAX)
        except TimeoutError as error:
            detail = f"The body was not there after {BODY_SECONDS_MAX:.0f} seconds."
            raise Refusal(problems.TOO_SLOW, detail) from error
        finally:
            self.arriving[network] -= 1
            if not self.arriving[network]:
                del self.arriving[network]

    async def _read(self, protocol: Any, length: int, network: str) -> bytes:
        parts: list[bytes] = []
        arrived = 0
        try:
            async for part in protocol:
                if not part:
                    break
                arrived += len(part)
                self.arrived_bytes[network] += len(part)
                if arrived > length:
                    raise Refusal(problems.TOO_LARGE, "")
                if self._is_full(network):
                    raise Refusal(problems.UNAVAILABLE, "", retry_after_s=RETRY_SECONDS)
                parts.append(part)
        finally:
            self.arrived_bytes[network] -= arrived
            if not self.arrived_bytes[network]:
                del self.arrived_bytes[network]
        return b"".join(parts)

    def _is_full(self, network: str) -> bool:
        """Whether what is arriving, of this network or of all, is more than there is room for."""
        of_network = self.arrived_bytes[network]
        return of_network > NETWORK_BYTES_MAX or self.arrived_bytes.total() > BODIES_BYTES_MAX

    async def _call(self, environ: dict[str, Any], protocol: Any) -> Reply | None:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self.threads, self._answer, environ, protocol)

    def _answer(self, environ: dict[str, Any], protocol: Any) -> Reply | None:
        """Call the application in a thread; what is no whole answer is sent at once."""
        begun: list[tuple[int, Headers]] = []

        def start_response(status: str, headers: Headers, _error: Any = None) -> None:
            begun[:] = [(int(status.split(" ", 1)[0]), headers)]

        try:
            result = self.application(environ, start_response)
        except Exception:
            log.exception("fault outside of Django", path=environ["PATH_INFO"])
            return Reply(HTTPStatus.INTERNAL_SERVER_ERROR, [], b"")
        status, headers = begun[0]
        try:
            if not is_streamed(result):
                return Reply(status, headers, b"".join(result))
            send_stream(protocol, status, headers, result)
            return None
        finally:
            if hasattr(result, "close"):
                result.close()


def is_streamed(result: Any) -> bool:
    """Whether an answer is a file, or made while it is sent."""
    return getattr(result, "streaming", False) or isinstance(result, FileWrapper)


def give(protocol: Any, answer: Reply) -> None:
    """Send an answer that is whole."""
    protocol.response_bytes(int(answer.status), answer.headers, answer.body)


def send_stream(protocol: Any, status: int, headers: Headers, result: Any) -> None:
    """Send a file by its path, a stream part by part."""
    if (path := whole_file(result, headers)) is not None:
        protocol.response_file(status, headers, path)
        return
    transport = protocol.response_stream(status, headers)
    for part in result:
        transport.send_bytes(bytes(part))


def whole_file(result: Any, headers: Headers) -> str | None:
    """Return the path of a file that is the whole answer, or None."""
    if not isinstance(result, FileWrapper):
        return None
    path = getattr(result.file, "name", None)
    lengths = [value for name, value in headers if name.lower() == "content-length"]
    if not isinstance(path, str) or not lengths or not Path(path).is_file():
        return None
    return path if int(lengths[0]) == Path(path).stat().st_size else None


def joined_headers(items: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return headers by lowercase name, repeated ones joined.

    Names with an underscore are dropped: WSGI writes X_Forwarded_For as it writes X-Forwarded-For,
    which only our own proxies may set.
    """
    joined: dict[str, str] = {}
    for name, value in items:
        if "_" in name:
            continue
        between = "; " if name == "cookie" else ","
        joined[name] = f"{joined[name]}{between}{value}" if name in joined else value
    return joined


def environ_of(scope: Any, headers: dict[str, str], body: bytes) -> dict[str, Any]:
    """Return the environ of PEP 3333."""
    host, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": scope.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": scope.path.encode().decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": host or scope.server,
        "SERVER_PORT": port or "80",
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": peer_of(scope),
        "CONTENT_TYPE": headers.get("content-type", ""),
        "CONTENT_LENGTH": headers.get("content-length", ""),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": io.BytesIO(body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileWrapper,
    }
    for name, value in headers.items():
        if name not in ("content-type", "content-length"):
            environ[f"HTTP_{name.upper().replace('-', '_')}"] = value
    environ.setdefault("HTTP_HOST", scope.authority or "")
    return environ


def peer_of(scope: Any) -> str:
    """Return the address of who connected, without its port."""
    return str(scope.client).rpartition(":")[0].strip("[]")


def refuse(protocol: Any, refusal: Refusal, path: str) -> None:
    """Reply with a problem document, and end the connection: its body was not read."""
    headers = [
        ("content-type", problems.CONTENT_TYPE),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("connection", "close"),
    ]
    if refusal.retry_after_s is not None:
        headers.append(("retry-after", str(refusal.retry_after_s)))
    document = json.dumps(refusal_document(refusal, path)).encode()
    log.info("refused", path=path, problem=refusal.kind.slug)
    protocol.response_bytes(int(refusal.kind.status), headers, document)


def read_stand() -> Stand:
    """Return the version of what pages show, over connections that are still good."""
    close_old_connections()
    return stand_now()


def started() -> Server:
    """Load all that answers requests: else it is ready, and the first visitor waits for pages."""
    server = Server(
        get_wsgi_application(),
        threads=WEB_THREADS,
        pages_bytes=settings.PAGES_BYTES,
        read_stand=read_stand,
    )
    import_module(settings.ROOT_URLCONF)
    gc.collect()
    gc.freeze()  # what was imported stays for good: no collection need look at it again
    return server


application = started()
