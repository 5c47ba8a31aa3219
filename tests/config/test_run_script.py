"""./run says what it can do, and what it misses."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from apps.config.one_machine.environment import ROOT

UNAVAILABLE = 69  # EX_UNAVAILABLE of <sysexits.h>
SHELL_TOOLS = ("sh", "dirname", "cat", "cksum", "date", "sleep", "mkdir", "rm", "env", "cmp", "cp")


def run(
    directory: Path, *arguments: str, path: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": path or os.environ["PATH"], "HOME": str(directory)}
    return subprocess.run(
        ["./run", *arguments], check=False, cwd=directory, env=environment,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=180,
    )  # fmt: skip


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A checkout in which nothing has been installed yet: the script and the requirements."""
    shutil.copy2(ROOT / "run", tmp_path / "run")
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    return tmp_path


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A PATH with what any POSIX system has, and no Python."""
    directory = tmp_path / "tools"
    directory.mkdir()
    for name in SHELL_TOOLS:
        found = shutil.which(name)
        assert found is not None, name
        (directory / name).symlink_to(found)
    return directory


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    path.chmod(0o755)


@pytest.mark.parametrize("words", [["help"], ["-h"], []])
def test_help_names_every_command(fresh: Path, words: list[str]) -> None:
    answer = run(fresh, *words)
    assert answer.returncode == 0
    for verb in ("demo", "test", "lint", "bench", "cluster", "manage", "agent", "lock"):
        assert f"./run {verb}" in answer.stdout


def test_an_unknown_command_is_refused_with_the_help(fresh: Path) -> None:
    answer = run(fresh, "dmeo")
    assert answer.returncode == UNAVAILABLE
    assert "no command 'dmeo'" in answer.stderr
    assert not answer.stdout


def test_without_python_it_says_how_to_get_it(fresh: Path, tools: Path) -> None:
    answer = run(fresh, "demo", path=str(tools))
    assert answer.returncode == UNAVAILABLE
    assert "apt-get install python3 python3-pip" in answer.stderr


def test_an_old_python_does_not_count(fresh: Path, tools: Path) -> None:
    script(tools / "python3", "exit 1")  # what the question for 3.11 is answered with
    assert "needs Python 3.11" in run(fresh, "demo", path=str(tools)).stderr


def test_without_pip_it_says_how_to_get_it(fresh: Path, tools: Path) -> None:
    script(tools / "python3", '[ "$1" != -m ]')
    answer = run(fresh, "demo", path=str(tools))
    assert answer.returncode == UNAVAILABLE
    assert "apt-get install python3-pip" in answer.stderr


def test_a_step_that_fails_shows_its_output(fresh: Path, tools: Path) -> None:
    script(tools / "python3", 'case "$*" in *install*) echo no network; exit 1 ;; esac')
    answer = run(fresh, "demo", path=str(tools))
    assert answer.returncode == UNAVAILABLE
    assert "no network" in answer.stderr
    assert "Installing uv failed" in answer.stderr
