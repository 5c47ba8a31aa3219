"""One rig for all tests here: bringing it up takes longer than most of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from agent import static_build
from apps.embedded.progress import Progress
from tests.faults.site.rig import Rig, rig
from tests.faults.uploads import Programs

SHORT: Final = 0.02  # of an outage: a fault of twenty seconds takes half a second


@pytest.fixture(scope="session")
def programs(built_agent: Path) -> Programs:
    """The agent of the tests, and the example that is built with them."""
    static_build.build_for_tests(Progress())
    return Programs(built_agent, static_build.binary_of_tests().parent / "examples" / "spool")


@pytest.fixture(scope="session")
def usual_rig(programs: Programs) -> Iterator[Rig]:
    """Servers and processes that faults may hurt."""
    with rig(programs, seconds_factor=SHORT) as found:
        yield found
