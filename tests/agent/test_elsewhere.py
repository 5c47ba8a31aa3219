"""Two builds of the agent in two places are the same to the byte."""

from __future__ import annotations

import io
import re
import subprocess
from pathlib import Path

import pytest

from agent import elsewhere, static_build
from agent.static_build import BuildError, Toolchain
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress


@pytest.mark.daily
def test_a_copy_at_another_path_gives_the_same_bytes_and_lists_its_crates() -> None:
    if static_build.current_commit() is None:
        pytest.skip("agent/ has changes that are not committed")
    ended = subprocess.run(
        [ROOT / "run", "agent", "--verify"], check=False, capture_output=True, text=True
    )
    assert ended.returncode == 0, ended.stderr
    target = f"{static_build.host_architecture()}-unknown-linux-musl"
    assert re.search(rf"the same from two paths: [0-9a-f]{{64}}  fsyncmark-{target}", ended.stderr)
    binary = static_build.target_directory() / target / "release" / static_build.BINARY
    assert b".dep-v0\0" in binary.read_bytes()


def test_bytes_that_depend_on_the_place_are_an_error_that_names_both(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def build(_toolchain: Toolchain, _progress: Progress, *, source: Path) -> Path:
        binary = tmp_path / source.name
        binary.write_text(str(source), encoding="utf-8")
        return binary

    monkeypatch.setattr(static_build, "build", build)
    monkeypatch.setattr(static_build, "toolchain_for", lambda target, _progress: Toolchain(target))
    with pytest.raises(BuildError, match="depends on where it is built"):
        elsewhere.built_twice("x", tmp_path / "copy", Progress(io.StringIO()))


def test_what_is_not_committed_is_not_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static_build, "current_commit", lambda: None)
    with pytest.raises(BuildError, match="commit agent/ first"):
        elsewhere.verify(Progress(io.StringIO()))
