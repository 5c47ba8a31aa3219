"""A provider of our own making: certificates, and documents as clouds sign them."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import pkcs7
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from pathlib import Path

BEGAN = datetime(2025, 1, 1, tzinfo=UTC)
ENDS = datetime(2099, 1, 1, tzinfo=UTC)

ONE = bytes.fromhex("020101")
DATA = bytes.fromhex("06092a864886f70d010701")
SIGNED_DATA = bytes.fromhex("06092a864886f70d010702")


def der(tag: int, *parts: bytes) -> bytes:
    """Return a value of DER."""
    content = b"".join(parts)
    length = len(content).to_bytes((len(content).bit_length() + 7) // 8 or 1, "big")
    few = len(content) < 0x80
    return bytes([tag]) + (length if few else bytes([0x80 + len(length)]) + length) + content


def name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


@dataclass
class Authority:
    """Somebody with a key and a certificate, by itself or issued by another."""

    text: str = "A cloud"
    issuer: Authority | None = None
    ends: datetime = ENDS
    key: rsa.RSAPrivateKey = field(
        default_factory=lambda: rsa.generate_private_key(public_exponent=65537, key_size=2048)
    )

    def __post_init__(self) -> None:
        above = self.issuer or self
        self.certificate = (
            x509.CertificateBuilder()
            .subject_name(name(self.text))
            .issuer_name(name(above.text))
            .public_key(self.key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(BEGAN)
            .not_valid_after(self.ends)
            .sign(above.key, hashes.SHA256())
        )

    @property
    def pem(self) -> str:
        return self.certificate.public_bytes(serialization.Encoding.PEM).decode()

    def file(self, folder: Path, cloud: str, signs: str) -> None:
        """Make the site know this certificate, beside those that it knows already."""
        row = (
            f'[[certificate]]\nsigns = "{signs}"\nread_on = 2026-11-01\npem = """\n{self.pem}"""\n'
        )
        path = folder / f"{cloud}.toml"
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        path.write_text(before + row, encoding="utf-8")

    def aws(self, **changes: Any) -> tuple[str, str]:
        """Return an instance identity document with its signature, as EC2 answers them."""
        document = json.dumps(
            {
                "accountId": "000000000000", "architecture": "x86_64",
                "availabilityZone": "xx-test-1a", "instanceId": "i-0123456789abcdef0",
                "instanceType": "t3.micro", "pendingTime": "2025-06-15T11:00:00Z",
                "region": "xx-test-1", "version": "2017-09-30",
            } | changes,
            indent=2,
        )  # fmt: skip
        signature = self.key.sign(document.encode(), padding.PKCS1v15(), hashes.SHA256())
        return document, base64.encodebytes(signature).decode()

    def alibaba(self, audience: str, **changes: Any) -> tuple[str, str]:
        """Return an identity document, and a signature over it with its audience."""
        document = json.dumps(
            {
                "owner-account-id": "000000000000", "instance-id": "i-bp1test",
                "region-id": "xx-test-1", "zone-id": "xx-test-1-b", "instance-type": "ecs.t1",
            } | changes
        )  # fmt: skip
        return document, self.pkcs7(f'{document[:-1]},"audience":{json.dumps(audience)}}}')

    def pkcs7(self, content: str) -> str:
        signed = (
            pkcs7.PKCS7SignatureBuilder()
            .set_data(content.encode())
            .add_signer(self.certificate, self.key, hashes.SHA256())
            .sign(
                serialization.Encoding.DER,
                [pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary],
            )
        )
        return base64.b64encode(signed).decode()

    def pkcs7_as_alibaba(self, content: str) -> str:
        """Return a signature in the very form of Alibaba: SHA-1, content inside, no attributes."""
        sha1 = der(0x30, bytes.fromhex("06052b0e03021a0500"))
        rsa_encryption = der(0x30, bytes.fromhex("06092a864886f70d0101010500"))
        signature = self.key.sign(content.encode(), padding.PKCS1v15(), hashes.SHA1())  # noqa: S303  as Alibaba does
        serial = self.certificate.serial_number.to_bytes(21, "big")
        who = der(0x30, self.certificate.issuer.public_bytes(), der(0x02, serial))
        signer = der(0x30, ONE, who, sha1, rsa_encryption, der(0x04, signature))
        data = der(0x30, DATA, der(0xA0, der(0x04, content.encode())))
        signed = der(0x30, ONE, der(0x31, sha1), data, der(0x31, signer))
        return base64.b64encode(der(0x30, SIGNED_DATA, der(0xA0, signed))).decode()

    def google(self, audience: str, *, at: datetime, kid: str = "k1", **changes: Any) -> str:
        """Return an identity token of the full format."""
        claims = {
            "aud": audience, "iss": "https://accounts.google.com",
            "iat": int(at.timestamp()), "exp": int((at + timedelta(hours=1)).timestamp()),
            "google": {"compute_engine": {"instance_id": "4711", "zone": "xx-test1-b"}},
        } | changes  # fmt: skip
        return jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": kid})
