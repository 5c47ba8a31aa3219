"""Asks addresses at a steady rate, and times each answer from when it was due."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from collections.abc import Sequence

PERCENT = 100


@dataclass(frozen=True)
class Asked:
    """What a while of asking gave."""

    statuses: dict[int, int]
    types: dict[str, int]  # Content-Type, without its parameters
    p50_ms: float
    p99_ms: float
    longest_ms: float


def ask_steadily(
    url: str, paths: Sequence[str], *, per_s: float, seconds: float, connections: int
) -> Asked:
    """Ask these paths in turn, each when it is due, over connections that stay open.

    An answer that comes late makes those after it late, which counts: nobody waits with asking.
    """
    return asyncio.run(_ask(url, paths, per_s=per_s, seconds=seconds, connections=connections))


async def _ask(
    url: str, paths: Sequence[str], *, per_s: float, seconds: float, connections: int
) -> Asked:
    address = urlsplit(url)
    due: asyncio.Queue[tuple[float, str] | None] = asyncio.Queue()
    took_ms: list[float] = []
    statuses: Counter[int] = Counter()
    types: Counter[str] = Counter()

    async def answer_due() -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while (each := await due.get()) is not None:
            at, path = each
            writer.write(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            fields = dict(line.split(": ", 1) for line in head.split("\r\n")[1:] if line)
            await reader.readexactly(int(fields["content-length"]))
            took_ms.append((time.perf_counter() - at) * 1000)
            statuses[int(head[9:12])] += 1
            types[fields["content-type"].partition(";")[0]] += 1
        writer.close()

    async def make_due() -> None:
        began = time.perf_counter()
        turns = itertools.cycle(paths)
        for number in range(round(per_s * seconds)):
            at = began + number / per_s
            await asyncio.sleep(max(0.0, at - time.perf_counter()))
            due.put_nowait((at, next(turns)))
        for _ in range(connections):
            due.put_nowait(None)

    await asyncio.gather(make_due(), *(answer_due() for _ in range(connections)))
    return Asked(
        dict(statuses),
        dict(types),
        median(took_ms),
        quantiles(took_ms, n=PERCENT)[-1],
        max(took_ms),
    )
