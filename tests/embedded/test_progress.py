"""Steps of less than two seconds are silent, longer ones count the seconds."""

from __future__ import annotations

import io

import pytest

from apps.embedded import progress
from apps.embedded.progress import Progress
from tests.embedded.conftest import wait_for


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("QUIET_SECONDS", "TERMINAL_SECONDS", "LOG_SECONDS"):
        monkeypatch.setattr(progress, name, 0.01)


def test_a_quick_step_is_silent() -> None:
    stream = io.StringIO()
    with Progress(stream).step("Waiting for nothing"):
        pass
    assert not stream.getvalue()


@pytest.mark.usefixtures("impatient")
def test_a_log_gets_whole_lines() -> None:
    stream = io.StringIO()
    with Progress(stream).step("Building"):
        wait_for(lambda: stream.getvalue().count("\n") > 1, "two lines were written")
    lines = stream.getvalue().splitlines()
    assert lines[0] == "Building … 0 s"
    assert lines[-1].startswith("Building: done in 0.")


@pytest.mark.usefixtures("impatient")
def test_a_terminal_gets_one_line_that_changes() -> None:
    stream = Terminal()

    def fail() -> None:
        with Progress(stream).step("Building"):
            wait_for(lambda: stream.getvalue().count("\r") > 1, "the line was written twice")
            raise RuntimeError("boom")

    with pytest.raises(RuntimeError, match="boom"):
        fail()
    assert stream.getvalue().count("\n") == 1
    assert "Building: stopped in" in stream.getvalue()
