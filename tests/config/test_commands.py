"""The verbs behind ./run end with statuses and words that a person can use."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from apps.config import agent, checking
from apps.config.agent import BuildError, Toolchain
from apps.config.checking import Check, coverage_gates, run
from apps.config.environment import ROOT
from apps.embedded.progress import Progress


def verb(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "apps.config.commands", *words],
        check=False, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True,
    )  # fmt: skip


def test_manage_passes_words_and_status_on() -> None:
    assert "No such command" not in verb("manage", "check").stderr
    failed = verb("manage", "no-such-command")
    assert failed.returncode == 1
    assert "Unknown command: 'no-such-command'" in failed.stderr


def test_our_own_errors_are_a_sentence() -> None:
    failed = verb("agent", PATH="/nowhere", HOME="/nowhere")
    assert failed.returncode == 1
    assert failed.stderr.startswith("./run agent: the agent is built with cargo")
    assert "Traceback" not in failed.stderr


def test_a_polite_kill_is_a_ctrl_c() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "apps.config.commands", "manage", "shell"],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("print('ready', flush=True); import time; time.sleep(600)\n")
    process.stdin.close()
    assert process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=180) == 130
    process.stdout.close()
    assert process.stderr is not None
    process.stderr.close()


def test_every_check_runs_and_each_is_listed(tmp_path: Path) -> None:
    stream = io.StringIO()
    touched = tmp_path / "touched"
    checks = [Check("first", ["false"]), Check("second", ["touch", str(touched)])]
    assert run(checks, Progress(stream)) == 1
    assert touched.exists()
    assert stream.getvalue().splitlines()[-2:] == ["FAILED  first", "ok      second"]
    assert run(checks[1:], Progress(stream)) == 0


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["tests/tidy"], ["Python and browser tests"]),
        (["agent"], ["Rust tests"]),
        (["agent/", "tests/tidy"], ["Rust tests", "Python and browser tests"]),
    ],
)
def test_paths_choose_the_tests(
    words: list[str], names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def note(checks: list[Check], _progress: Progress) -> int:
        ran.extend(check.name for check in checks)
        return 0

    monkeypatch.setattr(checking, "run", note)
    assert checking.test(words, Progress(io.StringIO())) == 0
    assert ran == names


def test_the_gates_leave_no_app_out() -> None:
    strict, rest = (" ".join(gate.argv) for gate in coverage_gates())
    assert "--fail-under=100" in strict
    assert "--fail-under=90" in rest
    for app in ("wire", "stats", "intake", "runs"):
        assert f"apps/{app}/*" in strict
        assert f"apps/{app}/*" in rest


def test_macos_is_linted_where_its_target_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def toolchain(_progress: Progress) -> Toolchain:
        return Toolchain("aarch64-apple-darwin", environment={"PATH": "/zig"})

    monkeypatch.setattr(agent, "toolchain_for_macos", toolchain)
    [check] = checking.clippy_for_macos(Progress(io.StringIO()))
    assert check.argv[1] == "clippy"
    assert check.environment["PATH"].startswith("/zig:")


def test_without_the_target_of_macos_lint_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_progress: Progress) -> Toolchain:
        raise BuildError("rustup target add aarch64-apple-darwin")

    stream = io.StringIO()
    monkeypatch.setattr(agent, "toolchain_for_macos", missing)
    assert checking.clippy_for_macos(Progress(stream)) == []
    assert "rustup target add aarch64-apple-darwin" in stream.getvalue()


def test_lint_takes_no_words() -> None:
    assert verb("lint", "something").returncode == 64
