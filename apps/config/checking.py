"""`./run test` and `./run lint`: each check in turn, one line for each at the end."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from apps.config import agent
from apps.config.environment import ROOT
from apps.embedded.progress import Progress

BIN: Final = Path(sys.executable).parent
# Each takes a database, a web server, a Celery worker and a Chromium: more than eight swamp a
# laptop's memory before they save time.
TEST_WORKERS_MAX: Final = 8
AGENT_TESTS: Final = "agent"  # as a path: `./run test agent` runs cargo's tests


@dataclass(frozen=True)
class Check:
    """One program whose status says whether something holds."""

    name: str
    argv: list[str]
    directory: Path = ROOT
    environment: Mapping[str, str] = field(default_factory=dict)


def test(arguments: list[str], progress: Progress) -> int:
    """All tests, or those below the given paths; `agent` stands for the Rust ones."""
    rust = [Check("Rust tests", [agent.cargo(), "test", "--locked", "--quiet"], agent.CRATE)]
    if arguments:
        paths = [word for word in arguments if word.rstrip("/") != AGENT_TESTS]
        checks = rust if len(paths) < len(arguments) else []
        if paths:
            checks = [*checks, pytest(*paths)]
        return run(checks, progress)
    agent.publish(
        {f"{agent.host_architecture()}-unknown-linux-musl": agent.build_for_this_machine(progress)}
    )
    # `load` keeps the order that collection gave: the tests of the live site come last
    workers = min((os.cpu_count() or 1) + 1, TEST_WORKERS_MAX)  # one waits while others compute
    everything = pytest(
        f"--numprocesses={workers}", "--dist=load", "--maxschedchunk=4", "--cov", "--cov-report="
    )
    return run([*rust, everything, *coverage_gates()], progress)


def pytest(*arguments: str) -> Check:
    return Check("Python and browser tests", [sys.executable, "-m", "pytest", *arguments])


def coverage_gates() -> list[Check]:
    """What must be covered by the whole suite: all of what handles other people's results."""
    command = [str(BIN / "coverage"), "report", "--skip-covered", "--show-missing"]
    strict = ",".join(f"apps/{app}/*" for app in ("wire", "stats", "intake", "runs"))
    return [
        Check("coverage of wire, stats, intake, runs is 100 %",
              [*command, f"--include={strict}", "--fail-under=100"]),
        Check("coverage elsewhere is 90 %",
              [*command, f"--omit={strict}", "--fail-under=90"]),
    ]  # fmt: skip


def lint(arguments: list[str], progress: Progress) -> int:
    """Formatting, types, import contracts, templates, Rust, Dockerfiles."""
    if arguments:
        progress.say("usage: ./run lint")
        return 64
    cargo = agent.cargo()
    checks = [
        Check("ruff check", [str(BIN / "ruff"), "check", "--quiet"]),
        Check("ruff format", [str(BIN / "ruff"), "format", "--check", "--quiet"]),
        Check("import contracts", [str(BIN / "lint-imports")]),
        Check("mypy", [str(BIN / "mypy"), "apps", "tests", "manage.py"],
              environment={"SECRET_KEY": "x" * 50, "REDIS_URL": "redis://127.0.0.1:1/0",
                           "DATABASE_URL": "postgresql://u@127.0.0.1:1/d"}),
        Check("djlint", [str(BIN / "djlint"), "templates", "--lint", "--check"]),
        Check("cargo fmt", [cargo, "fmt", "--check"], agent.CRATE),
        Check("clippy", [cargo, "clippy", "--locked", "--quiet", "--all-targets", "--",
                         "-D", "warnings"], agent.CRATE),
        *clippy_for_macos(progress),
    ]  # fmt: skip
    hadolint = shutil.which("hadolint", path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    dockerfiles = sorted(str(path) for path in (ROOT / "docker").glob("*Dockerfile*"))
    if hadolint is not None:
        checks.append(
            Check("hadolint", [hadolint, "--config", "docker/hadolint.yaml", *dockerfiles])
        )
    return run(checks, progress)


def clippy_for_macos(progress: Progress) -> list[Check]:
    """The code that only macOS compiles: looked at wherever its target is installed."""
    try:
        toolchain = agent.toolchain_for_macos(progress)
    except agent.BuildError as missing:
        progress.say(f"left out: clippy for macOS. To check it too: {missing}")
        return []
    path = [toolchain.environment["PATH"], str(Path(agent.cargo()).parent)]
    return [
        Check(
            "clippy for macOS",
            [str(agent.TOOLS / "bin" / "cargo-zigbuild"), "clippy", "--locked", "--quiet",
             "--target", toolchain.target, "--all-targets", "--", "-D", "warnings"],
            agent.CRATE,
            {**toolchain.environment, "PATH": os.pathsep.join(path)},
        )
    ]  # fmt: skip


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
