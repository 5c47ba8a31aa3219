"""Builds the agent: static musl binaries with what this machine has, without root."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from apps.config.one_machine.environment import ROOT
from apps.embedded.process import tail, tie_to_parent
from apps.embedded.progress import Progress
from apps.embedded.verbs import PlainError

CRATE: Final = ROOT / "agent"
# where the site finds what it offers for download; the setting of the same name tells it
DIST: Final = Path(os.environ.get("AGENT_DIST", CRATE / "dist"))
TOOLS: Final = ROOT / ".tools" / "agent"
BINARY: Final = "fsyncmark"
# writes into a binary which crates it is made of, so that scanners find them: cargo audit bin FILE
AUDITABLE: Final = ("cargo-auditable", "0.7.7")
ARCHITECTURES: Final = ("x86_64", "aarch64")
# built where Rust's standard library for it is installed already: not every release of it has one
FURTHER_TARGETS: Final = ("riscv64gc-unknown-linux-musl",)
MACOS: Final = "aarch64-apple-darwin"
MACHINE_NAMES: Final = {"amd64": "x86_64", "arm64": "aarch64"}  # as Windows, BSD and macOS say it

# Less of the standard library is copied into its callers: 65 kB of the download. What is marked
# #[inline], as the timed loops are, has another threshold.
INLINE_LITTLE: Final = "-Cllvm-args=-inline-threshold=5"

NO_CARGO = """the agent is built with cargo, and there is none on PATH or in ~/.cargo/bin.
  Rust's own installer: see rustup.rs, then open a new shell
  Debian 13, Ubuntu 24.04 and newer: apt-get install rustup gcc && rustup default stable"""


class BuildError(PlainError):
    """The agent could not be built; the message says what to do."""


@dataclass(frozen=True)
class Toolchain:
    """How one target is built: which cargo subcommand, with which variables."""

    target: str
    subcommand: str = "build"
    environment: Mapping[str, str] = field(default_factory=dict)


def host_architecture() -> str:
    machine = platform.machine().lower()
    return MACHINE_NAMES.get(machine, machine)


def cargo() -> str:
    """The path of cargo."""
    found = shutil.which("cargo") or shutil.which("cargo", path=str(Path.home() / ".cargo" / "bin"))
    if found is None:
        raise BuildError(NO_CARGO)
    return found


def build_for_this_machine(progress: Progress) -> Path:
    """The binary that runs here: static where rustup has the musl target, else the host's own.

    FSYNCMARK_AGENT names one that is built already: the tests share theirs.
    """
    given = os.environ.get("FSYNCMARK_AGENT")
    if given:
        return Path(given)
    target = f"{host_architecture()}-unknown-linux-musl"
    if not add_target(target):
        progress.say(
            f"rustup cannot add {target} here: building the agent for this machine's own target. "
            "It measures the same; it is not static."
        )
        return build(Toolchain(target=""), progress)
    return build(toolchain_for(target, progress), progress)


def build_for_tests(progress: Progress) -> Path:
    """The agent that the Rust tests start: quick to build, and it checks its arithmetic."""
    with progress.step("Building the agent and its tests"):
        run_logged([cargo(), "test", "--locked", "--no-run"], log_name="agent-tests-build")
    return binary_of_tests()


def binary_of_tests() -> Path:
    """Where cargo leaves the agent that the Rust tests start."""
    return target_directory() / "debug" / BINARY


def build_all(progress: Progress) -> list[Path]:
    """Static binaries for every architecture, in agent/dist with their checksums."""
    built = {}
    install_auditable(progress)
    for architecture in ARCHITECTURES:
        target = f"{architecture}-unknown-linux-musl"
        if not add_target(target):
            raise BuildError(
                f"Rust's standard library for {target} is missing. "
                f"With rustup: rustup target add {target}"
            )
        binary = build(auditable(toolchain_for(target, progress)), progress)
        if not is_static(binary):
            raise BuildError(f"{binary} is not static: it names a dynamic loader")
        built[target] = binary
    for target in FURTHER_TARGETS:
        if not has_target(target):
            progress.say(f"left out: {target}. To build it too: rustup target add {target}")
            continue
        built[target] = build(auditable(zig_toolchain(target, progress)), progress)
    return publish(built)


def publish_for_this_machine(binary: Path, folder: Path | None = None) -> list[Path]:
    """Offer a binary that was built for this machine under the name of the static one."""
    return publish({f"{host_architecture()}-unknown-linux-musl": binary}, folder)


def publish(built: Mapping[str, Path], folder: Path | None = None) -> list[Path]:
    """Copy the binaries to agent/dist, named after their targets, and write SHA256SUMS anew."""
    folder = folder or DIST
    folder.mkdir(parents=True, exist_ok=True)
    for target, binary in built.items():
        destination = folder / f"{BINARY}-{target}"
        partial = destination.with_suffix(".partial")
        shutil.copyfile(binary, partial)
        partial.chmod(0o755)
        partial.replace(destination)
    published = sorted(folder.glob(f"{BINARY}-*-*-*"))
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in published]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="ascii")
    return published


def toolchain_for(target: str, progress: Progress) -> Toolchain:
    """The first way to compile the C parts that works here: musl-gcc, gcc, a cross gcc, zig."""
    name = target.replace("-", "_")
    architecture = target.partition("-")[0]
    if shutil.which(f"{architecture}-linux-musl-gcc") or (
        architecture == host_architecture() and shutil.which("musl-gcc")
    ):
        return Toolchain(target)
    if architecture == host_architecture() and shutil.which("gcc"):
        return Toolchain(target, environment={f"CC_{name}": "gcc"})
    cross = f"{architecture}-linux-gnu-gcc"
    if shutil.which(cross):
        linker = f"CARGO_TARGET_{name.upper()}_LINKER"
        return Toolchain(target, environment={f"CC_{name}": cross, linker: "rust-lld"})
    return zig_toolchain(target, progress)


def zig_toolchain(target: str, progress: Progress) -> Toolchain:
    """Zig compiles the C parts and links, for any target."""
    install_zig(progress)
    paths = [str(TOOLS / "bin"), os.environ["PATH"]]
    return Toolchain(
        target,
        subcommand="zigbuild",
        environment={
            "PATH": os.pathsep.join(paths),
            "CARGO_ZIGBUILD_ZIG_PATH": str(TOOLS / "ziglang" / "zig"),
            "CARGO_ZIGBUILD_CACHE_DIR": str(TOOLS / "cache"),
        },
    )


def auditable(toolchain: Toolchain) -> Toolchain:
    """What builds a binary that lists its crates.

    As `cargo auditable` does it, but for the wrapper's name: cargo hashes that into the names of
    symbols, and where somebody's tools lie must not change a byte.
    """
    path = toolchain.environment.get("PATH", os.environ["PATH"])
    arguments = {"offline": False, "locked": True, "frozen": False, "config": []}
    wrapped = {
        "PATH": os.pathsep.join([str(TOOLS / "bin"), path]),
        "RUSTC_WORKSPACE_WRAPPER": AUDITABLE[0],
        "CARGO_AUDITABLE_ORIG_ARGS": json.dumps(arguments),
    }
    return replace(toolchain, environment={**toolchain.environment, **wrapped})


def install_auditable(progress: Progress) -> None:
    """cargo-auditable, built once, into .tools/agent."""
    name, version = AUDITABLE
    marker = TOOLS / f"{name}-{version}"
    if marker.exists():
        return
    with progress.step("Building cargo-auditable, which lists the crates in the binary"):
        run_logged(
            [cargo(), "install", name, "--version", f"={version}", "--locked", "--force",
             "--root", str(TOOLS)],
            log_name="auditable",
        )  # fmt: skip
    marker.touch()


def toolchain_for_macos(progress: Progress) -> Toolchain:
    """What checks the code for macOS on any system; BuildError says what is missing."""
    if not has_target(MACOS):
        raise BuildError(f"rustup target add {MACOS}")
    return zig_toolchain(MACOS, progress)


def install_zig(progress: Progress) -> None:
    """Zig and cargo-zigbuild from hashed wheels into .tools/agent."""
    requirements = ROOT / "requirements" / "agent.txt"
    installed = TOOLS / "installed.txt"
    if installed.exists() and installed.read_bytes() == requirements.read_bytes():
        return
    with progress.step("Installing zig, which compiles for the other architecture"):
        run_logged(
            [
                str(ROOT / ".tools" / "bin" / "uv"), "pip", "install", "--quiet",
                "--require-hashes", "--python", sys.executable,
                "--target", str(TOOLS), "--requirement", str(requirements),
            ],
            log_name="zig",
        )  # fmt: skip
    shutil.copyfile(requirements, installed)


def has_target(target: str) -> bool:
    """Whether Rust's standard library for the target is installed."""
    libraries = subprocess.run(
        [rustc(), "--print", "target-libdir", "--target", target],
        check=False, capture_output=True, text=True, cwd=CRATE,
    )  # fmt: skip
    return libraries.returncode == 0 and Path(libraries.stdout.strip()).is_dir()


