"""Children are tied to their parent, stop when asked and are killed when they do not."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from apps.config.one_machine.environment import ROOT
from apps.embedded.process import Child, ChildError, Command, tail, wait_until
from tests.embedded.conftest import wait_for

SAYS_READY = "import sys, signal, time; {setup}; print('ready', flush=True); time.sleep(600)"


def child(tmp_path: Path, program: str, *, stop_signal: signal.Signals = signal.SIGTERM) -> Child:
    log = tmp_path / "child.log"
    started = Child(Command("child", [sys.executable, "-c", program], log, stop_signal=stop_signal))
    wait_for(lambda: "ready" in log.read_text(encoding="utf-8"), "the child is ready")
    return started


def test_a_child_is_stopped_by_its_own_signal(tmp_path: Path) -> None:
    started = child(tmp_path, SAYS_READY.format(setup="pass"), stop_signal=signal.SIGINT)
    started.check()
    started.stop()
    assert started.process.returncode == -signal.SIGINT
    with pytest.raises(ChildError, match="child ended with status -2"):
        started.check()
    started.stop()  # again: nothing happens


def test_a_child_that_will_not_stop_is_killed_with_its_group(tmp_path: Path) -> None:
    stubborn = child(
        tmp_path, SAYS_READY.format(setup="signal.signal(signal.SIGTERM, signal.SIG_IGN)")
    )
    stubborn.stop(seconds=0.1)
    assert stubborn.process.returncode == -signal.SIGKILL


def test_a_crash_can_be_had(tmp_path: Path) -> None:
    started = child(tmp_path, SAYS_READY.format(setup="pass"))
    started.kill()
    assert started.process.returncode == -signal.SIGKILL
    started.kill()  # again: nothing happens


@pytest.mark.skipif(sys.platform != "linux", reason="PR_SET_PDEATHSIG is Linux's own")
def test_a_child_dies_with_its_parent(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    grandchild = SAYS_READY.format(setup="pass")
    program = (
        "import sys, time; from pathlib import Path;"
        "from apps.embedded.process import Child, Command;"
        f"c = Child(Command('c', [sys.executable, '-c', {grandchild!r}], Path({str(log)!r})));"
        "print(c.process.pid, flush=True); time.sleep(600)"
    )
    parent = subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    number = int(parent.stdout.readline())
    wait_for(lambda: log.exists() and "ready" in log.read_text(encoding="utf-8"), "it is ready")
    parent.kill()
    parent.communicate()
    wait_for(lambda: not Path(f"/proc/{number}").exists(), "the child is gone")


def test_waiting_tells_what_for_and_shows_the_end_of_the_logs(tmp_path: Path) -> None:
    log = tmp_path / "child.log"
    ended = Child(Command("child", [sys.executable, "-c", "print('my last words')"], log))
    with pytest.raises(ChildError) as caught:
        wait_until(lambda: False, what="it rains", seconds=60, children=[ended])
    assert "Waiting until it rains: child ended with status 0." in str(caught.value)
    assert "my last words" in str(caught.value)
    with pytest.raises(ChildError, match="it takes too long"):
        wait_until(lambda: False, what="it rains", seconds=0)


def test_the_end_of_a_log_is_short(tmp_path: Path) -> None:
    log = tmp_path / "long.log"
    assert tail(log) == "    (no log)"
    log.write_text("", encoding="utf-8")
    assert tail(log) == "    (empty)"
    log.write_text("x" * 10_000 + "\nlast\n", encoding="utf-8")
    assert tail(log, lines=2).splitlines() == ["    " + "x" * 400, "    last"]
