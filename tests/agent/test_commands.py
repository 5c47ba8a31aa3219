"""`./run agent` ends with a sentence where something is missing."""

from __future__ import annotations

import os
import subprocess
import sys

from apps.config.one_machine.environment import ROOT


def test_an_error_of_ours_is_a_sentence() -> None:
    nothing = {**os.environ, "PATH": "/nowhere", "HOME": "/nowhere"}
    failed = subprocess.run(
        [sys.executable, "-m", "agent.commands", "agent"],
        check=False, cwd=ROOT, env=nothing, capture_output=True, text=True,
    )  # fmt: skip
    assert failed.returncode == 1
    assert failed.stderr.startswith("./run agent: the agent is built with cargo")
    assert "Traceback" not in failed.stderr
