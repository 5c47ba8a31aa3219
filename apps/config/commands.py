"""The verbs of ./run, in Python: everything after the environment has been installed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import Final, NoReturn

from apps.config import agent
from apps.config.benchmarks.command import bench
from apps.config.benchmarks.readings import BenchmarkError
from apps.config.checking import lint, test
from apps.config.demo import demo
from apps.config.environment import ROOT, VAR, product_environment
from apps.config.proof import ProofError
from apps.embedded.binaries import MissingServerError
from apps.embedded.process import ChildError, start_tied
from apps.embedded.progress import Progress
from apps.embedded.servers import shared_servers

USAGE_STATUS: Final = 64  # EX_USAGE of <sysexits.h>
INTERRUPTED_STATUS: Final = 130  # what a shell reports for a program that Ctrl-C ended
OUR_ERRORS: Final = (ChildError, MissingServerError, agent.BuildError, ProofError, BenchmarkError)


def run_demo(arguments: list[str], progress: Progress) -> int:
    """The product on this machine, until Ctrl-C or, with --once, until it has been checked."""
    if arguments not in ([], ["--once"]):
        progress.say("usage: ./run demo [--once]")
        return USAGE_STATUS
    return demo(once=bool(arguments), progress=progress)


def run_manage(arguments: list[str], progress: Progress) -> int:
    """manage.py in the product's environment, with the servers up for as long as it runs."""
    with shared_servers(VAR, environment=os.environ, progress=progress) as servers:
        process = start_tied(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=product_environment(servers),
        )
        try:
            return int(process.wait())
        except KeyboardInterrupt:
            process.terminate()  # after a terminal's Ctrl-C it is on its way out already
            process.wait()
            raise


def run_translations(arguments: list[str], progress: Progress) -> int:
    """The catalogues anew from the texts of the code; reads files alone, so no server is needed."""
    progress.say("reading templates, modules and tables")
    unused = {"SECRET_KEY": "x", "DATABASE_URL": "postgresql://", "REDIS_URL": "redis://"}
    command = [sys.executable, "manage.py", "translations", *arguments]
    return subprocess.run(command, check=False, cwd=ROOT, env={**unused, **os.environ}).returncode


def run_agent(_: list[str], progress: Progress) -> int:
    """Static binaries for both architectures."""
    for path in agent.build_all(progress):
        progress.say(f"{path.relative_to(ROOT)}  {path.stat().st_size:,} bytes, static")
    return 0


def main() -> int:
    """Run one verb; our own errors are a few words, not a traceback."""
    verb, *arguments = sys.argv[1:]
    verbs = {
        "demo": run_demo, "manage": run_manage, "agent": run_agent, "test": test, "lint": lint,
        "bench": bench, "translations": run_translations,
    }  # fmt: skip
    progress = Progress()
    # SIGINT too: scripts start what ends in "&" with it ignored
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        return verbs[verb](arguments, progress)
    except OUR_ERRORS as error:
        progress.say(f"./run {verb}: {error}")
        return 1
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS


def interrupt(*_: object) -> NoReturn:
    """A polite kill or a closed terminal stops everything in order, as Ctrl-C does."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
