"""Checks a detached PKCS#7 signature (CMS SignedData, RFC 5652) of one signer with RSA.

`cryptography` writes such signatures and does not verify them. What is read here is little: one
signer, RSA with PKCS #1 v1.5, a digest of SHA-1 (Alibaba's choice) or the SHA-2 family. The signer
is a certificate that we know, or one inside that a certificate of ours issued directly.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization.pkcs7 import load_der_pkcs7_certificates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import datetime

    from cryptography.x509 import Certificate

SEQUENCE: Final = 0x30
SET: Final = 0x31
OCTETS: Final = 0x04
FIRST: Final = 0xA0  # [0] of a context, constructed
_LONG: Final = 0x80  # of a length: the low bits count the octets that hold it
_LENGTH_OCTETS_MAX: Final = 3  # 16 MB: nothing here is as large
# DER of the object identifiers that are understood.
_SIGNED_DATA: Final = bytes.fromhex("06092a864886f70d010702")
_MESSAGE_DIGEST: Final = bytes.fromhex("06092a864886f70d010904")
# A chosen prefix collides in SHA-1 for some 2^63 steps (Leurent, Peyrin 2020), and the blocks would
# have to pass through an address and stand in JSON: more than a place on a board is worth.
_DIGESTS: Final[dict[bytes, hashes.HashAlgorithm]] = {
    bytes.fromhex("06052b0e03021a"): hashes.SHA1(),  # noqa: S303  see above
    bytes.fromhex("0609608648016503040201"): hashes.SHA256(),
    bytes.fromhex("0609608648016503040202"): hashes.SHA384(),
    bytes.fromhex("0609608648016503040203"): hashes.SHA512(),
}


class BadSignedDataError(ValueError):
    """The bytes are no signature of the content by a signer whom we know."""


@dataclass(frozen=True, slots=True)
class Value:
    """One value of DER: its tag, its content, and both with the length between them."""

    tag: int
    content: bytes
    whole: bytes

    def parts(self) -> list[Value]:
        """Return the values inside."""
        return list(_values(self.content))


@dataclass(frozen=True, slots=True)
class _Signer:
    digest: hashes.HashAlgorithm
    attributes: Value | None
    signature: bytes


def check_signed_data(
    der: bytes, content: bytes, *, known: Iterable[Certificate], at: datetime
) -> None:
    """Return if the signature is of this content by a signer whom we know.

    Raises BadSignedDataError.
    """
    signer = _signer_of(der)
    signed = content
    if signer.attributes is not None:
        _check_digest(signer.attributes, signer.digest, content)
        signed = bytes([SET]) + signer.attributes.whole[1:]  # as RFC 5652, 5.4 has it signed
    for certificate in _signers(der, tuple(known), at=at):
        key = certificate.public_key()
        if not isinstance(key, RSAPublicKey):
            continue
        try:
            key.verify(signer.signature, signed, PKCS1v15(), signer.digest)
        except InvalidSignature:
            continue
        return
    raise BadSignedDataError("nobody whom we know signed this content")


def _signers(der: bytes, known: tuple[Certificate, ...], *, at: datetime) -> Iterator[Certificate]:
    """Yield the certificates that we know, and those inside that one of them issued."""
    yield from known
    try:
        inside = load_der_pkcs7_certificates(der)
    except (ValueError, TypeError) as error:
        raise BadSignedDataError("its certificates cannot be read") from error
    for certificate in inside:
        if not certificate.not_valid_before_utc <= at <= certificate.not_valid_after_utc:
            continue
        for issuer in known:
            try:
                certificate.verify_directly_issued_by(issuer)
            except (InvalidSignature, TypeError, ValueError):
                continue
            yield certificate


def _signer_of(der: bytes) -> _Signer:
    """Return the only signer of ContentInfo { OID, [0] SignedData }."""
    try:
        kind, wrapped = _only(der, SEQUENCE).parts()
        if kind.whole != _SIGNED_DATA or wrapped.tag != FIRST:
            raise BadSignedDataError("is no SignedData")
        *_before, signers = _only(wrapped.content, SEQUENCE).parts()
        (signer,) = signers.parts()
        _version, _who, digest, *rest = signer.parts()
        attributes = rest.pop(0) if rest[0].tag == FIRST else None
        _algorithm, signature, *_unsigned = rest
        found = _DIGESTS.get(digest.parts()[0].whole)
    except (IndexError, ValueError) as error:
        raise BadSignedDataError(f"cannot be read: {error}") from error
    if found is None or signature.tag != OCTETS or signers.tag != SET:
        raise BadSignedDataError("uses what is not understood here")
    return _Signer(found, attributes, signature.content)


def _check_digest(attributes: Value, algorithm: hashes.HashAlgorithm, content: bytes) -> None:
    """Raise BadSignedDataError unless the signed attributes name the digest of the content."""
    digest = hashes.Hash(algorithm)
    digest.update(content)
    named = [
        value.content
        for name, values in (each.parts() for each in attributes.parts())
        if name.whole == _MESSAGE_DIGEST
        for value in values.parts()
    ]
    if len(named) != 1 or not hmac.compare_digest(named[0], digest.finalize()):
        raise BadSignedDataError("is the signature of another content")


def _only(der: bytes, tag: int) -> Value:
    (value,) = _values(der)
    if value.tag != tag:
        raise BadSignedDataError("is of another kind")
    return value


def _values(der: bytes) -> Iterator[Value]:
    """Yield the values that follow each other; raises BadSignedDataError for anything but DER."""
    at = 0
    while at < len(der):
        begin, tag = at, der[at]
        length, at = _length(der, at + 1)
        if at + length > len(der):
            raise BadSignedDataError("ends early")
        yield Value(tag, der[at : at + length], der[begin : at + length])
        at += length


def _length(der: bytes, at: int) -> tuple[int, int]:
    """Return the length that begins here, and where its content begins."""
    if at >= len(der):
        raise BadSignedDataError("ends early")
    first = der[at]
    if first < _LONG:
        return first, at + 1
    octets = first - _LONG
    if not 1 <= octets <= _LENGTH_OCTETS_MAX:
        raise BadSignedDataError("has a length that DER does not allow here")
    return int.from_bytes(der[at + 1 : at + 1 + octets]), at + 1 + octets
