"""The bytecode of the tests, which one worker of xdist makes for all of them.

In a fresh checkout each would compile five hundred modules and rewrite their asserts: 8 s of CPU.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.support.catalogue import SHARED, one_at_a_time

COMPILES: Final = "FSYNCMARK_TESTS_COMPILES"  # set where the first worker has to
COMPILED: Final = "compiled"  # in the folder of all workers: it has


def pytest_configure(config: pytest.Config) -> None:
    """The first process looks what is there; the others inherit what it found."""
    if not hasattr(config, "workerinput"):
        is_fresh = not any(Path(__file__).parents[1].glob("*/__pycache__/test_*.pyc"))
        os.environ[COMPILES] = "1" if is_fresh and not sys.dont_write_bytecode else ""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """Wait for who compiles, then collect what it left beside the others."""
    if os.environ[COMPILES] and hasattr(session.config, "workerinput"):
        shared = Path(os.environ[SHARED])
        with one_at_a_time(shared / f"{COMPILED}.lock"):
            if not (shared / COMPILED).exists():
                yield
                (shared / COMPILED).touch()
                return
    yield
