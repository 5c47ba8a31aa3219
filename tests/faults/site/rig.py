"""Servers and processes on ports of their own, which faults may kill, stop and starve."""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import psycopg
import redis

from apps.config.one_machine.product import running, wait_for
from apps.config.processes import PROCESSES
from apps.embedded.home import stored_password
from apps.embedded.postgres import DATABASE, USER, Durability
from apps.embedded.process import Child
from apps.embedded.progress import Progress
from apps.embedded.servers import ConfiguredServers, started
from apps.embedded.supervision import Supervised, Supervisor
from apps.intake.failpoints import VARIABLE
from tests.faults.site.own_site import BACK_SECONDS_MAX, OwnSite, make_tables, new_home, setting_of
from tests.faults.site.proxy import Proxy
from tests.faults.uploads import Programs

T = TypeVar("T")
WEB_WORKERS: Final = 2
LOOK_SECONDS: Final = 0.05
# What a process of the product loads, and what it loads where a promise is broken.
WITHOUT: Final = {
    "apps.config.edge.server:application": "tests.faults.broken:application",
    "apps.config.celery": "tests.faults.broken",
}
# Of these rows each run has some, or its network; what else is there stays, such as keys.
OF_RUNS: Final = "runs_upload, rankings_cellmark, rankings_standing, accounts_attempt"


@dataclass
class Rig:
    """A site with what is needed to hurt it."""

    site: OwnSite
    programs: Programs
    valkey_proxy: Proxy  # between it and the product
    postgres_proxy: Proxy
    folder: Path
    senders: Path  # homes and ledger, apart from what a fault fills
    seconds_factor: float = 1.0  # below 1 outages are shorter, for tests
    supervisor: Supervisor = field(init=False)
    others: set[str] = field(default_factory=set)  # runs that faults sent beside those of a trial
    found: list[str] = field(default_factory=list)  # what a fault saw to be wrong
    sent_pids: set[int] = field(default_factory=set)  # of agents that are sending

    def __post_init__(self) -> None:
        self.supervisor = Supervisor(self.site.children(), Progress(io.StringIO()))

    def child(self, name: str) -> Child:
        (found,) = (each for each in self.site.children() if each.command.name == name)
        return found

    def kill(self, name: str) -> None:
        """End the main process of one program as the kernel would, its children left to notice."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.child(name).process.pid, signal.SIGKILL)

    def kill_a_child_of(self, name: str) -> Iterator[float]:
        """Kill one as soon as there is one: after another fault a program may be starting."""
        while not (found := children_of(self.child(name).process.pid)):
            yield LOOK_SECONDS
        with contextlib.suppress(ProcessLookupError):
            os.kill(found[0], signal.SIGKILL)

    def leave_dead(self, name: str) -> None:
        """Kill a program that nobody starts again."""
        child = self._unwatched(name)
        with contextlib.suppress(ProcessLookupError):
            os.kill(child.process.pid, signal.SIGKILL)
        child.process.wait()

    def _unwatched(self, name: str) -> Child:
        child = self.child(name)
        watched = self.supervisor.watched
        watched[:] = [each for each in watched if getattr(each, "child", None) is not child]
        return child

    @contextlib.contextmanager
    def stopped(self, name: str, number: signal.Signals | None = None) -> Iterator[None]:
        """A program that nobody starts again before the block ends."""
        child = self._unwatched(name)
        if number is None:
            child.stop()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child.process.pid, number)
            child.process.wait()
        try:
            yield
        finally:
            child.restart()
            self.supervisor.watched.append(Supervised(child))

    @contextlib.contextmanager
    def broken(self, name: str, promise: str) -> Iterator[None]:
        """A process of the product without one promise of the design: see broken.py."""
        child = self.child(name)
        whole = child.command
        argv = [WITHOUT.get(word, word) for word in whole.argv]
        environment = {**(whole.environment or {}), "BROKEN": promise}
        child.command = replace(whole, argv=argv, environment=environment)
        self._put_in_place(child)
        try:
            yield
        finally:
            child.command = whole
            self._put_in_place(child)

    def _put_in_place(self, child: Child) -> None:
        """Run a process by its command of now, and wait until it works."""
        child.restart()
        wait_for(self.site.product.setting, [child])
        self.site.wait_until_ready()

    def run_from(self, directory: Path) -> None:
        """Let all processes of the product run the code of this directory."""
        for name in self.site.product.children:
            child = self.child(name)
            child.command = replace(child.command, directory=directory)
            self._put_in_place(child)

    def outage(self, seconds: float) -> float:
        """How long an outage lasts here."""
        return seconds * self.seconds_factor

    def arm(self, place: str) -> None:
        """Let the next process that reaches a failpoint die there."""
        (self.folder / "failpoints" / place).touch()

    def disarm(self) -> None:
        for file in (self.folder / "failpoints").iterdir():
            file.unlink()

    def sql(self, statement: str, values: Any = None) -> list[tuple[Any, ...]]:
        """Rows, read as the superuser, as soon as PostgreSQL answers."""

        def ask() -> list[tuple[Any, ...]]:
            with psycopg.connect(self.superuser_url, autocommit=True) as connection:
                cursor = connection.execute(statement, values)
                return cursor.fetchall() if cursor.description else []

        return self._when_up(ask, psycopg.OperationalError)

    def ask_valkey(self, question: Callable[[redis.Redis], T]) -> T:
        """What Valkey itself answers, past the proxy, as soon as it does."""

        def ask() -> T:
            with redis.Redis.from_url(self.site.servers.addresses.redis_url) as client:
                return question(client)

        return self._when_up(ask, redis.ConnectionError)

    def _when_up(self, ask: Callable[[], T], away: type[Exception]) -> T:
        end = time.monotonic() + BACK_SECONDS_MAX
        while True:
            try:
                return ask()
            except away:
                if time.monotonic() > end:
                    raise
            self.supervisor.look()
            time.sleep(LOOK_SECONDS)

    @property
    def superuser_url(self) -> str:
        address = urlsplit(self.site.database_url)
        password = stored_password(self.folder / "postgres.password")
        return f"postgresql://{USER}:{password}@{address.hostname}:{address.port}/{DATABASE}"

    def empty(self) -> None:
        """Forget all runs and quotas: each fault begins with none."""
        self.sql(f"TRUNCATE {OF_RUNS} CASCADE")
        self.ask_valkey(forget_quotas)


def forget_quotas(client: redis.Redis) -> None:
    """What a network has sent counts for no other trial."""
    if counted := list(client.scan_iter("*quota:*")):
        client.delete(*counted)


def children_of(number: int) -> list[int]:
    """The processes that work for another; what only keeps book of them is left out."""
    try:
        listed = Path(f"/proc/{number}/task/{number}/children").read_text(encoding="ascii").split()
    except OSError:  # it has ended
        return []
    return [int(each) for each in listed if b"resource_tracker" not in command_of(int(each))]


def command_of(number: int) -> bytes:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return b""


@contextlib.contextmanager
def behind(url: str) -> Iterator[tuple[Proxy, str]]:
    """A proxy before a server, and its address in the place of the server's."""
    parts = urlsplit(url)
    with Proxy(parts.port or 0).running() as proxy:
        login, _, _ = parts.netloc.rpartition("@")
        yield proxy, parts._replace(netloc=f"{login}@127.0.0.1:{proxy.port}").geturl()


