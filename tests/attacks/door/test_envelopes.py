"""Envelopes that were forged, swapped, truncated or filled up."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import TYPE_CHECKING, Any

import pytest

from apps.accounts.models import AgentKey
from apps.runs.models import Upload
from tests import make

if TYPE_CHECKING:
    from tests.attacks.conftest import Weakened
    from tests.intake.conftest import Answer, Door

pytestmark = [pytest.mark.attack, pytest.mark.django_db]


def changed(envelope: bytes, **members: Any) -> bytes:
    return json.dumps({**json.loads(envelope), **members}).encode()


def put(door: Door, document: make.Json, envelope: bytes, **more: Any) -> Answer:
    return door.put_run(document["run_id"], envelope, **more)


def encoded(body: bytes) -> str:
    return base64.b64encode(body).decode()


def test_a_changed_payload_under_an_old_signature_is_not_stored(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    faster = make.as_bytes({**document, "machine": "f" * 32})
    forged = changed(agent.seal(document), payload=encoded(faster))
    assert put(door, document, forged).status_code == 403
    assert not Upload.objects.exists()
    with weakened.without_signatures():
        assert put(door, document, forged).status_code == 201


def test_the_signature_of_another_run_of_the_key_does_not_hold(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    signatures = json.loads(agent.seal(make.payload()))["signatures"]
    swapped = changed(agent.seal(document), signatures=signatures)
    assert put(door, document, swapped).status_code == 403
    with weakened.without_signatures():
        assert put(door, document, swapped).status_code == 201


def test_a_run_under_the_id_of_a_stranger_s_key_does_not_hold(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document, thief = make.payload(), make.Agent()
    (signature,) = json.loads(thief.seal(document))["signatures"]
    forged = changed(thief.seal(document), signatures=[{**signature, "keyid": agent.keyid}])
    assert put(door, document, forged).status_code == 403
    with weakened.without_signatures():
        assert put(door, document, forged).status_code == 201
    assert Upload.objects.get().key_id == agent.keyid


def test_a_signature_of_zeros_does_not_hold(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    zeros = [{"keyid": agent.keyid, "sig": encoded(bytes(64))}]
    forged = changed(agent.seal(document), signatures=zeros)
    assert put(door, document, forged).status_code == 403
    with weakened.without_signatures():
        assert put(door, document, forged).status_code == 201


def test_a_challenge_request_is_no_run(weakened: Weakened, door: Door, agent: make.Agent) -> None:
    document = make.payload()
    envelope = agent.seal(document, payload_type="application/vnd.fsyncmark.challenge.v1+json")
    assert put(door, document, envelope).status_code == 415
    with weakened.without_payload_types():
        assert put(door, document, envelope).status_code == 201


def test_a_run_signed_as_one_type_and_sent_as_another_does_not_hold(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    envelope = agent.seal(document, payload_type="application/vnd.fsyncmark.challenge.v1+json")
    renamed = changed(envelope, payloadType="application/vnd.fsyncmark.run.v1+json")
    assert put(door, document, renamed).status_code == 403
    with weakened.without_signatures():
        assert put(door, document, renamed).status_code == 201


@pytest.mark.parametrize("share", [0.1, 0.5, 0.99])
def test_a_truncated_envelope_stores_nothing(
    weakened: Weakened, door: Door, agent: make.Agent, share: float
) -> None:
    document = make.payload()
    envelope = agent.seal(document)
    assert put(door, document, envelope[: int(len(envelope) * share)]).status_code == 400
    assert not Upload.objects.exists()
    with weakened.with_envelopes_that_break():
        assert put(door, document, envelope[: int(len(envelope) * share)]).status_code == 500
    assert put(door, document, envelope).status_code == 201  # it is the cut that was refused


def test_a_truncated_payload_does_not_hold(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    cut = changed(agent.seal(document), payload=encoded(make.as_bytes(document)[:-1]))
    assert put(door, document, cut).status_code == 403
    with weakened.without_signatures():
        assert put(door, document, cut).status_code == 400  # read, and found to be no JSON


def test_members_that_nobody_signed_are_not_kept(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    filled = changed(agent.seal(document), note="<script>alert(1)</script>")
    assert put(door, document, filled).status_code == 201
    stored = Upload.objects.get().envelope
    assert b"script" not in stored
    assert set(json.loads(stored)) == {"payloadType", "payload", "signatures"}
    other = make.payload()
    with weakened.with_envelopes_as_sent():
        assert put(door, other, changed(agent.seal(other), note="<script>")).status_code == 201
        assert b"<script>" in Upload.objects.get(run_id=other["run_id"]).envelope


def test_members_of_a_signature_are_not_kept(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    (signature,) = json.loads(agent.seal(document))["signatures"]
    filled = changed(agent.seal(document), signatures=[{**signature, "note": "unsigned"}])
    assert put(door, document, filled).status_code == 201
    assert b"unsigned" not in Upload.objects.get().envelope
    other = make.payload()
    (signature,) = json.loads(agent.seal(other))["signatures"]
    filled = changed(agent.seal(other), signatures=[{**signature, "note": "unsigned"}])
    with weakened.with_envelopes_as_sent():
        assert put(door, other, filled).status_code == 201
        assert b"unsigned" in Upload.objects.get(run_id=other["run_id"]).envelope


def test_a_second_signature_with_words_as_its_key_is_not_kept(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    (signature,) = json.loads(agent.seal(document))["signatures"]
    words = {"keyid": "buy cheap disks", "sig": encoded(bytes(64))}
    filled = changed(agent.seal(document), signatures=[signature, words])
    assert put(door, document, filled).status_code == 201
    assert b"cheap" not in Upload.objects.get().envelope
    other = make.payload()
    (signature,) = json.loads(agent.seal(other))["signatures"]
    with weakened.with_envelopes_as_sent():
        filled = changed(agent.seal(other), signatures=[signature, words])
        assert put(door, other, filled).status_code == 201
        assert b"cheap" in Upload.objects.get(run_id=other["run_id"]).envelope


def test_megabytes_beside_the_payload_are_refused(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    filled = changed(agent.seal(document), note="x" * 1_000_000, more="y" * 1_000_000)
    assert put(door, document, filled).status_code == 400
    with weakened.without_structure_limits():
        assert put(door, document, filled).status_code == 201


def test_the_same_run_with_other_bytes_changes_nothing(
    weakened: Weakened, door: Door, agent: make.Agent
) -> None:
    document = make.payload()
    assert put(door, document, agent.seal(document)).status_code == 201
    other = {**document, "machine": "e" * 32}
    assert put(door, document, agent.seal(other)).status_code == 409
    with weakened.with_any_bytes_under_an_id():
        assert put(door, document, agent.seal(other)).status_code == 200


SMALL_ORDER = (
    "0100000000000000000000000000000000000000000000000000000000000000",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
)
NON_CANONICAL = (
    "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
    "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
)


@pytest.mark.parametrize("key", SMALL_ORDER + NON_CANONICAL)
def test_a_key_for_which_anybody_can_sign_is_not_enrolled(
    weakened: Weakened, door: Door, db: None, key: str
) -> None:
    raw = bytes.fromhex(key)
    keyid = hashlib.sha256(raw).hexdigest()
    payload = make.as_bytes({"schema": "fsyncmark.key/1", "public_key": encoded(raw)})
    statement = json.dumps({
        "payloadType": "application/vnd.fsyncmark.key.v1+json",
        "payload": encoded(payload),
        "signatures": [{"keyid": keyid, "sig": encoded(raw + bytes(32))}],
    }).encode()  # fmt: skip
    assert door.put_key(keyid, statement).status_code == 422
    assert not AgentKey.objects.exists()
    with weakened.without_key_checks(), weakened.without_signatures():
        assert door.put_key(keyid, statement).status_code == 201


def test_a_key_of_another_is_not_enrolled_without_its_signature(
    weakened: Weakened, door: Door, db: None
) -> None:
    owner, thief = make.Agent(), make.Agent()
    text = encoded(owner.public_key)
    signed = thief.key_statement(public_key=text)
    (signature,) = json.loads(signed)["signatures"]
    forged = changed(signed, signatures=[{**signature, "keyid": owner.keyid}])
    assert door.put_key(owner.keyid, forged).status_code == 403
    with weakened.without_signatures():
        assert door.put_key(owner.keyid, forged).status_code == 201
