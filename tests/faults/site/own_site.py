"""A site with a PostgreSQL and a Valkey of its own, which a test may stop, kill and fill."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import requests

from apps.config.one_machine.environment import ROOT
from apps.config.one_machine.product import Product, ProductSettings, running
from apps.config.processes import PROCESSES, Process
from apps.embedded.postgres import Durability, free_port
from apps.embedded.process import Child, wait_until
from apps.embedded.servers import Addresses, ConfiguredServers, Servers, started

BACK_SECONDS_MAX: Final = 120.0  # seconds alone; only a test that fails waits for so long
PAGE_SECONDS_MAX: Final = 30.0
SCHEMAS: Final = ROOT / "build" / "schemas"


@dataclass(frozen=True)
class OwnSite:
    """The servers and processes of one site."""

    servers: Servers
    product: Product

    @property
    def url(self) -> str:
        return self.product.setting.url

    @property
    def database_url(self) -> str:
        return self.servers.addresses.database_url

    def server(self, name: str) -> Child:
        """PostgreSQL or Valkey."""
        (found,) = (each for each in self.servers.children if each.command.name == name)
        return found

    def children(self) -> list[Child]:
        return [*self.servers.children, *self.product.children.values()]

    def get(self, path: str, **headers: str) -> requests.Response:
        """An answer, redirects not followed."""
        return requests.get(
            self.url + path, headers=headers, timeout=PAGE_SECONDS_MAX, allow_redirects=False
        )

    def wait_until_ready(self) -> float:
        """Wait until it can serve again, and return the seconds that it took."""
        began = time.monotonic()
        wait_until(self.is_ready, what="the site is ready", seconds=BACK_SECONDS_MAX)
        return time.monotonic() - began

    def is_ready(self) -> bool:
        with contextlib.suppress(requests.ConnectionError):
            return self.get("/readyz").status_code == 200
        return False


@contextlib.contextmanager
def own_site(
    *, processes: Sequence[Process] = PROCESSES, durability: Durability = Durability.TESTS_ONLY,
    web_workers: int = 2, home: Path | None = None, **environment: str,
) -> Iterator[OwnSite]:  # fmt: skip
    """Servers with migrated tables, and these processes on them."""
    directory = home or new_home()
    try:
        with started(directory, durability=durability, configured=ConfiguredServers()) as servers:
            setting = setting_of(servers.addresses, directory, web_workers, environment)
            make_tables(servers, setting.environment)
            with running(setting, processes=processes) as product:
                yield OwnSite(servers, product)
    finally:
        if home is None:
            shutil.rmtree(directory, ignore_errors=True)


def new_home() -> Path:
    """A directory that the account of the servers may pass through, unlike pytest's own."""
    directory = Path(tempfile.mkdtemp(prefix="fsyncmark-test-", dir="/var/tmp"))
    directory.chmod(0o755)
    return directory


def setting_of(
    addresses: Addresses, home: Path, web_workers: int, environment: Mapping[str, str]
) -> ProductSettings:
    """Where the site listens, and what its processes are told."""
    port = free_port()
    return ProductSettings(
        port=port,
        worker_name=f"own-{port}@tests-{os.getpid()}",
        logs=home / "logs",
        web_workers=web_workers,
        environment={
            **os.environ,
            "SECRET_KEY": "a key of a site that lives for one test, which nobody else ever sees",
            "DATABASE_URL": addresses.database_url,
            "REDIS_URL": addresses.redis_url,
            "CELERY_QUEUE": f"own-{port}",
            "SITE_URL": f"http://127.0.0.1:{port}",
            "ALLOWED_HOSTS": "127.0.0.1,localhost",
            "EMAIL_URL": f"filemail:///{home / 'mail'}",
            "HEARTBEAT_FOLDER": str(home),
            "DJANGO_SETTINGS_MODULE": "apps.config.settings",
            **environment,
        },
    )


def migrate(environment: Mapping[str, str]) -> None:
    """Make the tables."""
    subprocess.run(
        [sys.executable, "manage.py", "migrate", "--verbosity", "0"],
        check=True, cwd=ROOT, env=dict(environment), stdin=subprocess.DEVNULL,
    )  # fmt: skip


def make_tables(servers: Servers, environment: Mapping[str, str]) -> None:
    """Make the tables as migrations do, which the first site since they changed lets run.

    All others get what these left: a fifth of a second in the place of six.
    """
    address = f"--dbname={environment['DATABASE_URL']}"
    SCHEMAS.mkdir(parents=True, exist_ok=True)
    schema = SCHEMAS / f"{_digest_of_migrations()}.dump"
    with (SCHEMAS / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not schema.exists():
            migrate(environment)
            _run(servers, "pg_dump", "--format=custom", f"--file={schema}.new", address)
            schema.with_name(f"{schema.name}.new").rename(schema)
            return
    _run(servers, "pg_restore", "--single-transaction", "--exit-on-error", address, str(schema))


def _run(servers: Servers, program: str, *words: str) -> None:
    """Run a program of the PostgreSQL that runs."""
    (server,) = (each for each in servers.children if each.command.name == "PostgreSQL")
    path = Path(server.command.argv[0]).with_name(program)
    subprocess.run([path, "--no-owner", *words], check=True, stdin=subprocess.DEVNULL)


def _digest_of_migrations() -> str:
    """Name what tables follow from: our migrations, and the packages that bring others."""
    files = [*ROOT.glob("apps/*/migrations/*.py"), ROOT / "requirements" / "base.txt"]
    names = [f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes() for file in sorted(files)]
    return hashlib.sha256(b"\0".join(names)).hexdigest()[:16]
