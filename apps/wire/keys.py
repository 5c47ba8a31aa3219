"""Agent keys: their id, the statement that enrols one, and which keys are refused."""

from __future__ import annotations

import hashlib

from nacl.bindings import crypto_core_ed25519_is_valid_point

from apps.wire.dsse import decode_base64
from apps.wire.problems import Fault
from apps.wire.reading import NotStrictJsonError, read_strict

KEY_SCHEMA = "fsyncmark.key/1"
PUBLIC_KEY_BYTES = 32


class BadKeyError(ValueError):
    """A key statement that cannot enrol a key; `fault` says where and why."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer or 'statement'}: {detail}")
        self.fault = Fault(pointer=pointer, detail=detail)


def keyid_of(public_key: bytes) -> str:
    """Return the id of a raw public key: lowercase hexadecimal SHA-256."""
    return hashlib.sha256(public_key).hexdigest()


def check_public_key(public_key: bytes) -> None:
    """Raise ValueError for a key with which signatures of others could verify.

    Such keys are points of small order, outside of the prime-order subgroup, or encoded in a
    non-canonical way.
    """
    if len(public_key) != PUBLIC_KEY_BYTES:
        raise ValueError(f"must hold {PUBLIC_KEY_BYTES} bytes")
    if not crypto_core_ed25519_is_valid_point(public_key):
        raise ValueError("is not a canonical Ed25519 point of prime order")


def read_key_statement(payload: bytes) -> bytes:
    """Return the acceptable public key of a key statement. Raises BadKeyError."""
    try:
        statement = read_strict(payload)
    except NotStrictJsonError as error:
        raise BadKeyError("", str(error)) from error
    if not isinstance(statement, dict) or set(statement) != {"schema", "public_key"}:
        raise BadKeyError("", "must be an object with schema and public_key, nothing else")
    if statement["schema"] != KEY_SCHEMA:
        raise BadKeyError("/schema", f"must be {KEY_SCHEMA}")
    if not isinstance(text := statement["public_key"], str):
        raise BadKeyError("/public_key", "must be a string")
    try:
        public_key = decode_base64(text)
        check_public_key(public_key)
    except ValueError as error:
        raise BadKeyError("/public_key", str(error)) from error
    return public_key
