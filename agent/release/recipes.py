"""The formula for Homebrew and the flake for Nix: each names the released binaries by checksum."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from string import Template
from typing import Final

from agent.release.facts import LINUX, MACOS, Release
from agent.static_build import BINARY

HERE: Final = Path(__file__).parent
HOMEBREW_SYSTEMS: Final = {"on_linux": LINUX, "on_macos": MACOS}
HOMEBREW_MACHINES: Final = {"amd64": "on_intel", "arm64": "on_arm"}
NIX_MACHINES: Final = {
    "x86_64-unknown-linux-musl": "x86_64-linux",
    "aarch64-unknown-linux-musl": "aarch64-linux",
    "x86_64-apple-darwin": "x86_64-darwin",
    "aarch64-apple-darwin": "aarch64-darwin",
}


def make_recipes(release: Release) -> list[Path]:
    """Both files, with the checksums of this release's binaries."""
    texts = {"fsyncmark.rb": homebrew(release), "flake.nix": nix(release)}
    return [filled(release, name, binaries) for name, binaries in texts.items()]


def filled(release: Release, name: str, binaries: str) -> Path:
    """A template with its values, beside the other files of the release."""
    template = Template((HERE / f"{name}.template").read_text(encoding="utf-8"))
    written = release.folder / name
    written.write_text(
        template.substitute(
            description=quoted(release.description),
            source=quoted(release.source),
            version=quoted(release.version),
            licence=quoted(release.licence),
            binaries=binaries,
        ),
        encoding="utf-8",
    )
    return written


def homebrew(release: Release) -> str:
    """A block for each system, in it one for each machine."""
    lines: list[str] = []
    for system, targets in HOMEBREW_SYSTEMS.items():
        built = [target for target in targets if target in release.binaries]
        if not built:
            continue
        lines.append(f"  {system} do")
        for target in built:
            lines += [
                f"    {HOMEBREW_MACHINES[targets[target]]} do",
                f"      url {quoted(release.address(f'{BINARY}-{target}'))}",
                f"      sha256 {quoted(digest(release, target).hex())}",
                "    end",
            ]
        lines.append("  end")
    return "\n".join(lines)


def nix(release: Release) -> str:
    """An attribute for each machine."""
    return "\n".join(
        f"        {machine} = {{\n"
        f"          url = {quoted(release.address(f'{BINARY}-{target}'))};\n"
        f'          hash = "sha256-{base64.b64encode(digest(release, target)).decode()}";\n'
        f"        }};"
        for target, machine in NIX_MACHINES.items()
        if target in release.binaries
    )


def digest(release: Release, target: str) -> bytes:
    return hashlib.sha256(release.binaries[target].read_bytes()).digest()


def quoted(text: str) -> str:
    """A string of Ruby and of Nix: neither may find anything to compute in it."""
    return json.dumps(text, ensure_ascii=False).replace("#{", r"\#{").replace("${", r"\${")
