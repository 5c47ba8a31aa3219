"""Starts again what died, and says so: what `restart: unless-stopped` does in compose.

Servers that somebody else started are looked at from outside and never touched.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from apps.embedded.process import Child, tail
from apps.embedded.progress import Progress

# The pauses of Docker's own restarts, so that the demo behaves as compose does. A server that was
# killed needs a moment: its own children hold memory and port until they notice.
PAUSE_FIRST_SECONDS: Final = 0.1
PAUSE_FACTOR: Final = 2
PAUSE_SECONDS_MAX: Final = 60.0
SETTLED_SECONDS: Final = 10.0  # what ran so long has come up: its next death pauses anew
# Some deaths in a row are the leftovers of one, such as a socket; so many are a fault of its own.
AGAIN_AND_AGAIN: Final = 6
AGAIN_SECONDS: Final = 60.0
KNOCK_SECONDS: Final = 1.0  # a server on this machine accepts in less
KNOCK_EVERY_SECONDS: Final = 10.0


class Supervised:
    """A program of ours with its deaths."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.began = time.monotonic()
        self.pause = 0.0
        self.due: float | None = None  # when it is started again; None while it runs
        self.deaths: deque[float] = deque(maxlen=AGAIN_AND_AGAIN)

    def look(self, progress: Progress) -> None:
        """Notice its death, and start it again when the pause is over."""
        now = time.monotonic()
        if self.due is None and (status := self.child.process.poll()) is not None:
            self._died(status, now, progress)
        if self.due is not None and now >= self.due:
            self.child.restart()
            self.began, self.due = now, None

    def _died(self, status: int, now: float, progress: Progress) -> None:
        is_settled = now - self.began >= SETTLED_SECONDS
        self.pause = (
            PAUSE_FIRST_SECONDS
            if is_settled or not self.pause
            else min(self.pause * PAUSE_FACTOR, PAUSE_SECONDS_MAX)
        )
        self.due = now + self.pause
        self.deaths.append(now)
        name, log = self.child.command.name, self.child.command.log
        if self._dies_again_and_again(now):
            progress.say(
                f"{name} died {len(self.deaths)} times within {AGAIN_SECONDS:.0f} s, and is tried"
                f" again in {self.pause:.0f} s. The end of {log}:\n{tail(log)}"
            )
            self.deaths.clear()
        elif self.pause == PAUSE_FIRST_SECONDS:  # of those that follow one line is enough
            progress.say(f"{name} ended with status {status}; it is started again.")

    def _dies_again_and_again(self, now: float) -> bool:
        return len(self.deaths) == AGAIN_AND_AGAIN and now - self.deaths[0] <= AGAIN_SECONDS


@dataclass
class Outside:
    """A server that somebody else started: when it goes away and comes back, that is said."""

    name: str
    url: str
    answers: bool = field(default=True, init=False)
    _next: float = field(default=0.0, init=False)

    def look(self, progress: Progress) -> None:
        """Say what changed since the last look."""
        if time.monotonic() < self._next:
            return
        answered, self.answers = self.answers, self._accepts()
        if answered != self.answers:
            state = "answers again" if self.answers else "does not answer; it is not ours to start"
            progress.say(f"{self.name} {state}.")
        self._next = time.monotonic() + KNOCK_EVERY_SECONDS

    def _accepts(self) -> bool:
        parts = urlsplit(self.url)
        if not parts.hostname or not parts.port:
            return True  # a socket in the file system, or a port that only its client knows
        with contextlib.suppress(OSError):
            socket.create_connection((parts.hostname, parts.port), KNOCK_SECONDS).close()
            return True
        return False


class Supervisor:
    """All that one command keeps up; whoever waits for something else calls `look` meanwhile."""

    def __init__(
        self, children: Sequence[Child], progress: Progress, *, outside: Sequence[Outside] = ()
    ) -> None:
        self.watched: list[Supervised | Outside] = [*map(Supervised, children), *outside]
        self.progress = progress

    def look(self) -> None:
        """Look at each once."""
        for each in self.watched:
            each.look(self.progress)
