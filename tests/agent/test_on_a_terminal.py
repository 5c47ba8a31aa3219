"""What the agent asks and says where a person sits at a terminal."""

from __future__ import annotations

import contextlib
import os
import pty
import subprocess
from pathlib import Path
from typing import Final

import pytest

PORT_OF_NOBODY: Final = "http://127.0.0.1:9"  # nobody listens on discard
SECONDS_MAX: Final = 60
NOT_DELIVERED: Final = 75  # EX_TEMPFAIL of sysexits.h
REFUSED: Final = 69  # EX_UNAVAILABLE


def at_a_terminal(agent: Path, home: Path, *words: str, typed: str = "") -> tuple[int, str]:
    """Run the agent at a terminal; return its status and what stood there."""
    terminal, its_other_side = pty.openpty()
    process = subprocess.Popen(
        [agent, *words], stdin=its_other_side, stdout=its_other_side, stderr=its_other_side,
        cwd=home, env={"FSYNCMARK_HOME": str(home / "keys"), "TERM": "dumb"},
        start_new_session=True,
    )  # fmt: skip
    os.close(its_other_side)
    os.write(terminal, typed.encode())
    shown = b""
    with contextlib.suppress(OSError):  # Linux' way to say that the other side is closed
        while part := os.read(terminal, 4096):
            shown += part
    os.close(terminal)
    return process.wait(timeout=SECONDS_MAX), " ".join(shown.decode().split())


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


def test_a_suite_that_writes_much_asks_first(built_agent: Path, tmp_path: Path) -> None:
    status, shown = at_a_terminal(
        built_agent, tmp_path, "run", ".", "--suite", "standard", "--no-upload", typed="n\n"
    )
    assert "Write that much?" in shown, shown
    assert status == REFUSED, shown
    assert "nobody agreed to write that much" in shown
