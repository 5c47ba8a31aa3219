"""Fixtures that bring up the product's real processes on the test database."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import DjangoDbBlocker

from agent import static_build
from apps.config.one_machine.environment import ROOT
from apps.config.one_machine.product import Product, ProductSettings, running
from apps.embedded.postgres import free_port
from apps.embedded.process import wait_until
from apps.rankings.models import CellMark
from apps.rankings.services import refresh_months
from apps.rankings.standings.day import set_standings_day
from apps.runs.models import Upload
from tests.support.accounts.identity_provider import IdentityProvider
from tests.support.catalogue import our_models

T = TypeVar("T")
QUEUED: Final = (Upload.State.RECEIVED, Upload.State.LEASED)
STANDINGS_SECONDS_MAX: Final = 120  # seconds alone; only a test that fails waits for so long
DOWNLOAD_BYTES: Final = 3_000_000  # of what stands for the agent that the site offers


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


class Scenes:
    """What the tables under the live site hold: one scene, which stays for each test that reads it.

    A scene is a function that fills empty tables and returns what its tests ask for. Emptying and
    filling them anew for each test would take longer than most of these tests.
    """

    def __init__(self) -> None:
        self._scene: Callable[[], Any] | None = None
        self._made: Any = None
        self._counts: dict[str, int] = {}

    def show(self, scene: Callable[[], T]) -> T:
        """What `scene` returned when it filled the tables, now or for an earlier test."""
        if self._scene is not scene:
            self.clear()
            set_standings_day(datetime.now(UTC).date())  # as the sweeper would at any moment
            self._made = scene()
            while refresh_months():  # the same
                pass
            self._scene, self._counts = scene, _counts()
        made: T = self._made
        return made

    def clear(self) -> None:
        """Empty the tables, unless they are."""
        if self._scene is not None:
            call_command("flush", interactive=False, verbosity=0)
        self._scene = None

    def spoil(self) -> None:
        """Say that a test writes as it likes: who wants a scene next gets it in empty tables."""
        self._scene = self.spoil

    def check_unchanged(self) -> None:
        """A test that writes needs tables of its own: `live_site` or `browser_page`."""
        if self._scene is not None and (counts := _counts()) != self._counts:
            changed = sorted(label for label in counts if counts[label] != self._counts[label])
            self.clear()
            raise AssertionError(f"a test that shares its rows wrote {', '.join(changed)}")


def _counts() -> dict[str, int]:
    return {model._meta.label: model._default_manager.count() for model in our_models()}


@pytest.fixture(scope="session")
def live_mail(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder into which the live site writes its mails."""
    return tmp_path_factory.mktemp("mail")


@pytest.fixture(scope="session")
def live_processes(
    django_db_setup: None,
    tmp_path_factory: pytest.TempPathFactory,
    worker_id: str,
    identity_provider_process: IdentityProvider,
    live_mail: Path,
) -> Iterator[Product]:
    """The processes, started once: their own queue, the database that pytest-django made."""
    base, _, _ = os.environ["DATABASE_URL"].rpartition("/")
    port = free_port()
    downloads = tmp_path_factory.mktemp("downloads")
    offered = downloads / "agent"
    offered.write_bytes(bytes(DOWNLOAD_BYTES))
    static_build.publish_for_this_machine(offered, downloads)
    environment = {
        **os.environ,
        "DATABASE_URL": f"{base}/{connection.settings_dict['NAME']}",
        **identity_provider_process.environment(),
        "SITE_URL": f"http://127.0.0.1:{port}",
        "ALLOWED_HOSTS": "127.0.0.1,localhost",  # passkeys are not made for an address of figures
        "AGENT_DIST": str(downloads),
        "EMAIL_URL": f"filemail:///{live_mail}",
    }
    setting = ProductSettings(
        port=port,
        worker_name=f"worker-{worker_id}@tests-{os.getpid()}",
        logs=tmp_path_factory.mktemp("live-site"),
        environment=environment,
        web_workers=1,
    )
    with running(setting) as product:
        yield product


@pytest.fixture(scope="session")
def all_scenes() -> Scenes:
    """The scene that this process's tables hold."""
    return Scenes()


@pytest.fixture
def live_site(
    live_processes: Product, transactional_db: None, all_scenes: Scenes
) -> Iterator[LiveSite]:
    """The live site over empty tables, emptied again after the test."""
    all_scenes.clear()
    # Or the sweeper takes it for the first day: it marks all that the test stores, perhaps only
    # after the test, in tables that the next one wants empty.
    set_standings_day(datetime.now(UTC).date())
    yield _checked(live_processes)
    # Or the workers still write when the tables are emptied, and one side of the deadlock fails.
    wait_until(
        lambda: not (CellMark.objects.exists() or Upload.objects.filter(state__in=QUEUED).exists()),
        what="the runs and standings that the test touched are computed",
        seconds=STANDINGS_SECONDS_MAX,
        children=tuple(live_processes.children.values()),
    )


@pytest.fixture
def scenes(
    live_processes: Product, all_scenes: Scenes, django_db_blocker: DjangoDbBlocker
) -> Iterator[Scenes]:
    """The scenes of the live site, for a test that reads."""
    with django_db_blocker.unblock():
        yield all_scenes
        all_scenes.check_unchanged()
        # While the browser's event loop runs Django has a connection of its own, which nobody
        # would find once the loop has ended: the database could not be dropped.
        connection.close()


@pytest.fixture
def shared_site(live_processes: Product, scenes: Scenes) -> LiveSite:
    """The live site over the scene that the test shows."""
    return _checked(live_processes)


def _checked(product: Product) -> LiveSite:
    for child in product.children.values():
        child.check()
    return LiveSite(product)


@pytest.fixture(scope="session")
def repository() -> Path:
    """The root of the checkout."""
    return ROOT
