"""Supervisors as programs of their own, so that they can be killed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from apps.config.one_machine.environment import ROOT
from apps.embedded.servers import Addresses

PATIENCE_SECONDS = 180.0  # how long a loaded machine may take


def wait_for(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"waited {PATIENCE_SECONDS:.0f} s until {what}"
        time.sleep(0.05)


def processes_below(directory: Path) -> set[int]:
    """Every process whose working directory or command line lies in the directory."""
    found = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                working = str((entry / "cwd").readlink())
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if working.startswith(str(directory)) or str(directory).encode() in words:
                found.add(int(entry.name))
    return found


@dataclass
class Supervisor:
    """A running supervisor and the addresses that it printed."""

    process: subprocess.Popen[str]
    servers: Addresses

    def stop(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(timeout=PATIENCE_SECONDS) == 0


Start = Callable[..., Supervisor]


@pytest.fixture
def state() -> Iterator[Path]:
    """A directory for servers that every account may pass through, unlike pytest's own."""
    directory = Path(tempfile.mkdtemp(prefix="fsyncmark-test-", dir="/var/tmp"))
    directory.chmod(0o755)
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a supervisor on a directory; those that still run are ended after the test."""
    running: list[subprocess.Popen[str]] = []

    def begin(directory: Path, **environment: str) -> Supervisor:
        kept = {k: v for k, v in os.environ.items() if k not in {"DATABASE_URL", "REDIS_URL"}}
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.embedded.supervisor", str(directory)],
            cwd=ROOT, env={**kept, **environment}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        running.append(process)
        assert process.stdout is not None
        return Supervisor(process, Addresses(**json.loads(process.stdout.readline())))

    yield begin
    for process in running:
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()
        process.wait(timeout=PATIENCE_SECONDS)
