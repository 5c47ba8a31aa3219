"""The product's processes as children of this one: what ./run demo and the tests bring up."""

from __future__ import annotations

import contextlib
import http
import http.client
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from celery import Celery

from apps.config.one_machine.environment import ROOT
from apps.config.processes import (
    DEFAULTS,
    PROCESSES,
    WORKER,
    Process,
    filled_in,
    in_this_environment,
)
from apps.embedded.process import Child, ChildError, Command, wait_until

READY_SECONDS = 240.0  # seconds: three to five on an idle machine, over a minute on a busy one
PING_SECONDS = 0.5  # a worker on this machine answers in milliseconds


@dataclass(frozen=True)
class ProductSettings:
    """Where one running product listens and writes, and what its processes are told."""

    port: int
    worker_name: str  # unique on the broker, because it is pinged by this name
    logs: Path
    environment: Mapping[str, str]
    web_workers: int | None = None
    host: str = "127.0.0.1"

    @property
    def url(self) -> str:
        return f"http://{self.host}:{self.port}"

    def values(self) -> dict[str, str]:
        """Return the values of `${NAME}` in the commands."""
        own = {"WEB_HOST": self.host, "WEB_PORT": str(self.port), "WORKER_NAME": self.worker_name}
        values = {**DEFAULTS, **own}
        if self.web_workers is not None:
            values["WEB_WORKERS"] = str(self.web_workers)
        return values


@dataclass
class Product:
    """The running processes by name."""

    setting: ProductSettings
    children: dict[str, Child]

    def restart(self, process: Process) -> None:
        """Start a stopped or killed process again, and wait until it answers."""
        child = self.children[process.name]
        child.restart()
        wait_for(self.setting, [child])

    def stop(self) -> None:
        for child in reversed(self.children.values()):
            child.stop()


@contextlib.contextmanager
def running(
    setting: ProductSettings, *, processes: Sequence[Process] = PROCESSES
) -> Iterator[Product]:
    """All processes up and answering; stopped at the end, the last started first."""
    setting.logs.mkdir(parents=True, exist_ok=True)
    product = Product(setting, {})
    try:
        for process in processes:
            product.children[process.name] = start(process, setting)
        wait_for(setting, list(product.children.values()))
        yield product
    finally:
        product.stop()


def start(process: Process, setting: ProductSettings) -> Child:
    """Start one process; its log and its child have its name."""
    return Child(
        Command(
            name=process.name,
            argv=in_this_environment(filled_in(process.argv, setting.values())),
            log=setting.logs / f"{process.name}.log",
            stop_signal=process.stop_signal,
            environment={**setting.environment, **process.environment},
            directory=ROOT,
        )
    )


def wait_for(setting: ProductSettings, children: list[Child]) -> None:
    """Wait for the worker first: one that is stopped before it can ping dies of the signal."""
    names = {child.command.name for child in children}
    if WORKER.name in names:
        broker = Celery(broker=setting.environment["REDIS_URL"], set_as_current=False)
        wait_until(
            lambda: worker_answers(broker, setting.worker_name),
            what="the worker answers",
            seconds=READY_SECONDS,
            children=children,
        )
    if "web" in names:
        wait_until(
            lambda: site_answers(setting.url),
            what=f"{setting.url} answers",
            seconds=READY_SECONDS,
            children=children,
        )


def worker_answers(broker: Celery, worker_name: str) -> bool:
    """Whether the worker of this name replies to a ping through the queue."""
    replies = broker.control.inspect(destination=[worker_name], timeout=PING_SECONDS).ping()
    return bool(replies)


def site_answers(url: str) -> bool:
    """Whether the home page is served. Raises at once if the site answers with an error."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=5)
    try:
        connection.request("GET", "/", headers={"User-Agent": "fsyncmark-supervisor"})
        status = connection.getresponse().status
    except OSError:
        return False
    finally:
        connection.close()
    if status != http.HTTPStatus.OK:
        raise ChildError(f"{url}/ answers with status {status}")
    return True
