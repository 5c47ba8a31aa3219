"""Opens envelopes: the signature is verified before the payload is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.accounts.models import AgentKey
from apps.accounts.selectors import keys_by_id
from apps.wire import problems
from apps.wire.dsse import (
    BadEnvelopeError,
    Envelope,
    Signature,
    is_signed_by,
    read_envelope,
)
from apps.wire.keys import BadKeyError, keyid_of, read_key_statement
from apps.wire.limits import (
    PAYLOAD_BYTES_MAX,
    PLACEMENT_BYTES_MAX,
    SIGNATURES_MAX,
    STATEMENT_BYTES_MAX,
)
from apps.wire.problems import Fault, Refusal

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True, slots=True)
class VerifiedEnvelope:
    """A payload with a valid signature, not read yet, and the key that signed it.

    Nothing else of what was sent is kept: other members are signed by nobody.
    """

    payload: bytes
    key: AgentKey
    signature: bytes


def open_run(raw: bytes, *, payload_type: str) -> VerifiedEnvelope:
    """Open the envelope of a run. Raises Refusal."""
    return _open(raw, payload_type=payload_type, payload_bytes_max=PAYLOAD_BYTES_MAX)


def open_statement(raw: bytes, *, payload_type: str) -> VerifiedEnvelope:
    """Open the envelope of a small statement by an enrolled key. Raises Refusal."""
    return _open(raw, payload_type=payload_type, payload_bytes_max=STATEMENT_BYTES_MAX)


def open_placement(raw: bytes, *, payload_type: str) -> VerifiedEnvelope:
    """Open the envelope that brings a provider's document. Raises Refusal."""
    return _open(raw, payload_type=payload_type, payload_bytes_max=PLACEMENT_BYTES_MAX)


def open_rotation(raw: bytes, *, payload_type: str) -> tuple[bytes, dict[str, AgentKey]]:
    """Return the payload that two enrolled keys signed, and those keys by id. Raises Refusal.

    Their states are looked at where they change, under a lock.
    """
    envelope = _read(raw, payload_bytes_max=STATEMENT_BYTES_MAX)
    keys = keys_by_id({signature.keyid for signature in envelope.signatures})
    if len(keys) != SIGNATURES_MAX:
        raise Refusal(problems.UNKNOWN_KEY, "A rotation is signed by two keys enrolled here.")
    for place, signature in enumerate(envelope.signatures):
        public_key = bytes(keys[signature.keyid].public_key)
        if not is_signed_by(envelope, signature, public_key=public_key):
            fault = Fault(f"/signatures/{place}", "does not hold")
            raise Refusal(problems.BAD_SIGNATURE, "", faults=(fault,))
    _check_type(envelope, payload_type)
    return envelope.payload, keys


def open_key_statement(raw: bytes, *, payload_type: str, keyid: str) -> bytes:
    """Return the public key of a statement that the key itself signed. Raises Refusal.

    It is the only document that is read before it is verified, since it contains its key; so it is
    small.
    """
    envelope = _read(raw, payload_bytes_max=STATEMENT_BYTES_MAX)
    _check_type(envelope, payload_type)
    try:
        public_key = read_key_statement(envelope.payload)
    except BadKeyError as error:
        raise Refusal(problems.BAD_KEY, "", faults=(error.fault,)) from error
    if keyid_of(public_key) != keyid:
        raise Refusal(problems.KEYID_MISMATCH, "The address names another key.")
    signer = _first_signature(envelope, lambda hint: public_key if hint == keyid else None)
    if signer is None:
        raise Refusal(problems.BAD_SIGNATURE, "The statement is not signed by its own key.")
    return public_key


def check_in_use(key: AgentKey) -> None:
    """Raise Refusal for a key that was revoked or replaced."""
    if key.state == AgentKey.State.REVOKED:
        raise Refusal(problems.REVOKED_KEY, f"The key {key} was revoked.")
    if key.state == AgentKey.State.ROTATED:
        raise Refusal(problems.ROTATED_KEY, f"The key {key} was replaced.")


def _open(raw: bytes, *, payload_type: str, payload_bytes_max: int) -> VerifiedEnvelope:
    envelope = _read(raw, payload_bytes_max=payload_bytes_max)
    keys = keys_by_id({signature.keyid for signature in envelope.signatures})
    if not keys:
        raise Refusal(problems.UNKNOWN_KEY, "No signature is by a key that is enrolled here.")

    def public_key(keyid: str) -> bytes | None:
        return bytes(keys[keyid].public_key) if keyid in keys else None

    signature = _first_signature(envelope, public_key)
    if signature is None:
        raise Refusal(
            problems.BAD_SIGNATURE, "", faults=(Fault("/signatures", "none of them holds"),)
        )
    key = keys[signature.keyid]
    check_in_use(key)
    _check_type(envelope, payload_type)
    return VerifiedEnvelope(payload=envelope.payload, key=key, signature=signature.sig)


def _read(raw: bytes, *, payload_bytes_max: int) -> Envelope:
    try:
        return read_envelope(raw, payload_bytes_max=payload_bytes_max)
    except BadEnvelopeError as error:
        raise Refusal(problems.BAD_ENVELOPE, "", faults=(error.fault,)) from error


def _check_type(envelope: Envelope, payload_type: str) -> None:
    if envelope.payload_type != payload_type:
        raise Refusal(
            problems.UNKNOWN_PAYLOAD_TYPE,
            f"This address accepts {payload_type}.",
            faults=(Fault("/payloadType", f"must be {payload_type}"),),
        )


def _first_signature(
    envelope: Envelope, public_key_of: Callable[[str], bytes | None]
) -> Signature | None:
    """Return the first valid signature; DSSE demands that those of unknown keys are ignored."""
    for signature in envelope.signatures:
        public_key = public_key_of(signature.keyid)
        if public_key and is_signed_by(envelope, signature, public_key=public_key):
            return signature
    return None
