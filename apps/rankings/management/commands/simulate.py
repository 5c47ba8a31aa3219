"""manage.py simulate: tries the method on invented cells and prints tables of the results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.rankings.simulated import replaced, section

if TYPE_CHECKING:
    from django.core.management.base import CommandParser

PAGE = Path("docs") / "methodology.md"


class Command(BaseCommand):
    """Touches no database."""

    help = "Print tables of trials: a cheater, coverage of intervals, split cells, ranks."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --write."""
        parser.add_argument(
            "--write", action="store_true", help=f"put the tables into {PAGE} as well"
        )

    def handle(self, *_args: Any, write: bool, **_options: Any) -> None:
        """Print the section."""
        made = section()
        self.stdout.write(made)
        if write:
            page = Path(settings.BASE_DIR) / PAGE
            page.write_text(replaced(page.read_text(encoding="utf-8"), made), encoding="utf-8")
