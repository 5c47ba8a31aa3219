"""A TCP proxy of ours before a server, which can become a black hole: nothing passes or ends."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

PART_BYTES: Final = 65536


@dataclass
class Proxy:
    """Connections to `port` of this machine, passed on to `target`."""

    target: int
    port: int = field(default=0, init=False)
    _open: asyncio.Event = field(default_factory=asyncio.Event, init=False)
    _loop: asyncio.AbstractEventLoop = field(init=False)  # of one that runs, which closes it

    @contextlib.contextmanager
    def running(self) -> Iterator[Proxy]:
        """Pass everything on while the block runs."""
        self._loop = asyncio.new_event_loop()
        listening = threading.Event()
        thread = threading.Thread(target=self._run, args=(listening,), daemon=True)
        thread.start()
        listening.wait()
        try:
            yield self
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            thread.join()

    def swallow(self) -> None:
        """Let nothing pass."""
        self._loop.call_soon_threadsafe(self._open.clear)

    def pass_on(self) -> None:
        """Let everything pass, what was held first."""
        self._loop.call_soon_threadsafe(self._open.set)

    def _run(self, listening: threading.Event) -> None:
        asyncio.set_event_loop(self._loop)
        self._open.set()
        server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, "127.0.0.1", 0, backlog=512)
        )
        self.port = server.sockets[0].getsockname()[1]
        listening.set()
        self._loop.run_forever()
        server.close()
        left = asyncio.all_tasks(self._loop)
        for task in left:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        self._loop.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.CancelledError):  # away, or the end of it all
            await self._open.wait()
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
            try:
                await asyncio.gather(self._pump(reader, far_writer), self._pump(far_reader, writer))
            finally:
                far_writer.transport.abort()
        writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while part := await reader.read(PART_BYTES):
                await self._open.wait()
                writer.write(part)
                await writer.drain()
        writer.close()
