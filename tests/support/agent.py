"""The agent's binary, for the tests that start it."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent import static_build
from apps.embedded.progress import Progress


@pytest.fixture(scope="session")
def built_agent() -> Path:
    """The agent: as it is shipped to this machine, or the one that is built with the Rust tests.

    Cargo waits here until the Rust tests, which run beside these, are built.
    """
    binary = static_build.build_for_this_machine(Progress())
    if binary == static_build.binary_of_tests():
        static_build.build_for_tests(Progress())
    return binary
