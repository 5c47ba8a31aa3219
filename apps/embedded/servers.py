"""One PostgreSQL and one Valkey for a checkout, shared by every command that runs at the same time.

The first command starts and owns them; later ones attach to them. The owner stops them after the
last of the others has ended. DATABASE_URL and REDIS_URL each replace one of them by another server.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import urlsplit

from apps.embedded.account import Account
from apps.embedded.binaries import postgres_binaries, valkey_binary
from apps.embedded.home import servers_home, write_private
from apps.embedded.postgres import Durability, Postgres
from apps.embedded.process import POLL_SECONDS, Child, ChildError
from apps.embedded.progress import Progress
from apps.embedded.valkey import Valkey

NOTE = "servers.json"  # where the owner's servers listen, with their passwords: mode 0600
ATTACH_SECONDS = 120.0  # a first start makes a cluster, on a slow disk


@dataclass(frozen=True)
class Addresses:
    """The URLs of database and queue; both carry their password."""

    database_url: str
    redis_url: str


@dataclass(frozen=True)
class Servers:
    """Where database and queue are, and those of them that this process started."""

    addresses: Addresses
    children: tuple[Child, ...] = ()


@dataclass(frozen=True)
class ConfiguredServers:
    """The addresses of servers that are configured by the environment."""

    database_url: str | None = None
    redis_url: str | None = None


@contextlib.contextmanager
def shared_servers(
    state: Path, *, environment: Mapping[str, str], progress: Progress
) -> Iterator[Servers]:
    """Start the servers of this checkout, or attach to them, while the block runs."""
    configured = ConfiguredServers(environment.get("DATABASE_URL"), environment.get("REDIS_URL"))
    if configured.database_url and configured.redis_url:
        yield Servers(Addresses(configured.database_url, configured.redis_url))
        return
    state.mkdir(parents=True, exist_ok=True)
    note = state / NOTE
    with _locked_files(state) as (owner, users):
        if not _become_owner(owner, users, note):
            yield Servers(_attached(note, configured))
            return
        home = servers_home(state, account=Account.for_servers())
        with contextlib.ExitStack() as stack:
            with progress.step("Starting PostgreSQL and Valkey"):
                servers = stack.enter_context(
                    started(home, durability=Durability.KEPT, configured=configured)
                )
            own = ConfiguredServers(
                None if configured.database_url else servers.addresses.database_url,
                None if configured.redis_url else servers.addresses.redis_url,
            )
            write_private(note, json.dumps(asdict(own)))
            try:
                yield servers
            finally:
                _wait_for_users(users, progress)
                note.unlink(missing_ok=True)


def _attached(note: Path, configured: ConfiguredServers) -> Addresses:
    """Return the addresses in the note of the owner; configured ones come from our environment."""
    in_note = ConfiguredServers(**json.loads(note.read_text(encoding="utf-8")))
    database_url = configured.database_url or in_note.database_url
    redis_url = configured.redis_url or in_note.redis_url
    if not database_url or not redis_url:
        missing = "REDIS_URL" if database_url else "DATABASE_URL"
        raise ChildError(
            f"another ./run is up that was started with {missing}: set the same here, or stop it."
        )
    return Addresses(database_url, redis_url)


@contextlib.contextmanager
def started(
    home: Path,
    *,
    durability: Durability,
    configured: ConfiguredServers,
) -> Iterator[Servers]:
    """Start the servers that no URL replaces, with data in `home`; at the end stop Valkey first."""
    account = Account.for_servers()
    database_url, redis_url = configured.database_url, configured.redis_url
    children: list[Child | None] = []
    with contextlib.ExitStack() as stack:
        if not database_url:
            binaries = postgres_binaries(account=account, home=_binaries_home(home))
            postgres = Postgres(binaries, home, account, durability)
            stack.callback(postgres.stop)
            database_url = postgres.start()
            children.append(postgres.child)
        if not redis_url:
            program = valkey_binary(account=account, home=_binaries_home(home))
            valkey = Valkey(program, home, account)
            stack.callback(valkey.stop)
            redis_url = valkey.start()
            children.append(valkey.child)
        yield Servers(Addresses(database_url, redis_url), tuple(filter(None, children)))


@contextlib.contextmanager
def servers_for_tests(
    state: Path,
    *,
    environment: Mapping[str, str],
    durability: Durability = Durability.TESTS_ONLY,
) -> Iterator[Addresses]:
    """Start empty servers that are not shared; remove them when the block ends."""
    configured = ConfiguredServers(environment.get("DATABASE_URL"), environment.get("REDIS_URL"))
    if configured.database_url and configured.redis_url:
        yield Addresses(configured.database_url, configured.redis_url)
        return
    parent = servers_home(state, account=Account.for_servers()) / "tests"
    parent.mkdir(exist_ok=True)
    _remove_data_of_the_dead(parent)
    home = parent / str(os.getpid())
    home.mkdir()
    try:
        with started(home, durability=durability, configured=configured) as servers:
            yield servers.addresses
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _binaries_home(home: Path) -> Path:
    """Return the directory of copied programs, which all test runs share."""
    return home.parent.parent if home.parent.name == "tests" else home


def _remove_data_of_the_dead(parent: Path) -> None:
    """Remove the data of killed test runs, whose directories have the id of their process."""
    for leftover in parent.iterdir():
        if not leftover.name.isdigit():
            continue  # not of a test run
        try:
            os.kill(int(leftover.name), 0)
        except ProcessLookupError:
            shutil.rmtree(leftover, ignore_errors=True)
        except PermissionError:
            continue  # running, and of another account


@contextlib.contextmanager
def _locked_files(state: Path) -> Iterator[tuple[int, int]]:
    """Open two lock files, for owner and users of the servers; locks end with the process."""
    with contextlib.ExitStack() as stack:
        files = []
        for name in ("servers.owner.lock", "servers.users.lock"):
            number = os.open(state / name, os.O_RDWR | os.O_CREAT, 0o600)
            stack.callback(os.close, number)
            files.append(number)
        yield files[0], files[1]


def _become_owner(owner: int, users: int, note: Path) -> bool:
    """Whether we own the servers and must start them; else we attach to another command's.

    It waits while another command is starting or stopping them.
    """
    deadline = time.monotonic() + ATTACH_SECONDS
    while time.monotonic() < deadline:
        if _lock(owner, fcntl.LOCK_EX):
            return True
        if _lock(users, fcntl.LOCK_SH):
            if _are_up(note):
                return False
            fcntl.flock(users, fcntl.LOCK_UN)
        time.sleep(POLL_SECONDS)
    raise ChildError(
        f"another ./run holds {note.parent}, but has no servers up after {ATTACH_SECONDS:.0f} s: "
        "stop it (Ctrl-C there) and try again."
    )


def _are_up(note: Path) -> bool:
    """Whether the noted addresses accept connections: a killed owner leaves its note behind."""
    try:
        in_note = json.loads(note.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return False
    for url in map(urlsplit, filter(None, in_note.values())):
        try:
            socket.create_connection((str(url.hostname), url.port or 0), timeout=1.0).close()
        except OSError:
            return False
    return True


def _wait_for_users(users: int, progress: Progress) -> None:
    """Wait for commands that are attached to our servers; a Ctrl-C ends the wait."""
    words = "Waiting for another ./run that uses these servers (Ctrl-C stops them now)"
    with contextlib.suppress(KeyboardInterrupt), progress.step(words):
        while not _lock(users, fcntl.LOCK_EX):
            time.sleep(POLL_SECONDS)


def _lock(number: int, kind: int) -> bool:
    try:
        fcntl.flock(number, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
