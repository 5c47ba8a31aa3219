"""`./run manage` is manage.py with the servers up, and stops with them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

from apps.config.one_machine.environment import ROOT

MANAGE = [sys.executable, "-m", "apps.config.one_machine.with_servers", "manage"]


def manage(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*MANAGE, *words], check=False, cwd=ROOT, env=os.environ, capture_output=True, text=True
    )


def test_words_and_status_are_passed_on() -> None:
    assert "No such command" not in manage("check").stderr
    failed = manage("no-such-command")
    assert failed.returncode == 1
    assert "Unknown command: 'no-such-command'" in failed.stderr


def test_a_polite_kill_is_a_ctrl_c() -> None:
    process = subprocess.Popen(
        [*MANAGE, "shell"],
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
