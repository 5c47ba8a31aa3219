"""Fetches a package of npm that is pinned by version and digest; nothing of it is run."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory


@dataclass(frozen=True)
class NpmPackage:
    """A package by name and version, and the SHA-256 of its archive."""

    spec: str
    sha256: str

    def archive(self) -> tarfile.TarFile:
        """Return what npm packs, after its digest was compared."""
        with TemporaryDirectory() as directory:
            subprocess.run(
                ["npm", "pack", "--silent", "--pack-destination", directory, self.spec],
                check=True,
                cwd=directory,
                stdout=subprocess.DEVNULL,
            )
            (packed,) = (path.read_bytes() for path in Path(directory).glob("*.tgz"))
        digest = hashlib.sha256(packed).hexdigest()
        if digest != self.sha256:
            raise RuntimeError(f"{self.spec} has SHA-256 {digest}, not the pinned {self.sha256}")
        return tarfile.open(fileobj=io.BytesIO(packed))