@contextlib.contextmanager
def rig(
    programs: Programs,
    *,
    seconds_factor: float = 1.0,
    home: Path | None = None,
    more: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Rig]:
    """Bring everything up, with durable commits as in production; `more` goes to the processes."""
    folder, senders = home or new_home(), new_home()
    (folder / "failpoints").mkdir()
    try:
        with contextlib.ExitStack() as stack:
            servers = stack.enter_context(
                started(folder, durability=Durability.KEPT, configured=ConfiguredServers())
            )
            valkey_proxy, redis_url = stack.enter_context(behind(servers.addresses.redis_url))
            postgres_proxy, database_url = stack.enter_context(
                behind(servers.addresses.database_url)
            )
            environment = {
                "REDIS_URL": redis_url, "DATABASE_URL": database_url,
                VARIABLE: str(folder / "failpoints"), **more,
            }  # fmt: skip
            setting = setting_of(servers.addresses, folder, WEB_WORKERS, environment)
            make_tables(servers, setting.environment)
            product = stack.enter_context(running(setting, processes=PROCESSES))
            site = OwnSite(servers, product)
            yield Rig(site, programs, valkey_proxy, postgres_proxy, folder, senders, seconds_factor)
    finally:
        shutil.rmtree(senders, ignore_errors=True)
        if home is None:
            shutil.rmtree(folder, ignore_errors=True)
