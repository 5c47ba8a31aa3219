"""The processes of the product, listed once: ./run starts them, docker/compose.yaml equals them."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from apps.config.roles import Role

WEB_WORKERS_MAX: Final = 4
WEB_THREADS: Final = (
    4  # that answer requests in a worker; measured: more gain nothing with sync views
)
WEB_BACKLOG: Final = 1024  # connections that the kernel queues while a deploy replaces a worker


@dataclass(frozen=True)
class Process:
    """One process: `argv` as typed in the project's environment, and settings of its own."""

    name: str
    role: Role
    argv: Sequence[str]
    stop_signal: signal.Signals = signal.SIGTERM
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def health(self) -> Sequence[str]:
        """What a health check runs beside it, as typed in the project's environment."""
        port = ("${WEB_PORT}",) if self.role is Role.WEB else ()
        return ("python", "-m", "apps.config.alive", self.role.value, *port)

    @property
    def environment(self) -> dict[str, str]:
        return {"PROCESS_ROLE": self.role.value, **self.settings}


WEB: Final = Process(
    name="web",
    role=Role.WEB,
    argv=(
        "granian", "--interface", "rsgi", "apps.config.edge.server:application",
        "--workers", "${WEB_WORKERS}",
        "--backlog", str(WEB_BACKLOG), "--host", "${WEB_HOST}", "--port", "${WEB_PORT}",
        "--no-ws", "--respawn-failed-workers",
    ),
)  # fmt: skip
WORKER: Final = Process(
    name="worker",
    role=Role.WORKER,
    argv=(
        "celery", "-A", "apps.config.celery", "worker", "--concurrency", "${WORKER_CONCURRENCY}",
        "--hostname", "${WORKER_NAME}", "--loglevel", "INFO",
        "--without-gossip", "--without-mingle",
    ),
)  # fmt: skip
SWEEPER: Final = Process(
    name="sweeper",
    role=Role.SWEEPER,
    argv=("python", "manage.py", "drain", "--loop"),
)

PROCESSES: Final = (WORKER, SWEEPER, WEB)  # in starting order; they are stopped in reverse

DEFAULTS: Final[Mapping[str, str]] = {
    "WEB_HOST": "127.0.0.1",
    "WEB_PORT": "8000",
    # one a core, since Python's lock keeps a process on one; above four PostgreSQL's 100
    # connections become the limit before the processor does
    "WEB_WORKERS": str(min(os.cpu_count() or 1, WEB_WORKERS_MAX)),
    "WORKER_CONCURRENCY": "2",
    "WORKER_NAME": "worker@%h",
}


def filled_in(argv: Sequence[str], values: Mapping[str, str]) -> list[str]:
    """The command with each `${NAME}` replaced by its value."""
    return [
        values[word[2:-1]] if word.startswith("${") and word.endswith("}") else word
        for word in argv
    ]


def in_this_environment(argv: Sequence[str]) -> list[str]:
    """The command with its program taken from the environment of the Python that runs this."""
    return [str(Path(sys.executable).with_name(argv[0])), *argv[1:]]
