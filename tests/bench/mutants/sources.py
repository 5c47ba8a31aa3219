"""A copy of the repository's files, in which something may be changed while people work on them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from apps.config.one_machine.environment import ROOT


def copy_sources(target: Path) -> None:
    """Put every file that git knows, or would add, below the folder, and nothing else."""
    shutil.rmtree(target, ignore_errors=True)
    listed = subprocess.run(
        ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"],
        check=True, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
