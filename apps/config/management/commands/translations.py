"""`manage.py translations`: brings the catalogues up to the code and compiles them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.config import translations
from apps.pages.spoken import spoken_texts


class Command(BaseCommand):
    """Extract, merge, write and compile; fails where something is left to translate."""

    help = "Bring locale/*/LC_MESSAGES/django.po and .mo up to the texts of the code."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quiet", action="store_true", help="do not list what is left")

    def handle(self, *, quiet: bool, **_: Any) -> None:
        template = translations.template_catalogue(spoken_texts())
        left = 0
        for locale in translations.LOCALES:
            path = translations.po_path(locale)
            catalog = translations.updated(
                locale, translations.read_catalogue(path, locale), template
            )
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(translations.po_bytes(catalog))
            path.with_suffix(".mo").write_bytes(translations.mo_bytes(catalog))
            found = translations.faults(catalog)
            left += len(found)
            if not quiet:
                for fault in found:
                    self.stdout.write(f"{locale}: {fault}")
            self.stdout.write(f"{locale}: {len(catalog)} texts, {len(found)} to look at")
        if left:
            raise CommandError(f"{left} texts are left: see docs/translating.md")
