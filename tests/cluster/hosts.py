"""Each host of the cluster is an address of the loopback device: same ports, no root, no names.

Linux answers on all of 127.0.0.0/8, so what docker/scale says of `web-1:8000` is true here as soon
as the name is replaced by the address.
"""

from __future__ import annotations

import re
import secrets
import shutil
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.verbs import PlainError

SCALE: Final = ROOT / "docker" / "scale"
SYSTEM_PROGRAMS: Final = "/usr/local/sbin:/usr/sbin:/sbin:/usr/local/bin:/usr/bin:/bin"
NAMES: Final = ("primary", "replica", "pgbouncer", "nginx", "web-1", "web-2")


class MissingProgramError(PlainError):
    """A program of others that is not part of Python's packages; says how to get it."""


def system_program(name: str) -> str:
    """Return the path of PgBouncer or nginx. Raises MissingProgramError."""
    found = shutil.which(name) or shutil.which(name, path=SYSTEM_PROGRAMS)
    if found is None:
        raise MissingProgramError(
            f"there is no {name} here. Debian, Ubuntu: apt-get install --no-install-recommends "
            "pgbouncer nginx-light"
        )
    return found


@dataclass(frozen=True)
class Hosts:
    """An address for each name, in a network that nobody else here uses."""

    network: str = field(
        default_factory=lambda: f"127.{100 + secrets.randbelow(100)}.{secrets.randbelow(256)}"
    )

    def __post_init__(self) -> None:
        if sys.platform != "linux":
            raise MissingProgramError("a cluster on one machine needs Linux: it has 127.0.0.0/8.")

    def address(self, name: str) -> str:
        return f"{self.network}.{NAMES.index(name) + 1}"

    def in_text(self, text: str) -> str:
        """Replace each name of a host where it stands alone."""
        names = "|".join(NAMES)
        alone = rf"(?<![\w./\[-])({names})(?![\w./\]-])"
        return re.sub(alone, lambda found: self.address(found[1]), text)

    def write(self, name: str, folder: Path) -> Path:
        """Write a file of docker/scale into a folder, with addresses for names."""
        file = folder / name
        file.write_text(self.in_text((SCALE / name).read_text(encoding="utf-8")), encoding="utf-8")
        return file
