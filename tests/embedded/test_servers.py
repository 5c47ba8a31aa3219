"""One PostgreSQL and one Valkey for a checkout: safe, shared, gone with their supervisor."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
import redis

from apps.embedded.account import Account
from apps.embedded.process import ChildError
from apps.embedded.progress import Progress
from apps.embedded.servers import (
    Addresses,
    ConfiguredServers,
    _attached,
    servers_for_tests,
    shared_servers,
)
from tests.embedded.conftest import Start, processes_below, wait_for

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root changes to another account")


def write_row(url: str) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (n int)")
        connection.execute("INSERT INTO kept VALUES (1)")


def rows(url: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute("SELECT count(*) FROM kept").fetchone()
        assert found is not None
        return int(found[0])


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_data_outlive_a_restart_and_passwords_are_private(state: Path, start: Start) -> None:
    first = start(state)
    write_row(first.servers.database_url)
    first.stop()
    assert not processes_below(state)

    second = start(state)
    assert rows(second.servers.database_url) == 1
    homes = state / "servers"
    for name in ("postgres.password", "role.password", "valkey.password", "valkey.conf"):
        assert mode_of(homes / name) == 0o600, name
    assert mode_of(state / "servers.json") == 0o600
    second.stop()
    assert not (state / "servers.json").exists()


def test_the_product_owns_its_database_and_is_no_superuser(state: Path, start: Start) -> None:
    url = start(state).servers.database_url
    with psycopg.connect(url) as connection:
        rights = connection.execute(
            "SELECT rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls"
            " FROM pg_roles WHERE rolname = current_user"
        ).fetchone()
        assert rights == (False, False, False, False, False)
        connection.execute("CREATE EXTENSION pg_trgm")  # as a migration does
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("COPY (SELECT 1) TO PROGRAM 'true'")


def test_nobody_gets_in_without_the_password(state: Path, start: Start) -> None:
    supervisor = start(state)
    database, queue = (
        urlsplit(supervisor.servers.database_url),
        urlsplit(supervisor.servers.redis_url),
    )
    with psycopg.connect(supervisor.servers.database_url) as connection:
        shown = connection.execute("SHOW password_encryption").fetchone()
        assert shown == ("scram-sha-256",)
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(f"postgresql://fsyncmark:wrong@127.0.0.1:{database.port}/fsyncmark")
    with (
        redis.Redis(host="127.0.0.1", port=queue.port or 0) as anonymous,
        pytest.raises(redis.AuthenticationError),
    ):
        anonymous.ping()
    assert "127.0.0.1" == database.hostname == queue.hostname


def test_a_second_command_attaches_and_the_first_waits_for_it(state: Path, start: Start) -> None:
    owner = start(state)
    guest = start(state)
    assert guest.servers == owner.servers

    assert owner.process.stdin is not None
    owner.process.stdin.close()
    write_row(guest.servers.database_url)  # the servers stay for the guest
    assert owner.process.poll() is None
    guest.stop()
    assert owner.process.wait(timeout=180) == 0
    assert not processes_below(state)


def test_a_killed_supervisor_leaves_nothing_running_and_the_next_starts_over(
    state: Path, start: Start
) -> None:
    killed = start(state)
    write_row(killed.servers.database_url)
    killed.process.kill()
    killed.process.wait()
    wait_for(lambda: not processes_below(state), "the servers are gone")
    log = (state / "servers" / "postgres.log").read_text(encoding="utf-8")
    assert "database system is shut down" in log

    after = start(state)  # finds the note and the locks of the killed one
    assert rows(after.servers.database_url) == 1
    after.stop()


def test_a_url_replaces_its_server_and_the_other_is_started(state: Path, start: Start) -> None:
    configured = os.environ["REDIS_URL"]
    supervisor = start(state, REDIS_URL=configured)
    assert supervisor.servers.redis_url == configured
    write_row(supervisor.servers.database_url)
    assert not (state / "servers" / "valkey").exists()

    with pytest.raises(ChildError, match="started with REDIS_URL"):
        _attached(state / "servers.json", ConfiguredServers())
    supervisor.stop()


def test_two_urls_replace_both_and_nothing_is_started(tmp_path: Path) -> None:
    configured = {"DATABASE_URL": "postgresql://elsewhere/a", "REDIS_URL": "redis://elsewhere/0"}
    wanted = Addresses(configured["DATABASE_URL"], configured["REDIS_URL"])
    with shared_servers(tmp_path, environment=configured, progress=Progress()) as servers:
        assert servers.addresses == wanted
        assert not servers.children
    with servers_for_tests(tmp_path, environment=configured) as servers:
        assert servers == wanted
    assert not list(tmp_path.iterdir())


def test_data_of_test_runs_are_removed_also_those_of_killed_ones(state: Path) -> None:
    dead = state / "servers" / "tests" / "999999999"  # above the highest process id of Linux
    dead.mkdir(parents=True)
    (dead / "left").write_text("over", encoding="utf-8")
    with servers_for_tests(state, environment={"REDIS_URL": os.environ["REDIS_URL"]}) as servers:
        assert not dead.exists()
        with psycopg.connect(servers.database_url) as connection:
            assert connection.execute("SHOW fsync").fetchone() == ("off",)
    assert not list((state / "servers" / "tests").iterdir())


@needs_root
def test_root_runs_the_servers_as_nobody(state: Path, start: Start) -> None:
    supervisor = start(state)
    owners = {
        os.stat(f"/proc/{number}").st_uid  # noqa: PTH116  a Path may vanish in between just the same
        for number in processes_below(state) - {supervisor.process.pid}
    }
    assert owners == {Account.for_servers().uid}


@needs_root
def test_root_in_a_private_directory_moves_data_and_programs_out_of_it(
    state: Path, start: Start
) -> None:
    private = state / "private"
    private.mkdir(mode=0o700)
    first = start(private)
    write_row(first.servers.database_url)
    far = Path((private / "servers-directory").read_text(encoding="utf-8").strip())
    assert far.is_dir()
    assert mode_of(far) == 0o755
    assert mode_of(private) == 0o700  # nothing of the reader's was opened
    first.stop()

    second = start(private)
    assert rows(second.servers.database_url) == 1
    second.stop()
    assert not processes_below(far)
