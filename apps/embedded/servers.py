"""One PostgreSQL and one Valkey for a checkout, shared by every command that runs at the same time.

The first command starts them and owns them; a later one finds them running and attaches. The
owner stops them after the last of the others has gone. DATABASE_URL and REDIS_URL each replace
one of them by a server of the reader's own.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from apps.embedded.account import Account
from apps.embedded.binaries import postgres_binaries, valkey_binary
from apps.embedded.home import servers_home, write_private
from apps.embedded.postgres import Durability, Postgres
from apps.embedded.process import POLL_SECONDS, ChildError
from apps.embedded.valkey import Valkey

ATTACH_SECONDS = 120.0  # a first start makes a cluster, on a slow disk
SAY_AFTER_SECONDS = 2.0  # silence longer than this looks like a hang

Say = Callable[[str], None]


@dataclass(frozen=True)
class Addresses:
    """Where the database and the queue are; both carry their password."""

    database_url: str
    redis_url: str


@contextlib.contextmanager
def shared_servers(
    state: Path, *, environment: Mapping[str, str], say: Say
) -> Iterator[Addresses]:
    """The servers of this checkout, started or attached to, for as long as the block runs."""
    given = (environment.get("DATABASE_URL"), environment.get("REDIS_URL"))
    if given[0] and given[1]:
        yield Addresses(given[0], given[1])
        return
    state.mkdir(parents=True, exist_ok=True)
    with _locked_files(state) as (owner, users):
        if _become_owner(owner, users, state):
            try:
                with started(
                    servers_home(state, account=Account.for_servers()),
                    durability=Durability.KEPT,
                    database_url=given[0],
                    redis_url=given[1],
                ) as addresses:
                    write_private(state / "servers.json", json.dumps(asdict(addresses)))
                    try:
                        yield addresses
                    finally:
                        _wait_for_users(users, say=say)
            finally:
                (state / "servers.json").unlink(missing_ok=True)
        else:
            found = Addresses(**json.loads((state / "servers.json").read_text(encoding="utf-8")))
            yield Addresses(given[0] or found.database_url, given[1] or found.redis_url)


@contextlib.contextmanager
def started(
    home: Path,
    *,
    durability: Durability,
    database_url: str | None = None,
    redis_url: str | None = None,
) -> Iterator[Addresses]:
    """The servers that no URL replaces, with their data in `home`; stopped at the end, Valkey first."""
    account = Account.for_servers()
    with contextlib.ExitStack() as stack:
        if not database_url:
            binaries = postgres_binaries(account=account, home=_binaries_home(home))
            postgres = Postgres(binaries, home, account, durability)
            stack.callback(postgres.stop)
            database_url = postgres.start()
        if not redis_url:
            program = valkey_binary(account=account, home=_binaries_home(home))
            valkey = Valkey(program, home, account)
            stack.callback(valkey.stop)
            redis_url = valkey.start()
        yield Addresses(database_url, redis_url)


@contextlib.contextmanager
def servers_for_tests(state: Path, *, environment: Mapping[str, str]) -> Iterator[Addresses]:
    """Servers with empty data and without fsync that nobody shares; their data go when the block ends."""
    given = (environment.get("DATABASE_URL"), environment.get("REDIS_URL"))
    if given[0] and given[1]:
        yield Addresses(given[0], given[1])
        return
    parent = servers_home(state, account=Account.for_servers()) / "tests"
    parent.mkdir(exist_ok=True)
    _remove_data_of_the_dead(parent)
    home = parent / str(os.getpid())
    home.mkdir()
    try:
        with started(
            home, durability=Durability.TESTS_ONLY, database_url=given[0], redis_url=given[1]
        ) as addresses:
            yield addresses
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _binaries_home(home: Path) -> Path:
    """Where copied programs stay: beside the data, and shared by every test run."""
    return home.parent.parent if home.parent.name == "tests" else home


def _remove_data_of_the_dead(parent: Path) -> None:
    """Data of a killed test run, named after its process."""
    for leftover in parent.iterdir():
        try:
            os.kill(int(leftover.name), 0)
        except ProcessLookupError:
            shutil.rmtree(leftover, ignore_errors=True)
        except PermissionError:
            continue  # alive, and another person's


@contextlib.contextmanager
def _locked_files(state: Path) -> Iterator[tuple[int, int]]:
    """Two lock files: who owns the servers, and who uses them. The system frees both with the process."""
    with contextlib.ExitStack() as stack:
        files = []
        for name in ("servers.owner.lock", "servers.users.lock"):
            number = os.open(state / name, os.O_RDWR | os.O_CREAT, 0o600)
            stack.callback(os.close, number)
            files.append(number)
        yield files[0], files[1]


def _become_owner(owner: int, users: int, state: Path) -> bool:
    """True when the servers are ours to start; False when attached to those of another command.

    Waits while another command is between the two: it starts them, or stops them.
    """
    deadline = time.monotonic() + ATTACH_SECONDS
    while time.monotonic() < deadline:
        if _lock(owner, fcntl.LOCK_EX):
            return True
        if _lock(users, fcntl.LOCK_SH):
            if _are_up(state / "servers.json"):
                return False
            fcntl.flock(users, fcntl.LOCK_UN)
        time.sleep(POLL_SECONDS)
    raise ChildError(
        f"another ./run holds {state} and its servers are not up after {ATTACH_SECONDS:.0f} s: "
        "stop it (Ctrl-C there) and try again."
    )


def _are_up(note: Path) -> bool:
    """Whether the noted addresses accept a connection: a killed owner leaves its note behind."""
    try:
        noted = Addresses(**json.loads(note.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return False
    for url in (urlsplit(noted.database_url), urlsplit(noted.redis_url)):
        try:
            socket.create_connection((str(url.hostname), url.port or 0), timeout=1.0).close()
        except OSError:
            return False
    return True


def _wait_for_users(users: int, *, say: Say) -> None:
    """Let commands that attached to our servers finish first; a Ctrl-C ends the wait."""
    began, said = time.monotonic(), False
    with contextlib.suppress(KeyboardInterrupt):
        while not _lock(users, fcntl.LOCK_EX):
            if not said and time.monotonic() - began > SAY_AFTER_SECONDS:
                say("waiting for another ./run that uses these servers (Ctrl-C stops them now)")
                said = True
            time.sleep(POLL_SECONDS)


def _lock(number: int, kind: int) -> bool:
    try:
        fcntl.flock(number, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
