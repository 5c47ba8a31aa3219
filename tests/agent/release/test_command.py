"""`./run release` makes all of it, signs it as openssl does, and refuses what is not ready."""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from agent.release import command, facts
from agent.release.checksums import HOW_TO_MAKE, read_key, sign, write_checksums
from agent.release.facts import Release, ReleaseError
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS
from tests.agent.release.conftest import SOURCE


@pytest.fixture
def key(tmp_path: Path) -> Path:
    """A private key as docs/building.md says to make one."""
    file = tmp_path / "key.pem"
    subprocess.run([*HOW_TO_MAKE.split()[:-1], file], check=True, capture_output=True)
    return file


@pytest.mark.daily
def test_a_dry_run_makes_every_file_and_lists_it_in_the_checksums(dist: Path) -> None:
    ended = subprocess.run(
        [ROOT / "run", "release", "--dry-run"],
        check=False, capture_output=True, text=True, env={**os.environ, "AGENT_DIST": str(dist)},
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert "Signed with a key that was made for this" in ended.stderr
    made = {path.name for path in command.FOLDER.iterdir()}
    kinds = sorted(name.rpartition(".")[2] if "." in name else "" for name in made)
    assert kinds == sorted(
        ["deb"] * 2 + ["rpm"] * 2 + ["whl"] * 2
        + ["tar", "rb", "nix", "json", "sig", "", "", ""]
    )  # fmt: skip
    lines = (command.FOLDER / "SHA256SUMS").read_text("ascii").splitlines()
    assert {line[66:] for line in lines} == made - {"SHA256SUMS", "SHA256SUMS.sig"}
    for line in lines:
        digest, name = line.split("  ")
        assert hashlib.sha256((command.FOLDER / name).read_bytes()).hexdigest() == digest
    [bill] = command.FOLDER.glob("*.cdx.json")
    names = {each["name"] for each in json.loads(bill.read_text())["components"]}
    assert {"ring", "ureq"} <= names
    assert "django" not in names


def test_openssl_verifies_the_signature_as_install_sh_does(tmp_path: Path, key: Path) -> None:
    folder = tmp_path / "release"
    folder.mkdir()
    (folder / "file").write_bytes(b"content")
    sums = write_checksums(folder)
    signature = sign(sums, read_key(key))
    public = tmp_path / "public.pem"
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
    # The very words of the script, with its names filled in.
    script = (ROOT / "agent" / "install.sh").read_text(encoding="utf-8")
    begin = script.index("openssl pkeyutl")
    words = script[begin : script.index(" >/dev/null", begin)].replace("\\\n", " ")
    for name, path in (("key.pem", public), ("SHA256SUMS", sums), ("sig", signature)):
        words = words.replace(f'"$work/{name}"', str(path))
    assert subprocess.run(words.split(), check=False, capture_output=True).returncode == 0
    sums.write_text("another", encoding="ascii")
    assert subprocess.run(words.split(), check=False, capture_output=True).returncode != 0


@pytest.mark.parametrize("words", ["genpkey -algorithm x25519 -out", ""])
def test_another_key_is_refused_with_how_to_make_one(tmp_path: Path, words: str) -> None:
    file = tmp_path / "other.pem"
    if words:
        subprocess.run(["openssl", *words.split(), file], check=True, capture_output=True)
    with pytest.raises(ReleaseError, match="openssl genpkey -algorithm ed25519"):
        read_key(file)


@pytest.mark.parametrize(
    "words",
    [
        [], ["--dry-run", "--key", "a"], ["--key", "a"], ["--key"],
        ["--dry-run", "more"],
    ],
)  # fmt: skip
def test_unclear_words_are_answered_by_the_usage(words: list[str]) -> None:
    stream = io.StringIO()
    assert command.make_release(words, Progress(stream)) == USAGE_STATUS
    assert stream.getvalue().startswith("usage: ./run release --dry-run")


def test_without_a_key_everything_but_the_signature_is_made(
    dist: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "FOLDER", ROOT / "build" / f"release-{tmp_path.name}")
    monkeypatch.setattr(command, "refusals", lambda _release: [])
    monkeypatch.setattr(
        command, "release_of", lambda **more: facts.release_of(**more, binaries=dist)
    )
    for slow in ("make_linux_packages", "make_wheels", "make_image", "write_bill"):
        monkeypatch.setattr(command, slow, lambda _release: None)
    stream = io.StringIO()
    try:
        assert command.make_release(["--source", SOURCE], Progress(stream)) == 0
        made = {path.name for path in command.FOLDER.iterdir()}
    finally:
        shutil.rmtree(command.FOLDER)
    assert "SHA256SUMS" in made
    assert "SHA256SUMS.sig" not in made
    assert "Not signed: openssl pkeyutl -sign -rawin" in stream.getvalue()


def test_what_is_not_ready_is_not_signed(
    dist: Path, key: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "FOLDER", tmp_path / "out")
    monkeypatch.setattr(command, "refusals", lambda _release: ["this commit is not tagged"])
    monkeypatch.setattr(
        command, "release_of", lambda **more: facts.release_of(**more, binaries=dist)
    )
    with pytest.raises(ReleaseError, match="not tagged"):
        command.make_release(["--key", str(key), "--source", SOURCE], Progress(io.StringIO()))
    assert not (tmp_path / "out").exists()


def test_without_a_binary_it_says_how_to_build_one(tmp_path: Path) -> None:
    with pytest.raises(ReleaseError, match=r"\./run agent"):
        facts.release_of(source=SOURCE, folder=tmp_path, binaries=tmp_path)


def test_outside_of_git_it_says_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "ROOT", tmp_path)
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    with pytest.raises(ReleaseError, match="a checkout of git"):
        facts.commit_time_s()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert facts.commit_time_s() == 86_400


def test_binstall_asks_for_the_names_that_a_release_has(release: Release) -> None:
    said = facts.crate()["metadata"]["binstall"]
    assert said["pkg-fmt"] == "bin"
    for target, binary in release.binaries.items():
        known = {"repo": SOURCE, "version": release.version, "name": "fsyncmark"}
        gnu = said["overrides"][target.replace("musl", "gnu")]["pkg-url"]
        assert filled(said["pkg-url"], target=target, **known) == release.address(binary.name)
        assert filled(gnu, **known) == release.address(binary.name)


def filled(template: str, **values: str) -> str:
    """The address that binstall makes of its template."""
    return re.sub(r"{ (\w+) }", lambda name: values[name[1]], template)
