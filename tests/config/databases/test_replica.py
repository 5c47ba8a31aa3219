"""When pages are read from the replica, and under which version they are kept."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import OperationalError

from apps.config.databases import replica
from apps.config.databases.reading import PRIMARY, READ_FROM, REPLICA
from apps.config.databases.replica import Replica, Stand
from tests.config.served import Site, in_a_loop_of_its_own

LAG_MAX = 5.0


@dataclass
class Both:
    """The versions of two databases; None: it is away."""

    versions: dict[str, str | None] = field(
        default_factory=lambda: {PRIMARY: "1-1", REPLICA: "1-1"}
    )

    def read(self, database: str) -> str:
        version = self.versions[database]
        if version is None:
            raise OperationalError(f"{database} is away")
        return version


@dataclass
class Clock:
    now: float = 100.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(replica, "time", clock)
    return clock


@pytest.fixture
def both() -> Both:
    return Both()


@pytest.fixture
def found(both: Both, clock: Clock) -> Replica:
    return Replica(both.read, LAG_MAX)


def test_a_replica_that_has_everything_is_read_from(found: Replica) -> None:
    assert found.is_away
    assert found.look() == Stand("1-1", REPLICA)
    assert not found.is_away


def test_pages_are_kept_under_the_version_of_the_database_that_renders(
    found: Replica, both: Both, clock: Clock
) -> None:
    both.versions[PRIMARY] = "2-2"
    assert found.look() == Stand("1-1", REPLICA)
    clock.now += LAG_MAX + 1
    assert found.look() == Stand("2-2", PRIMARY)
    both.versions[REPLICA] = "2-2"
    assert found.look() == Stand("2-2", REPLICA)
    assert found.lag_s == 0.0


def test_lag_is_the_age_of_what_is_missing_and_not_of_the_last_change(
    found: Replica, both: Both, clock: Clock
) -> None:
    for second in range(20):  # it is always a second behind, and never has everything
        both.versions = {PRIMARY: f"{second + 1}-1", REPLICA: f"{second}-1"}
        assert found.look().database == REPLICA
        clock.now += 1


def test_a_replica_that_is_away_is_not_read_from_until_it_answers(
    found: Replica, both: Both
) -> None:
    found.look()
    both.versions[REPLICA] = None
    assert found.look() == Stand("1-1", PRIMARY)
    assert found.is_away
    both.versions[REPLICA] = "1-1"
    assert found.look().database == REPLICA


def test_while_the_primary_is_away_pages_come_from_the_replica_however_old(
    found: Replica, both: Both, clock: Clock
) -> None:
    both.versions[PRIMARY] = "2-2"
    found.look()
    both.versions[PRIMARY] = None
    clock.now += 100
    assert found.look() == Stand("1-1", REPLICA)
    both.versions[REPLICA] = None
    with pytest.raises(OperationalError, match="default"):
        found.look()


def test_the_server_says_from_where_a_page_is_read() -> None:
    asked: list[Any] = []

    class Noting(Site):
        def __call__(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
            asked.append(environ[READ_FROM])
            self.server.pages.stand = Stand("9", PRIMARY)  # too late for this answer
            return super().__call__(environ, start_response)

    async def talk(site: Site) -> None:
        site.server.pages.stand = Stand("1", REPLICA)
        await asyncio.gather(site.ask())
        (kept,) = site.server.pages._kept.values()
        assert (asked, kept.version) == ([REPLICA], "1")

    in_a_loop_of_its_own(talk(Noting()))
