"""Django system checks of what a public site needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning
from django.db import connections

CONTACT_SCHEMES = ("mailto:", "https://")  # the schemes that security.txt allows: RFC 9116, 2.5.3
# Of what examples and other people's notes have in the place of a secret.
KNOWN_SECRETS = ("unused", "changeme", "change-me", "secret", "password", "example")


def check_deployment(**_: Any) -> list[CheckMessage]:
    """Check what a site must not face strangers with: it is refused where that is no question."""
    site = urlsplit(settings.SITE_URL)
    is_public = site.scheme == "https"
    return [
        *_address_messages(is_public=is_public),
        *_secret_messages(),
        *_contact_messages(is_public=is_public),
        *_imprint_messages(),
        *_static_messages(),
    ]


def _address_messages(*, is_public: bool) -> Iterator[CheckMessage]:
    if not is_public:
        yield CheckWarning(
            f"SITE_URL is {settings.SITE_URL}: cookies and redirects are not secured.",
            hint="Set SITE_URL to the public https:// address.",
            id="fsyncmark.W001",
        )
    if "*" in settings.ALLOWED_HOSTS:
        yield Error(
            "ALLOWED_HOSTS accepts every host name.",
            hint="List the names that this site answers to.",
            id="fsyncmark.E001",
        )
    if is_public and not settings.TRUSTED_PROXY_HOPS:
        yield Error(
            "TRUSTED_PROXY_HOPS is 0 behind https: all senders have the proxy's address and are "
            "one uploader with one quota.",
            hint="Set it to the number of your own proxies in front: 1 for one that ends TLS.",
            id="fsyncmark.E003",
        )
    if settings.DEBUG:
        yield Error(
            "DEBUG shows settings and code to whoever causes an error.",
            hint="Leave DEBUG unset.",
            id="fsyncmark.E004",
        )


def _secret_messages() -> Iterator[CheckMessage]:
    secrets = {
        "SECRET_KEY": settings.SECRET_KEY,
        "the password of DATABASE_URL": settings.DATABASES["default"].get("PASSWORD") or "",
    }
    for name, value in secrets.items():
        if value and any(known in value.lower() for known in KNOWN_SECRETS):
            yield Error(
                f"{name} is that of an example.",
                hint='python3 -c "import secrets; print(secrets.token_urlsafe(48))"',
                id="fsyncmark.E005",
            )


def _contact_messages(*, is_public: bool) -> Iterator[CheckMessage]:
    if not settings.SITE_CONTACT.startswith(CONTACT_SCHEMES):
        missing = Error if is_public else CheckWarning
        yield missing(
            f"SITE_CONTACT is {settings.SITE_CONTACT!r}: nobody can report a flaw or ask for a "
            "correction, and there is no security.txt.",
            hint="Set SITE_CONTACT to mailto:somebody@… or to an https:// address.",
            id="fsyncmark.E006" if is_public else "fsyncmark.W003",
        )
    if not settings.SOURCE_URL.startswith("https://"):
        yield CheckWarning(
            f"SOURCE_URL is {settings.SOURCE_URL!r}: nobody can read the program or build it.",
            hint="Set SOURCE_URL to the https:// address where its source lies.",
            id="fsyncmark.W004",
        )


def _imprint_messages() -> Iterator[CheckMessage]:
    for name in ("SITE_OPERATOR", "SITE_ADDRESS"):
        if not getattr(settings, name):
            yield CheckWarning(
                f"{name} is not set: the imprint says so, and a public site must have one.",
                hint="Set SITE_OPERATOR to a name, SITE_ADDRESS to lines that ';' ends.",
                id="fsyncmark.W005",
            )


def _static_messages() -> Iterator[CheckMessage]:
    if not settings.STATIC_ROOT:
        yield CheckWarning(
            "Static files are served from the source tree, uncompressed and without hashes.",
            hint="Run collectstatic with STATIC_ROOT set, and serve with the same STATIC_ROOT.",
            id="fsyncmark.W002",
        )


def check_database(*, databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Check that commits are synchronous: a 201 promises that the upload survives a power cut."""
    messages: list[CheckMessage] = []
    for alias in databases or []:
        with connections[alias].cursor() as cursor:
            cursor.execute("SHOW synchronous_commit")
            (value,) = cursor.fetchone()
        if value == "off":
            messages.append(
                Error(
                    f"synchronous_commit is {value} on database {alias!r}: acknowledged uploads "
                    "would be lost with the power.",
                    hint="ALTER ROLE … RESET synchronous_commit, and leave the server's default.",
                    id="fsyncmark.E002",
                )
            )
    return messages
