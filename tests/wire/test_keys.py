"""Which keys may be enrolled."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from nacl.signing import SigningKey

from apps.wire.keys import BadKeyError, check_public_key, read_key_statement

KEY = bytes(SigningKey(bytes(32)).verify_key)
P = 2**255 - 19
# Points of order 1, 2, 4 and 8 in their canonical encodings (RFC 8032 5.1.2).
SMALL_ORDER = [
    (1).to_bytes(32, "little"),
    (P - 1).to_bytes(32, "little"),
    bytes(32),
    bytes(31) + b"\x80",
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
]
NON_CANONICAL = [(P + 1).to_bytes(32, "little"), P.to_bytes(32, "little"), b"\xff" * 32]


def statement(**changes: Any) -> bytes:
    text = base64.b64encode(KEY).decode()
    return json.dumps({"schema": "fsyncmark.key/1", "public_key": text, **changes}).encode()


def test_an_ordinary_key_is_accepted() -> None:
    check_public_key(KEY)
    assert read_key_statement(statement()) == KEY


@pytest.mark.parametrize("key", SMALL_ORDER + NON_CANONICAL, ids=bytes.hex)
def test_a_key_under_which_anybody_can_sign_is_refused(key: bytes) -> None:
    with pytest.raises(ValueError, match="canonical"):
        check_public_key(key)


def test_a_key_has_32_bytes() -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        check_public_key(KEY[:31])


@pytest.mark.parametrize(
    ("payload", "pointer"),
    [
        (b"not json", ""),
        (b"[]", ""),
        (statement(more=1), ""),
        (b'{"schema": "fsyncmark.key/1"}', ""),
        (statement(schema="fsyncmark.key/2"), "/schema"),
        (statement(public_key=5), "/public_key"),
        (statement(public_key="AAAA\n"), "/public_key"),
        (statement(public_key=base64.b64encode(bytes(32)).decode()), "/public_key"),
    ],
)
def test_a_bad_statement_is_refused_at_its_place(payload: bytes, pointer: str) -> None:
    with pytest.raises(BadKeyError) as caught:
        read_key_statement(payload)
    assert caught.value.fault.pointer == pointer
