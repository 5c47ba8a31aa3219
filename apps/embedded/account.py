"""The account that the embedded servers run as: the current one, or `nobody` for root.

PostgreSQL refuses to run as root. No account is created for it, and only our own directories change
their mode.
"""

from __future__ import annotations

import os
import pwd
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

UNPRIVILEGED = "nobody"  # exists on every Linux and macOS
PROBE_SECONDS = 20  # `postgres --version` takes milliseconds; a cold disk may not


class PopenArguments(TypedDict, total=False):
    """The part of subprocess.Popen's arguments that says who runs the program."""

    user: int
    group: int
    extra_groups: Sequence[int]


@dataclass(frozen=True)
class Account:
    """A user and group id, and whether a program must change to them."""

    uid: int
    gid: int

    @classmethod
    def current(cls) -> Account:
        return cls(uid=os.geteuid(), gid=os.getegid())

    @classmethod
    def for_servers(cls) -> Account:
        """Return the current account, or `nobody` with its group for root."""
        if os.geteuid() != 0:
            return cls.current()
        entry = pwd.getpwnam(UNPRIVILEGED)
        return cls(uid=entry.pw_uid, gid=entry.pw_gid)

    @property
    def is_other(self) -> bool:
        return self.uid != os.geteuid()

    def popen_arguments(self) -> PopenArguments:
        if not self.is_other:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def give(self, path: Path) -> None:
        """Make this account the owner of one file or directory of ours."""
        if self.is_other:
            os.chown(path, self.uid, self.gid)

    def can_run(self, program: Path) -> bool:
        """Whether this account can start the program with all its libraries."""
        try:
            probe = subprocess.run(
                [program, "--version"],
                check=False,
                cwd="/",
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_SECONDS,
                **self.popen_arguments(),
            )
        except (FileNotFoundError, PermissionError):
            return False
        return probe.returncode == 0

    def can_enter(self, directory: Path) -> bool:
        """Whether this account may pass through every directory down to this one."""
        try:
            probe = subprocess.run(
                ["/bin/sh", "-c", 'cd -- "$1"', "sh", directory],
                check=False,
                cwd="/",
                capture_output=True,
                timeout=PROBE_SECONDS,
                **self.popen_arguments(),
            )
        except PermissionError:
            return False
        return probe.returncode == 0
