"""There are as many proven attempts as there were, and one day as many as we want."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Final

from apps.config.one_machine.environment import ROOT

FLOOR: Final = 776  # proven so far, which only rises


def test_no_proven_attempt_is_lost() -> None:
    listed = subprocess.run(
        [sys.executable, "-m", "pytest", "tests/attacks", "--collect-only", "-q", "-m", "attack"],
        check=True, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    counted = re.search(r"attempts of attack: (\d+) proven", listed.stdout)
    assert counted
    assert int(counted[1]) >= FLOOR, counted[0]
