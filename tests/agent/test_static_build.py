"""The agent is built static with what the machine has, and published with its checksum."""

from __future__ import annotations

import hashlib
import io
import shutil
from pathlib import Path

import pytest

from agent import static_build
from agent.static_build import BuildError, Toolchain
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress


@pytest.fixture
def progress() -> Progress:
    return Progress(io.StringIO())


def only(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Pretend that the machine has these programs and no others."""
    have = {name: f"/usr/bin/{name}" for name in names}
    monkeypatch.setattr(shutil, "which", lambda name, **_: have.get(name))


@pytest.fixture(autouse=True)
def nothing_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a person: ./run test gives its tests an agent."""
    monkeypatch.delenv("FSYNCMARK_AGENT", raising=False)


def test_an_agent_that_is_built_already_is_taken(
    monkeypatch: pytest.MonkeyPatch, progress: Progress
) -> None:
    monkeypatch.setenv("FSYNCMARK_AGENT", "/somewhere/fsyncmark")
    assert static_build.build_for_this_machine(progress) == Path("/somewhere/fsyncmark")


def test_the_tests_get_the_agent_that_is_built_with_them(
    monkeypatch: pytest.MonkeyPatch, progress: Progress
) -> None:
    commands: list[list[str]] = []
    monkeypatch.setattr(static_build, "run_logged", lambda command, **_: commands.append(command))
    assert static_build.build_for_tests(progress).name == static_build.BINARY
    assert commands[0][1:] == ["test", "--locked", "--no-run"]


@pytest.mark.daily
def test_the_binary_for_this_machine_is_static(progress: Progress) -> None:
    binary = static_build.build_for_this_machine(progress)
    assert static_build.is_static(binary)
    assert str(Path.home()).encode() not in binary.read_bytes()


def test_a_dynamic_program_is_told_from_a_static_one(tmp_path: Path) -> None:
    assert not static_build.is_static(Path("/bin/sh").resolve())
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n", encoding="utf-8")
    assert not static_build.is_static(script)


def test_what_is_published_is_listed_with_its_checksum(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(static_build, "DIST", tmp_path / "dist")
    binary = tmp_path / "fsyncmark"
    binary.write_bytes(b"x86_64-unknown-linux-musl")
    static_build.publish({"x86_64-unknown-linux-musl": binary})
    binary.write_bytes(b"aarch64-unknown-linux-musl")
    published = static_build.publish({"aarch64-unknown-linux-musl": binary})
    assert len(published) == 2  # what was there before stays
    sums = (tmp_path / "dist" / "SHA256SUMS").read_text(encoding="ascii").splitlines()
    digest = hashlib.sha256(b"aarch64-unknown-linux-musl").hexdigest()
    assert sums[0] == f"{digest}  fsyncmark-aarch64-unknown-linux-musl"
    assert published[0].stat().st_mode & 0o111


def test_the_host_s_gcc_compiles_for_musl(
    monkeypatch: pytest.MonkeyPatch, progress: Progress
) -> None:
    monkeypatch.setattr(static_build, "host_architecture", lambda: "x86_64")
    only(monkeypatch, "gcc")
    found = static_build.toolchain_for("x86_64-unknown-linux-musl", progress)
    assert found.environment == {"CC_x86_64_unknown_linux_musl": "gcc"}


@pytest.mark.parametrize(
    ("target", "programs"),
    [
        ("x86_64-unknown-linux-musl", ["musl-gcc", "gcc"]),
        ("aarch64-unknown-linux-musl", ["aarch64-linux-musl-gcc", "gcc"]),
    ],
)
def test_a_compiler_for_musl_needs_no_help(
    monkeypatch: pytest.MonkeyPatch, progress: Progress, target: str, programs: list[str]
) -> None:
    monkeypatch.setattr(static_build, "host_architecture", lambda: "x86_64")
    only(monkeypatch, *programs)
    assert static_build.toolchain_for(target, progress) == Toolchain(target)


def test_a_cross_gcc_compiles_and_rust_s_own_linker_links(
    monkeypatch: pytest.MonkeyPatch, progress: Progress
) -> None:
    monkeypatch.setattr(static_build, "host_architecture", lambda: "x86_64")
    only(monkeypatch, "gcc", "aarch64-linux-gnu-gcc")
    found = static_build.toolchain_for("aarch64-unknown-linux-musl", progress)
    assert found.environment == {
        "CC_aarch64_unknown_linux_musl": "aarch64-linux-gnu-gcc",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER": "rust-lld",
    }


def test_zig_compiles_where_there_is_no_cross_gcc(
    monkeypatch: pytest.MonkeyPatch, progress: Progress, tmp_path: Path
) -> None:
    monkeypatch.setattr(static_build, "host_architecture", lambda: "x86_64")
    monkeypatch.setattr(static_build, "TOOLS", tmp_path)
    requirements = ROOT / "requirements" / "agent.txt"
    shutil.copyfile(requirements, tmp_path / "installed.txt")  # as if it had been installed
    only(monkeypatch, "gcc")
    found = static_build.toolchain_for("aarch64-unknown-linux-musl", progress)
    assert found.subcommand == "zigbuild"
    assert found.environment["CARGO_ZIGBUILD_ZIG_PATH"] == str(tmp_path / "ziglang" / "zig")


def installed_zig(monkeypatch: pytest.MonkeyPatch, tools: Path) -> None:
    """Pretend that zig was installed there."""
    monkeypatch.setattr(static_build, "TOOLS", tools)
    shutil.copyfile(ROOT / "requirements" / "agent.txt", tools / "installed.txt")


def test_macos_is_checked_by_zig_where_its_target_is(
    monkeypatch: pytest.MonkeyPatch, progress: Progress, tmp_path: Path
) -> None:
    installed_zig(monkeypatch, tmp_path)
    monkeypatch.setattr(static_build, "has_target", lambda _target: True)
    found = static_build.toolchain_for_macos(progress)
    assert (found.target, found.subcommand) == ("aarch64-apple-darwin", "zigbuild")
    monkeypatch.setattr(static_build, "has_target", lambda _target: False)
    with pytest.raises(BuildError, match="rustup target add aarch64-apple-darwin"):
        static_build.toolchain_for_macos(progress)


@pytest.mark.parametrize("is_there", [True, False])
def test_a_target_that_not_every_release_has_is_built_or_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, is_there: bool
) -> None:
    stream = io.StringIO()
    built: list[str] = []

    def build(toolchain: Toolchain, _progress: Progress) -> Path:
        built.append(toolchain.target)
        binary = tmp_path / "binary"
        binary.write_bytes(b"binary")
        return binary

    installed_zig(monkeypatch, tmp_path)
    monkeypatch.setattr(static_build, "install_auditable", lambda _progress: None)
    monkeypatch.setattr(static_build, "DIST", tmp_path / "dist")
    monkeypatch.setattr(static_build, "add_target", lambda _target: True)
    monkeypatch.setattr(static_build, "has_target", lambda _target: is_there)
    monkeypatch.setattr(static_build, "is_static", lambda _binary: True)
    monkeypatch.setattr(static_build, "build", build)
    published = [path.name for path in static_build.build_all(Progress(stream))]
    riscv = "riscv64gc-unknown-linux-musl"
    assert (riscv in built) == is_there
    assert (f"fsyncmark-{riscv}" in published) == is_there
    assert (f"rustup target add {riscv}" in stream.getvalue()) != is_there


def test_without_cargo_it_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, progress: Progress
) -> None:
    only(monkeypatch)
    with pytest.raises(BuildError, match="apt-get install rustup"):
        static_build.build_for_this_machine(progress)


def test_without_the_musl_target_the_host_s_own_is_built_and_said_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = io.StringIO()
    built: list[str] = []

    def build(toolchain: Toolchain, _progress: Progress) -> Path:
        built.append(toolchain.target)
        return Path("built")

    monkeypatch.setattr(static_build, "add_target", lambda _target: False)
    monkeypatch.setattr(static_build, "install_auditable", lambda _progress: None)
    monkeypatch.setattr(static_build, "build", build)
    static_build.build_for_this_machine(Progress(stream))
    assert built == [""]
    assert "it is not static" in stream.getvalue()
    with pytest.raises(BuildError, match="rustup target add"):
        static_build.build_all(Progress(stream))


def test_a_build_that_fails_shows_the_end_of_its_log(progress: Progress) -> None:
    with pytest.raises(BuildError, match="no-such-subcommand"):
        static_build.build(Toolchain("x", subcommand="no-such-subcommand"), progress)


def test_the_commit_is_known_in_a_checkout_and_not_outside(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(static_build, "ROOT", tmp_path)
    assert static_build.current_commit() is None
    only(monkeypatch)
    assert static_build.current_commit() is None
