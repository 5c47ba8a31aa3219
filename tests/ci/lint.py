"""`./run lint`: formatting, types, import contracts, templates, Rust, Dockerfiles, workflows."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Final

from agent import static_build
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS
from tests.ci.checks import BIN, Check, run

SCRIPTS: Final = (
    "run", ".ci/run", "agent/install.sh", "agent/miri.sh", "agent/fuzz/run.sh",
    "docker/make-role.sh", "tests/intake/importers/fuzz.sh",
)  # fmt: skip


def lint(arguments: list[str], progress: Progress) -> int:
    """Formatting, types, import contracts, templates, Rust, Dockerfiles, workflows."""
    if arguments:
        progress.say("usage: ./run lint")
        return USAGE_STATUS
    cargo = static_build.cargo()
    modules = [*static_build.CRATE.glob("*.py"), *static_build.CRATE.glob("release/*.py")]
    agent_modules = sorted(str(path) for path in modules)
    python = [
        Check("ruff check", [str(BIN / "ruff"), "check", "--quiet"]),
        Check("ruff format", [str(BIN / "ruff"), "format", "--check", "--quiet"]),
        Check("import contracts", [str(BIN / "lint-imports")]),
        Check("mypy", [str(BIN / "mypy"), "apps", "tests", *agent_modules, "manage.py"],
              environment={"SECRET_KEY": "x" * 50, "REDIS_URL": "redis://127.0.0.1:1/0",
                           "DATABASE_URL": "postgresql://u@127.0.0.1:1/d"}),
        Check("djlint", [str(BIN / "djlint"), "templates", "--lint"]),
    ]  # fmt: skip
    rust = [
        Check("cargo fmt", [cargo, "fmt", "--check"], static_build.CRATE),
        Check("clippy", [cargo, "clippy", "--locked", "--quiet", "--all-targets", "--",
                         "-D", "warnings"], static_build.CRATE),
        *clippy_for_macos(progress),
    ]  # fmt: skip
    python += workflows_and_scripts()
    hadolint = shutil.which("hadolint", path=f"{BIN}{os.pathsep}{os.environ['PATH']}")
    dockerfiles = sorted(str(path) for path in (ROOT / "docker").rglob("*Dockerfile*"))
    if hadolint is not None:
        python.append(
            Check("hadolint", [hadolint, "--config", "docker/hadolint.yaml", *dockerfiles])
        )
    return run([rust, python], progress)


def workflows_and_scripts() -> list[Check]:
    """What runs elsewhere: the forges' machines, and strangers' shells."""
    workflows = sorted(str(path) for path in (ROOT / ".github" / "workflows").glob("*.yml"))
    actions = sorted(str(path) for path in (ROOT / ".github" / "actions").rglob("action.yml"))
    return [
        Check("workflows", [str(BIN / "check-jsonschema"), "--quiet", "--builtin-schema",
                            "vendor.github-workflows", *workflows]),
        Check("actions", [str(BIN / "check-jsonschema"), "--quiet", "--builtin-schema",
                          "vendor.github-actions", *actions]),
        Check("zizmor", [str(BIN / "zizmor"), "--offline", "--quiet", "--no-progress",
                         *workflows, *actions]),
        Check("shellcheck", [str(BIN / "shellcheck"), *SCRIPTS]),
    ]  # fmt: skip


def clippy_for_macos(progress: Progress) -> list[Check]:
    """The code that only macOS compiles: looked at wherever its target is installed."""
    try:
        toolchain = static_build.toolchain_for_macos(progress)
    except static_build.BuildError as missing:
        progress.say(f"left out: clippy for macOS. To check it too: {missing}")
        return []
    path = [toolchain.environment["PATH"], str(Path(static_build.cargo()).parent)]
    return [
        Check(
            "clippy for macOS",
            [str(static_build.TOOLS / "bin" / "cargo-zigbuild"), "clippy", "--locked", "--quiet",
             "--target", toolchain.target, "--all-targets", "--", "-D", "warnings"],
            static_build.CRATE,
            {**toolchain.environment, "PATH": os.pathsep.join(path)},
        )
    ]  # fmt: skip
