"""Checks what a provider signed about a machine, and says what follows: type, zone, instance.

- AWS signs type and zone, with nothing of ours in it: whoever has the document can send it again.
- Alibaba signs type and zone together with the challenge.
- Google signs the zone together with the challenge, and no type.
- Azure signs neither size nor place, so nothing of it is checked.
"""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

import jwt
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15

from apps.runs.clouds.certificates import certificates_of
from apps.runs.clouds.cms import BadSignedDataError, check_signed_data

if TYPE_CHECKING:
    from collections.abc import Callable

GOOGLE_ISSUER: Final = "https://accounts.google.com"
# Google's clocks and ours; a token may be made a moment before our challenge is stored.
SKEW: Final = timedelta(minutes=2)
NAME_CHARACTERS_MAX: Final = 64  # of a type or a zone: none has half as many


class Refused(StrEnum):
    """Why a document proves nothing; pages have a sentence for each."""

    UNREADABLE = "unreadable"
    NO_CERTIFICATE = "no-certificate"  # none of this region or key is known here
    NOT_SIGNED = "not-signed"  # or by somebody else, or something else
    OTHER_CHALLENGE = "other-challenge"
    EXPIRED = "expired"
    NOT_ITS_NETWORK = "not-its-network"  # AWS: the upload came from elsewhere
    OTHER_KEY = "other-key"  # the instance vouched for another key before
    OTHER_TYPE = "other-type"  # the run stands on another plan
    OTHER_PLACE = "other-place"  # the run says another region


class DocumentRefusedError(ValueError):
    """A document that proves nothing; `reason` says why."""

    def __init__(self, reason: Refused) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Sent:
    """A document as it was sent, and what it must fit."""

    document: str
    signature: str
    challenge: str
    issued_at: datetime  # the challenge
    received_at: datetime  # the document


@dataclass(frozen=True, slots=True)
class SignedPlace:
    """What a provider signed of one of its machines."""

    instance: str  # its id: never stored as it is
    zone: str
    instance_type: str = ""  # blank: not signed
    is_fresh: bool = True  # the challenge is part of it


def read_document(cloud: str, sent: Sent) -> SignedPlace:
    """Return what the provider signed. Raises DocumentRefusedError."""
    return _READERS[cloud](sent)


def _aws(sent: Sent) -> SignedPlace:
    """Read an instance identity document with its RSA signature over the very bytes."""
    document = _json(sent.document)
    region = _text(document, "region")
    known = [each for each in certificates_of("aws", at=sent.received_at) if each.signs == region]
    if not known:
        raise DocumentRefusedError(Refused.NO_CERTIFICATE)
    signature = _base64(sent.signature)
    if not any(
        _is_signed(each.public_key.verify, signature, sent.document.encode()) for each in known
    ):
        raise DocumentRefusedError(Refused.NOT_SIGNED)
    if _moment(_text(document, "pendingTime")) > sent.received_at + SKEW:
        raise DocumentRefusedError(Refused.EXPIRED)
    return SignedPlace(
        instance=_text(document, "instanceId"),
        zone=_text(document, "availabilityZone"),
        instance_type=_text(document, "instanceType"),
        is_fresh=False,
    )


def _alibaba(sent: Sent) -> SignedPlace:
    """Read an identity document whose detached signature was asked for with our challenge.

    The service signs the document with the audience as its last member, and hands it out without.
    """
    document, text = _json(sent.document), sent.document.rstrip()
    if "audience" in document:
        raise DocumentRefusedError(Refused.UNREADABLE)
    known = certificates_of("alibaba", at=sent.received_at)
    if not known:
        raise DocumentRefusedError(Refused.NO_CERTIFICATE)
    content = f'{text[:-1].rstrip()},"audience":{json.dumps(sent.challenge)}}}'
    try:
        check_signed_data(
            _base64(sent.signature),
            content.encode(),
            known=[each.certificate for each in known],
            at=sent.received_at,
        )
    except BadSignedDataError as error:
        raise DocumentRefusedError(Refused.NOT_SIGNED) from error
    return SignedPlace(
        instance=_text(document, "instance-id"),
        zone=_text(document, "zone-id"),
        instance_type=_text(document, "instance-type"),
    )


def _google(sent: Sent) -> SignedPlace:
    """Read an identity token of the full format, whose audience is our challenge."""
    claims = _google_claims(sent)
    if claims["aud"] != sent.challenge:
        raise DocumentRefusedError(Refused.OTHER_CHALLENGE)
    issued_at, ends_at = (datetime.fromtimestamp(int(claims[each]), UTC) for each in ("iat", "exp"))
    if issued_at < sent.issued_at - SKEW or ends_at < sent.received_at - SKEW:
        raise DocumentRefusedError(Refused.EXPIRED)
    machine = claims.get("google", {}).get("compute_engine", {})
    if not isinstance(machine, dict):
        raise DocumentRefusedError(Refused.UNREADABLE)
    return SignedPlace(instance=_text(machine, "instance_id"), zone=_text(machine, "zone"))


def _google_claims(sent: Sent) -> dict[str, Any]:
    """Return the claims of a token that Google signed, whatever they say."""
    try:
        kid = jwt.get_unverified_header(sent.document).get("kid")
        known = certificates_of("gcp", at=sent.received_at)
        key = next((each.public_key for each in known if each.signs == kid), None)
        if key is None:
            raise DocumentRefusedError(Refused.NO_CERTIFICATE)
        claims: dict[str, Any] = jwt.decode(
            sent.document, key, algorithms=["RS256"], issuer=GOOGLE_ISSUER,
            # by our own clock, when it came: a worker may read it later
            options={
                "verify_aud": False, "verify_exp": False, "verify_iat": False,
                "require": ["aud", "exp", "iat", "iss"],
            },
        )  # fmt: skip
    except jwt.InvalidSignatureError as error:
        raise DocumentRefusedError(Refused.NOT_SIGNED) from error
    except jwt.PyJWTError as error:
        raise DocumentRefusedError(Refused.UNREADABLE) from error
    if not isinstance(claims.get("google", {}), dict):
        raise DocumentRefusedError(Refused.UNREADABLE)
    return claims


def _is_signed(verify: Callable[..., None], signature: bytes, content: bytes) -> bool:
    try:
        verify(signature, content, PKCS1v15(), hashes.SHA256())
    except InvalidSignature:
        return False
    return True


def _json(text: str) -> dict[str, Any]:
    """Return the members of a document; one that is named twice could be read in two ways."""
    try:
        document = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:
        raise DocumentRefusedError(Refused.UNREADABLE) from error
    if not isinstance(document, dict):
        raise DocumentRefusedError(Refused.UNREADABLE)
    return document


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is named twice")
    return members


def _text(document: dict[str, Any], name: str) -> str:
    """Return a member that is a name: text, or the number that an instance may have as id."""
    text = document.get(name)
    if not isinstance(text, str) or not 0 < len(text) <= NAME_CHARACTERS_MAX or not text.isascii():
        raise DocumentRefusedError(Refused.UNREADABLE)
    return text


def _base64(text: str) -> bytes:
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise DocumentRefusedError(Refused.UNREADABLE) from error


def _moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise DocumentRefusedError(Refused.UNREADABLE) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


_READERS: Final[dict[str, Callable[[Sent], SignedPlace]]] = {
    "aws": _aws,
    "alibaba": _alibaba,
    "gcp": _google,
}
