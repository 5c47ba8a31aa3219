"""Statements beside runs, as the agent signs them: vectors that the agent's own tests make too."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any, Final

import pytest
from nacl.signing import SigningKey

from apps.wire.dsse import (
    LOGIN_PAYLOAD_TYPE,
    PLACEMENT_PAYLOAD_TYPE,
    ROTATION_PAYLOAD_TYPE,
    SENDER_PAYLOAD_TYPE,
    WITHDRAWAL_PAYLOAD_TYPE,
    pae,
    read_envelope,
)
from apps.wire.keys import keyid_of
from apps.wire.statements import (
    read_login_poll,
    read_placement,
    read_rotation,
    read_withdrawal,
)

VECTORS = json.loads((Path(__file__).parent / "v1" / "vectors" / "statements.json").read_bytes())
STATEMENTS = VECTORS["statements"]
KEYS = {
    name: SigningKey(bytes.fromhex(seed)) for name, seed in VECTORS["signing_key_seeds_hex"].items()
}
READERS: Final = {
    LOGIN_PAYLOAD_TYPE: read_login_poll,
    PLACEMENT_PAYLOAD_TYPE: read_placement,
    ROTATION_PAYLOAD_TYPE: read_rotation,
    WITHDRAWAL_PAYLOAD_TYPE: read_withdrawal,
}


def name_of(vector: dict[str, Any]) -> str:
    return str(vector["name"])


def test_the_ids_are_those_of_the_keys() -> None:
    assert {name: keyid_of(bytes(key.verify_key)) for name, key in KEYS.items()} == VECTORS[
        "keyids"
    ]


@pytest.mark.parametrize("vector", STATEMENTS, ids=name_of)
def test_each_signature_is_over_the_payload_to_the_byte(vector: dict[str, Any]) -> None:
    payload = vector["payload"].encode()
    assert json.loads(payload) == vector["members"]
    for signature in vector["signatures"]:
        signed = KEYS[signature["key"]].sign(pae(vector["payload_type"], payload)).signature
        assert base64.b64encode(signed).decode() == signature["sig"]


def test_a_header_names_its_key_and_signs_server_path_and_second() -> None:
    sender = VECTORS["sender"]
    body = "\n".join((sender["server"], sender["path"], str(sender["unix_s"]))).encode()
    signed = KEYS[sender["key"]].sign(pae(SENDER_PAYLOAD_TYPE, body)).signature
    keyid, unix_s, signature = sender["header"].split(" ")
    assert keyid == VECTORS["keyids"][sender["key"]]
    assert int(unix_s) == sender["unix_s"]
    assert base64.b64encode(signed).decode() == signature


@pytest.mark.parametrize("vector", STATEMENTS, ids=name_of)
def test_the_server_reads_what_the_agent_states(vector: dict[str, Any]) -> None:
    envelope = read_envelope(
        json.dumps(
            {
                "payloadType": vector["payload_type"],
                "payload": base64.b64encode(vector["payload"].encode()).decode(),
                "signatures": [
                    {"keyid": VECTORS["keyids"][each["key"]], "sig": each["sig"]}
                    for each in vector["signatures"]
                ],
            }
        ).encode()
    )
    read = READERS[envelope.payload_type](envelope.payload)
    stated = {name: value for name, value in vector["members"].items() if name != "schema"}
    found = {name: getattr(read, name) for name in stated}
    if "run_id" in found:
        found["run_id"] = str(found["run_id"])
    assert found == stated
