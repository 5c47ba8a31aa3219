"""PgBouncer with the configuration that the containers have."""

from __future__ import annotations

import re
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from apps.embedded.account import Account
from apps.embedded.home import write_private
from apps.embedded.process import Child, Command, wait_until
from tests.cluster.hosts import Hosts, system_program

PORT: Final = 6432
FILE: Final = "pgbouncer.ini"
START_SECONDS: Final = 10.0


def start_pooler(
    hosts: Hosts, folder: Path, *, user: str, password: str,
    instead: Mapping[str, str] | None = None,
) -> Child:  # fmt: skip
    """Start it, with other words in its configuration where a test's server has others."""
    account = Account.for_servers()
    file = hosts.write(FILE, folder)
    text = file.read_text(encoding="utf-8")
    for pattern, words in (instead or {}).items():
        text = re.sub(pattern, words, text, flags=re.MULTILINE)
    file.write_text(text, encoding="utf-8")
    write_private(folder / "userlist.txt", f'"{user}" "{password}"\n', owner=account)
    command = Command(
        name="PgBouncer", argv=[system_program("pgbouncer"), file.name],
        log=folder / "pgbouncer.log", account=account, directory=folder,
    )  # fmt: skip
    child = Child(command)
    wait_until(
        lambda: accepts(hosts.address("pgbouncer"), PORT),
        what="PgBouncer accepts connections", seconds=START_SECONDS, children=[child],
    )  # fmt: skip
    return child


def accepts(address: str, port: int) -> bool:
    """Whether anybody listens there."""
    try:
        socket.create_connection((address, port), timeout=1.0).close()
    except OSError:
        return False
    return True
