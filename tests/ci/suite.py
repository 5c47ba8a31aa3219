"""`./run test`: Rust tests beside Python and browser tests; with --all also what is slow to prove.

Once a day is enough for those proofs; README.md names them.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

from agent import static_build
from apps.embedded.progress import Progress
from tests.ci.checks import BIN, Check, Lane, run

# Each takes a database, a web server, a Celery worker and a Chromium: more than eight swamp a
# laptop's memory before they save time.
TEST_WORKERS_MAX: Final = 8
SLOWEST: Final = 20  # so many tests of either language are named at the end, with their seconds
AGENT_TESTS: Final = "agent"  # as a path: `./run test agent` runs the Rust tests
ALL: Final = "--all"
NOT_DAILY: Final = ("-m", "not daily")
COUNTED: Final = ("--cov", "--cov-report=")
WITHOUT_HARNESS: Final = "timed_calls"  # which nextest therefore cannot list
LEFT_OUT: Final = "... left out: "  # what agent/tests/support/stacks.rs says
NEXTEST_SETTINGS: Final = Path(__file__).with_name("nextest.toml")
NEXTEST_REPORT: Final = Path("nextest", "default", "junit.xml")  # below cargo's target directory


def test(arguments: list[str], progress: Progress) -> int:
    """All tests but the daily ones, really all with --all, or those below the given paths."""
    if arguments and arguments != [ALL]:
        return run(lanes_of(arguments), progress)
    if not arguments:
        beside = on_all_cores(*NOT_DAILY, agent=static_build.binary_of_tests())
        return run([rust_tests(), [beside]], progress)
    released = static_build.build_for_this_machine(progress)
    counted = on_all_cores(*COUNTED, agent=released)
    return run([rust_tests(), [counted, *coverage_gates()]], progress)


def lanes_of(arguments: list[str]) -> list[Lane]:
    """The Rust tests where they are asked for, and Python's with the other words."""
    paths = [word for word in arguments if word.rstrip("/") != AGENT_TESTS]
    rust = [rust_tests()] if len(paths) < len(arguments) else []
    return [*rust, [python_tests(*paths)]] if paths else rust


def rust_tests() -> Lane:
    cargo = static_build.cargo()
    path = f"{Path(cargo).parent}{os.pathsep}{os.environ['PATH']}"
    nextest = [
        str(BIN / "cargo-nextest"), "nextest", "run", "--locked", "--lib", "--tests",
        "--no-fail-fast",
        "--config-file", str(NEXTEST_SETTINGS), "--status-level", "fail",
        "--filterset", f"not binary({WITHOUT_HARNESS})",
    ]  # fmt: skip
    return [
        Check("Rust tests", nextest, static_build.CRATE, {"PATH": path}, slowest_rust_tests),
        Check("Rust tests without a harness",
              [cargo, "test", "--locked", "--quiet", "--test", WITHOUT_HARNESS],
              static_build.CRATE),
    ]  # fmt: skip


def slowest_rust_tests() -> str:
    """Durations as pytest has them, and why tests left themselves out: nextest prints neither."""
    report = static_build.target_directory() / NEXTEST_REPORT
    if not report.is_file():
        return "nextest left no report"
    cases = list(ET.parse(report).iter("testcase"))  # noqa: S314  nextest wrote it
    seconds = {f"{each.get('classname')} {each.get('name')}": float(each.get("time", 0))
               for each in cases}  # fmt: skip
    slowest = sorted(seconds, key=lambda name: -seconds[name])[:SLOWEST]
    said = (line for each in cases for line in each.findtext("system-err", "").splitlines())
    left_out = sorted(line for line in said if LEFT_OUT in line)
    return "\n".join([*(f"{seconds[name]:7.2f}s {name}" for name in slowest), *left_out])


def python_tests(*arguments: str, environment: dict[str, str] | None = None) -> Check:
    return Check(
        "Python and browser tests",
        [sys.executable, "-m", "pytest", *arguments],
        environment=environment or {},
    )


def on_all_cores(*arguments: str, agent: Path) -> Check:
    """Python's tests on every core, with the agent of this path.

    The Rust tests build theirs beside them: what starts it comes late, and waits for cargo.
    """
    workers = min((os.cpu_count() or 1) + 1, TEST_WORKERS_MAX)  # one waits while others compute
    return python_tests(
        # collection's order stays: the tests of the live site come last, as they start processes
        f"--numprocesses={workers}", "--dist=loadgroup", "--no-loadscope-reorder",
        f"--durations={SLOWEST}", *arguments,
        environment={"FSYNCMARK_AGENT": str(agent)},
    )  # fmt: skip


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
