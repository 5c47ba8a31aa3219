"""`./run lint` looks at what the machine can compile, and says what it leaves out."""

from __future__ import annotations

import io

import pytest

from agent import static_build
from agent.static_build import BuildError, Toolchain
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS
from tests.ci import lint


def test_macos_is_linted_where_its_target_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def toolchain(_progress: Progress) -> Toolchain:
        return Toolchain("aarch64-apple-darwin", environment={"PATH": "/zig"})

    monkeypatch.setattr(static_build, "toolchain_for_macos", toolchain)
    [check] = lint.clippy_for_macos(Progress(io.StringIO()))
    assert check.argv[1] == "clippy"
    assert check.environment["PATH"].startswith("/zig:")


def test_without_the_target_of_macos_lint_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(_progress: Progress) -> Toolchain:
        raise BuildError("rustup target add aarch64-apple-darwin")

    stream = io.StringIO()
    monkeypatch.setattr(static_build, "toolchain_for_macos", missing)
    assert lint.clippy_for_macos(Progress(stream)) == []
    assert "rustup target add aarch64-apple-darwin" in stream.getvalue()


def test_whatever_the_forge_runs_is_looked_at() -> None:
    files = {
        str(path) for path in (ROOT / ".github").rglob("*.yml") if path.parent.name != ".github"
    }
    checks = {check.name: set(check.argv) for check in lint.workflows_and_scripts()}
    assert files <= checks["zizmor"]
    assert files <= checks["workflows"] | checks["actions"]


def test_lint_takes_no_words() -> None:
    assert lint.lint(["something"], Progress(io.StringIO())) == USAGE_STATUS
