"""A release of the agent of these tests, made once."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

from agent.release.facts import LINUX, Release, release_of
from agent.static_build import host_architecture

ARCHITECTURE: Final = LINUX.get(f"{host_architecture()}-unknown-linux-musl", "")
HERE: Final = f"{host_architecture()}-unknown-linux-musl"
ELSEWHERE: Final = next(target for target in LINUX if target != HERE)
SOURCE: Final = "https://example.org/fsyncmark"


def needs(*programs: str, root: bool = False) -> None:
    """Leave the test out where the machine has not all of these."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not here")
    if root and os.geteuid() != 0:
        pytest.skip("only root can do this")


@pytest.fixture(scope="session")
def dist(built_agent: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What `./run agent` leaves; in place of the other architecture's binary stand a few bytes."""
    if platform.system() != "Linux":
        pytest.skip("packages of Linux are tried there")
    folder = tmp_path_factory.mktemp("dist")
    binary = folder / f"fsyncmark-{HERE}"
    shutil.copy2(built_agent, binary)
    subprocess.run(["strip", binary], check=True)  # packing what debuggers read takes seconds
    (folder / f"fsyncmark-{ELSEWHERE}").write_bytes(b"\x7fELF of the other architecture")
    return folder


@pytest.fixture
def release(dist: Path, tmp_path: Path) -> Release:
    """Nothing is made of it yet."""
    return release_of(source=SOURCE, folder=tmp_path, binaries=dist)


@pytest.fixture(scope="session")
def version(built_agent: Path) -> str:
    """What the program prints when asked."""
    return subprocess.run(
        [built_agent, "--version"], check=True, capture_output=True, text=True
    ).stdout
