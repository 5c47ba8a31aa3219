"""The wheel of `pipx run fsyncmark`: the released binary itself, as a package of Python.

maturin would build the program once more; what runs from a wheel shall have the checksum that the
site and SHA256SUMS name.
"""

from __future__ import annotations

import base64
import hashlib
import time
import zipfile
from pathlib import Path
from typing import Final

from agent.release.facts import LICENCE_FILE, Release
from agent.static_build import BINARY

# What pip calls the machines that a binary runs on: a static one needs no libc of theirs.
TAGS: Final = {
    "x86_64-unknown-linux-musl": "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    "aarch64-unknown-linux-musl":
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    "x86_64-apple-darwin": "macosx_10_12_x86_64",
    "aarch64-apple-darwin": "macosx_11_0_arm64",
}  # fmt: skip
ZIP_BEGINS_S: Final = 315_532_800  # 1980-01-01, the first day that a zip can name
PROGRAM_MODE: Final = 0o100755
TEXT_MODE: Final = 0o100644


def make_wheels(release: Release) -> list[Path]:
    """A wheel for each machine that was built for."""
    return [
        make_wheel(release, binary.read_bytes(), TAGS[target])
        for target, binary in release.binaries.items()
        if target in TAGS
    ]


def make_wheel(release: Release, program: bytes, platforms: str) -> Path:
    """One wheel with the program in it."""
    version = release.version.replace("-dev", ".dev0")  # as PEP 440 says it
    name = f"{BINARY}-{version}"
    tags = [f"py3-none-{platform}" for platform in platforms.split(".")]
    files = {
        f"{name}.data/scripts/{BINARY}": program,
        f"{name}.dist-info/licenses/LICENSE": LICENCE_FILE.read_bytes(),
        f"{name}.dist-info/METADATA": metadata(release, version).encode(),
        f"{name}.dist-info/WHEEL": "".join(
            ["Wheel-Version: 1.0\nGenerator: fsyncmark\nRoot-Is-Purelib: false\n"]
            + [f"Tag: {tag}\n" for tag in tags]
        ).encode(),
    }
    record = f"{name}.dist-info/RECORD"
    files[record] = "".join(
        [f"{path},sha256={digest(content)},{len(content)}\n" for path, content in files.items()]
        + [f"{record},,\n"]
    ).encode()
    wheel = release.folder / f"{name}-py3-none-{platforms}.whl"
    moment = time.gmtime(max(release.made_s, ZIP_BEGINS_S))[:6]
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in files.items():
            entry = zipfile.ZipInfo(path, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, whose modes follow
            entry.external_attr = (PROGRAM_MODE if content is program else TEXT_MODE) << 16
            archive.writestr(entry, content)
    return wheel


def metadata(release: Release, version: str) -> str:
    """What pip reads of the package."""
    return (
        f"Metadata-Version: 2.4\nName: {BINARY}\nVersion: {version}\n"
        f"Summary: {release.description}\nLicense-Expression: {release.licence}\n"
        f"License-File: LICENSE\nProject-URL: Source, {release.source}\n"
        "Requires-Python: >=3.8\n"
    )


def digest(content: bytes) -> str:
    """The SHA-256 as RECORD writes it."""
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
