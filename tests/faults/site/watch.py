"""Asks a site again and again whether it is ready, and keeps the longest time that it was not."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import requests

EVERY_SECONDS: Final = 0.1
ANSWER_SECONDS: Final = 2.0


@dataclass
class Watch:
    """What was seen so far."""

    url: str
    away_s: float = 0.0
    _ended: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Ask until the end."""
        ready = time.monotonic()
        while not self._ended.wait(EVERY_SECONDS):
            with contextlib.suppress(requests.RequestException):
                if requests.get(f"{self.url}/readyz", timeout=ANSWER_SECONDS).status_code == 200:
                    now = time.monotonic()
                    if now - ready > 2 * EVERY_SECONDS:
                        self.away_s = max(self.away_s, now - ready)
                    ready = now

    def end(self) -> None:
        self._ended.set()


@contextlib.contextmanager
def watched(url: str) -> Iterator[Watch]:
    """Watch a site while the block runs."""
    watch = Watch(url)
    thread = threading.Thread(target=watch.run, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.end()
        thread.join()
