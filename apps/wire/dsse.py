"""DSSE envelopes: the bytes that a signature covers, reading and writing.

A signature covers PAE(payloadType, payload) over the decoded bytes (DSSE v1.0.2). This module never
reads the payload, which must be verified first.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from apps.wire.limits import (
    ENVELOPE_OVERHEAD_BYTES_MAX,
    ENVELOPE_STRUCTURE_MAX,
    PAYLOAD_BYTES_MAX,
    SIGNATURES_MAX,
)
from apps.wire.problems import Fault
from apps.wire.reading import NotStrictJsonError, read_tolerant

CONTENT_TYPE = "application/vnd.fsyncmark.dsse.v1+json"
RUN_PAYLOAD_TYPE = "application/vnd.fsyncmark.run.v1+json"
KEY_PAYLOAD_TYPE = "application/vnd.fsyncmark.key.v1+json"
CHALLENGE_PAYLOAD_TYPE = "application/vnd.fsyncmark.challenge.v1+json"
LOGIN_PAYLOAD_TYPE = "application/vnd.fsyncmark.key-login.v1+json"
ROTATION_PAYLOAD_TYPE = "application/vnd.fsyncmark.key-rotation.v1+json"
WITHDRAWAL_PAYLOAD_TYPE = "application/vnd.fsyncmark.withdrawal.v1+json"
PLACEMENT_PAYLOAD_TYPE = "application/vnd.fsyncmark.placement.v1+json"
SENDER_PAYLOAD_TYPE = "application/vnd.fsyncmark.sender.v1"  # three lines, in a header

SIGNATURE_BYTES = 64  # Ed25519, RFC 8032
_URL_SAFE_TO_STANDARD = str.maketrans("-_", "+/")


class BadEnvelopeError(ValueError):
    """The bytes are no valid envelope; `fault` says where and why."""

    def __init__(self, pointer: str, detail: str) -> None:
        super().__init__(f"{pointer or 'envelope'}: {detail}")
        self.fault = Fault(pointer=pointer, detail=detail)


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature and the id of its key, which is an unauthenticated hint."""

    keyid: str
    sig: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    """A decoded envelope; nothing in it may be trusted before a signature is verified."""

    payload_type: str
    payload: bytes
    signatures: tuple[Signature, ...]


def pae(payload_type: str, body: bytes) -> bytes:
    """Return the pre-authentication encoding: the bytes that are signed."""
    kind = payload_type.encode()
    return b"DSSEv1 %d %b %d %b" % (len(kind), kind, len(body), body)


def decode_base64(text: str) -> bytes:
    """Return the bytes of padded base64 in the standard or the URL-safe alphabet.

    White space, mixed alphabets, missing padding and stray bits are refused, so that each value has
    one text in each alphabet.
    Raises ValueError.
    """
    standard = text
    if "-" in text or "_" in text:
        if "+" in text or "/" in text:
            raise ValueError("mixes the two base64 alphabets")
        standard = text.translate(_URL_SAFE_TO_STANDARD)
    try:
        decoded = base64.b64decode(standard, validate=True)
    except (binascii.Error, ValueError) as error:
        raise ValueError("is not padded base64 without white space") from error
    if base64.b64encode(decoded).decode() != standard:
        raise ValueError("is not canonical base64")
    return decoded


def read_envelope(raw: bytes, *, payload_bytes_max: int = PAYLOAD_BYTES_MAX) -> Envelope:
    """Return the envelope in a request body, its payload still unread.

    Unknown members are ignored, as DSSE demands, but may not be long; no member may occur twice.
    Raises BadEnvelopeError.
    """
    _check_overhead(raw)
    try:
        document = read_tolerant(raw)
    except NotStrictJsonError as error:
        raise BadEnvelopeError("", str(error)) from error
    if not isinstance(document, dict):
        raise BadEnvelopeError("", "must be a JSON object")
    payload = _base64_member(document, "payload", "/payload")
    if len(payload) > payload_bytes_max:
        raise BadEnvelopeError("/payload", f"holds more than {payload_bytes_max} bytes")
    return Envelope(
        payload_type=_text_member(document, "payloadType", "/payloadType"),
        payload=payload,
        signatures=_signatures(document.get("signatures")),
    )


def is_signed_by(envelope: Envelope, signature: Signature, *, public_key: bytes) -> bool:
    """Whether the signature of this key over the payload and its type is valid.

    libsodium refuses small-order keys and points, non-canonical encodings and S + L.
    """
    if len(signature.sig) != SIGNATURE_BYTES:
        return False
    message = pae(envelope.payload_type, envelope.payload)
    try:
        VerifyKey(public_key).verify(message, signature.sig)
    except BadSignatureError:
        return False
    return True


def written(envelope: Envelope, *, signatures: tuple[Signature, ...]) -> bytes:
    """Return the bytes of an envelope with these signatures and no member that nobody signed."""
    document = {
        "payloadType": envelope.payload_type,
        "payload": base64.b64encode(envelope.payload).decode(),
        "signatures": [
            {"keyid": each.keyid, "sig": base64.b64encode(each.sig).decode()} for each in signatures
        ],
    }
    return json.dumps(document, separators=(",", ":")).encode()


def signed(payload: bytes, *, payload_type: str, key: SigningKey) -> bytes:
    """Return the signature of a payload and its type by a key."""
    return key.sign(pae(payload_type, payload)).signature


def seal(payload: bytes, *, payload_type: str, keyid: str, key: SigningKey) -> bytes:
    """Return the envelope of a payload, signed, as JSON bytes."""
    signature = Signature(keyid, signed(payload, payload_type=payload_type, key=key))
    envelope = Envelope(payload_type, payload, (signature,))
    return written(envelope, signatures=envelope.signatures)


def _check_overhead(raw: bytes) -> None:
    """Refuse what is mostly not payload: the longest text is the payload, or there is none."""
    beside = len(raw) - max(map(len, raw.split(b'"', ENVELOPE_STRUCTURE_MAX + 1)))
    if beside > ENVELOPE_OVERHEAD_BYTES_MAX:
        raise BadEnvelopeError("", f"has over {ENVELOPE_OVERHEAD_BYTES_MAX} bytes beside a payload")


def _signatures(value: object) -> tuple[Signature, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= SIGNATURES_MAX:
        raise BadEnvelopeError("/signatures", f"must be an array of 1 to {SIGNATURES_MAX}")
    return tuple(_signature(item, f"/signatures/{place}") for place, item in enumerate(value))


def _signature(item: object, pointer: str) -> Signature:
    if not isinstance(item, dict):
        raise BadEnvelopeError(pointer, "must be an object with keyid and sig")
    sig = _base64_member(item, "sig", f"{pointer}/sig")
    if len(sig) != SIGNATURE_BYTES:
        raise BadEnvelopeError(f"{pointer}/sig", f"must hold {SIGNATURE_BYTES} bytes")
    return Signature(keyid=_text_member(item, "keyid", f"{pointer}/keyid"), sig=sig)


def _text_member(document: dict[str, object], name: str, pointer: str) -> str:
    value = document.get(name)
    if not isinstance(value, str):
        raise BadEnvelopeError(pointer, "must be a string")
    return value


def _base64_member(document: dict[str, object], name: str, pointer: str) -> bytes:
    text = _text_member(document, name, pointer)
    try:
        return decode_base64(text)
    except ValueError as error:
        raise BadEnvelopeError(pointer, str(error)) from error
