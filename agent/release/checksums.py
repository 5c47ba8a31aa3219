"""SHA256SUMS over all files of a release, and its signature as install.sh checks it."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import load_pem_private_key

from agent.release.facts import ReleaseError

SUMS: Final = "SHA256SUMS"
SIGNATURE: Final = "SHA256SUMS.sig"
HOW_TO_SIGN: Final = f"openssl pkeyutl -sign -rawin -inkey KEY.pem -in {SUMS} -out {SIGNATURE}"
HOW_TO_MAKE: Final = "openssl genpkey -algorithm ed25519 -out KEY.pem"


def write_checksums(folder: Path) -> Path:
    """A line for each file of the folder, sorted by name."""
    files = sorted(path for path in folder.iterdir() if path.name not in (SUMS, SIGNATURE))
    lines = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    sums = folder / SUMS
    sums.write_text("".join(lines), encoding="ascii")
    return sums


def sign(sums: Path, key: Ed25519PrivateKey) -> Path:
    """Write 64 bytes beside the checksums, as `openssl pkeyutl -sign -rawin` does."""
    signature = sums.with_name(SIGNATURE)
    signature.write_bytes(key.sign(sums.read_bytes()))
    return signature


def read_key(path: Path) -> Ed25519PrivateKey:
    """The private key in a file, as PEM."""
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (OSError, ValueError, TypeError) as error:
        raise ReleaseError(
            f"{path} has no private key that can be read ({error}). To make one: {HOW_TO_MAKE}"
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise ReleaseError(f"{path} is not a key of Ed25519. To make one: {HOW_TO_MAKE}")
    return key
