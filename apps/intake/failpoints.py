"""Places where a test can kill this process, to prove that nothing is lost there.

Off unless FSYNCMARK_FAILPOINT names a place, or a folder. The process sends itself SIGKILL there:
at the place, or once for each file in the folder that has the name of the place.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

VARIABLE = "FSYNCMARK_FAILPOINT"


def reach(name: str) -> None:
    """Die here if the environment says so."""
    armed = os.environ.get(VARIABLE)
    if armed and (armed == name or _is_taken(Path(armed) / name)):
        os.kill(os.getpid(), signal.SIGKILL)


def _is_taken(file: Path) -> bool:
    """Remove a file: of several processes that reach a place only one dies of it."""
    try:
        file.unlink()
    except OSError:
        return False
    return True
