"""`./run bench agent`: the size of the static agent, how soon it writes, and its memory.

Start to first I/O is from fork until a file in the folder is open; an agent that only says its
version tells what starting a program takes. Memory is the largest resident set of a whole quick
suite.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from statistics import median
from typing import Final

from apps.config.one_machine.environment import ROOT, VAR
from apps.embedded.progress import Progress
from tests.bench.failure import BenchmarkError
from tests.faults.command import build

RESULT: Final = ROOT / "build" / "bench" / "agent.json"
ROUNDS: Final = 5
LOOK_S: Final = 0.0005
FIRST_S_MAX: Final = 30.0
SILENT: Final = (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)


def bench_agent(arguments: Sequence[str], progress: Progress) -> int:
    """Measure; 0 when the agent came to its end each time."""
    parser = argparse.ArgumentParser(prog="./run bench agent", description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"default {ROUNDS}")
    words = parser.parse_args(arguments)
    agent = build(progress).agent
    found = {
        "bytes": agent.stat().st_size,
        "version_ms": median(version_ms(agent) for _ in range(words.rounds)),
        "first_file_ms": median(first_file_ms(agent) for _ in range(words.rounds)),
    }
    with progress.step("A whole quick suite"):
        found["resident_kib"] = resident_kib(agent)
    RESULT.parent.mkdir(parents=True, exist_ok=True)
    RESULT.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    progress.say(
        f"{found['bytes']:,} bytes; first file after"
        f" {found['first_file_ms']:.0f} ms, of which starting takes {found['version_ms']:.1f};"
        f" {found['resident_kib']:,.0f} KiB of memory"
    )
    progress.say(str(RESULT.relative_to(ROOT)))
    return 0


def version_ms(agent: Path) -> float:
    """Milliseconds from fork until an agent that says its version has ended."""
    began = time.monotonic()
    process = os.posix_spawn(agent, [str(agent), "--version"], {}, file_actions=[SILENT])
    os.waitpid(process, 0)
    return (time.monotonic() - began) * 1000


def first_file_ms(agent: Path) -> float:
    """Milliseconds from fork until the first test file is there; the agent is ended then."""
    with bed() as (folder, home):
        began = time.monotonic()
        process = started(agent, folder, home)
        try:
            while not has_file_in(folder, process):
                if time.monotonic() - began > FIRST_S_MAX:
                    raise BenchmarkError(f"the agent wrote nothing in {FIRST_S_MAX:.0f} s")
                time.sleep(LOOK_S)
            return (time.monotonic() - began) * 1000
        finally:
            os.kill(process, 15)
            os.waitpid(process, 0)


def has_file_in(folder: Path, process: int) -> bool:
    """Whether a process has a file of a folder open, which has no name there."""
    for link in Path(f"/proc/{process}/fd").iterdir():
        with suppress(FileNotFoundError):
            if link.readlink().is_relative_to(folder):
                return True
    return False


def resident_kib(agent: Path) -> int:
    """The largest resident set of a whole quick suite, in KiB. Raises BenchmarkError."""
    with bed() as (folder, home):
        _, status, usage = os.wait4(started(agent, folder, home), 0)
        if status:
            raise BenchmarkError(f"the agent ended with {os.waitstatus_to_exitcode(status)}")
        return usage.ru_maxrss


@contextmanager
def bed() -> Iterator[tuple[Path, Path]]:
    """A folder to measure and a home, on the disk of var/, which go at the end."""
    VAR.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=VAR, prefix="bench-agent-") as whole:
        folder, home = Path(whole) / "measured", Path(whole) / "home"
        folder.mkdir()
        home.mkdir()
        yield folder, home


def started(agent: Path, folder: Path, home: Path) -> int:
    """Start a quick suite and return its process."""
    words = ("run", str(folder), "--yes", "--no-upload", "--wait-quiet=0", "--json")
    actions = [SILENT, (os.POSIX_SPAWN_DUP2, 1, 2)]
    return os.posix_spawn(agent, [str(agent), *words], {"HOME": str(home)}, file_actions=actions)
