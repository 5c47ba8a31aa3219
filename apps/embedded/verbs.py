"""Runs a verb of ./run, and ends with its status and a message without a traceback."""

from __future__ import annotations

import signal
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn

from apps.embedded.progress import Progress

USAGE_STATUS: Final = 64  # EX_USAGE of <sysexits.h>
INTERRUPTED_STATUS: Final = 130  # what a shell reports for a program that Ctrl-C ended

Verb = Callable[[list[str], Progress], int]


class PlainError(RuntimeError):
    """An error whose message says what to do, so that it is shown without a traceback."""


def run_verb(verbs: Mapping[str, Verb], words: Sequence[str]) -> int:
    """Run the verb that the words begin with, and return the status of the process."""
    verb, *arguments = words
    progress = Progress()
    # SIGINT too: scripts start what ends in "&" with it ignored
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        return verbs[verb](arguments, progress)
    except PlainError as error:
        progress.say(f"./run {verb}: {error}")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS


def interrupt(*_: object) -> NoReturn:
    """Raise KeyboardInterrupt, so that SIGTERM and SIGHUP stop everything in order too."""
    raise KeyboardInterrupt
