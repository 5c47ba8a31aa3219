"""What the agent asks and says where a person sits at a terminal."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

PORT_OF_NOBODY: Final = "http://127.0.0.1:9"  # nobody listens on discard
SECONDS_MAX: Final = 60
NOT_DELIVERED: Final = 75  # EX_TEMPFAIL of sysexits.h
REFUSED: Final = 69  # EX_UNAVAILABLE


def at_a_terminal(agent: Path, home: Path, *words: str, typed: str = "") -> tuple[int, str]:
    """Run the agent at a terminal; return its status and what stood there."""
    with a_terminal(agent, home, *words) as (process, terminal):
        os.write(terminal, typed.encode())
        shown = b""
        with contextlib.suppress(OSError):  # Linux' way to say that the other side is closed
            while part := os.read(terminal, 4096):
                shown += part
        return process.wait(timeout=SECONDS_MAX), " ".join(shown.decode().split())


@contextlib.contextmanager
def a_terminal(
    agent: Path, home: Path, *words: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """The agent at a terminal, and the side of that where a person sits."""
    terminal, its_other_side = pty.openpty()
    process = subprocess.Popen(
        [agent, *words], stdin=its_other_side, stdout=its_other_side, stderr=its_other_side,
        cwd=home, env={"FSYNCMARK_HOME": str(home / "keys"), "TERM": "dumb"},
        start_new_session=True,
    )  # fmt: skip
    os.close(its_other_side)
    try:
        yield process, terminal
    finally:
        os.close(terminal)


@pytest.mark.parametrize("words", [("--yes",), ()])
def test_a_mistyped_server_ends_a_run_before_it_begins(
    built_agent: Path, tmp_path: Path, words: tuple[str, ...]
) -> None:
    status, shown = at_a_terminal(
        built_agent, tmp_path, "run", ".", "--server", PORT_OF_NOBODY, "--wait-quiet=0", *words,
        typed="" if words else "y\n",
    )  # fmt: skip
    assert status == NOT_DELIVERED, shown
    assert "127.0.0.1:9" in shown
    assert "To measure all the same, and send it later: --no-upload." in shown
    assert not list((tmp_path / "keys").rglob("*.json")), "nothing was measured"


def test_while_a_person_is_asked_others_may_have_the_folder(
    built_agent: Path, tmp_path: Path
) -> None:
    with a_terminal(built_agent, tmp_path, "run", ".", "--suite", "standard", "--no-upload") as (
        process,
        terminal,
    ):
        shown = b""
        while b"Write that much?" not in shown:
            shown += os.read(terminal, 4096)
        folder = os.open(tmp_path, os.O_DIRECTORY)
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)  # else BlockingIOError
        os.close(folder)
        os.write(terminal, b"n\n")
        assert process.wait(timeout=SECONDS_MAX) == REFUSED


def test_a_suite_that_writes_much_asks_first(built_agent: Path, tmp_path: Path) -> None:
    status, shown = at_a_terminal(
        built_agent, tmp_path, "run", ".", "--suite", "standard", "--no-upload", typed="n\n"
    )
    assert "Write that much?" in shown, shown
    assert status == REFUSED, shown
    assert "nobody agreed to write that much" in shown
