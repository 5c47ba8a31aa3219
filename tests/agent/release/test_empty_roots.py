"""Packages and cargo install the program where nothing else is; once a day.

The other architecture's program is the one that `./run agent` left, and qemu runs it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from agent import static_build
from agent.release.facts import Release
from agent.release.linux_packages import package
from apps.config.one_machine.environment import ROOT
from tests.agent.release.conftest import ELSEWHERE, HERE, needs

pytestmark = pytest.mark.daily


def printed(*words: str | Path) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


@pytest.fixture(params=["this machine's", "the other"])
def target(request: pytest.FixtureRequest) -> str:
    return HERE if request.param == "this machine's" else ELSEWHERE


@pytest.fixture
def real(release: Release, target: str) -> Release:
    """The release, with a program that runs on that architecture."""
    if target == HERE:
        return release
    needs(emulator(target))
    built = static_build.target_directory() / target / "release" / static_build.BINARY
    if not built.is_file():
        pytest.skip(f"{target} is not built: ./run agent")
    return Release(**{**vars(release), "binaries": {target: built}})


def emulator(target: str) -> str:
    return f"qemu-{target.partition('-')[0]}-static"


def version_of(program: Path, target: str) -> str:
    """What the installed program says of itself, by qemu where it is another machine's."""
    return printed(*([] if target == HERE else [emulator(target)]), program, "--version")


def test_the_deb_installs_into_an_empty_root_and_verifies(
    real: Release, target: str, version: str, tmp_path: Path
) -> None:
    needs("dpkg", root=True)
    for folder in ("info", "updates"):
        (tmp_path / "var/lib/dpkg" / folder).mkdir(parents=True)
    (tmp_path / "var/lib/dpkg/status").touch()
    dpkg = ("dpkg", f"--root={tmp_path}", "--force-architecture")
    printed(*dpkg, "--install", package(real, target, "deb"))
    assert version_of(tmp_path / "usr/bin/fsyncmark", target) == version
    assert printed(*dpkg, "--verify", "fsyncmark") == ""
    printed(*dpkg, "--remove", "fsyncmark")
    assert not (tmp_path / "usr/bin/fsyncmark").exists()


def test_the_deb_installs_inside_of_a_new_debian(
    release: Release, version: str, tmp_path: Path
) -> None:
    needs("debootstrap", root=True)
    root = tmp_path / "root"
    printed("debootstrap", "--variant=minbase", "stable", root)
    shutil.copy(package(release, HERE, "deb"), root / "fsyncmark.deb")
    printed("chroot", root, "dpkg", "--install", "/fsyncmark.deb")
    assert printed("chroot", root, "fsyncmark", "--version") == version
    assert printed("chroot", root, "dpkg", "--verify", "fsyncmark") == ""


def test_the_rpm_installs_into_an_empty_root_and_verifies(
    real: Release, target: str, version: str, tmp_path: Path
) -> None:
    needs("rpm", root=True)
    rpm = ("rpm", "--root", tmp_path)
    printed(*rpm, "--initdb")
    printed(*rpm, "--ignorearch", "--install", package(real, target, "rpm"))
    assert version_of(tmp_path / "usr/bin/fsyncmark", target) == version
    assert printed(*rpm, "--verify", "fsyncmark") == ""


def test_cargo_installs_from_the_repository(version: str, tmp_path: Path) -> None:
    environment = {**os.environ, "CARGO_TARGET_DIR": str(tmp_path / "target")}
    subprocess.run(
        [static_build.cargo(), "install", "--quiet", "--locked", "--git", f"file://{ROOT}",
         "--root", tmp_path, "fsyncmark"],
        check=True, env=environment,
    )  # fmt: skip
    assert printed(tmp_path / "bin" / "fsyncmark", "--version") == version
