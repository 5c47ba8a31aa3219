"""Says what is going on when a step takes more than two seconds."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Iterator
from typing import TextIO

QUIET_SECONDS = 2.0  # shorter steps need no word
TERMINAL_SECONDS = 1.0  # a terminal's line is rewritten this often
LOG_SECONDS = 10.0  # a log file gets a new line this often


class Progress:
    """Writes to standard error: a line that counts seconds, or in a log a line at times."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.is_terminal = self.stream.isatty()

    def say(self, text: str) -> None:
        """Print one line at once."""
        self.stream.write(f"{text}\n")
        self.stream.flush()

    @contextlib.contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Show this text while the block runs, such as `Building the agent`."""
        began = time.monotonic()
        finished = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(text, began, finished), daemon=True)
        ticker.start()
        outcome = "stopped"
        try:
            yield
            outcome = "done"
        finally:
            finished.set()
            ticker.join()
            elapsed = time.monotonic() - began
            if elapsed >= QUIET_SECONDS:
                self._write(f"{text}: {outcome} in {elapsed:.1f} s", is_last=True)

    def _tick(self, text: str, began: float, finished: threading.Event) -> None:
        pause = QUIET_SECONDS
        while not finished.wait(pause):
            self._write(f"{text} … {time.monotonic() - began:.0f} s", is_last=False)
            pause = TERMINAL_SECONDS if self.is_terminal else LOG_SECONDS

    def _write(self, text: str, *, is_last: bool) -> None:
        if self.is_terminal:
            self.stream.write(f"\r\033[K{text}" + ("\n" if is_last else ""))
        else:
            self.stream.write(f"{text}\n")
        self.stream.flush()
