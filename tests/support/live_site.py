"""Fixtures that bring up the product's real processes on the test database."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from apps.config.environment import ROOT
from apps.config.product import Product, Setting, running
from apps.embedded.postgres import free_port


@dataclass(frozen=True)
class LiveSite:
    """A real web server, Celery worker and sweeper; `url` has no slash at its end."""

    product: Product

    @property
    def url(self) -> str:
        return self.product.setting.url

    def get(self, path: str) -> tuple[int, str]:
        """Status and body of a page, errors included."""
        return _answer(urllib.request.Request(self.url + path))  # noqa: S310  our own loopback address

    def get_json(self, path: str) -> Any:
        """The body of an API resource, which must be there."""
        status, body = self.get(path)
        assert status == 200, f"{path}: {status} {body[:500]}"
        return json.loads(body)


def _answer(request: urllib.request.Request) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310  as above
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


@pytest.fixture(scope="session")
def live_processes(
    django_db_setup: None,
    tmp_path_factory: pytest.TempPathFactory,
    worker_id: str,
) -> Iterator[Product]:
    """The processes, started once: their own queue, the database that pytest-django made."""
    base, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    port = free_port()
    environment = {
        **os.environ,
        "DATABASE_URL": f"{base}/{connection.settings_dict['NAME']}",
        "SITE_URL": f"http://127.0.0.1:{port}",
        "ALLOWED_HOSTS": "127.0.0.1",
    }
    setting = Setting(
        port=port,
        worker_name=f"worker-{worker_id}@tests-{os.getpid()}",
        logs=tmp_path_factory.mktemp("live-site"),
        environment=environment,
        web_workers=1,
    )
    with running(setting) as product:
        yield product


@pytest.fixture
def live_site(live_processes: Product, transactional_db: None) -> LiveSite:
    """The live site over empty tables, emptied again after the test."""
    for child in live_processes.children.values():
        child.check()
    return LiveSite(live_processes)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT
