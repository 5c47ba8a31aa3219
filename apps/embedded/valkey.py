"""Starts and stops one embedded Valkey on 127.0.0.1 with a password of its own."""

from __future__ import annotations

import contextlib
import socket
from dataclasses import dataclass, field
from pathlib import Path

from apps.embedded.account import Account
from apps.embedded.home import stored_password, write_private
from apps.embedded.postgres import free_port
from apps.embedded.process import Child, Command, wait_until

START_SECONDS = 30.0  # replaying the append-only file of a doorbell queue takes far less
ANSWER_SECONDS = 1.0  # a PING on loopback


@dataclass
class Valkey:
    """One server in `directory`; start() gives its URL."""

    program: Path
    directory: Path
    account: Account
    child: Child | None = field(default=None, init=False)

    def start(self) -> str:
        """Start the server; returns its URL with the password."""
        password = stored_password(self.directory / "valkey.password")
        data = self.directory / "valkey"
        data.mkdir(mode=0o700, exist_ok=True)
        self.account.give(data)
        self._stop_leftover(password)
        port = free_port()
        write_private(self.port_note, str(port))
        configuration = self.directory / "valkey.conf"
        write_private(configuration, self._configuration(port, password, data), owner=self.account)
        self.child = Child(
            Command(
                name="Valkey",
                argv=[str(self.program), str(configuration)],
                log=self.directory / "valkey.log",
                account=self.account,
                directory=data,
                environment={"PATH": "/usr/bin:/bin", "LC_ALL": "C"},
            )
        )
        wait_until(
            lambda: answers(port=port, password=password),
            what="Valkey answers a PING",
            seconds=START_SECONDS,
            children=[self.child],
        )
        return f"redis://:{password}@127.0.0.1:{port}/0"

    def stop(self) -> None:
        if self.child is not None:
            self.child.stop()
            self.child = None

    @property
    def port_note(self) -> Path:
        return self.directory / "valkey.port"

    def _stop_leftover(self, password: str) -> None:
        """Stop a server that a killed supervisor left; it is ours if it takes our password."""
        if not self.port_note.exists():
            return
        port = int(self.port_note.read_text(encoding="utf-8"))
        if answers(port=port, password=password):
            ask(port=port, password=password, command="SHUTDOWN", until=b"")
            wait_until(
                lambda: not answers(port=port, password=password),
                what="the Valkey of an earlier start is gone",
                seconds=START_SECONDS,
            )

    def _configuration(self, port: int, password: str, data: Path) -> str:
        """Return the configuration file; arguments would show the password in the process list."""
        return "\n".join(
            [
                "bind 127.0.0.1",
                f"port {port}",
                f"requirepass {password}",
                f'dir "{data}"',
                "appendonly yes",
                "appendfsync everysec",
                'save ""',
                "maxmemory-policy noeviction",
                "daemonize no",
                "",
            ]
        )


def answers(*, port: int, password: str) -> bool:
    """Whether a server with this password answers PONG on this port of loopback."""
    return ask(port=port, password=password, command="PING", until=b"+PONG\r\n")


def ask(*, port: int, password: str, command: str, until: bytes) -> bool:
    """Log in and send one command; return whether the reply ended with `until`."""
    reply = b""
    with (
        contextlib.suppress(OSError),
        socket.create_connection(("127.0.0.1", port), timeout=ANSWER_SECONDS) as link,
    ):
        link.sendall(f"AUTH {password}\r\n{command}\r\n".encode())
        while not (until and reply.endswith(until)) and not reply.startswith(b"-"):
            part = link.recv(256)
            if not part:
                break
            reply += part
    return bool(reply) and reply.endswith(until) and not reply.startswith(b"-")
