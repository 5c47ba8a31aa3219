"""Asks a site again and again whether it is ready and what waits, and keeps the longest times."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Final

import psycopg
import requests

EVERY_SECONDS: Final = 0.1
ANSWER_SECONDS: Final = 2.0
OLDEST: Final = """
    SELECT coalesce(extract(epoch FROM now() - min(received_at)), 0)::float FROM runs_upload
    WHERE state IN ('received', 'leased', 'retry')
"""


@dataclass
class Watch:
    """What was seen so far."""

    url: str
    database_url: Callable[[], str]  # of the primary, whichever that is by then
    away_s: float = 0.0
    unseen_s: float = 0.0  # from the acceptance of an upload until its run is shown
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

    def look_at_uploads(self) -> None:
        """Ask for the age of the oldest upload that is not shown yet, until the end."""
        while not self._ended.is_set():
            with contextlib.suppress(psycopg.OperationalError), self._database() as connection:
                while not self._ended.wait(EVERY_SECONDS):
                    ((oldest_s,),) = connection.execute(OLDEST).fetchall()
                    self.unseen_s = max(self.unseen_s, oldest_s)
            self._ended.wait(EVERY_SECONDS)

    def _database(self) -> psycopg.Connection:
        seconds = round(ANSWER_SECONDS)
        return psycopg.connect(self.database_url(), autocommit=True, connect_timeout=seconds)

    def end(self) -> None:
        self._ended.set()


@contextlib.contextmanager
def watched(url: str, database_url: Callable[[], str]) -> Iterator[Watch]:
    """Watch a site and its database while the block runs."""
    watch = Watch(url, database_url)
    threads = [
        threading.Thread(target=look, daemon=True) for look in (watch.run, watch.look_at_uploads)
    ]
    for thread in threads:
        thread.start()
    try:
        yield watch
    finally:
        watch.end()
        for thread in threads:
            thread.join(2 * ANSWER_SECONDS)  # one may wait for a server that is gone
