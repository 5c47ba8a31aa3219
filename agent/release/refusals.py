"""Why a release must not go out: what is missing, and what is of another commit."""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any, Final

from agent.release.facts import LINUX, Release, git
from agent.static_build import BINARY, host_architecture
from apps.config.one_machine.environment import ROOT

AGENTS: Final = Path("apps") / "runs" / "data" / "agents.json"  # which releases the site knows


def refusals(release: Release) -> list[str]:
    """Why this must not go out, each with what to do."""
    tag = f"v{release.version}"
    missing = [target for target in LINUX if target not in release.binaries]
    others = [target for target in release.binaries if not is_of(release, target)]
    return [
        text
        for text, is_so in (
            (f"the version {release.version} is one of development: set it in agent/Cargo.toml",
             "-" in release.version),
            (f"this commit is not tagged: git tag --sign {tag}",
             tag not in git("tag", "--points-at", "HEAD").splitlines()),
            ("files differ from the commit: commit them first", bool(git("status", "--porcelain"))),
            (f"not built: {', '.join(missing)}. ./run agent says what it needs", bool(missing)),
            (f"not of {release.version}, or of its commit: {', '.join(others)}. Run ./run agent",
             bool(others)),
            (f"{AGENTS} lacks this release, by which sites know it. Its row:\n{row_of(release)}",
             not is_known(release)),
        )
        if is_so
    ]  # fmt: skip


def is_of(release: Release, target: str) -> bool:
    """Whether a binary was built as this version from this commit."""
    binary = release.binaries[target]
    content = binary.read_bytes()
    if not all(word.encode() in content for word in (release.version, release.commit or "")):
        return False
    return target != f"{host_architecture()}-unknown-linux-musl" or says_so(release, binary)


def says_so(release: Release, binary: Path) -> bool:
    try:
        asked = subprocess.run([binary, "--version"], check=False, capture_output=True, text=True)
    except OSError:
        return False
    return asked.stdout == f"{BINARY} {release.version}\n"


def is_known(release: Release) -> bool:
    """Whether the site has this release: all of Linux, and nothing that is otherwise."""
    rows = json.loads((ROOT / AGENTS).read_text(encoding="utf-8"))
    stated = rows.get(release.version, {"commit": None, "binaries": {}})
    built = row(release)
    return (
        stated["commit"] == built["commit"]
        and LINUX.keys() & built["binaries"].keys() <= stated["binaries"].keys()
        and all(built["binaries"].get(target, digest) == digest
                for target, digest in stated["binaries"].items())
    )  # fmt: skip


def row_of(release: Release) -> str:
    """The line to add."""
    return f" {json.dumps(release.version)}: {json.dumps(row(release))}"


def row(release: Release) -> dict[str, Any]:
    digests = {
        target: hashlib.sha256(binary.read_bytes()).hexdigest()
        for target, binary in release.binaries.items()
    }
    return {"commit": release.commit, "binaries": digests}
