"""manage.py reread_imports: reads stored outputs again, after the importers have changed."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from apps.intake.services.imports import read_again


class Command(BaseCommand):
    """May run at any time and repeatedly: each output is replaced in a transaction of its own."""

    help = "Read imported outputs again with the importers of today."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Read them and say how many changed."""
        changed, total = read_again()
        self.stdout.write(f"{changed} of {total} imported outputs read anew")
