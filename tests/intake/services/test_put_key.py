"""Enrolling a key: by a statement that it signed itself, once, and never one that is weak."""

from __future__ import annotations

import base64
import json

import pytest

from apps.accounts.models import AgentKey
from apps.wire.dsse import KEY_PAYLOAD_TYPE, RUN_PAYLOAD_TYPE
from apps.wire.keys import keyid_of
from tests import make
from tests.intake.conftest import Door, problem_of

pytestmark = pytest.mark.django_db


def test_a_key_is_enrolled_on_first_use(door: Door) -> None:
    agent = make.Agent()
    answer = door.put_key(agent.keyid, agent.key_statement())
    assert answer.status_code == 201
    key = AgentKey.objects.get()
    assert (key.keyid, bytes(key.public_key)) == (agent.keyid, agent.public_key)
    assert answer.json() == {
        "keyid": agent.keyid,
        "state": "anonymous",
        "first_seen": key.first_seen.isoformat().replace("+00:00", "Z"),
        "is_claimed": False,
        "revoked_at": None,
        "compromised_since": None,
        "replaced_by": None,
    }
    assert door.send("GET", f"/api/v1/keys/{agent.keyid}", b"").json() == {
        **answer.json(),
        "challenges_issued": 0,
        "challenges_abandoned": 0,
    }


def test_of_an_unknown_key_nothing_is_known(door: Door) -> None:
    for keyid in ("0" * 64, "x"):
        answer = door.send("GET", f"/api/v1/keys/{keyid}", b"")
        assert problem_of(answer) == (404, "unknown-key")


def test_the_same_key_again_is_the_same_key(door: Door) -> None:
    agent = make.Agent()
    first = door.put_key(agent.keyid, agent.key_statement())
    second = door.put_key(agent.keyid, agent.key_statement())
    assert second.status_code == 200
    assert second.json() == first.json()


def test_the_address_must_name_the_key(door: Door) -> None:
    agent, other = make.Agent(), make.Agent()
    answer = door.put_key(other.keyid, agent.key_statement())
    assert problem_of(answer) == (422, "keyid-mismatch")


def test_a_key_must_prove_that_it_is_held(door: Door) -> None:
    agent, thief = make.Agent(), make.Agent()
    statement = json.loads(thief.seal(_body(agent), payload_type=KEY_PAYLOAD_TYPE))
    answer = door.put_key(agent.keyid, json.dumps(statement).encode())
    assert problem_of(answer) == (403, "bad-signature")
    statement["signatures"][0]["keyid"] = agent.keyid
    answer = door.put_key(agent.keyid, json.dumps(statement).encode())
    assert problem_of(answer) == (403, "bad-signature")
    assert not AgentKey.objects.exists()


def test_a_small_order_key_is_refused(door: Door) -> None:
    identity = (1).to_bytes(32, "little")
    body = {"schema": "fsyncmark.key/1", "public_key": base64.b64encode(identity).decode()}
    # R = identity and S = 0 fit every message under this key in libraries that let it in
    envelope = {
        "payloadType": KEY_PAYLOAD_TYPE,
        "payload": base64.b64encode(make.as_bytes(body)).decode(),
        "signatures": [
            {
                "keyid": keyid_of(identity),
                "sig": base64.b64encode(identity + bytes(32)).decode(),
            }
        ],
    }
    answer = door.put_key(keyid_of(identity), json.dumps(envelope).encode())
    assert problem_of(answer) == (422, "bad-key")


def test_another_document_does_not_enrol_a_key(door: Door) -> None:
    agent = make.Agent()
    answer = door.put_key(agent.keyid, agent.seal(_body(agent), payload_type=RUN_PAYLOAD_TYPE))
    assert problem_of(answer) == (415, "unknown-payload-type")


def test_a_statement_is_small(door: Door) -> None:
    agent = make.Agent()
    answer = door.put_key(agent.keyid, b" " * 8193)
    assert problem_of(answer) == (413, "too-large")


def test_other_methods_are_refused_with_what_is_allowed(door: Door) -> None:
    answer = door.send("DELETE", f"/api/v1/keys/{'0' * 64}", b"")
    assert problem_of(answer) == (405, "method-not-allowed")
    assert answer.headers["Allow"] == "PUT, GET, HEAD"


def _body(agent: make.Agent) -> make.Json:
    text = base64.b64encode(agent.public_key).decode()
    return {"schema": "fsyncmark.key/1", "public_key": text}
