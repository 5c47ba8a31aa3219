"""`./run test`: Rust, Python and browser tests, and the gates of their coverage."""

from __future__ import annotations

import os
import sys
from typing import Final

from agent import static_build
from apps.embedded.progress import Progress
from tests.ci.checks import BIN, Check, run

# Each takes a database, a web server, a Celery worker and a Chromium: more than eight swamp a
# laptop's memory before they save time.
TEST_WORKERS_MAX: Final = 8
AGENT_TESTS: Final = "agent"  # as a path: `./run test agent` runs cargo's tests


def test(arguments: list[str], progress: Progress) -> int:
    """All tests, or those below the given paths; `agent` stands for the Rust ones."""
    rust = [
        Check(
            "Rust tests", [static_build.cargo(), "test", "--locked", "--quiet"], static_build.CRATE
        )
    ]
    if arguments:
        paths = [word for word in arguments if word.rstrip("/") != AGENT_TESTS]
        checks = rust if len(paths) < len(arguments) else []
        if paths:
            checks = [*checks, pytest(*paths)]
        return run(checks, progress)
    static_build.publish_for_this_machine(static_build.build_for_this_machine(progress))
    # `load` keeps the order that collection gave: the tests of the live site come last
    workers = min((os.cpu_count() or 1) + 1, TEST_WORKERS_MAX)  # one waits while others compute
    everything = pytest(
        f"--numprocesses={workers}", "--dist=load", "--maxschedchunk=4", "--cov", "--cov-report="
    )
    return run([*rust, everything, *coverage_gates()], progress)


def pytest(*arguments: str) -> Check:
    return Check("Python and browser tests", [sys.executable, "-m", "pytest", *arguments])


def coverage_gates() -> list[Check]:
    """What must be covered by the whole suite: all of what handles other people's results."""
    command = [str(BIN / "coverage"), "report", "--skip-covered", "--show-missing"]
    strict = ",".join(f"apps/{app}/*" for app in ("wire", "stats", "intake", "runs"))
    return [
        Check("coverage of wire, stats, intake, runs is 100 %",
              [*command, f"--include={strict}", "--fail-under=100"]),
        Check("coverage elsewhere is 90 %",
              [*command, f"--omit={strict}", "--fail-under=90"]),
    ]  # fmt: skip
