"""Checks: programs that run in lanes beside each other, with one line for each at the end."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.process import tie_to_parent
from apps.embedded.progress import Progress

BIN: Final = Path(sys.executable).parent
STOPPED_BY: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True)
class Check:
    """One program whose status says whether something holds.

    What `notes` returns is said after the program has ended, such as what took the longest.
    """

    name: str
    argv: list[str]
    directory: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)
    notes: Callable[[], str] | None = None


@dataclass(frozen=True)
class Ended:
    """How a check ended, and how long it took."""

    check: Check
    status: int
    seconds: float


Lane = Sequence[Check]


def run(lanes: Sequence[Lane], progress: Progress) -> int:
    """Run the checks of each lane in turn and the lanes beside each other; list how each ended.

    Every check runs, even after one failed. The last lane writes as it goes; what the others write
    is kept until their check has ended, so that no two programs share a line. A Ctrl-C, a kill or a
    closed terminal ends what runs and raises KeyboardInterrupt.
    """
    try:
        ended = asyncio.run(_run_lanes(lanes, progress))
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    for each in ended:
        word = "FAILED" if each.status else "ok"
        progress.say(f"{word:6}  {each.check.name} ({each.seconds:.0f} s)")
    return 1 if any(each.status for each in ended) else 0


async def _run_lanes(lanes: Sequence[Lane], progress: Progress) -> list[Ended]:
    _cancel_when_stopped()
    beside = [_run_lane(lane, progress, is_heard=lane is lanes[-1]) for lane in lanes]
    return [each for lane in await asyncio.gather(*beside) for each in lane]


def _cancel_when_stopped() -> None:
    """Cancel this task at a signal: an exception could strike asyncio while it notes an end."""
    task = asyncio.current_task()
    if task is not None and threading.current_thread() is threading.main_thread():
        for number in STOPPED_BY:
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)


async def _run_lane(lane: Lane, progress: Progress, *, is_heard: bool) -> list[Ended]:
    ended = []
    for check in lane:
        if is_heard:
            progress.say(f"--- {check.name}")
            ended.append(await _run_check(check, output=None))
        else:
            with tempfile.TemporaryFile() as output:
                ended.append(await _run_check(check, output=output))
                output.seek(0)
                progress.say(f"--- {check.name}\n{output.read().decode(errors='replace')}")
        if check.notes is not None:
            progress.say(check.notes())
    return ended


async def _run_check(check: Check, *, output: IO[bytes] | None) -> Ended:
    began = time.monotonic()
    process = await asyncio.create_subprocess_exec(
        *check.argv, cwd=check.directory, env={**os.environ, **check.environment},
        stdout=output, stderr=output, preexec_fn=tie_to_parent(stop_signal=signal.SIGTERM),
    )  # fmt: skip
    try:
        status = await process.wait()
    finally:
        if process.returncode is None:  # a cancelled task leaves nothing running
            process.terminate()
            await process.wait()
    return Ended(check, status, time.monotonic() - began)
