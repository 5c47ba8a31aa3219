"""Makes, starts and stops one PostgreSQL cluster on 127.0.0.1 with a password of its own."""

from __future__ import annotations

import contextlib
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from apps.embedded.account import Account
from apps.embedded.binaries import PostgresBinaries
from apps.embedded.home import stored_password, write_private
from apps.embedded.process import Child, ChildError, Command, wait_until

USER = "fsyncmark"  # the superuser, which makes the role of the product and nothing else
ROLE = "fsyncmark_site"  # owns the database
DATABASE = "fsyncmark"
START_SECONDS = 60.0  # recovery after a power cut replays at most a few checkpoints' log
LEFTOVER_SECONDS = 30  # a fast shutdown writes one checkpoint
BIND_TRIES = 5  # another program may take a free port before the server binds it
BUILTIN_LOCALE_MAJOR = 17  # --locale-provider=builtin came with PostgreSQL 17


class Durability(Enum):
    """Whether commits must survive a power cut."""

    KEPT = "fsync"
    TESTS_ONLY = "no fsync"


@dataclass
class Postgres:
    """One cluster in `directory`; start() gives its URL."""

    binaries: PostgresBinaries
    directory: Path
    account: Account
    durability: Durability
    host: str = "127.0.0.1"
    settings: Mapping[str, str] = field(default_factory=dict)  # beside ours, or in their place
    child: Child | None = field(default=None, init=False)

    @property
    def data(self) -> Path:
        return self.directory / f"postgres-{self.binaries.major}"

    @property
    def log(self) -> Path:
        return self.directory / "postgres.log"

    def start(self) -> str:
        """Start the cluster, creating it if needed; return its URL with the password."""
        password = stored_password(self.directory / "postgres.password")
        if not (self.data / "PG_VERSION").exists():
            self._initialise(password)
        self._stop_leftover()
        port = self._launch_on_free_port()
        passwords = {USER: password, ROLE: stored_password(self.directory / "role.password")}
        owner = self._make_database(
            f"postgresql://{USER}:{password}@{self.host}:{port}/postgres", passwords[ROLE]
        )
        return f"postgresql://{owner}:{passwords[owner]}@{self.host}:{port}/{DATABASE}"

    def stop(self) -> None:
        if self.child is not None:
            self.child.stop()
            self.child = None

    def _initialise(self, password: str) -> None:
        """Create the cluster in a partial directory and rename it: it is never incomplete."""
        partial = self.data.with_name(f"{self.data.name}.partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(mode=0o700)
        self.account.give(partial)
        password_file = self.directory / "initdb.password"
        write_private(password_file, password, owner=self.account)
        arguments = [
            f"--pgdata={partial}",
            f"--username={USER}",
            f"--pwfile={password_file}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--data-checksums",
        ]
        if self.binaries.major >= BUILTIN_LOCALE_MAJOR:
            # the same order of text on every system, and no ICU needed
            arguments += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C"]
        else:
            arguments += ["--locale=C.UTF-8"]
        if self.durability is Durability.TESTS_ONLY:
            arguments.append("--no-sync")
        try:
            self._run("initdb", *arguments)
        finally:
            password_file.unlink()
        partial.rename(self.data)

    def _stop_leftover(self) -> None:
        """Stop a server that a killed supervisor left running, which happens on macOS only."""
        if (self.data / "postmaster.pid").exists():
            with contextlib.suppress(ChildError):  # a stale file of a dead server: start removes it
                self._run(
                    "pg_ctl", "stop", f"--pgdata={self.data}", "--mode=fast", "--wait",
                    f"--timeout={LEFTOVER_SECONDS}",
                )  # fmt: skip

    def _launch_on_free_port(self) -> int:
        if "port" in self.settings:
            self._launch(int(self.settings["port"]))
            return int(self.settings["port"])
        for left in reversed(range(BIND_TRIES)):
            port = free_port()
            try:
                self._launch(port)
            except ChildError:
                if not left or not _port_was_taken(self.log):
                    raise
            else:
                return port
        raise AssertionError("the last try returned or raised")

    def _launch(self, port: int) -> None:
        settings = {
            "listen_addresses": self.host,
            "port": str(port),
            "unix_socket_directories": "",
            "max_connections": "100",
            "password_encryption": "scram-sha-256",
            "log_line_prefix": "%m [%p] ",
            "timezone": "UTC",
        }
        if self.durability is Durability.TESTS_ONLY:
            settings |= {"fsync": "off", "full_page_writes": "off", "synchronous_commit": "on"}
        settings |= self.settings
        argv = [self.binaries.program("postgres"), "-D", str(self.data)]
        for name, value in settings.items():
            argv += ["-c", f"{name}={value}"]
        self.child = Child(
            Command(
                name="PostgreSQL",
                argv=argv,
                log=self.log,
                stop_signal=signal.SIGINT,  # fast: SIGTERM would wait for every client
                account=self.account,
                directory=self.data,
                environment=self._environment(),
            )
        )
        wait_until(
            self._is_ready,
            what="PostgreSQL accepts connections",
            seconds=START_SECONDS,
            children=[self.child],
        )

    def _is_ready(self) -> bool:
        """Whether the server is ready by the state line of its pid file."""
        try:
            lines = (self.data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return False
        state_line = 7  # counted from 0; see miscadmin.h, LOCK_FILE_LINE_PM_STATUS
        return (
            self.child is not None
            and len(lines) > state_line
            and lines[0] == str(self.child.process.pid)
            and lines[state_line].strip() == "ready"
        )

    def _make_database(self, url: str, password: str) -> str:
        """Create the product's role and database, if they do not exist; return who owns it.

        That is the superuser in clusters that were made before there was a role.
        """
        import psycopg  # noqa: PLC0415  the one place that talks SQL: the rest starts without it
        from psycopg import sql  # noqa: PLC0415  as above

        role, database = sql.Identifier(ROLE), sql.Identifier(DATABASE)
        owner = "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = %s"
        makes_databases = "CREATEDB" if self.durability is Durability.TESTS_ONLY else "NOCREATEDB"
        alone = "-c synchronous_commit=local"  # a replica can only follow what is there
        with psycopg.connect(url, autocommit=True, options=alone) as connection:
            if found := connection.execute(owner, [DATABASE]).fetchone():
                return str(found[0])
            if not connection.execute("SELECT FROM pg_roles WHERE rolname = %s", [ROLE]).fetchone():
                connection.execute(
                    sql.SQL("CREATE ROLE {} LOGIN " + makes_databases + " PASSWORD {}").format(
                        role, sql.Literal(password)
                    )
                )
            connection.execute(sql.SQL("CREATE DATABASE {} OWNER {}").format(database, role))
        return ROLE

    def _environment(self) -> Mapping[str, str]:
        return {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.binaries.program(program), *arguments],
            check=False,
            cwd="/",
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=dict(self._environment()),
            **self.account.popen_arguments(),
        )
        if done.returncode != 0:
            raise ChildError(f"{program} failed: {done.stderr.strip() or done.stdout.strip()}")


def free_port() -> int:
    """Return a TCP port of 127.0.0.1 that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def is_free(port: int) -> bool:
    """Whether a server could listen on this port of 127.0.0.1 now."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _port_was_taken(log: Path) -> bool:
    return "Address already in use" in log.read_text(encoding="utf-8", errors="replace")[-2000:]
