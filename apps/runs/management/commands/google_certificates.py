"""Takes over the certificates that Google signs with today."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from cryptography.x509 import load_pem_x509_certificate
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone


class Command(BaseCommand):
    """Writes `gcp.toml` of CLOUD_CERTIFICATES anew from what Google publishes."""

    help = (
        "Reads https://www.googleapis.com/oauth2/v1/certs from standard input and writes gcp.toml "
        "of the folder CLOUD_CERTIFICATES anew."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Write the file whole or not at all. Raises CommandError."""
        if not settings.CLOUD_CERTIFICATES:
            raise CommandError("CLOUD_CERTIFICATES names no folder; see docs/self-hosting.md")
        rows = _rows(sys.stdin.read())
        path = Path(settings.CLOUD_CERTIFICATES) / "gcp.toml"
        unfinished = path.with_suffix(".new")
        unfinished.write_text("\n".join(rows), encoding="utf-8")
        unfinished.rename(path)
        self.stdout.write(f"{path}: {len(rows)} certificates")


def _rows(text: str) -> list[str]:
    try:
        certificates = json.loads(text)
        for kid, pem in certificates.items():
            bytes.fromhex(kid)
            load_pem_x509_certificate(pem.encode())
    except (AttributeError, ValueError) as error:
        raise CommandError(f"is not what Google publishes: {error}") from error
    if not certificates:
        raise CommandError("is empty; the certificates that were there stay")
    today = timezone.now().date()
    return [
        f'[[certificate]]\nsigns = "{kid}"\nread_on = {today}\npem = """\n{pem}"""\n'
        for kid, pem in certificates.items()
    ]
