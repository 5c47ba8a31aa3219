"""The file contents that follow from a challenge's seed, and the proof that they were read back.

Block i (4 KiB, counted from 0) is the ChaCha20-IETF keystream (RFC 8439) with the seed as key,
i as a 12-byte little-endian nonce, from block counter 1. The proof is the SHA-256 over sixteen
blocks spread over the 64 MiB commit file.
"""

from __future__ import annotations

import hashlib

from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt

SEED_BYTES = 32
BLOCK_BYTES = 4096
PROOF_BLOCKS = tuple(place * 1024 for place in range(16))  # one in every 4 MiB
_NONCE_BYTES = 12
_ZEROS = bytes(BLOCK_BYTES)


def block(seed: bytes, number: int) -> bytes:
    """Return the 4,096 bytes of one block.

    libsodium's AEAD encrypts from counter 1 on: the ciphertext of zeros is the keystream.
    """
    nonce = number.to_bytes(_NONCE_BYTES, "little")
    return crypto_aead_chacha20poly1305_ietf_encrypt(_ZEROS, None, nonce, seed)[:BLOCK_BYTES]


def seed_proof(seed: bytes) -> str:
    """Return the proof that a run with this seed must carry, in lowercase hexadecimal."""
    digest = hashlib.sha256()
    for number in PROOF_BLOCKS:
        digest.update(block(seed, number))
    return digest.hexdigest()
