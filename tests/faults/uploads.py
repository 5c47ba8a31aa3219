"""Runs that the agent signed and spooled, and the agents that send them."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from apps.config.one_machine.environment import ROOT

RUN: Final = ROOT / "tests" / "wire" / "v1" / "valid" / "witnessed.json"  # a whole quick run
KEYS: Final = 4  # the server takes 60 runs of a key in an hour


@dataclass(frozen=True)
class Programs:
    """The agent, and the example of it that makes runs."""

    agent: Path
    spool: Path


@dataclass(frozen=True)
class SpooledRun:
    """A run that waits to be sent, and what its payload hashes to."""

    run_id: str
    home: Path
    file: Path
    sha256: str


@dataclass
class Sending:
    """An agent that sends one run."""

    run: SpooledRun
    process: subprocess.Popen[bytes]

    def end(self) -> tuple[int, bytes, bytes]:
        """Its status and what it printed, once it has ended."""
        printed, said = self.process.communicate()
        return self.process.returncode, printed, said


def homes(folder: Path) -> list[Path]:
    """The homes of the senders, whose keys stay the same for all faults."""
    return [folder / f"home-{number}" for number in range(KEYS)]


def spool(programs: Programs, home: Path, count: int, *words: str) -> list[SpooledRun]:
    """Let the agent's code sign so many runs and put them into its spool."""
    done = subprocess.run(
        [programs.spool, *words, home, RUN, str(count)],
        check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return [read_spooled(home, run_id) for run_id in done.stdout.split()]


def read_spooled(home: Path, run_id: str) -> SpooledRun:
    """What waits under a run's id in the spool of a home."""
    file = home / "spool" / f"{run_id}.dsse.json"
    return SpooledRun(run_id, home, file, hashlib.sha256(payload_of(file)).hexdigest())


def payload_of(file: Path) -> bytes:
    """The payload of an envelope."""
    return base64.b64decode(json.loads(file.read_bytes())["payload"])


def send(programs: Programs, run: SpooledRun, url: str, file: Path | None = None) -> Sending:
    """Begin `fsyncmark upload` of one run."""
    argv = [str(programs.agent), "upload", "--server", url, "--yes", "--no-wait", "--json"]
    process = subprocess.Popen(
        [*argv, str(file or run.file)],
        env={**os.environ, "FSYNCMARK_HOME": str(run.home)},
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    return Sending(run, process)


class Ledger:
    """What the server acknowledged: a line for each, on the disk before anything else happens."""

    def __init__(self, file: Path) -> None:
        self._number = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self.acknowledged: dict[str, str] = {}

    def add(self, run: SpooledRun) -> None:
        """Write down that a run was acknowledged."""
        os.write(self._number, f"{run.run_id} {run.sha256}\n".encode())
        os.fsync(self._number)
        self.acknowledged[run.run_id] = run.sha256

    def close(self) -> None:
        os.close(self._number)


def shared_out(count: int, among: Sequence[Path]) -> dict[Path, int]:
    """How many of so many runs each home sends."""
    each, rest = divmod(count, len(among))
    return {home: each + (number < rest) for number, home in enumerate(among)}
