"""`manage.py write_openapi`: docs/openapi.yaml anew, after the API changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.api.openapi.description import as_yaml, openapi_document

OPENAPI_FILE: Final = Path("docs") / "openapi.yaml"


class Command(BaseCommand):
    """Writes the description that the API serves to the file that reviewers read."""

    help = f"Write the OpenAPI description of the API to {OPENAPI_FILE}."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Write the file and say so."""
        (settings.BASE_DIR / OPENAPI_FILE).write_text(as_yaml(openapi_document()), encoding="utf-8")
        self.stdout.write(f"Wrote {OPENAPI_FILE}.")
