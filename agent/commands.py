"""`./run agent`, `./run release` and `./run demo`: the verbs that need the agent built."""

from __future__ import annotations

import sys
import time

from agent.elsewhere import verify
from agent.release.command import make_release
from agent.static_build import (
    DIST,
    build_all,
    build_for_this_machine,
    publish_for_this_machine,
)
from apps.config.one_machine.demo import demo
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS, run_verb


def build_agents(arguments: list[str], progress: Progress) -> int:
    """Static binaries for both architectures; with --verify, whether they come out the same."""
    if arguments == ["--verify"]:
        for line in verify(progress):
            progress.say(f"the same from two paths: {line}")
        return 0
    if arguments:
        progress.say("usage: ./run agent [--verify]")
        return USAGE_STATUS
    for path in build_all(progress):
        progress.say(f"{path.relative_to(ROOT)}  {path.stat().st_size:,} bytes, static")
    return 0


def run_demo(arguments: list[str], progress: Progress) -> int:
    """The product on this machine, until Ctrl-C or, with --once, until it has been checked."""
    if arguments not in ([], ["--once"]):
        progress.say("usage: ./run demo [--once]")
        return USAGE_STATUS
    began = time.monotonic()
    binary = build_for_this_machine(progress)
    publish_for_this_machine(binary)
    demo(binary, downloads=DIST, once=bool(arguments), began=began, progress=progress)
    return 0


if __name__ == "__main__":
    sys.exit(
        run_verb({"agent": build_agents, "release": make_release, "demo": run_demo}, sys.argv[1:])
    )
