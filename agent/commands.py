"""`./run agent` and `./run demo`: the two verbs that begin by building the agent."""

from __future__ import annotations

import sys
import time

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


def build_agents(_: list[str], progress: Progress) -> int:
    """Static binaries for both architectures."""
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
    sys.exit(run_verb({"agent": build_agents, "demo": run_demo}, sys.argv[1:]))
