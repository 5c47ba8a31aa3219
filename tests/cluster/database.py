"""A primary and its streaming replica, by the files of docker/scale."""

from __future__ import annotations

import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString

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
    first: Postgres  # the primary of the beginning
    password: str  # of the role by which one follows the other
    writer: str = "primary"

    def url(self, host: str = "", *, user: str = USER) -> str:
        """The address of a server, without host of the one that is written to."""
        name = "postgres.password" if user == USER else "role.password"
        password = stored_password(self.first.directory / name)
        address = self.hosts.address(host or self.writer)
        return f"postgresql://{user}:{password}@{address}:{PORT}/{DATABASE}"

    def promote(self) -> None:
        """Make the replica the server that is written to; the primary must be dead by now."""
        self.execute("SELECT pg_promote()", host="replica")
        self.writer = "replica"

    def take_back(self) -> Child:
        """Let the machine of the dead primary follow the other, and commits wait for it."""
        child = follow(self, host="primary", name="old primary")
        self.wait_until_together(child)
        return child

    def wait_until_together(self, follower: Child) -> None:
        """Wait until commits wait for the replica."""
        found = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
        wait_until(
            lambda: bool(self.execute(found)),
            what="the replica follows", seconds=UP_SECONDS, children=[follower],
        )  # fmt: skip

    def execute(self, statement: LiteralString, *, host: str = "") -> list[tuple[Any, ...]]:
        """Run a statement as the superuser."""
        with psycopg.connect(self.url(host), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


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


def follow(databases: Databases, *, host: str, name: str) -> Child:
    """Start a server on a host that copies the one that is written to, and follows it."""
    hosts, first = databases.hosts, databases.first
    home = first.directory / f"following-on-{host}"
    home.mkdir(mode=0o700)
    first.account.give(home)
    start = home / "make-replica.sh"
    start.write_bytes((SCALE / start.name).read_bytes())
    first.account.give(start)
    arguments = {
        "config_file": first.settings["config_file"], "listen_addresses": hosts.address(host),
        "unix_socket_directories": "",
    }  # fmt: skip
    return Child(
        Command(
            name=name,
            argv=["sh", str(start), *(f"--{name}={value}" for name, value in arguments.items())],
            log=first.directory / f"{name}.log",
            stop_signal=signal.SIGINT,
            account=first.account,
            directory=home,
            environment={
                "PATH": f"{first.binaries.directory}:{os.environ['PATH']}", "LC_ALL": "C",
                "PGDATA": str(home / "data"), "PRIMARY": hosts.address(databases.writer),
                "REPLICATION_PASSWORD": databases.password,
            },
        )
    )  # fmt: skip


def start_guard(databases: Databases) -> Child:
    """Start what lets commits wait for the primary alone while the replica is away."""
    hosts, first = databases.hosts, databases.first
    return Child(
        Command(
            name="guard", argv=["sh", str(SCALE / "guard.sh")], log=first.directory / "guard.log",
            environment={
                "PATH": f"{first.binaries.directory}:{os.environ['PATH']}",
                "SERVERS": ",".join(map(hosts.address, ("primary", "replica"))),
                "REPLICATION_PASSWORD": databases.password,
            },
        )
    )  # fmt: skip
