"""What dies is started again, as compose does it; what others started is left alone."""

from __future__ import annotations

import io
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
import redis

from apps.embedded import supervision
from apps.embedded.postgres import Durability, free_port
from apps.embedded.process import Child, Command
from apps.embedded.progress import Progress
from apps.embedded.servers import ConfiguredServers, started
from apps.embedded.supervision import AGAIN_AND_AGAIN, Outside, Supervisor
from tests.embedded.conftest import wait_for


def spoken(progress: Progress) -> list[str]:
    assert isinstance(progress.stream, io.StringIO)
    return progress.stream.getvalue().splitlines()


def a_child(directory: Path, *argv: str) -> Child:
    return Child(Command(name=argv[0], argv=argv, log=directory / "log"))


def look_until(supervisor: Supervisor, condition: Callable[[], bool], what: str) -> None:
    def is_there() -> bool:
        supervisor.look()
        return condition()

    wait_for(is_there, what)


def test_a_killed_program_is_started_again_and_one_line_says_so(tmp_path: Path) -> None:
    child = a_child(tmp_path, "sleep", "600")
    progress = Progress(io.StringIO())
    supervisor = Supervisor([child], progress)
    try:
        before = child.process
        os.kill(before.pid, signal.SIGKILL)
        look_until(supervisor, lambda: child.process is not before, "it runs again")
        assert child.process.poll() is None
        assert spoken(progress) == ["sleep ended with status -9; it is started again."]
    finally:
        child.kill()


def test_what_a_dead_program_left_running_is_ended_first(tmp_path: Path) -> None:
    """A killed web server's workers would hold its port."""
    child = a_child(tmp_path, "sh", "-c", f"sleep 600 & echo $! > {tmp_path}/left; wait")
    left = tmp_path / "left"
    wait_for(lambda: left.exists() and left.read_text().strip() != "", "it has a child")
    orphan = int(left.read_text())
    supervisor = Supervisor([child], Progress(io.StringIO()))
    try:
        before = child.process
        os.kill(before.pid, signal.SIGKILL)
        look_until(supervisor, lambda: child.process is not before, "it runs again")
        wait_for(lambda: not is_running(orphan), "the orphan is gone")
    finally:
        child.kill()


def is_running(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    except FileNotFoundError:
        return False
    return state[0] != "Z"


def test_what_dies_again_and_again_is_said_with_the_end_of_its_log(tmp_path: Path) -> None:
    child = a_child(tmp_path, "sh", "-c", "echo no such table; exit 3")
    other = a_child(tmp_path, "sleep", "600")
    progress = Progress(io.StringIO())
    supervisor = Supervisor([child, other], progress)
    try:
        look_until(supervisor, lambda: len(spoken(progress)) > 1, "it is said")
        first, plain, *log = spoken(progress)
        assert first == "sh ended with status 3; it is started again."
        assert plain.startswith(f"sh died {AGAIN_AND_AGAIN} times within 60 s, and is tried again")
        assert log[0] == "    no such table"
        assert other.process.poll() is None  # one that cannot run stops no other
    finally:
        child.kill()
        other.kill()


def test_killed_servers_come_back_at_their_addresses_with_what_was_committed(state: Path) -> None:
    progress = Progress(io.StringIO())
    with started(state, durability=Durability.KEPT, configured=ConfiguredServers()) as servers:
        supervisor = Supervisor(servers.children, progress)
        urls = servers.addresses
        with psycopg.connect(urls.database_url, autocommit=True) as connection:
            connection.execute("CREATE TABLE kept (n int)")
            connection.execute("INSERT INTO kept VALUES (1)")
        for child in servers.children:
            os.kill(child.process.pid, signal.SIGKILL)
        look_until(
            supervisor,
            lambda: rows(urls.database_url) == 1 and is_up(urls.redis_url),
            "both answer again",
        )
    assert sorted(line.split()[0] for line in spoken(progress)) == ["PostgreSQL", "Valkey"]


def rows(url: str) -> int:
    try:
        with psycopg.connect(url) as connection:
            found = connection.execute("SELECT count(*) FROM kept").fetchone()
    except psycopg.OperationalError:
        return 0
    assert found is not None
    return int(found[0])


def is_up(url: str) -> bool:
    try:
        with redis.Redis.from_url(url) as client:
            return bool(client.ping())
    except redis.ConnectionError:
        return False


def test_a_server_of_somebody_else_is_only_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervision, "KNOCK_EVERY_SECONDS", 0.0)
    progress = Progress(io.StringIO())
    port = free_port()
    supervisor = Supervisor([], progress, outside=[Outside("PostgreSQL", f"x://127.0.0.1:{port}/")])
    supervisor.look()
    supervisor.look()
    assert spoken(progress) == ["PostgreSQL does not answer; it is not ours to start."]
    with socket.create_server(("127.0.0.1", port)):
        supervisor.look()
    assert spoken(progress)[1:] == ["PostgreSQL answers again."]
