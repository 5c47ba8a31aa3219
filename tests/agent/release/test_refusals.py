"""A release goes out tagged, built from its commit, and known to the site."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from agent.release import refusals
from agent.release.facts import LINUX, Release
from apps.config.one_machine.environment import ROOT
from apps.runs.rules.agents import AGENTS_FILE
from tests.agent.release.conftest import ELSEWHERE, HERE

COMMIT: Final = "c0ffee" * 6 + "c0ff"
READY: Final = {"tag": "v1.0.0", "status": ""}


def program(version: str = "1.0.0", commit: str = COMMIT, said: str = "") -> bytes:
    """What names its version and commit as a binary does, and runs here."""
    return f"#!/bin/sh\necho fsyncmark {said or version}\n# {version} {commit}\n".encode()


@pytest.fixture
def ready(release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Release:
    """A release of which nothing is missing."""
    monkeypatch.setattr(refusals, "git", lambda verb, *_: READY[verb])
    for target in LINUX:
        (tmp_path / target).write_bytes(program())
        (tmp_path / target).chmod(0o700)
    binaries = {target: tmp_path / target for target in LINUX}
    changes = {"version": "1.0.0", "commit": COMMIT, "binaries": binaries}
    ready = Release(**{**vars(release), **changes})
    monkeypatch.setattr(refusals, "ROOT", tmp_path)
    know(ready, tmp_path)
    return ready


def know(release: Release, root: Path) -> None:
    """Add the row that is printed to the releases that the site knows."""
    file = root / refusals.AGENTS
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{{\n{refusals.row_of(release)}\n}}\n", encoding="utf-8")


def test_a_release_that_is_ready_is_not_refused(ready: Release) -> None:
    assert refusals.refusals(ready) == []


@pytest.mark.parametrize(
    ("answers", "said"),
    [
        ({"tag": "v0.9.0"}, "git tag --sign v1.0.0"),
        ({"status": " M x"}, "commit them first"),
    ],
)
def test_a_release_that_is_not_of_its_tag_says_what_to_do(
    ready: Release, monkeypatch: pytest.MonkeyPatch, answers: dict[str, str], said: str
) -> None:
    monkeypatch.setattr(refusals, "git", lambda verb, *_: {**READY, **answers}[verb])
    [refusal] = refusals.refusals(ready)
    assert said in refusal


def test_a_version_of_development_is_none_and_no_binary_is_too_few(ready: Release) -> None:
    early = Release(**{**vars(ready), "version": "1.0.0-dev"})
    assert "one of development: set it in agent/Cargo.toml" in refusals.refusals(early)[0]
    empty = Release(**{**vars(ready), "binaries": {}})
    assert "not built: x86_" in refusals.refusals(empty)[0]


@pytest.mark.parametrize(
    ("target", "content"),
    [
        (HERE, program("0.9.0")),
        (ELSEWHERE, program(commit="0" * 40)),
        (HERE, program(said="0.9.0")),
        (HERE, b"\x7fELF 1.0.0 " + COMMIT.encode()),
    ],
)
def test_a_binary_of_another_commit_is_not_signed(
    ready: Release, tmp_path: Path, target: str, content: bytes
) -> None:
    ready.binaries[target].write_bytes(content)
    know(ready, tmp_path)
    [refusal] = refusals.refusals(ready)
    assert refusal == f"not of 1.0.0, or of its commit: {target}. Run ./run agent"


def test_the_agent_of_these_tests_names_its_version(release: Release) -> None:
    built = Release(**{**vars(release), "commit": None})
    assert refusals.is_of(built, HERE)
    assert not refusals.is_of(Release(**{**vars(built), "version": "99.0.0"}), HERE)


@pytest.mark.parametrize(
    "change",
    [
        {"commit": "0" * 40},
        {"binaries": {}},
        {"binaries": {HERE: "0" * 64, ELSEWHERE: "0" * 64}},
        None,
    ],
)
def test_a_release_that_the_site_does_not_know_is_refused_with_its_row(
    ready: Release, tmp_path: Path, change: dict[str, Any] | None
) -> None:
    file = tmp_path / refusals.AGENTS
    whole = json.loads(file.read_text(encoding="utf-8"))
    stated = {} if change is None else {"1.0.0": {**whole["1.0.0"], **change}}
    file.write_text(json.dumps(stated), encoding="utf-8")
    [refusal] = refusals.refusals(ready)
    assert refusal.startswith("apps/runs/data/agents.json lacks this release")
    assert json.loads("{" + refusal.split("Its row:\n")[1] + "}") == whole


def test_a_mac_s_binary_may_be_added_when_it_is_known(ready: Release, tmp_path: Path) -> None:
    mac = tmp_path / "mac"
    mac.write_bytes(program())
    with_mac = Release(
        **{**vars(ready), "binaries": {**ready.binaries, "x86_64-apple-darwin": mac}}
    )
    assert refusals.refusals(with_mac) == []


def test_it_is_the_list_that_the_site_reads() -> None:
    assert ROOT / refusals.AGENTS == AGENTS_FILE
