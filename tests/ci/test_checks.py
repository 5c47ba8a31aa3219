"""Every check runs, whatever became of the one before it or beside it."""

from __future__ import annotations

import io
import os
import re
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from tests.ci.checks import Check, Lane, run
from tests.embedded.conftest import wait_for

SLEEPER = """
import io
from apps.embedded.progress import Progress
from apps.embedded.verbs import run_verb
from tests.ci.checks import Check, run
shell = ["sh", "-c", "echo $$; exec sleep 600"]
run_verb({"test": lambda _, progress: run([[Check("a", shell)]], progress)}, ["test"])
"""


def run_in_a_thread(lanes: list[Lane], stream: io.StringIO) -> int:
    """The status of `run`; in this thread the event loop of a browser may be running already."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(run, lanes, Progress(stream)).result()


def test_every_check_runs_and_each_is_listed(tmp_path: Path) -> None:
    stream = io.StringIO()
    touched = tmp_path / "touched"
    checks = [Check("first", ["false"]), Check("second", ["touch", str(touched)])]
    assert run_in_a_thread([checks], stream) == 1
    assert touched.exists()
    assert re.search(r"\nFAILED  first \(\d+ s\)\nok      second \(\d+ s\)\n$", stream.getvalue())
    assert run_in_a_thread([checks[1:]], stream) == 0


def test_lanes_run_beside_each_other_and_only_the_last_writes_as_it_goes(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)  # opening it waits for the other side, so neither ends alone
    writes = Check("writes", ["sh", "-c", f"echo kept; echo through > {pipe}"])
    reads = Check("reads", ["cat", str(pipe)])
    stream = io.StringIO()
    assert run_in_a_thread([[writes], [reads]], stream) == 0
    assert capfd.readouterr().out == "through\n"
    assert "--- writes\nkept\n" in stream.getvalue()


def test_notes_are_said_once_a_check_has_ended() -> None:
    stream = io.StringIO()
    run_in_a_thread([[Check("first", ["true"], notes=lambda: "and it was slow")]], stream)
    assert re.search(r"--- first\nand it was slow\nok +first", stream.getvalue())


def test_what_is_killed_leaves_no_check_behind() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPER], cwd=ROOT, stdout=subprocess.PIPE, text=True,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    sleeper = int(process.stdout.readline())
    process.send_signal(signal.SIGTERM)
    process.wait(timeout=60)
    process.stdout.close()
    wait_for(lambda: not Path(f"/proc/{sleeper}").exists(), "the check has ended")
