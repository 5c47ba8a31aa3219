"""Whether a process of the product lives: `python -m apps.config.alive ROLE`, for health checks.

The web server is asked whether it is ready. Worker and sweeper touch a file as they go round, in
the folder that HEARTBEAT_FOLDER names; its age says whether they still do. It runs every half
minute beside each process, so it starts without Django.
"""

from __future__ import annotations

import http.client
import os
import sys
import time
from http import HTTPStatus
from pathlib import Path
from typing import Final

from apps.config.roles import Role

FOLDER: Final = "HEARTBEAT_FOLDER"  # of the environment; where it is not set nobody looks
# An upload takes a minute at most, the largest boards a little longer; a worker beats every 2 s.
FRESH_SECONDS: Final = 120.0
READY_SECONDS: Final = 5.0  # the site looks for a second itself


def heartbeat_file(role: Role, folder: str) -> Path | None:
    """What a process of this role touches as it goes round; None where nobody looks."""
    return Path(folder) / f"heartbeat-{role}" if folder else None


def fault_of(role: Role, port: int) -> str:
    """What is wrong with the process of this role beside us; empty where nothing is."""
    return _fault_of_web(port) if role is Role.WEB else _fault_of_heartbeat(role)


def _fault_of_heartbeat(role: Role) -> str:
    file = heartbeat_file(role, os.environ.get(FOLDER, ""))
    if file is None:
        return f"{FOLDER} is not set"
    try:
        age = time.time() - file.stat().st_mtime
    except FileNotFoundError:
        return f"there is no {file}"
    return f"{file} is {age:.0f} s old" if age > FRESH_SECONDS else ""


def _fault_of_web(port: int) -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=READY_SECONDS)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        return "" if answer.status == HTTPStatus.OK else answer.read().decode()
    except OSError as error:
        return str(error)
    finally:
        connection.close()


def main(role: str, port: str = "0") -> int:
    """Print what is wrong, and return the status of the process."""
    if fault := fault_of(Role(role), int(port)):
        sys.stdout.write(f"{fault}\n")
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
