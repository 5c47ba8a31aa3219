"""Fixtures for every test: a live site on real processes, a real browser, the real agent."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.support.live_site", "tests.support.browser", "tests.support.crawl"]

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


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the live site come last: its sweeper takes every upload that it finds."""
    items.sort(key=lambda item: "live_processes" in getattr(item, "fixturenames", ()))
