"""What a release is: its version, its moment, its binaries, and what stands in each package."""

from __future__ import annotations

import os
import subprocess
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from agent.static_build import BINARY, CRATE, DIST, current_commit
from apps.config.one_machine.environment import ROOT
from apps.embedded.verbs import PlainError

TITLE: Final = "Fsyncmark"
LICENCE_FILE: Final = ROOT / "LICENSE"
COMPLETIONS: Final = CRATE / "data" / "completions"
LINUX: Final = {"x86_64-unknown-linux-musl": "amd64", "aarch64-unknown-linux-musl": "arm64"}
MACOS: Final = {"x86_64-apple-darwin": "amd64", "aarch64-apple-darwin": "arm64"}
UNIVERSAL: Final = "universal-apple-darwin"  # both of them in one file, which no package needs


class ReleaseError(PlainError):
    """A release cannot be made; the message says what to do."""


@dataclass(frozen=True)
class Release:
    """What every package is made of.

    `source` is the address of the repository, below whose releases/download/ the files will lie.
    `made_s` is when its commit was made, in seconds since 1970: the time of every file in every
    package, so that the same commit gives the same bytes. `commit` is the last that touched the
    agent, which its binaries name; None: files of it differ. `binaries` are by target of Rust.
    """

    version: str
    description: str
    licence: str
    source: str
    made_s: int
    commit: str | None
    folder: Path
    binaries: Mapping[str, Path]

    def address(self, name: str) -> str:
        """Where a file of this release will be fetched from."""
        return f"{self.source}/releases/download/v{self.version}/{name}"


def release_of(*, source: str, folder: Path, binaries: Path = DIST) -> Release:
    """The release of this checkout, with what `./run agent` left in a folder."""
    package = crate()
    built = {
        target: binaries / f"{BINARY}-{target}"
        for target in (*LINUX, *MACOS, UNIVERSAL)
        if (binaries / f"{BINARY}-{target}").is_file()
    }
    if not LINUX.keys() & built.keys():
        raise ReleaseError(f"{binaries} has no binary for Linux. Build them first: ./run agent")
    return Release(
        version=package["version"],
        description=package["description"],
        licence=package["license"],
        source=source.rstrip("/"),
        made_s=commit_time_s(),
        commit=current_commit(),
        folder=folder,
        binaries=built,
    )


def crate() -> dict[str, Any]:
    """What agent/Cargo.toml says of the program."""
    manifest = tomllib.loads((CRATE / "Cargo.toml").read_text(encoding="utf-8"))
    package: dict[str, Any] = manifest["package"]
    return package


def commit_time_s() -> int:
    """When the last commit was made, in seconds since 1970; SOURCE_DATE_EPOCH says another."""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given:
        return int(given)
    return int(git("log", "-1", "--format=%ct"))


def git(*words: str) -> str:
    """What git prints about this checkout."""
    try:
        asked = subprocess.run(
            ["git", *words], check=True, cwd=ROOT, capture_output=True, text=True
        )
    except (OSError, subprocess.CalledProcessError) as error:
        raise ReleaseError(
            "a release is made from a checkout of git, with git installed: its files bear the "
            "time of their commit"
        ) from error
    return asked.stdout.strip()
