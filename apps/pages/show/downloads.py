"""The agent's binaries that this site hands out: those that its SHA256SUMS names, no others."""

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.urls import reverse

SUMS = "SHA256SUMS"
SIGNATURE = "SHA256SUMS.sig"  # Ed25519 over the bytes of SUMS, as `openssl pkeyutl -rawin` makes it
SUMS_BYTES_MAX = 16_384  # a hundred lines; a longer file is not ours
LINE = re.compile(r"^(?P<sha256>[0-9a-f]{64})[ ][ *](?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,99})$")
MACOS = "macOS"
UNIVERSAL = f"{MACOS} universal"
APPLE = "apple"  # in the name of every target of Rust on a Mac
MACHINES = ("Linux x86-64", "Linux arm64", f"{MACOS} arm64")  # that docs/building.md builds for
ARCHITECTURES = (
    ("x86_64", "x86-64"), ("aarch64", "arm64"), ("arm64", "arm64"), ("universal", "universal")
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Download:
    """One binary: its name, size in bytes and checksum."""

    name: str
    sha256: str
    size_bytes: int

    @property
    def architecture(self) -> str:
        """The machine that it runs on, as people call it."""
        for part, name in ARCHITECTURES:
            if part in self.name:
                return name
        return self.name

    @property
    def machine(self) -> str:
        """System and architecture, as people call them."""
        system = MACOS if APPLE in self.name else "Linux"
        return f"{system} {self.architecture}"

    @property
    def is_for_most(self) -> bool:
        return self.machine == MACHINES[0]


def folder() -> Path:
    """Where the binaries lie."""
    return Path(settings.AGENT_DIST)


def downloads() -> tuple[Download, ...]:
    """Every binary that SHA256SUMS names and that is there; x86-64 first."""
    sums = folder() / SUMS
    try:
        with sums.open(encoding="ascii", errors="replace") as lines:
            checksum_lines = lines.read(SUMS_BYTES_MAX).splitlines()
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return ()
    files = []
    for line in checksum_lines:
        match = LINE.match(line)
        if match is None:
            continue
        binary = folder() / match["name"]
        if binary.is_file() and not binary.is_symlink():
            files.append(Download(match["name"], match["sha256"], binary.stat().st_size))
    return tuple(sorted(files, key=lambda each: (not each.is_for_most, each.name)))


def measuring(*words: str, is_here: bool = False) -> str:
    """The line that measures a machine with some more words; it fetches the agent first.

    One pipe: where a check fails, nothing of an older day is run in its place. `is_here`: the agent
    lies in the folder already, as it does where this site hands out none.
    """
    run = shlex.join(("run", ".", "--server", settings.SITE_URL, *words))
    if is_here or not downloads():
        return f"./fsyncmark {run}"
    secure = "--proto '=https' --tlsv1.2 " if settings.SITE_URL.startswith("https:") else ""
    address = settings.SITE_URL + reverse("files:install")
    return f"curl {secure}-fsSL {address} \\\n  | sh -s -- --to . {run}"


def not_built(available: tuple[Download, ...]) -> tuple[str, ...]:
    """The machines that the agent runs on and that none of these is for."""
    built = {download.machine for download in available}
    return tuple(
        each
        for each in MACHINES
        if each not in built and not (each.startswith(MACOS) and UNIVERSAL in built)
    )


def offered(available: tuple[Download, ...]) -> tuple[Download, ...]:
    """Those to choose from: where one file is for every Mac, those for some Macs are not."""
    is_for_all = any(each.machine == UNIVERSAL for each in available)
    return tuple(
        each
        for each in available
        if each.machine == UNIVERSAL or not (is_for_all and each.machine.startswith(MACOS))
    )


def path_of(name: str) -> Path | None:
    """The file of a download, of the checksums themselves, or of their signature."""
    if name in (SUMS, SIGNATURE):
        file = folder() / name
        return file if file.is_file() else None
    names = {download.name for download in downloads()}
    return folder() / name if name in names else None
