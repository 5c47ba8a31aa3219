"""Logins, rotations and withdrawals: the golden vectors, and what is no statement."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from nacl.signing import SigningKey

from apps.wire.dsse import (
    LOGIN_PAYLOAD_TYPE,
    ROTATION_PAYLOAD_TYPE,
    WITHDRAWAL_PAYLOAD_TYPE,
    pae,
)
from apps.wire.keys import keyid_of
from apps.wire.statements import (
    BadStatementError,
    LoginPoll,
    LoginRequest,
    Rotation,
    Withdrawal,
    read_login_poll,
    read_login_request,
    read_rotation,
    read_withdrawal,
)

VECTORS = json.loads((Path(__file__).parent / "v1" / "vectors" / "statements.json").read_bytes())
KEYS = {
    name: SigningKey(bytes.fromhex(seed)) for name, seed in VECTORS["signing_key_seeds_hex"].items()
}
KEYID = VECTORS["keyids"]["old"]
NEW = VECTORS["keyids"]["new"]
RUN_ID = "01890a5d-ac96-774b-bcce-b302099a8057"
READERS: dict[str, Any] = {
    LOGIN_PAYLOAD_TYPE: read_login_poll,
    ROTATION_PAYLOAD_TYPE: read_rotation,
    WITHDRAWAL_PAYLOAD_TYPE: read_withdrawal,
}
MEANT = [
    LoginPoll("AAECAwQFBgcICQoLDA0ODw", KEYID),
    Rotation(KEYID, NEW),
    Withdrawal(
        UUID(RUN_ID), withdrawn=True, reason="the wrong disk",
        issued_at_unix_ns=1790000000123456789,
    ),
    Withdrawal(UUID(RUN_ID), withdrawn=False, reason="", issued_at_unix_ns=1790000000123456790),
]  # fmt: skip


def test_the_keys_have_the_ids_that_the_vectors_name() -> None:
    found = {name: keyid_of(bytes(key.verify_key)) for name, key in KEYS.items()}
    assert found == VECTORS["keyids"]


@pytest.mark.parametrize("vector", VECTORS["valid"], ids=lambda vector: vector["name"])
def test_a_golden_vector_is_signed_to_the_same_bytes(vector: dict[str, Any]) -> None:
    signed = pae(vector["payload_type"], vector["body"].encode())
    assert hashlib.sha256(signed).hexdigest() == vector["pae_sha256"]
    for each in vector["signatures"]:
        signature = KEYS[each["by"]].sign(signed).signature
        assert base64.b64encode(signature).decode() == each["sig"]


def test_a_golden_vector_means_the_same_here() -> None:
    found = [READERS[each["payload_type"]](each["body"].encode()) for each in VECTORS["valid"]]
    assert found == MEANT


def test_a_request_for_a_login_is_read() -> None:
    raw = json.dumps({"keyid": KEYID, "agent_version": "0.2.0"}).encode()
    assert read_login_request(raw) == LoginRequest(KEYID, "0.2.0")


def changed(place: int, **changes: Any) -> bytes:
    """Return the body of a vector with other members."""
    return json.dumps({**json.loads(VECTORS["valid"][place]["body"]), **changes}).encode()


@pytest.mark.parametrize(
    ("reader", "payload", "pointer"),
    [
        (read_login_request, b"", ""),
        (read_login_request, b'{"keyid":"x"}', ""),
        (read_login_request, b'{"keyid":"x","agent_version":"1"}', "/keyid"),
        (read_login_request, b'{"keyid":5,"agent_version":"1"}', "/keyid"),
        (read_login_poll, b"5", ""),
        (read_login_poll, changed(0, extra=1), ""),
        (read_login_poll, changed(0, schema="fsyncmark.key-login/2"), "/schema"),
        (read_login_poll, changed(0, device_code="x" * 65), "/device_code"),
        (read_login_poll, changed(0, device_code=5), "/device_code"),
        (read_rotation, changed(1, old=KEYID.upper()), "/old"),
        (read_rotation, changed(1, new=""), "/new"),
        (read_rotation, changed(2), ""),
        (read_withdrawal, changed(2, run_id="x"), "/run_id"),
        (read_withdrawal, changed(2, withdrawn=1), "/withdrawn"),
        (read_withdrawal, changed(2, reason="\u202e"), "/reason"),
        (read_withdrawal, changed(2, reason="x" * 501), "/reason"),
        (read_withdrawal, changed(2, issued_at_unix_ns=0), "/issued_at_unix_ns"),
        (read_withdrawal, changed(2, issued_at_unix_ns=True), "/issued_at_unix_ns"),
        (read_withdrawal, changed(2, issued_at_unix_ns=2**63), ""),
        (read_withdrawal, changed(2, issued_at_unix_ns=1.5), ""),
    ],
)
def test_what_is_no_statement_is_refused_at_its_place(
    reader: Any, payload: bytes, pointer: str
) -> None:
    with pytest.raises(BadStatementError) as caught:
        reader(payload)
    assert caught.value.fault.pointer == pointer
