"""Django system checks of what a public site needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.core.checks import Warning as CheckWarning
from django.db import connections

CONTACT_SCHEMES = ("mailto:", "https://")  # the schemes that security.txt allows: RFC 9116, 2.5.3
SECRET_KEY_LENGTH_MIN = 50  # the length that `manage.py check --deploy` asks for


def check_deployment(**_: Any) -> list[CheckMessage]:
    """Check that the public address is HTTPS and no development setting is on."""
    messages: list[CheckMessage] = []
    if urlsplit(settings.SITE_URL).scheme != "https":
        messages.append(
            CheckWarning(
                f"SITE_URL is {settings.SITE_URL}: cookies and redirects are not secured.",
                hint="Set SITE_URL to the public https:// address.",
                id="fsyncmark.W001",
            )
        )
    if settings.ALLOWED_HOSTS == ["*"]:
        messages.append(
            Error(
                "ALLOWED_HOSTS accepts every host name.",
                hint="List the names that this site answers to.",
                id="fsyncmark.E001",
            )
        )
    if not settings.SITE_CONTACT.startswith(CONTACT_SCHEMES):
        messages.append(
            CheckWarning(
                f"SITE_CONTACT is {settings.SITE_CONTACT!r}: nobody can ask for a correction.",
                hint="Set SITE_CONTACT to mailto:somebody@… or to an https:// address.",
                id="fsyncmark.W003",
            )
        )
    if not settings.SOURCE_URL.startswith("https://"):
        messages.append(
            CheckWarning(
                f"SOURCE_URL is {settings.SOURCE_URL!r}: nobody can read the program or build it.",
                hint="Set SOURCE_URL to the https:// address where its source lies.",
                id="fsyncmark.W004",
            )
        )
    if not settings.STATIC_ROOT:
        messages.append(
            CheckWarning(
                "Static files are served from the source tree, uncompressed and without hashes.",
                hint="Run collectstatic with STATIC_ROOT set, and serve with the same STATIC_ROOT.",
                id="fsyncmark.W002",
            )
        )
    return messages


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
