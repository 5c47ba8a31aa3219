"""Counts the attempts of attack that are proven, and prints how many there were."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.attacks import weakened as door
from tests.attacks import (
    weakened_agent,
    weakened_door,
    weakened_keys,
    weakened_levels,
    weakened_people,
    weakened_texts,
    weakened_tickets,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    from _pytest.terminal import TerminalReporter

PROVEN: pytest.StashKey[int] = pytest.StashKey()
OTHERS: pytest.StashKey[int] = pytest.StashKey()
SERVERS: Final = (
    door,
    weakened_agent,
    weakened_door,
    weakened_keys,
    weakened_levels,
    weakened_people,
    weakened_texts,
    weakened_tickets,
)


class Weakened:
    """The servers of the modules `weakened…`, and whether the attempt has met one of them."""

    def __init__(self) -> None:
        self.was_met = False

    def __getattr__(self, name: str) -> Callable[..., AbstractContextManager[Any]]:
        self.was_met = True
        found = {vars(module)[name] for module in SERVERS if name in vars(module)}
        assert len(found) == 1, f"{len(found)} servers are called {name}"
        server: Callable[..., AbstractContextManager[Any]] = found.pop()
        return server


@pytest.fixture
def weakened() -> Iterator[Weakened]:
    """What an attempt must succeed against, which makes it count."""
    met = Weakened()
    yield met
    assert met.was_met, "it proves nothing: it was not tried on a weakened server"


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    yield
    marked = [item for item in items if item.get_closest_marker("attack") is not None]
    proven = sum("weakened" in getattr(item, "fixturenames", ()) for item in marked)
    config.stash[PROVEN] = proven
    config.stash[OTHERS] = len(marked) - proven


def pytest_report_collectionfinish(config: pytest.Config) -> str:
    return in_words(config) if config.getoption("collectonly") else ""


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    if config.stash.get(PROVEN, 0) + config.stash.get(OTHERS, 0):
        terminalreporter.write_line(in_words(config))


def in_words(config: pytest.Config) -> str:
    """How many attempts succeed against a weakened server, and how many were not tried on one."""
    return (
        f"attempts of attack: {config.stash.get(PROVEN, 0)} proven, "
        f"{config.stash.get(OTHERS, 0)} not proven"
    )
