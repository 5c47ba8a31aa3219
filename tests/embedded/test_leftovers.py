"""Servers that a killed supervisor left running, as on macOS, are stopped by the next start."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from apps.embedded.account import Account
from apps.embedded.binaries import postgres_binaries, valkey_binary
from apps.embedded.postgres import Durability, Postgres, free_port, is_free
from apps.embedded.process import ChildError
from apps.embedded.valkey import Valkey, answers
from tests.embedded.conftest import wait_for

ACCOUNT = Account.for_servers()


@pytest.fixture
def postgres(state: Path) -> Postgres:
    binaries = postgres_binaries(account=ACCOUNT, home=state)
    return Postgres(binaries, state, ACCOUNT, Durability.TESTS_ONLY)


def test_a_postgres_left_on_the_data_is_stopped_first(state: Path, postgres: Postgres) -> None:
    postgres.start()
    left = postgres.child
    assert left is not None
    url = postgres.start()  # as the next supervisor does, which knows of no child
    wait_for(lambda: left.process.poll() is not None, "the first is gone")
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)
    postgres.stop()
    postgres.stop()  # again: nothing happens


def test_a_valkey_left_on_the_data_is_stopped_first(state: Path) -> None:
    valkey = Valkey(valkey_binary(account=ACCOUNT, home=state), state, ACCOUNT)
    valkey.start()
    left = valkey.child
    assert left is not None
    first_port = int(valkey.port_note.read_text(encoding="utf-8"))
    valkey.start()
    wait_for(lambda: left.process.poll() is not None, "the first is gone")
    password = (state / "valkey.password").read_text(encoding="utf-8")
    assert not answers(port=first_port, password=password)
    port = int(valkey.port_note.read_text(encoding="utf-8"))
    assert answers(port=port, password=password)
    assert not answers(port=port, password="wrong")
    valkey.stop()
    valkey.stop()  # again: nothing happens


def test_a_port_that_was_taken_meanwhile_is_not_insisted_on(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = free_port()
    with psycopg.connect(postgres.start()):
        busy = int(postgres_port(postgres))
    ports = iter([busy, taken])
    monkeypatch.setattr("apps.embedded.postgres.free_port", lambda: next(ports))
    second = Postgres(postgres.binaries, postgres.directory / "second", ACCOUNT, Durability.KEPT)
    second.directory.mkdir()
    second.start()
    assert not is_free(taken)
    second.stop()
    postgres.stop()


def test_a_cluster_that_cannot_start_shows_its_log(postgres: Postgres) -> None:
    postgres.start()
    postgres.stop()
    (postgres.data / "postgresql.conf").write_text("nonsense = on\n", encoding="utf-8")
    with pytest.raises(ChildError, match="unrecognized configuration parameter"):
        postgres.start()


def postgres_port(postgres: Postgres) -> str:
    port_line = 3  # of postmaster.pid, counted from 0
    return (postgres.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()[port_line]
