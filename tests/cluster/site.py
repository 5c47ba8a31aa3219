"""The whole cluster: web hosts behind nginx, workers, a sweeper, PgBouncer, primary and replica."""

from __future__ import annotations

import contextlib
import os
import re
import signal
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Final
from urllib.parse import urlsplit

from celery import Celery

from apps.config.one_machine.product import (
    READY_SECONDS,
    Product,
    ProductSettings,
    site_answers,
    start,
    worker_answers,
)
from apps.config.processes import SWEEPER, WEB, WORKER, Process
from apps.embedded.account import Account
from apps.embedded.binaries import valkey_binary
from apps.embedded.postgres import DATABASE, ROLE
from apps.embedded.process import Child, Command, wait_until
from apps.embedded.servers import Addresses, Servers
from apps.embedded.valkey import Valkey
from tests.cluster.database import Databases, follow, make_replication, primary_of, start_guard
from tests.cluster.hosts import Hosts, system_program
from tests.cluster.pooler import FILE, PORT, accepts, start_pooler
from tests.faults.site.own_site import OwnSite, migrate

WEB_HOSTS: Final = ("web-1", "web-2")
WORKERS: Final = ("worker-1", "worker-2", "worker-3")
WEB_PORT: Final = 8000
NGINX_PORT: Final = 8080
NGINX_SECONDS: Final = 10.0


@dataclass
class Cluster:
    """Everything that runs, by name."""

    hosts: Hosts
    folder: Path
    databases: Databases
    redis_url: str
    stack: contextlib.ExitStack  # stops what was started last first
    children: dict[str, Child] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"http://{self.hosts.address('nginx')}:{NGINX_PORT}"

    def repoint(self) -> None:
        """Let PgBouncer take each of the two servers for the other."""
        file = self.folder / FILE
        one, other = map(self.hosts.address, ("primary", "replica"))
        instead = {f"host={one} ": f"host={other} ", f"host={other} ": f"host={one} "}
        text = re.sub("host=[0-9.]+ ", lambda m: instead[m[0]], file.read_text(encoding="utf-8"))
        file.write_text(text, encoding="utf-8")
        self.children["PgBouncer"].process.send_signal(signal.SIGHUP)

    def take_back(self) -> Child:
        """Let the machine of the dead primary follow the other, until all is stopped."""
        child = self.databases.take_back()
        self.stack.callback(child.stop)
        self.children[child.command.name] = child
        return child

    def as_site(self, setting: ProductSettings) -> OwnSite:
        """As the faults see it: one site behind one address."""
        servers = {"PostgreSQL", "replica", "guard", "Valkey", "PgBouncer"}
        return OwnSite(
            Servers(
                Addresses(self.databases.url(), self.redis_url),
                tuple(self.children[name] for name in self.children if name in servers),
            ),
            Product(setting, {n: each for n, each in self.children.items() if n not in servers}),
        )


@contextlib.contextmanager
def cluster(
    folder: Path, *, more: Mapping[str, str] = MappingProxyType({}), redis_url: str = ""
) -> Iterator[tuple[Cluster, ProductSettings]]:
    """Bring everything up with files in `folder`, and stop it, the last started first."""
    need_programs()
    hosts = Hosts()
    with contextlib.ExitStack() as stack:
        found = _servers(stack, hosts, folder)
        setting = _setting(found, more)
        migrate(setting.environment)
        _product(stack, found, setting)
        found.children["nginx"] = _kept(stack, _nginx(hosts, folder))
        wait_until(
            lambda: site_answers(found.url), what=f"{found.url} answers", seconds=READY_SECONDS,
            children=list(found.children.values()),
        )  # fmt: skip
        yield found, setting


def need_programs() -> None:
    """Look for what is not part of Python's packages: else the others would start in vain."""
    for program in ("pgbouncer", "nginx"):
        system_program(program)


def _kept(stack: contextlib.ExitStack, child: Child) -> Child:
    stack.callback(child.stop)
    return child


