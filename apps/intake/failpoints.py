"""Places where a test can kill this process, to prove that nothing is lost there.

Off unless FSYNCMARK_FAILPOINT names a place. There the process sends itself SIGKILL.
"""

from __future__ import annotations

import os
import signal

VARIABLE = "FSYNCMARK_FAILPOINT"


def reach(name: str) -> None:
    """Die here if the environment says so."""
    if os.environ.get(VARIABLE) == name:
        os.kill(os.getpid(), signal.SIGKILL)
