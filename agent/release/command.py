"""`./run release`: everything that a release consists of, in build/release, signed.

.github/workflows/release.yml does the same without a key: another job, in which nothing of others
runs, signs what came out.
"""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from agent.release.checksums import HOW_TO_SIGN, read_key, sign, write_checksums
from agent.release.facts import Release, ReleaseError, release_of
from agent.release.linux_packages import make_linux_packages
from agent.release.oci_image import make_image
from agent.release.recipes import make_recipes
from agent.release.refusals import refusals
from agent.release.wheel import make_wheels
from agent.static_build import BINARY
from apps.config.one_machine.environment import ROOT
from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS
from tests.ci.sbom import bill_of_agent

FOLDER: Final = ROOT / "build" / "release"
NOWHERE: Final = "https://example.org/fsyncmark"  # where a dry run says that its files lie
USAGE: Final = "usage: ./run release --dry-run | [--key FILE] --source ADDRESS_OF_THE_REPOSITORY"


def make_release(arguments: list[str], progress: Progress) -> int:
    """All packages of agent/dist, their checksums and the signature of those."""
    wanted = parsed(arguments)
    if wanted is None:
        progress.say(USAGE)
        return USAGE_STATUS
    release = release_of(source=wanted.source, folder=FOLDER)
    found = refusals(release)
    key = read_key(wanted.key) if wanted.key else None
    if wanted.dry_run:
        for each in found:
            progress.say(f"a dry run goes on, a release would not: {each}")
        key = Ed25519PrivateKey.generate()
    elif found:
        raise ReleaseError("; ".join(found))
    for path in make_all(release, key, progress):
        progress.say(f"{path.relative_to(ROOT)}  {path.stat().st_size:,} bytes")
    if wanted.dry_run:
        progress.say("Signed with a key that was made for this, and is forgotten. Not published.")
    elif key is None:
        progress.say(f"Not signed: {HOW_TO_SIGN}")
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
    is_given = wanted.key is not None or bool(wanted.source)
    if unknown or (is_given if wanted.dry_run else not wanted.source):
        return None
    wanted.source = wanted.source or NOWHERE
    return wanted


def make_all(release: Release, key: Ed25519PrivateKey | None, progress: Progress) -> list[Path]:
    """Every file of the release, in a folder that held none before; signed if there is a key."""
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
    sums = write_checksums(release.folder)
    if key is not None:
        sign(sums, key)
    return sorted(release.folder.iterdir())


def write_bill(release: Release) -> Path:
    """What the program is made of, as CycloneDX."""
    bill = release.folder / f"{BINARY}-{release.version}.cdx.json"
    bill.write_text(json.dumps(bill_of_agent(), indent=2) + "\n", encoding="utf-8")
    return bill
