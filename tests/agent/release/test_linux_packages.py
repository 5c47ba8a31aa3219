"""The .deb and the .rpm hold the released program and its completions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest
import rpmfile

from agent.release.facts import Release, ReleaseError
from agent.release.linux_packages import make_linux_packages, package
from tests.agent.release.conftest import ARCHITECTURE, HERE

FILES: Final = {
    "deb": {
        "usr/bin/fsyncmark",
        "usr/share/bash-completion/completions/fsyncmark",
        "usr/share/doc/fsyncmark/copyright",
        "usr/share/fish/vendor_completions.d/fsyncmark.fish",
        "usr/share/zsh/vendor-completions/_fsyncmark",
    },
}
FILES["rpm"] = {each.replace("vendor-completions", "site-functions") for each in FILES["deb"]}


@pytest.fixture
def deb(release: Release) -> Path:
    return package(release, HERE, "deb")


@pytest.fixture
def rpm(release: Release) -> Path:
    return package(release, HERE, "rpm")


@pytest.mark.skipif(shutil.which("dpkg-deb") is None, reason="dpkg-deb is of Debian and Ubuntu")
def test_the_deb_unpacks_to_the_program_and_its_completions(
    deb: Path, release: Release, version: str, tmp_path: Path
) -> None:
    root = tmp_path / "root"
    subprocess.run(["dpkg-deb", "--extract", deb, root], check=True)
    unpacked = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert unpacked == FILES["deb"]
    program = root / "usr" / "bin" / "fsyncmark"
    assert program.read_bytes() == release.binaries[HERE].read_bytes()
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
    assert said.stdout == version
    fields = ("Package", "Architecture", "Version", "Depends")
    described = subprocess.run(
        ["dpkg-deb", "--field", deb, *fields], check=True, capture_output=True, text=True
    ).stdout
    assert f"Architecture: {ARCHITECTURE}\n" in described
    assert f"Version: {release.version.replace('-', '~')}\n" in described  # before the release
    assert "Depends" not in described


def test_the_rpm_holds_the_program_and_its_completions(rpm: Path, release: Release) -> None:
    with rpmfile.open(rpm) as found:
        names = {each.name.removeprefix("./") for each in found.getmembers()}
        program = found.extractfile("./usr/bin/fsyncmark").read()
        headers = found.headers
    assert names == FILES["rpm"]
    assert program == release.binaries[HERE].read_bytes()
    assert headers["name"] == b"fsyncmark"
    assert headers["version"] == release.version.replace("-", "~").encode()


@pytest.mark.daily
def test_both_architectures_have_both_formats_and_the_same_bytes_twice(release: Release) -> None:
    made = {path.name: path.read_bytes() for path in make_linux_packages(release)}
    assert len(made) == 4
    assert {name.rpartition(".")[0].rpartition("_")[2] for name in made if "deb" in name} == {
        "amd64", "arm64",
    }  # fmt: skip
    again = {path.name: path.read_bytes() for path in make_linux_packages(release)}
    assert made == again


def test_what_nfpm_cannot_do_is_said(release: Release, tmp_path: Path) -> None:
    missing = Release(**{**vars(release), "binaries": {HERE: tmp_path / "no-such-file"}})
    with pytest.raises(ReleaseError, match=r"(?s)nfpm made no deb of .*no-such-file"):
        make_linux_packages(missing)
