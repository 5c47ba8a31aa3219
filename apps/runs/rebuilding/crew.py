"""The processes of a rebuild, and how far they are."""

from __future__ import annotations

import gc
import os
import time
from multiprocessing import get_context
from typing import TYPE_CHECKING, Final

import structlog
from django.core.management.base import CommandError
from django.db import OperationalError, connections

if TYPE_CHECKING:
    from collections.abc import Callable

SAY_EVERY_S: Final = 5.0
TRIES: Final = 5  # of a step that another process made impossible, as two do that wait in a circle
PAUSE_S: Final = 1.0
STUCK_S: Final = 120.0  # without a step: above what a worker of the site has a board for

log = structlog.get_logger(__name__)


class Crew:
    """Processes that do one kind of step after another, each until none is left."""

    def __init__(self, processes: int, *, say: Callable[[str], object]) -> None:
        """With one process the caller does everything itself."""
        self._processes = max(1, processes)
        self._say = say

    def do_all(self, words: str, step: Callable[[], object], *, left: Callable[[], int]) -> None:
        """Call `step` in every process until it returns nothing true and `left` is 0.

        Says how many are left. Raises CommandError where a process fails.
        """
        began = moved = time.monotonic()
        fewest = None
        while n_left := left():
            if fewest is None or n_left < fewest:
                fewest, moved = n_left, time.monotonic()
            elif time.monotonic() - moved > STUCK_S:
                raise CommandError(f"{words}: {n_left:,} are left and none is done; see the log.")
            else:
                time.sleep(PAUSE_S)  # another process has the last ones
            if self._processes == 1:
                self._do_here(words, step, left)
            else:
                self._do_there(words, step, left)
        self._say(f"{words}: all, in {time.monotonic() - began:.1f} s")

    def _do_here(self, words: str, step: Callable[[], object], left: Callable[[], int]) -> None:
        said = time.monotonic()
        while step():
            if time.monotonic() - said >= SAY_EVERY_S:
                self._say(f"{words}: {left():,} left")
                said = time.monotonic()

    def _do_there(self, words: str, step: Callable[[], object], left: Callable[[], int]) -> None:
        connections.close_all()  # a process that is forked must not share them
        context = get_context("fork")
        others = [
            context.Process(target=_repeat, args=(step, os.getpid()), daemon=True)
            for _ in range(self._processes)
        ]
        for each in others:
            each.start()
        while any(each.is_alive() for each in others):
            next(each for each in others if each.is_alive()).join(SAY_EVERY_S)
            self._say(f"{words}: {left():,} left")
        if any(each.exitcode for each in others):
            raise CommandError("A process failed; its error is above. Call rebuild again to go on.")


def _repeat(step: Callable[[], object], parent: int) -> None:
    """Repeat a step until it returns nothing true, or the process that began this one is gone.

    A step makes some hundred thousand objects, and throws them away: while they are made nobody
    looks for circles among them, which took a quarter of the time.
    """
    connections.close_all()
    gc.freeze()
    gc.disable()
    tries = TRIES
    while os.getppid() == parent:
        try:
            if not step():
                return
            tries = TRIES
            gc.collect()
        except OperationalError:
            tries -= 1
            if not tries:
                raise
            log.warning("a step is tried again", exc_info=True)
            time.sleep(PAUSE_S)
