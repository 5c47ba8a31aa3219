"""`./run translations`: brings the catalogues up to the code and compiles them."""

from __future__ import annotations

import os
import sys
from typing import Final

import django
from babel.messages.catalog import Catalog

from apps.embedded.progress import Progress
from apps.embedded.verbs import USAGE_STATUS, PlainError, run_verb
from tests.locale import catalogues

# Files alone are read, so no server is needed; the settings want the addresses to be there.
UNUSED: Final = {
    "DJANGO_SETTINGS_MODULE": "apps.config.settings",
    "SECRET_KEY": "x",
    "DATABASE_URL": "postgresql://",
    "REDIS_URL": "redis://",
}


def translations(arguments: list[str], progress: Progress) -> int:
    """Extract, merge, write and compile; fails where something is left to translate."""
    if arguments not in ([], ["--quiet"]):
        progress.say("usage: ./run translations [--quiet]")
        return USAGE_STATUS
    progress.say("reading templates, modules and tables")
    for name, value in UNUSED.items():
        os.environ.setdefault(name, value)
    django.setup()
    from apps.pages.show.catalogue_texts import catalogue_texts  # noqa: PLC0415  needs Django to be set up

    template = catalogues.template_catalogue(catalogue_texts())
    left = 0
    for locale in catalogues.LOCALES:
        catalog = renew(locale, template)
        found = catalogues.faults(catalog)
        left += len(found)
        for fault in found if not arguments else ():
            progress.say(f"{locale}: {fault}")
        progress.say(f"{locale}: {len(catalog)} texts, {len(found)} to look at")
    if left:
        raise PlainError(f"{left} texts are left: see docs/translating.md")
    return 0


def renew(locale: str, template: Catalog) -> Catalog:
    """Write a language's files anew and return what is in them."""
    catalog = catalogues.updated(locale, catalogues.read_catalogue(locale), template)
    catalogues.write_catalogue(catalog, locale)
    return catalog


if __name__ == "__main__":
    sys.exit(run_verb({"translations": translations}, sys.argv[1:]))
