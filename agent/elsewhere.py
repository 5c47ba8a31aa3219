"""`./run agent --verify`: whether a copy of the checkout at another path gives the same bytes."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from pathlib import Path

from agent import static_build
from agent.static_build import ARCHITECTURES, FURTHER_TARGETS, BuildError
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress


def verify(progress: Progress) -> list[str]:
    """Build every target here and in a copy; return a line for each that was the same twice.

    BuildError names what differs, and where both files lie. The copy is of the last commit: what is
    not committed cannot be built by anybody else.
    """
    if static_build.current_commit() is None:
        raise BuildError("only what is committed can be built twice: commit agent/ first, with git")
    static_build.install_auditable(progress)
    wanted = [*(f"{each}-unknown-linux-musl" for each in ARCHITECTURES), *FURTHER_TARGETS]
    targets = [each for each in wanted if static_build.add_target(each)]
    for each in wanted:
        if each not in targets:
            progress.say(f"left out: {each}. To build it too: rustup target add {each}")
    folder = Path(tempfile.mkdtemp(prefix="fsyncmark-elsewhere-")).resolve()
    copy = folder / "deeper"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(copy)], check=True)
    lines = [built_twice(target, copy, progress) for target in targets]
    shutil.rmtree(folder)  # what differed stays, to be looked at
    return lines


def built_twice(target: str, copy: Path, progress: Progress) -> str:
    """The line of `sha256sum` for a target, which both builds give."""
    toolchain = static_build.auditable(static_build.toolchain_for(target, progress))
    builds = [static_build.build(toolchain, progress, source=each) for each in (ROOT, copy)]
    here, there = (hashlib.sha256(each.read_bytes()).hexdigest() for each in builds)
    if here != there:
        raise BuildError(
            f"{target} depends on where it is built: {builds[0]} has SHA-256 {here}, "
            f"{builds[1]} has {there}. Compare them: diffoscope"
        )
    return f"{here}  {static_build.BINARY}-{target}"
