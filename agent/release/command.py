"""`./run release`: everything that a release consists of, in build/release, signed.

.github/workflows/release.yml does the same with the key of the releases, and publishes it.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from agent.release.checksums import read_key, sign, write_checksums
from agent.release.facts import LINUX, Release, ReleaseError, git, release_of
from agent.release.linux_packages import make_linux_packages
from agent.release.oci_image import make_image
from agent.release.recipes import make_recipes
from agent.release.wheel import make_wheels
from agent.static_build import BINARY
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS
from tests.ci.sbom import bill_of_agent

FOLDER: Final = ROOT / "build" / "release"
NOWHERE: Final = "https://example.org/fsyncmark"  # where a dry run says that its files lie
USAGE: Final = "usage: ./run release --dry-run | --key FILE --source ADDRESS_OF_THE_REPOSITORY"


def make_release(arguments: list[str], progress: Progress) -> int:
    """All packages of agent/dist, their checksums and the signature of those."""
    wanted = parsed(arguments)
    if wanted is None:
        progress.say(USAGE)
        return USAGE_STATUS
    release = release_of(source=wanted.source, folder=FOLDER)
    if wanted.dry_run:
        for each in refusals(release):
            progress.say(f"a dry run goes on, a release would not: {each}")
        key = Ed25519PrivateKey.generate()
    else:
        key = read_key(wanted.key)
        if found := refusals(release):
            raise ReleaseError("; ".join(found))
    for path in make_all(release, key, progress):
        progress.say(f"{path.relative_to(ROOT)}  {path.stat().st_size:,} bytes")
    if wanted.dry_run:
        progress.say("Signed with a key that was made for this, and is forgotten. Not published.")
    return 0


def parsed(arguments: list[str]) -> argparse.Namespace | None:
    """What was asked for; None where it is not clear."""
    parser = argparse.ArgumentParser(exit_on_error=False, add_help=False)
    parser.add_argument("--dry-run", action="store_true")
    parser.add_argument("--key", type=Path)
    parser.add_argument("--source", default="")
    try:
        wanted, unknown = parser.parse_known_args(arguments)
    except argparse.ArgumentError:
        return None
    is_whole = wanted.key is not None and bool(wanted.source)
    is_part = wanted.key is not None or bool(wanted.source)
    if unknown or (is_part if wanted.dry_run else not is_whole):
        return None
    wanted.source = wanted.source or NOWHERE
    return wanted


def make_all(release: Release, key: Ed25519PrivateKey, progress: Progress) -> list[Path]:
    """Every file of the release, in a folder that held none before."""
    shutil.rmtree(release.folder, ignore_errors=True)
    release.folder.mkdir(parents=True)
    with progress.step("Packing the release"):
        for target, binary in release.binaries.items():
            shutil.copy2(binary, release.folder / f"{BINARY}-{target}")
        make_linux_packages(release)
        make_wheels(release)
        make_image(release)
        make_recipes(release)
        write_bill(release)
    sign(write_checksums(release.folder), key)
    return sorted(release.folder.iterdir())


def write_bill(release: Release) -> Path:
    """What the program is made of, as CycloneDX."""
    bill = release.folder / f"{BINARY}-{release.version}.cdx.json"
    bill.write_text(json.dumps(bill_of_agent(), indent=2) + "\n", encoding="utf-8")
    return bill


def refusals(release: Release) -> list[str]:
    """Why this must not go out, each with what to do."""
    tag = f"v{release.version}"
    missing = [target for target in LINUX if target not in release.binaries]
    return [
        text
        for text, is_so in (
            (f"the version {release.version} is one of development: set it in agent/Cargo.toml",
             "-" in release.version),
            (f"this commit is not tagged: git tag --sign {tag}",
             tag not in git("tag", "--points-at", "HEAD").splitlines()),
            ("files differ from the commit: commit them first", bool(git("status", "--porcelain"))),
            (f"not built: {', '.join(missing)}. ./run agent says what it needs", bool(missing)),
        )
        if is_so
    ]  # fmt: skip
