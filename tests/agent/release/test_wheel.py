"""The wheel puts the released program itself on the path, without asking an index."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

from agent.release.facts import Release
from agent.release.wheel import make_wheels
from apps.config.one_machine.environment import ROOT
from tests.agent.release.conftest import HERE

UV: Final = ROOT / ".tools" / "bin" / "uv"


def test_it_installs_without_an_index_and_runs(
    release: Release, version: str, tmp_path: Path
) -> None:
    wheels = make_wheels(release)
    [wheel] = [each for each in wheels if HERE.partition("-")[0] in each.name]
    environment = tmp_path / "venv"
    subprocess.run([UV, "venv", "--quiet", "--python", sys.executable, environment], check=True)
    subprocess.run(
        [UV, "pip", "install", "--quiet", "--no-index", "--python", environment, wheel], check=True
    )
    program = environment / "bin" / "fsyncmark"
    assert program.read_bytes() == release.binaries[HERE].read_bytes()
    said = subprocess.run([program, "--version"], check=True, capture_output=True, text=True)
    assert said.stdout == version
    subprocess.run([UV, "pip", "check", "--quiet", "--python", environment], check=True)


def test_the_same_release_gives_the_same_bytes(release: Release) -> None:
    first = {wheel.name: wheel.read_bytes() for wheel in make_wheels(release)}
    assert first == {wheel.name: wheel.read_bytes() for wheel in make_wheels(release)}
    assert len(first) == 2


def test_a_version_in_development_sorts_before_its_release(release: Release) -> None:
    early = Release(**{**vars(release), "version": "1.2.3-dev"})
    for wheel in make_wheels(early):
        assert wheel.name.startswith("fsyncmark-1.2.3.dev0-py3-none-manylinux_2_17_")
        with zipfile.ZipFile(wheel) as opened:
            assert (
                "Version: 1.2.3.dev0\n"
                in opened.read("fsyncmark-1.2.3.dev0.dist-info/METADATA").decode()
            )
