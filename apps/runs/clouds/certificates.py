"""The certificates by which documents of providers are checked: shipped ones, and an operator's."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.x509 import Certificate, load_pem_x509_certificate
from django.conf import settings

if TYPE_CHECKING:
    from datetime import date, datetime

SHIPPED: Final = Path(__file__).parents[1] / "data" / "clouds"


class BadCertificatesError(ValueError):
    """A file of certificates that cannot be used; the text says which and why."""


@dataclass(frozen=True, slots=True)
class CloudCertificate:
    """A certificate of a provider, and what it signs: a region, or the id of a key."""

    signs: str  # blank: anything of the provider
    read_on: date
    certificate: Certificate

    def holds_at(self, moment: datetime) -> bool:
        """Whether the certificate says that it is valid then."""
        first, last = self.certificate.not_valid_before_utc, self.certificate.not_valid_after_utc
        return first <= moment <= last

    @property
    def public_key(self) -> RSAPublicKey:
        """Its key, which is of RSA."""
        key = self.certificate.public_key()
        if not isinstance(key, RSAPublicKey):
            raise BadCertificatesError("only certificates with keys of RSA are used")
        return key


def certificates_of(cloud: str, *, at: datetime) -> tuple[CloudCertificate, ...]:
    """Return the certificates of a cloud that are valid at a moment.

    Raises BadCertificatesError for a file that cannot be read.
    """
    folders = (str(SHIPPED), settings.CLOUD_CERTIFICATES)
    listed = [
        each for folder in folders if folder for each in _read(Path(folder) / f"{cloud}.toml")
    ]
    return tuple(each for each in listed if each.holds_at(at))


def _read(path: Path) -> tuple[CloudCertificate, ...]:
    if not path.exists():
        return ()
    return _parsed(path, path.stat().st_mtime_ns)


@cache
def _parsed(path: Path, _changed_ns: int) -> tuple[CloudCertificate, ...]:
    """Return the certificates of a file, which is read again once it has changed."""
    try:
        rows = tomllib.loads(path.read_text(encoding="utf-8")).get("certificate", [])
        return tuple(
            CloudCertificate(
                signs=row["signs"],
                read_on=row["read_on"],
                certificate=load_pem_x509_certificate(row["pem"].encode()),
            )
            for row in rows
        )
    except (KeyError, TypeError, ValueError) as error:
        raise BadCertificatesError(f"{path}: {error}; see docs/self-hosting.md") from error
