"""What is no login, rotation or withdrawal is refused at its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.wire.statements import (
    BadStatementError,
    LoginRequest,
    read_login_poll,
    read_login_request,
    read_rotation,
    read_withdrawal,
)

VECTORS = json.loads((Path(__file__).parent / "v1" / "vectors" / "statements.json").read_bytes())
KEYID = VECTORS["keyids"]["old"]


def test_a_request_for_a_login_is_read() -> None:
    raw = json.dumps({"keyid": KEYID, "agent_version": "0.2.0"}).encode()
    assert read_login_request(raw) == LoginRequest(KEYID, "0.2.0")


def changed(place: int, **changes: Any) -> bytes:
    """Return the payload of a vector with other members."""
    return json.dumps({**VECTORS["statements"][place]["members"], **changes}).encode()


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
        (read_login_poll, changed(0, server="x" * 262), "/server"),
        (read_withdrawal, changed(2, server=None), "/server"),
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