def _servers(stack: contextlib.ExitStack, hosts: Hosts, folder: Path) -> Cluster:
    """Primary, replica, Valkey and PgBouncer."""
    primary = primary_of(hosts, folder)
    stack.callback(primary.stop)
    owner = urlsplit(primary.start())
    password = make_replication(hosts, primary)
    databases = Databases(hosts, primary, password)
    replica = _kept(stack, follow(databases, host="replica", name="replica"))
    databases.wait_until_together(replica)
    guard = _kept(stack, start_guard(databases))
    account = Account.for_servers()
    valkey = Valkey(valkey_binary(account=account, home=folder), folder, account)
    stack.callback(valkey.stop)
    found = Cluster(hosts, folder, databases, valkey.start(), stack)
    assert primary.child is not None
    assert valkey.child is not None
    pooler = start_pooler(hosts, folder, user=ROLE, password=str(owner.password))
    found.children = {
        "PostgreSQL": primary.child, "replica": replica, "Valkey": valkey.child,
        "guard": guard, "PgBouncer": _kept(stack, pooler),
    }  # fmt: skip
    return found


def _setting(found: Cluster, more: Mapping[str, str]) -> ProductSettings:
    """What all processes of the product are told, on whichever host."""
    role = urlsplit(found.databases.url(user=ROLE))
    pooled = f"postgresql://{ROLE}:{role.password}@{found.hosts.address('pgbouncer')}:{PORT}"
    environment = {
        **os.environ,
        "SECRET_KEY": "a key of a cluster that lives for an hour, which nobody else ever sees",
        "DATABASE_URL": f"{pooled}/{DATABASE}",
        "DATABASE_REPLICA_URL": f"{pooled}/{DATABASE}-replica",
        "DATABASE_POOLED": "true",
        "REDIS_URL": found.redis_url,
        "SITE_URL": found.url,
        "ALLOWED_HOSTS": found.hosts.address("nginx"),
        "TRUSTED_PROXY_HOPS": "1",
        "EMAIL_URL": f"filemail:///{found.folder / 'mail'}",
        "HEARTBEAT_FOLDER": str(found.folder),
        "DJANGO_SETTINGS_MODULE": "apps.config.settings",
        **more,
    }
    return ProductSettings(
        port=NGINX_PORT, host=found.hosts.address("nginx"), worker_name="", web_workers=2,
        logs=found.folder / "logs", environment=environment,
    )  # fmt: skip


def _product(stack: contextlib.ExitStack, found: Cluster, setting: ProductSettings) -> None:
    """Workers, sweeper and web hosts, each with its commands of processes.py."""
    setting.logs.mkdir(exist_ok=True)

    def begin(process: Process, name: str, own: ProductSettings) -> None:
        found.children[name] = _kept(stack, start(replace(process, name=name), own))

    network = found.hosts.network
    for name in WORKERS:
        begin(WORKER, name, replace(setting, worker_name=f"{name}@{network}"))
    begin(SWEEPER, SWEEPER.name, setting)
    for name in WEB_HOSTS:
        own = replace(setting, host=found.hosts.address(name), port=WEB_PORT)
        begin(WEB, name, own)
    children = list(found.children.values())
    broker = Celery(broker=found.redis_url, set_as_current=False)
    for name in WORKERS:
        wait_until(
            partial(worker_answers, broker, f"{name}@{network}"),
            what=f"{name} answers", seconds=READY_SECONDS, children=children,
        )  # fmt: skip
    for name in WEB_HOSTS:
        wait_until(
            partial(accepts, found.hosts.address(name), WEB_PORT),
            what=f"{name} answers", seconds=READY_SECONDS, children=children,
        )  # fmt: skip


def _nginx(hosts: Hosts, folder: Path) -> Child:
    """nginx in a folder of its own, as the account of the servers."""
    account = Account.for_servers()
    prefix = folder / "nginx"
    prefix.mkdir()
    account.give(prefix)
    file = hosts.write("nginx.conf", folder)
    child = Child(
        Command(
            name="nginx",
            argv=[system_program("nginx"), "-p", str(prefix), "-e", "stderr", "-c", str(file),
                  "-g", "daemon off;"],
            log=folder / "nginx.log", stop_signal=signal.SIGTERM, account=account, directory=prefix,
        )
    )  # fmt: skip
    wait_until(
        lambda: accepts(hosts.address("nginx"), NGINX_PORT),
        what="nginx accepts connections", seconds=NGINX_SECONDS, children=[child],
    )  # fmt: skip
    return child
