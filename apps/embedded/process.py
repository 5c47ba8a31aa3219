"""Starts programs that end with the process that started them, and stops them in order."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.embedded.account import Account
from apps.embedded.verbs import PlainError

PR_SET_PDEATHSIG = 1  # from <linux/prctl.h>
POLL_SECONDS = 0.02  # how often a condition outside this process is looked at
STOP_SECONDS = 30.0  # a warm Celery shutdown waits for a task, which may take 20 s
LOG_LINE_CHARACTERS = 400  # one JSON line may hold a whole traceback
LOG_LINES_SHOWN = 15  # enough for one traceback's end or a server's complaint

_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


class ChildError(PlainError):
    """A program that we started failed; the message has the end of its log."""


@dataclass(frozen=True)
class Command:
    """One program to run: its name, arguments, log and the signal that stops it."""

    name: str
    argv: Sequence[str]
    log: Path
    stop_signal: signal.Signals = signal.SIGTERM
    environment: Mapping[str, str] | None = None
    account: Account | None = None
    directory: Path | None = None


class Child:
    """A running program in its own process group, which ends with this process on Linux.

    Because of the group, a Ctrl-C in the terminal reaches only the supervisor, which stops its
    children in order.
    """

    def __init__(self, command: Command) -> None:
        self.command = command
        self.process = self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        command = self.command
        account = command.account or Account.current()
        with command.log.open("ab") as log:
            return start_tied(
                command.argv,
                stop_signal=command.stop_signal,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=dict(command.environment) if command.environment is not None else None,
                cwd=command.directory,
                process_group=0,
                **account.popen_arguments(),
            )

    def restart(self) -> None:
        """Start the program again, after what is left of its group: it may hold the port."""
        self.kill()
        self.process = self._start()

    def check(self) -> None:
        """Raise ChildError if the program has ended."""
        status = self.process.poll()
        if status is not None:
            raise ChildError(f"{self.command.name} ended with status {status}")

    def stop(self, *, seconds: float = STOP_SECONDS) -> None:
        """Ask the program to stop, wait, and kill its whole group when it does not."""
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(self.command.stop_signal)
            try:
                self.process.wait(timeout=seconds)
            except (subprocess.TimeoutExpired, KeyboardInterrupt):  # a second Ctrl-C will not wait
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()

    def kill(self) -> None:
        """End the program and everything in its group at once, as a crash would."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def start_tied(
    argv: Sequence[str], *, stop_signal: signal.Signals = signal.SIGTERM, **options: Any
) -> subprocess.Popen[Any]:
    """Start a program that ends with this process; `options` are those of Popen."""
    return subprocess.Popen(
        list(argv),
        preexec_fn=tie_to_parent(stop_signal=stop_signal),  # noqa: PLW1509  only prctl and getppid run there, and no thread holds a lock that they need
        **options,
    )


def tie_to_parent(*, stop_signal: signal.Signals) -> Callable[[], None] | None:
    """Return what a child runs before its program: on Linux, asking for `stop_signal` at our death.

    It must run after the change of account, which clears the request; subprocess does it in that
    order.
    """
    libc, parent = _libc, os.getpid()
    if libc is None:
        return None  # not on macOS, where the next start stops what a killed supervisor left

    def request_signal() -> None:
        libc.prctl(PR_SET_PDEATHSIG, int(stop_signal))
        if os.getppid() != parent:  # the parent died before the request
            os._exit(1)

    return request_signal


def wait_until(
    condition: Callable[[], bool],
    *,
    what: str,
    seconds: float,
    children: Sequence[Child] = (),
) -> None:
    """Return once `condition()` is true; ChildError when a child ends or after `seconds`."""
    try:
        _poll(condition, deadline=time.monotonic() + seconds, children=children)
    except ChildError as error:
        ends = [f"The end of {c.command.log}:\n{tail(c.command.log)}" for c in children]
        raise ChildError("\n".join([f"Waiting until {what}: {error}.", *ends])) from error


def _poll(condition: Callable[[], bool], *, deadline: float, children: Sequence[Child]) -> None:
    while not condition():
        for child in children:
            child.check()
        if time.monotonic() > deadline:
            raise ChildError("it takes too long")
        time.sleep(POLL_SECONDS)


def tail(path: Path, *, lines: int = LOG_LINES_SHOWN) -> str:
    """Return the last lines of a log, indented, or that there are none."""
    try:
        text = path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return "    (no log)"
    return (
        "\n".join(f"    {line[:LOG_LINE_CHARACTERS]}" for line in text.splitlines()[-lines:])
        or "    (empty)"
    )
