"""File contents from a seed: RFC 8439's own vector, and those shared with the agent."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from nacl.bindings import crypto_aead_chacha20poly1305_ietf_encrypt

from apps.wire.seed import BLOCK_BYTES, block, seed_proof

VECTORS = json.loads((Path(__file__).parent / "v1" / "vectors" / "seed_blocks.json").read_bytes())


def test_libsodium_encrypts_from_block_counter_1_as_rfc_8439_does() -> None:
    """RFC 8439, 2.8.2: the example's ciphertext begins with these bytes."""
    key = bytes(range(0x80, 0xA0))
    nonce = bytes.fromhex("070000004041424344454647")
    plaintext = b"Ladies and Gentlemen of the class of '99"
    found = crypto_aead_chacha20poly1305_ietf_encrypt(plaintext, None, nonce, key)
    assert found[:16] == bytes.fromhex("d31a8d34648e60db7b86afbc53ef7ec2")


@pytest.mark.parametrize("vector", VECTORS["seeds"], ids=lambda vector: vector["seed"][:8])
def test_blocks_equal_the_vectors_of_the_agent(vector: dict[str, Any]) -> None:
    seed = bytes.fromhex(vector["seed"])
    for expected in vector["blocks"]:
        found = block(seed, expected["number"])
        assert len(found) == BLOCK_BYTES
        assert hashlib.sha256(found).hexdigest() == expected["sha256"], expected["number"]
    assert seed_proof(seed) == vector["seed_proof"]
