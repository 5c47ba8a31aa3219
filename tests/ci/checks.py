"""Checks: programs that run in turn, with one line for each at the end."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from apps.config.environment import ROOT
from apps.embedded.progress import Progress

BIN: Final = Path(sys.executable).parent


@dataclass(frozen=True)
class Check:
    """One program whose status says whether something holds."""

    name: str
    argv: list[str]
    directory: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)


def run(checks: list[Check], progress: Progress) -> int:
    """Run every check, even after one failed, and list how each ended."""
    failed = []
    for check in checks:
        progress.say(f"--- {check.name}")
        environment = {**os.environ, **check.environment}
        done = subprocess.run(check.argv, check=False, cwd=check.directory, env=environment)
        if done.returncode != 0:
            failed.append(check.name)
    for check in checks:
        progress.say(f"{'FAILED' if check.name in failed else 'ok':6}  {check.name}")
    return 1 if failed else 0
