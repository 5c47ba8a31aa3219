"""Envelopes: the golden vectors, and every way to forge or garble one."""

from __future__ import annotations

import base64
import hashlib
import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nacl.signing import SigningKey

from apps.wire.dsse import (
    RUN_PAYLOAD_TYPE,
    BadEnvelopeError,
    Envelope,
    Signature,
    decode_base64,
    is_signed_by,
    pae,
    read_envelope,
    seal,
)
from apps.wire.keys import keyid_of

VECTORS = json.loads((Path(__file__).parent / "v1" / "vectors" / "dsse.json").read_bytes())
KEY = SigningKey(bytes.fromhex(VECTORS["signing_key_seed_hex"]))
PUBLIC_KEY = base64.b64decode(VECTORS["public_key"])
KEYID = VECTORS["keyid"]


def verifies(vector: dict[str, Any], public_key: bytes) -> bool:
    signature = Signature(keyid="", sig=base64.b64decode(vector["sig"]))
    body = base64.b64decode(vector["body_base64"])
    return is_signed_by(
        Envelope(vector["payload_type"], body, (signature,)), signature, public_key=public_key
    )


def document(**changes: Any) -> dict[str, Any]:
    sealed = seal(b"{}", payload_type=RUN_PAYLOAD_TYPE, keyid=KEYID, key=KEY)
    return {**json.loads(sealed), **changes}


def raw(**changes: Any) -> bytes:
    return json.dumps(document(**changes)).encode()


def test_the_key_id_is_the_sha256_of_the_raw_key() -> None:
    assert bytes(KEY.verify_key) == PUBLIC_KEY
    assert keyid_of(PUBLIC_KEY) == KEYID


@pytest.mark.parametrize("vector", VECTORS["valid"], ids=lambda vector: vector["name"])
def test_a_golden_vector_is_signed_to_the_same_bytes(vector: dict[str, Any]) -> None:
    body = base64.b64decode(vector["body_base64"])
    message = pae(vector["payload_type"], body)
    assert hashlib.sha256(message).hexdigest() == vector["pae_sha256"]
    assert base64.b64encode(KEY.sign(message).signature).decode() == vector["sig"]
    assert verifies(vector, PUBLIC_KEY)


@pytest.mark.parametrize("vector", VECTORS["must_fail"], ids=lambda vector: vector["why"])
def test_no_forgery_verifies(vector: dict[str, Any]) -> None:
    assert not verifies(vector, base64.b64decode(vector["public_key"]))


@given(st.binary(max_size=500), st.text(alphabet="abc/+.", min_size=1, max_size=40))
def test_what_is_sealed_opens_and_holds(payload: bytes, payload_type: str) -> None:
    envelope = read_envelope(seal(payload, payload_type=payload_type, keyid=KEYID, key=KEY))
    (signature,) = envelope.signatures
    assert (envelope.payload, envelope.payload_type) == (payload, payload_type)
    assert signature.keyid == KEYID
    assert is_signed_by(envelope, signature, public_key=PUBLIC_KEY)


@given(st.binary(max_size=100))
def test_both_alphabets_are_read(value: bytes) -> None:
    assert decode_base64(base64.b64encode(value).decode()) == value
    assert decode_base64(base64.urlsafe_b64encode(value).decode()) == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("AA\nAA", "white space"),
        ("AA AA", "white space"),
        ("AAAA\n", "white space"),
        ("AAA", "padded"),
        ("AAAA=", "canonical"),
        ("A", "padded"),
        ("AB==", "canonical"),
        ("A+-A", "mixes"),
        ("A/_A", "mixes"),
        ("AA==AA==", "padded"),
        ("ÄAAA", "white space"),
        ("=AAA", "padded"),
    ],
)
def test_one_value_has_one_text(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        decode_base64(text)


def test_unknown_members_are_ignored() -> None:
    signature = {**document()["signatures"][0], "cert": 1.5}
    envelope = read_envelope(raw(note={"any": [1.5, 99999999999999999999]}, signatures=[signature]))
    assert envelope.payload == b"{}"


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"payload": None}, "/payload"),
        ({"payload": "e30\n"}, "/payload"),
        ({"payload": "e3 0="}, "/payload"),
        ({"payloadType": 5}, "/payloadType"),
        ({"signatures": None}, "/signatures"),
        ({"signatures": {}}, "/signatures"),
        ({"signatures": []}, "/signatures"),
        ({"signatures": [{}, {}, {}]}, "/signatures"),
        ({"signatures": [5]}, "/signatures/0"),
        ({"signatures": [{"keyid": KEYID}]}, "/signatures/0/sig"),
        ({"signatures": [{"keyid": KEYID, "sig": "AAAA"}]}, "/signatures/0/sig"),
        ({"signatures": [{"sig": base64.b64encode(bytes(64)).decode()}]}, "/signatures/0/keyid"),
    ],
)
def test_a_garbled_envelope_is_refused_at_its_place(changes: dict[str, Any], pointer: str) -> None:
    with pytest.raises(BadEnvelopeError) as caught:
        read_envelope(raw(**changes))
    assert caught.value.fault.pointer == pointer


@pytest.mark.parametrize(
    "bad",
    [
        b"",
        b"[]",
        b"no json",
        raw()[:-1] + b',"signatures":[]}',  # two members called signatures
        raw()[:-1] + b',"x":{"a":1,"a":2}}',  # any member twice, known or not
        raw()[:-1] + b',"x":NaN}',
        raw()[:-1] + b',"x":[[[[[[[[1]]]]]]]]}',
    ],
)
def test_what_is_no_strict_json_is_no_envelope(bad: bytes) -> None:
    with pytest.raises(BadEnvelopeError) as caught:
        read_envelope(bad)
    assert caught.value.fault.pointer == ""


def test_a_payload_has_a_limit_of_its_own() -> None:
    with pytest.raises(BadEnvelopeError) as caught:
        read_envelope(raw(), payload_bytes_max=1)
    assert caught.value.fault.pointer == "/payload"


def test_two_signatures_are_read_for_key_rotation() -> None:
    one = document()["signatures"][0]
    assert len(read_envelope(raw(signatures=[one, one])).signatures) == 2


@given(st.data())
def test_a_garbled_envelope_is_read_or_refused(data: st.DataObject) -> None:
    envelope = bytearray(raw())
    for _ in range(data.draw(st.integers(min_value=1, max_value=3))):
        place = data.draw(st.integers(min_value=0, max_value=len(envelope) - 1))
        envelope[place] = data.draw(st.integers(min_value=0, max_value=255))
    with suppress(BadEnvelopeError):
        read_envelope(bytes(envelope))
