"""Whether pages are read from the replica: it answers, and is not too far behind.

How far that is, is measured by what pages show, the version of the data: no right of a superuser is
needed, and a replica that lost its primary is seen to fall behind. What a page is kept under is the
version of the database that rendered it, or one from before it.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError

from apps.config.databases.reading import PRIMARY, REPLICA

if TYPE_CHECKING:
    from collections.abc import Callable

AWAY: Final = (DatabaseError, InterfaceError)

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Stand:
    """The version of what pages show, and the database that they are read from meanwhile."""

    version: str = ""
    database: str = PRIMARY


@dataclass
class Replica:
    """What this process knows of its replica."""

    read: Callable[[str], str]  # the version of the data in a database
    lag_seconds_max: float
    lag_s: float = 0.0
    is_away: bool = True  # until it answered
    _unseen: deque[tuple[float, int]] = field(default_factory=deque)  # by the replica, as of when

    def look(self) -> Stand:
        """Ask both databases. Raises what the primary raised where neither answers."""
        here: str | None = None
        problem: Exception | None = None
        try:
            here = self.read(PRIMARY)
        except AWAY as error:
            problem = error
        try:
            there = self.read(REPLICA)
        except AWAY as error:
            self.failed(error)
            if here is None:
                raise (problem or error) from error
            return Stand(here, PRIMARY)
        self._measure(here, there)
        if here is not None and self.lag_s > self.lag_seconds_max:
            self._tell(is_away=True, why=f"{self.lag_s:.1f} s behind")
            return Stand(here, PRIMARY)
        self._tell(is_away=False, why="")
        return Stand(there, REPLICA)

    def failed(self, error: Exception) -> None:
        """Let pages be read from the primary until the next look."""
        self._tell(is_away=True, why=str(error).strip())

    def _measure(self, here: str | None, there: str) -> None:
        now = time.monotonic()
        if here is not None:
            self._unseen.append((now, newest_of(here)))
        while self._unseen and self._unseen[0][1] <= newest_of(there):
            self._unseen.popleft()
        self.lag_s = now - self._unseen[0][0] if self._unseen else 0.0

    def _tell(self, *, is_away: bool, why: str) -> None:
        if is_away and not self.is_away:
            log.warning("pages are read from the primary", why=why)
        if self.is_away and not is_away:
            log.info("pages are read from the replica")
        self.is_away = is_away


def newest_of(version: str) -> int:
    """Return the number of the newest change in a version of the data."""
    return int(version.partition("-")[0])


def version_in(database: str) -> str:
    """Return the version of what pages show in a database."""
    from apps.rankings.versions.data import data_version  # noqa: PLC0415  needs the apps

    return data_version(database)


REPLICA_OF_THIS_PROCESS: Final = (
    Replica(version_in, settings.REPLICA_LAG_SECONDS_MAX) if REPLICA in settings.DATABASES else None
)


def stand_now() -> Stand:
    """Return the version of what pages show, and where they are read from."""
    if REPLICA_OF_THIS_PROCESS is None:
        return Stand(version_in(PRIMARY))
    return REPLICA_OF_THIS_PROCESS.look()
