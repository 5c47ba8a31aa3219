"""`manage.py import_prices FILE`: adds list prices from a CSV file, all of them or none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from apps.plans.models import Plan
from apps.plans.prices.files import PriceFileError, read_price_file
from apps.rankings.prices import add_prices

if TYPE_CHECKING:
    from django.core.management.base import CommandParser


class Command(BaseCommand):
    """Reads the whole file before it writes anything."""

    help = "Add list prices from a CSV file; docs/prices.md has its columns."

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the file and --dry-run."""
        parser.add_argument("file", type=Path, help="the columns of prices.csv, UTF-8")
        parser.add_argument("--dry-run", action="store_true", help="check the file, store nothing")

    def handle(self, *_args: Any, file: Path, dry_run: bool, **_options: Any) -> None:
        """Add the prices that are new, or print every line that is wrong."""
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{file} cannot be read as UTF-8 text: {error}") from None
        plans = set(Plan.objects.filter(is_listed=True).values_list("pk", flat=True))
        try:
            prices = read_price_file(text, plans=plans, today=timezone.now().date())
        except PriceFileError as error:
            raise CommandError(f"{file} was not taken:\n{error}") from None
        if dry_run:
            self.stdout.write(f"{len(prices)} prices can be read; nothing was stored.")
            return
        new = add_prices(prices)
        self.stdout.write(f"{len(new)} prices added, {len(prices) - len(new)} were known.")
