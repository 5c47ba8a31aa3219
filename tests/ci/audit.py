"""`./run audit`: whether a pinned package has a known fault, by the advisories of its registry.

PyPI's advisories by pip-audit, RustSec's by cargo-audit; both are pinned in requirements/audit.txt.
Advisories that cannot be reached are a skip that says so, never a pass. `--offline` asks nobody: it
checks that every pin has its hash and every vendored file is the one that it names.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from tests.ci.sbom import crates, python_packages

PINNED: Final = ("base.txt", "embedded.txt", "dev.txt", "agent.txt", "tools.txt")
TOOLS: Final = "requirements/audit.txt"
UV: Final = ROOT / ".tools" / "bin" / "uv"
SECONDS_MAX: Final = 300  # for one tool: a registry that hangs is one that is away


@dataclass(frozen=True)
class Finding:
    """What was looked at, and what came of it; `faults` None: it could not be looked at."""

    subject: str
    faults: list[str] | None
    note: str = ""

    def __str__(self) -> str:
        if self.faults is None:
            return f"skipped  {self.subject}: {self.note}"
        return "\n".join(
            [f"{'FAILED' if self.faults else 'ok':8} {self.subject} {self.note}".rstrip()]
            + [f"         {fault}" for fault in self.faults]
        )


def audit(arguments: list[str], _progress: Progress) -> int:
    """Print a line for each finding; status 1 where one has faults."""
    findings = [pins(), vendored()]
    if "--offline" not in arguments:
        findings += [*(python_advisories(each) for each in PINNED), rust_advisories()]
    for each in findings:
        print(each)  # noqa: T201 -- what the command is for
    return 1 if any(each.faults for each in findings) else 0


def pins() -> Finding:
    """Every package is pinned by version and hash."""
    try:
        n = sum(len(list(python_packages(file))) for file in PINNED) + len(list(crates()))
    except ValueError as error:
        return Finding("pins", [str(error)])
    return Finding("pins", [], f"({n} packages, each with its hash)")


def vendored() -> Finding:
    """Every file of npm that the site serves is the one that was pinned."""
    folder = ROOT / "static" / "vendor"
    listed = tomllib.loads((folder / "versions.toml").read_text("utf-8"))["file"]
    changed = [
        each["file"]
        for each in listed
        if hashlib.sha256((folder / each["file"]).read_bytes()).hexdigest() != each["sha256"]
    ]
    return Finding("vendored files", changed, f"({len(listed)} files)")


def python_advisories(file: str) -> Finding:
    """What PyPI knows of the pins of a file."""
    command = ["pip-audit", "--requirement", f"requirements/{file}", "--require-hashes",
               "--disable-pip", "--progress-spinner", "off", "--format", "json"]  # fmt: skip
    return read_pip_audit(f"requirements/{file}", *_run(command))


def rust_advisories() -> Finding:
    """What RustSec knows of the crates of the agent."""
    command = ["cargo-audit", "audit", "--json", "--file", "agent/Cargo.lock"]
    return read_cargo_audit("agent/Cargo.lock", *_run(command))


def read_pip_audit(subject: str, output: str, trouble: str) -> Finding:
    """Return what pip-audit's JSON says; without any it reached no advisories."""
    document = _json(output)
    if document is None:
        return Finding(subject, None, f"no advisories reached: {_last_line(trouble)}")
    faults = [
        f"{each['name']} {each['version']}: {fault['id']}, mended in {fault['fix_versions']}"
        for each in document["dependencies"]
        for fault in each.get("vulns", [])
    ]
    unknown = [each["name"] for each in document["dependencies"] if "skip_reason" in each]
    if not faults and len(unknown) == len(document["dependencies"]):
        return Finding(subject, None, "the index answers, and has no advisories")
    note = f"(not asked about: {', '.join(unknown)})" if unknown else ""
    return Finding(subject, faults, note)


def read_cargo_audit(subject: str, output: str, trouble: str) -> Finding:
    """Return what cargo-audit's JSON says; without any it reached no advisories."""
    document = _json(output)
    if document is None or "vulnerabilities" not in document:
        return Finding(subject, None, f"no advisories reached: {_last_line(trouble)}")
    faults = [
        f"{each['package']['name']} {each['package']['version']}: {each['advisory']['id']}"
        for each in document["vulnerabilities"]["list"]
    ]
    return Finding(subject, faults)


def _run(command: Sequence[str]) -> tuple[str, str]:
    """Run a pinned tool in an environment of its own, and return what it wrote."""
    around = [str(UV), "run", "--quiet", "--no-project", "--isolated",
              "--with-requirements", TOOLS]  # fmt: skip
    try:
        ended = subprocess.run(
            [*around, *command],
            cwd=ROOT, capture_output=True, text=True, timeout=SECONDS_MAX, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return "", f"no answer within {SECONDS_MAX} s"
    return ended.stdout, ended.stderr


def _json(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _last_line(text: str) -> str:
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "silence")