def add_target(target: str) -> bool:
    """Whether Rust's standard library for the target is installed, by rustup if need be."""
    if has_target(target):
        return True
    rustup = Path(cargo()).with_name("rustup")
    if not rustup.exists():
        return False
    added = subprocess.run(
        [str(rustup), "target", "add", target], check=False, capture_output=True, cwd=CRATE
    )
    return added.returncode == 0


def rustc() -> str:
    return str(Path(cargo()).with_name("rustc"))


def build(
    toolchain: Toolchain, progress: Progress, *, example: str | None = None, source: Path = ROOT
) -> Path:
    """One release binary, the agent's or an example's; cargo itself skips what is up to date.

    `source` is the checkout that it is built from, ours or a copy of it.
    """
    what = ["--bin", BINARY] if example is None else ["--example", example]
    command = [cargo(), toolchain.subcommand, "--release", "--locked", *what]
    if toolchain.target:
        command += ["--target", toolchain.target]
    name = "the agent" if example is None else f"the agent's {example}"
    words = f"Building {name} for {toolchain.target or 'this machine'}"
    with progress.step(words):
        run_logged(
            command,
            log_name="agent-build",
            environment=build_environment(toolchain, source),
            crate=source / "agent",
        )
    built = target_directory(source) / toolchain.target / "release"
    return built / BINARY if example is None else built / "examples" / example


