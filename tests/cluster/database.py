"""A primary and its streaming replica, by the files of docker/scale."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psycopg

from apps.embedded.account import Account
from apps.embedded.binaries import PostgresBinaries, postgres_binaries
from apps.embedded.home import stored_password
from apps.embedded.postgres import DATABASE, USER, Durability, Postgres
from apps.embedded.process import Child, Command, wait_until
from tests.cluster.hosts import SCALE, Hosts

PORT = 5432
UP_SECONDS = 60.0


@dataclass
class Databases:
    """Two servers; `writer` is the host of the one that is written to."""

    hosts: Hosts
    folder: Path
    primary: Child
    replica: Child
    writer: str = "primary"

    def url(self, host: str = "", *, user: str = USER) -> str:
        """The address of a server, without host of the one that is written to."""
        name = "postgres.password" if user == USER else "role.password"
        password = stored_password(self.folder / name)
        address = self.hosts.address(host or self.writer)
        return f"postgresql://{user}:{password}@{address}:{PORT}/{DATABASE}"

    def promote(self) -> None:
        """Make the replica the server that is written to; the primary must be dead by now."""
        with psycopg.connect(self.url("replica"), autocommit=True) as connection:
            connection.execute("SELECT pg_promote()")
        self.writer = "replica"

    def wait_until_replicated(self) -> None:
        """Wait until the replica follows, and commits wait for it."""
        wait_until(
            self._is_replicated, what="the replica follows", seconds=UP_SECONDS,
            children=[self.primary, self.replica],
        )  # fmt: skip

    def _is_replicated(self) -> bool:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            found = connection.execute("SELECT sync_state FROM pg_stat_replication").fetchall()
        return ("sync",) in found


def primary_of(hosts: Hosts, folder: Path) -> Postgres:
    """Return the server that is written to first, with its files in a folder."""
    account = Account.for_servers()
    configuration = folder / "postgresql.conf"
    configuration.write_bytes((SCALE / configuration.name).read_bytes())
    return Postgres(
        postgres_binaries(account=account, home=folder), folder, account, Durability.KEPT,
        host=hosts.address("primary"),
        settings={"config_file": str(configuration), "port": str(PORT)},
    )  # fmt: skip


def make_replication(hosts: Hosts, primary: Postgres) -> str:
    """Run the script that the image of the primary runs; return the password of the role."""
    password = stored_password(primary.directory / "replication.password")
    script(primary.binaries, "make-replication.sh", {
        "PGHOST": hosts.address("primary"), "PGPORT": str(PORT), "PGDATA": str(primary.data),
        "POSTGRES_USER": USER, "REPLICATION_PASSWORD": password,
        "PGOPTIONS": "-c synchronous_commit=local",
        "PGPASSWORD": stored_password(primary.directory / "postgres.password"),
    })  # fmt: skip
    return password


def script(binaries: PostgresBinaries, name: str, environment: dict[str, str]) -> None:
    subprocess.run(
        ["sh", SCALE / name], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        env={"PATH": f"{binaries.directory}:{os.environ['PATH']}", **environment},
    )  # fmt: skip


def start_replica(hosts: Hosts, primary: Postgres, password: str) -> Child:
    """Let it copy the primary and follow."""
    home = primary.directory / "replica"
    home.mkdir(mode=0o700)
    primary.account.give(home)
    start = home / "make-replica.sh"
    start.write_bytes((SCALE / start.name).read_bytes())
    primary.account.give(start)
    configuration = primary.settings["config_file"]
    arguments = {
        "config_file": configuration, "listen_addresses": hosts.address("replica"),
        "unix_socket_directories": "",
    }  # fmt: skip
    return Child(
        Command(
            name="replica",
            argv=["sh", str(start), *(f"--{name}={value}" for name, value in arguments.items())],
            log=primary.directory / "replica.log",
            stop_signal=signal.SIGINT,
            account=primary.account,
            directory=home,
            environment={
                "PATH": f"{primary.binaries.directory}:{os.environ['PATH']}", "LC_ALL": "C",
                "PGDATA": str(home / "data"), "PRIMARY": hosts.address("primary"),
                "REPLICATION_PASSWORD": password,
            },
        )
    )  # fmt: skip
