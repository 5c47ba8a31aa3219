"""Counts the attempts of attack, and prints how many there were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _pytest.terminal import TerminalReporter

COUNT: pytest.StashKey[int] = pytest.StashKey()


@pytest.hookimpl(hookwrapper=True, trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    yield
    config.stash[COUNT] = sum(item.get_closest_marker("attack") is not None for item in items)


def pytest_terminal_summary(terminalreporter: TerminalReporter, config: pytest.Config) -> None:
    if count := config.stash.get(COUNT, 0):
        terminalreporter.write_line(f"attempts of attack: {count}")
