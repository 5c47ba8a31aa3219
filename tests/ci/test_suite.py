"""`./run test` runs what is asked for, and its gates leave no app out."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path

import pytest

from agent import static_build
from apps.embedded.progress import Progress
from tests.ci import suite
from tests.ci.checks import Lane
from tests.ci.suite import coverage_gates

PYTHON = "Python and browser tests"
RUST = ["Rust tests", "Rust tests without a harness"]
REPORT = """<testsuites><testsuite>
<testcase name="quick" classname="agent" time="0.5">
<system-err>a warning
stack ... left out: needs root</system-err></testcase>
<testcase name="slow" classname="agent" time="2"/>
</testsuite></testsuites>"""


@pytest.fixture
def lanes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Lane]:
    """The lanes that a test would have run, on an agent that nobody built."""
    ran: list[Lane] = []
    agent = tmp_path / "agent"
    agent.touch()

    def note(lanes: Sequence[Lane], _progress: Progress) -> int:
        ran.extend(lanes)
        return 0

    monkeypatch.setattr(suite, "run", note)
    for build in ("build_for_tests", "build_for_this_machine"):
        monkeypatch.setattr(static_build, build, lambda _progress: agent)
    return ran


def names(lanes: list[Lane]) -> list[list[str]]:
    return [[check.name for check in lane] for lane in lanes]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["tests/tidy"], [[PYTHON]]),
        (["agent"], [RUST]),
        (["agent/", "tests/tidy"], [RUST, [PYTHON]]),
    ],
)
def test_paths_choose_the_tests(
    words: list[str], expected: list[list[str]], lanes: list[Lane]
) -> None:
    assert suite.test(words, Progress(io.StringIO())) == 0
    assert names(lanes) == expected


def test_rust_runs_beside_python_and_what_is_daily_is_left_out(lanes: list[Lane]) -> None:
    assert suite.test([], Progress(io.StringIO())) == 0
    assert names(lanes) == [RUST, [PYTHON]]
    [_, [python]] = lanes
    assert "not daily" in python.argv
    assert "--cov" not in python.argv
    assert f"--durations={suite.SLOWEST}" in python.argv


def test_all_counts_what_is_covered_and_leaves_nothing_out(lanes: list[Lane]) -> None:
    assert suite.test(["--all"], Progress(io.StringIO())) == 0
    assert names(lanes) == [RUST, [PYTHON, *(gate.name for gate in coverage_gates())]]
    [_, [python, *_]] = lanes
    assert "--cov" in python.argv
    assert "not daily" not in python.argv


def test_the_slowest_rust_tests_are_named_and_those_that_were_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(static_build, "target_directory", lambda: tmp_path)
    assert suite.slowest_rust_tests() == "nextest left no report"
    report = tmp_path / suite.NEXTEST_REPORT
    report.parent.mkdir(parents=True)
    report.write_text(REPORT, encoding="utf-8")
    assert suite.slowest_rust_tests().splitlines() == [
        "   2.00s agent slow", "   0.50s agent quick", "stack ... left out: needs root",
    ]  # fmt: skip


def test_the_gates_leave_no_app_out() -> None:
    strict, rest = (" ".join(gate.argv) for gate in coverage_gates())
    assert "--fail-under=100" in strict
    assert "--fail-under=90" in rest
    for app in ("wire", "stats", "intake", "runs"):
        assert f"apps/{app}/*" in strict
        assert f"apps/{app}/*" in rest
