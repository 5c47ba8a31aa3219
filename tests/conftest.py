"""Fixtures for every test: a live site on real processes, a real browser, the real agent."""

from __future__ import annotations

import gc
from typing import Final

import pytest
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.auth.models import User
from hypothesis import HealthCheck, settings

from tests.support.caching import forget_cache

pytest_plugins = [
    "tests.support.agent",
    "tests.support.catalogue",
    "tests.ci.compiled",
    "tests.support.database",
    "tests.support.static_files",
    "tests.support.accounts.identity_provider",
    "tests.support.live_site",
    "tests.support.browser",
    "tests.support.crawl",
    "tests.support.accounts.people",
    "tests.support.accounts.staff",
    "tests.rankings.dumps.folder",
]

# Each test comes after those whose fixtures stand before its own here: the sweeper of the live site
# takes every upload that it finds, and tests of one scene find it shown.
TURNS: Final = ("built_agent", "live_processes", "catalogue", "long_board", "long_run",
                "measured_run", "live_site")  # fmt: skip

# Examples are judged by what they show: how long one takes says how busy the machine is.
settings.register_profile(
    "any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any-machine")


@pytest.fixture(scope="session")
def worker_id(request: pytest.FixtureRequest) -> str:
    """xdist's name of this process, `master` without xdist."""
    found: str = getattr(request.config, "workerinput", {}).get("workerid", "master")
    return found


@pytest.fixture(autouse=True)
def quotas_of_its_own() -> None:
    """Each test begins with every quota unused: all of them come from one network."""
    forget_cache()


@pytest.fixture
def admin_user(db: None) -> User:
    """pytest-django's, but without a password: nobody types it, and it takes 0.3 s to hash."""
    user = User.objects.create_superuser("admin", "admin@example.com", password=None)
    TOTP.activate(user, generate_totp_secret())  # staff without a second factor see nothing
    return user


def pytest_collection_finish() -> None:
    """Thousands of tests stay for the whole run: the collector need not look at them again."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """In turns, and of each turn what is slow first: no worker ends long after the others.

    Tests of the agent wait for disks and outages. They come in the middle of those that compute,
    where the others keep the processors busy, and long after cargo has begun.
    """
    items.sort(key=lambda item: (_turn(item), item.get_closest_marker("slow") is None))
    alone = [item for item in items if _turn(item) == 0]
    of_agent = [item for item in items if _turn(item) == 1]
    middle = len(alone) // 2
    items[: len(alone) + len(of_agent)] = [*alone[:middle], *of_agent, *alone[middle:]]


def _turn(item: pytest.Item) -> int:
    names = getattr(item, "fixturenames", ())
    turns = TURNS if "live_processes" in names else TURNS[:1]
    return max((turns.index(name) + 1 for name in names if name in turns), default=0)