def target_directory(source: Path = ROOT) -> Path:
    """Where cargo puts its output; that of a copy stays in the copy."""
    if source != ROOT:
        return source / "agent" / "target"
    return Path(os.environ.get("CARGO_TARGET_DIR", CRATE / "target"))


def build_environment(toolchain: Toolchain, source: Path) -> dict[str, str]:
    """No path of this machine in the binary, and the commit that it was built from."""
    home = os.environ.get("CARGO_HOME", str(Path.home() / ".cargo"))
    flags = [f"--remap-path-prefix={source}=/fsyncmark", f"--remap-path-prefix={home}=/cargo"]
    flags.append(INLINE_LITTLE)
    environment = {
        **os.environ,
        "CARGO_ENCODED_RUSTFLAGS": "\x1f".join(flags),
        "CARGO_TARGET_DIR": str(target_directory(source)),
        **toolchain.environment,
    }
    cargo_directory = str(Path(cargo()).parent)
    environment["PATH"] = f"{environment['PATH']}{os.pathsep}{cargo_directory}"
    commit = current_commit()
    if commit is not None:
        environment["FSYNCMARK_COMMIT"] = commit
    return environment


def current_commit() -> str | None:
    """The last commit that touched the agent; None when it was changed since, or without git."""
    git = shutil.which("git")
    if git is None:
        return None
    changed = subprocess.run(
        [git, "status", "--porcelain", "--", "agent"], check=False, cwd=ROOT, capture_output=True
    )
    last = subprocess.run(
        [git, "log", "-1", "--format=%H", "--", "agent"],
        check=False, cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if changed.returncode or changed.stdout or last.returncode:
        return None
    return last.stdout.strip() or None


def run_logged(
    command: list[str],
    *,
    log_name: str,
    environment: Mapping[str, str] | None = None,
    crate: Path = CRATE,
) -> None:
    """Run a program with its output in build/NAME.log; raise BuildError with the end of that."""
    log = ROOT / "build" / f"{log_name}.log"
    log.parent.mkdir(exist_ok=True)
    with log.open("wb") as output:
        done = subprocess.run(
            command, check=False, cwd=crate, env=environment, stdin=subprocess.DEVNULL,
            stdout=output, stderr=subprocess.STDOUT,
            preexec_fn=tie_to_parent(stop_signal=signal.SIGTERM),  # see Child
        )  # fmt: skip
    if done.returncode != 0:
        raise BuildError(
            f"`{' '.join(command)}` ended with status {done.returncode}. "
            f"The end of {log}:\n{tail(log, lines=40)}"
        )


def is_static(binary: Path) -> bool:
    """Whether an ELF file of 64 bits asks for no dynamic loader (has no PT_INTERP segment)."""
    content = binary.read_bytes()
    if content[:5] != b"\x7fELF\x02":
        return False
    start = int.from_bytes(content[32:40], "little")
    size = int.from_bytes(content[54:56], "little")
    count = int.from_bytes(content[56:58], "little")
    interpreter = 3  # PT_INTERP of <elf.h>
    kinds = (content[start + i * size : start + i * size + 4] for i in range(count))
    return all(int.from_bytes(kind, "little") != interpreter for kind in kinds)
