"""Formula and flake name each binary that was built, where it will lie and by its checksum."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from agent.release.facts import UNIVERSAL, Release
from agent.release.recipes import make_recipes, quoted
from tests.agent.release.conftest import ELSEWHERE, HERE, SOURCE

MAC = "aarch64-apple-darwin"


@pytest.fixture
def recipes(release: Release, tmp_path: Path) -> dict[str, str]:
    """Both texts, of a release with a binary for a Mac too."""
    mac = tmp_path / f"fsyncmark-{MAC}"
    mac.write_bytes(b"of a Mac")
    macs = {MAC: mac, UNIVERSAL: mac}
    whole = Release(**{**vars(release), "binaries": {**release.binaries, **macs}})
    return {path.name: path.read_text(encoding="utf-8") for path in make_recipes(whole)}


def test_the_file_for_every_mac_is_in_no_package(recipes: dict[str, str]) -> None:
    assert MAC in recipes["fsyncmark.rb"]
    assert not [name for name, text in recipes.items() if UNIVERSAL in text]


@pytest.mark.parametrize("target", [HERE, ELSEWHERE])
def test_each_names_the_binary_and_its_checksum(
    recipes: dict[str, str], release: Release, target: str
) -> None:
    address = f"{SOURCE}/releases/download/v{release.version}/fsyncmark-{target}"
    digest = hashlib.sha256(release.binaries[target].read_bytes()).digest()
    assert f'url "{address}"\n      sha256 "{digest.hex()}"' in recipes["fsyncmark.rb"]
    sri = f"sha256-{base64.b64encode(digest).decode()}"
    assert f'url = "{address}";\n          hash = "{sri}";' in recipes["flake.nix"]


def test_a_machine_stands_under_its_system(recipes: dict[str, str]) -> None:
    linux, mac = recipes["fsyncmark.rb"].split("on_macos do")
    assert (linux.count("on_intel do"), linux.count("on_arm do")) == (1, 1)
    assert (mac.count("on_intel do"), mac.count("on_arm do")) == (0, 1)
    assert "aarch64-darwin = {" in recipes["flake.nix"]
    assert "x86_64-darwin" not in recipes["flake.nix"]


def test_homebrew_runs_the_program_once_it_may(recipes: dict[str, str]) -> None:
    """It fetches a bare file as 0644, and the program prints its own completions."""
    install = recipes["fsyncmark.rb"].split("def install\n")[1]
    steps = [re.split(r"[ (]", line.strip())[0] for line in install.splitlines()[:3]]
    assert steps == ["bin.install", "chmod", "generate_completions_from_executable"]


def test_nothing_in_a_text_is_computed() -> None:
    assert quoted('a "b" ${c} #{d}') == r'"a \"b\" \${c} \#{d}"'


@pytest.mark.parametrize(
    ("words", "name"),
    [(["ruby", "-c"], "fsyncmark.rb"), (["nix-instantiate", "--parse"], "flake.nix")],
)
def test_its_own_language_can_read_it(
    recipes: dict[str, str], tmp_path: Path, words: list[str], name: str
) -> None:
    if shutil.which(words[0]) is None:
        pytest.skip(f"{words[0]} is not here")
    store = {"NIX_STORE_DIR": f"{tmp_path}/store", "NIX_STATE_DIR": f"{tmp_path}/state"}
    subprocess.run(
        [*words, tmp_path / name], check=True, capture_output=True, env={**os.environ, **store}
    )
    assert recipes[name]
