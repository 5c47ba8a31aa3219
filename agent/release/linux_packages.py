"""The .deb and the .rpm, made by nfpm: one static file, its completions and its licence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agent.release.facts import COMPLETIONS, LICENCE_FILE, LINUX, TITLE, Release, ReleaseError
from agent.static_build import BINARY

NFPM: Final = Path(sys.executable).with_name("nfpm")
FORMATS: Final = ("deb", "rpm")
PROGRAM_MODE: Final = 0o755
TEXT_MODE: Final = 0o644
# Where shells look; Debian's zsh looks elsewhere than others'.
SHELLS: Final = (
    ("fsyncmark.bash", "/usr/share/bash-completion/completions/fsyncmark", FORMATS),
    ("fsyncmark.fish", "/usr/share/fish/vendor_completions.d/fsyncmark.fish", FORMATS),
    ("_fsyncmark", "/usr/share/zsh/vendor-completions/_fsyncmark", ("deb",)),
    ("_fsyncmark", "/usr/share/zsh/site-functions/_fsyncmark", ("rpm",)),
)


def make_linux_packages(release: Release) -> list[Path]:
    """A package of each format for each architecture that was built."""
    return [
        package(release, target, kind)
        for target in LINUX
        if target in release.binaries
        for kind in FORMATS
    ]


def package(release: Release, target: str, kind: str) -> Path:
    """One package, under the name that its format has for it."""
    with tempfile.TemporaryDirectory() as folder:
        description = Path(folder) / "nfpm.json"  # JSON is YAML
        description.write_text(json.dumps(described(release, target)), encoding="utf-8")
        made = subprocess.run(
            [NFPM, "package", "--config", description, "--packager", kind, "--target", folder],
            check=False, capture_output=True, text=True,
            env={"PATH": os.environ["PATH"], "SOURCE_DATE_EPOCH": str(release.made_s)},
        )  # fmt: skip
        if made.returncode:
            raise ReleaseError(f"nfpm made no {kind} of {target}: {made.stdout}{made.stderr}")
        [written] = Path(folder).glob(f"*.{kind}")
        return written.rename(release.folder / written.name)


def described(release: Release, target: str) -> dict[str, Any]:
    """What nfpm reads."""
    time = datetime.fromtimestamp(release.made_s, UTC).isoformat()

    def content(file: Path, path: str, mode: int = TEXT_MODE) -> dict[str, Any]:
        how = {"mode": mode, "mtime": time, "owner": "root", "group": "root"}
        return {"src": str(file), "dst": path, "file_info": how}

    return {
        "name": BINARY,
        "arch": LINUX[target],
        "version": release.version,
        "maintainer": f"{TITLE} <{release.source}>",
        "description": release.description,
        "homepage": release.source,
        "license": release.licence,
        "section": "utils",
        "priority": "optional",
        "mtime": time,
        "rpm": {"buildhost": "localhost"},
        "contents": [
            content(release.binaries[target], f"/usr/bin/{BINARY}", PROGRAM_MODE),
            content(LICENCE_FILE, f"/usr/share/doc/{BINARY}/copyright"),
            *(
                {**content(COMPLETIONS / file, path), **only(formats)}
                for file, path, formats in SHELLS
            ),
        ],
    }


def only(formats: tuple[str, ...]) -> dict[str, str]:
    """For which format alone a file is."""
    return {} if formats == FORMATS else {"packager": formats[0]}
